package wsbridge

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
)

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":"hello","method":"bridge/hello","params":{"role":"page","version":"1","session":"s"}}`,
		`{"jsonrpc":"2.0","method":"bridge/context","params":{"context":{"repo":"r","state":"ready","stats":{}}}}`,
		`{"jsonrpc":"2.0","method":"bridge/context","params":{"context":null}}`,
		`{"jsonrpc":"2.0","method":"bridge/front"}`,
		`{"jsonrpc":"2.0","id":"a","result":{"structuredContent":{"x":1}}}`,
		`{"jsonrpc":"2.0","id":"a","error":{"code":-32000,"message":"m","data":{"retryable":true,"details":{}}}}`,
		`{"jsonrpc":"2.0","id":"a","method":"ping"}`,
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"a","progress":1}}`,
		`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"x","arguments":{},"_meta":{}}}`,
		`{"id":"a","result":1}`, `{"id":"a","error":{"message":"x"}}`, `{"type":"context","params":{"projectName":"x"}}`,
		`{"jsonrpc":"2.0","id":"a","result":{"structuredContent":{"x":[1,{"y":"}}"}]}}}`,
		`{"jsonrpc":"2.0","id":"a","result":{"structuredContent":1},"x":{"y":2}}`,
		`{"jsonrpc":"2.0","id":"a","result":{"structuredContent":1,"structuredContent":2}}`,
		`[]`, `null`, `{"jsonrpc":"2.0","id":null,"result":null}`, "\xff",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, c := range []codec{codecV1{}, codecV2{}} {
			e, err := c.decode(data)
			if err != nil {
				if _, ok := errors.AsType[*frameError](err); !ok {
					t.Fatalf("%s: %T instead of a frameError: %v", c.name(), err, err)
				}
				continue
			}
			if !json.Valid(data) {
				t.Fatalf("%s: took what is no JSON as %T", c.name(), e)
			}
			if a, ok := e.(answerEvent); ok {
				if a.content != nil {
					// The short way and the long way agree.
					slow, err := structured(c, answerEvent{result: a.result})
					var f frame
					if err != nil || json.Unmarshal(data, &f) != nil || idOf(f) != a.id || !sameValue(slow, a.content) {
						t.Fatalf("%s: plain answer %q, id %q; the long way %q, %v", c.name(), a.content, a.id, slow, err)
					}
				}
				if (a.result == nil) == (a.failure == nil) {
					t.Fatalf("%s: an answer with neither or both of result and failure", c.name())
				}
				if a.failure != nil {
					_ = toolError(a.failure)
					_ = decodePeerError(a.failure)
				} else if content, err := structured(c, a); err == nil && !json.Valid(content) {
					t.Fatalf("%s: invalid content %q", c.name(), content)
				}
			}
		}
	})
}

// sameValue ignores the spaces around a value.
func sameValue(a, b []byte) bool {
	return bytes.Equal(bytes.TrimSpace(a), bytes.TrimSpace(b))
}
