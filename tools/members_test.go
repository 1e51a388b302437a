package tools

import (
	"encoding/json"
	"maps"
	"testing"
)

// FuzzMembers holds members to encoding/json.
func FuzzMembers(f *testing.F) {
	for _, seed := range []string{
		`{}`, ` { } `, `{"a":1}`, `{"a":-1.5e3,"b":true , "c":null}`, `{"a":{"b":[1,{"c":"}"}]},"d":"\"}\\"}`,
		"\t{\n\"\\u0061\" : [ ] , \"a\" : \"\\\\\" }\r\n", `{"":""}`, `{"a":[],"a":{}}`, `{"ä":"ö"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if !json.Valid(data) {
			return
		}
		var want map[string]json.RawMessage
		if err := json.Unmarshal(data, &want); isObject(data) != (err == nil && want != nil) {
			t.Fatalf("isObject(%q) = %v", data, isObject(data))
		}
		if want == nil {
			return
		}
		got := map[string]json.RawMessage{}
		for key, value := range members(data) {
			got[string([]rune(string(key)))] = value // stray bytes as encoding/json reads them
		}
		if !maps.EqualFunc(got, want, func(a, b json.RawMessage) bool { return string(a) == string(b) }) {
			t.Fatalf("members(%q) = %q, want %q", data, got, want)
		}
	})
}

// FuzzAppendString holds appendString to encoding/json.
func FuzzAppendString(f *testing.F) {
	for _, seed := range []string{"", "plain", "\"\\/", "\x00\x1f\x7f\b\f\n\r\t", "ä\u2028\u2029\ufffd\xff\xe2\x80", "<a & b>", "😀\xf0\x9f"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, err := marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := appendString([]byte("x"), s); string(got) != "x"+string(want) {
			t.Errorf("appendString(%q) = %s, want %s", s, got[1:], want)
		}
	})
}
