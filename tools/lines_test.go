package tools

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// The id of a message that is too long to keep is found wherever it stands, and
// nothing else is taken for it.
func TestIDOfALongLine(t *testing.T) {
	long := strings.Repeat("x\\\"},", 20)
	for line, want := range map[string]string{
		`{"id":1,"params":"` + long + `"}`:                         `1`,
		`{"params":"` + long + `","id" : "a\"b" }`:                 `"a\"b"`,
		`{"params":{"id":7,"a":["` + long + `"]},"id":-2.5}`:       `-2.5`,
		`{"params":{"id":7,"x":"` + long + `"},"method":"id"}`:     ``,
		`{"id":{"id":3},"params":"` + long + `"}`:                  ``,
		`{"id":null,"params":"` + long + `"}`:                      ``,
		`{"id":"` + strings.Repeat("y", maxIDBytes) + `","a":"b"}`: ``,
		`[{"id":1,"params":"` + long + `"}]`:                       ``,
		long:                                                       ``,
	} {
		r := bufio.NewReaderSize(strings.NewReader(line+"\nnext\n"), 16)
		got, err := readLine(r, 50)
		if err != nil || !got.tooLong || got.data != nil || string(got.id) != want {
			t.Errorf("%.60s: %q, %v", line, got.id, err)
		}
		if got, _ := readLine(r, 50); string(got.data) != "next\n" {
			t.Errorf("%.60s: the line after it is %q", line, got.data)
		}
	}
}

// What is found of any line is what a decoder finds.
func FuzzIDOfALongLine(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":"a","method":"m","params":{"id":[1,"}"]}}`))
	f.Add([]byte(`{"a":"\\","id":1e3}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if bytes.IndexByte(data, '\n') >= 0 || len(data) > maxIDBytes/2 {
			return
		}
		line, err := readLine(bufio.NewReader(bytes.NewReader(data)), 0)
		if err != io.EOF {
			t.Fatal(err)
		}
		if !json.Valid(data) || !isObject(data) || bytes.IndexByte(data, '\\') >= 0 {
			return // it need not crash; escapes in keys are not understood
		}
		if want := usableID(memberOf(data, "id")); !bytes.Equal(bytes.TrimSpace(line.id), bytes.TrimSpace(want)) {
			t.Errorf("%s: %q, want %q", data, line.id, want)
		}
	})
}
