package sanitize

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestArguments(t *testing.T) {
	key43 := strings.Repeat("aB3_", 10) + "xyz"
	for in, want := range map[string]string{
		`{"target":"Parse","maxDepth":3}`:                             `{"maxDepth":3,"target":"Parse"}`,
		`{"token":"x","apiKey":"y","nested":{"Password":1}}`:          `{"apiKey":"[redacted]","nested":{"Password":"[redacted]"},"token":"[redacted]"}`,
		`{"content":"func main() {}","source":"abc"}`:                 `{"content":"[14 bytes]","source":"[3 bytes]"}`,
		`{"pattern":"Authorization: Bearer abc.def"}`:                 `{"pattern":"Authorization: Bearer [redacted]"}`,
		`{"q":"https://me:pw@host/x ghp_abcdefghijklmnopqrstuvwxyz"}`: `{"q":"https://[redacted]host/x [redacted]"}`,
		`{"a":{"b":{"c":{"d":{"e":1}}}}}`:                             `{"a":{"b":{"c":{"d":"[1 fields]"}}}}`,
		`{"query":"http://127.0.0.1:54319/#token=` + key43 + `"}`:     `{"query":"http://127.0.0.1:54319/#token=[redacted]"}`,
		`{"query":"` + key43 + `"}`:                                   `{"query":"[redacted]"}`,
		`{"query":"AKIAABCDEFGHIJKLMNOP sk-abcdefghijklmnopqr"}`:      `{"query":"[redacted] [redacted]"}`,
		`not json`: `"[8 bytes]"`,
		``:         ``,
	} {
		if got := string(Arguments(json.RawMessage(in))); got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
	long := Arguments(json.RawMessage(`{"query":"` + strings.Repeat("é", 500_000) + `"}`))
	if len(long) > 300 || !strings.Contains(string(long), "1000000 bytes") || !json.Valid(long) {
		t.Errorf("%d bytes: %.400s", len(long), long)
	}
	items := Arguments(json.RawMessage("[" + strings.Repeat(`"`+strings.Repeat("x", 190)+`",`, 999) + `1]`))
	if len(items) > maxArguments || !strings.Contains(string(items), "980 more") {
		t.Errorf("%d bytes", len(items))
	}
}
