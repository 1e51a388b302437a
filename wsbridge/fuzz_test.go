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
		`{"jsonrpc":"2.0","method":"bridge/taken","params":{"message":1,"bytes":65536}}`,
		`{"jsonrpc":"2.0","method":"bridge/taken","params":{"message":-1,"bytes":1e99}}`,
		`[]`, `null`, `{"jsonrpc":"2.0","id":null,"result":null}`, "\xff",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, c := range []dialect{dialectV1{}, dialectV2{}} {
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
			a, ok := e.(answerEvent)
			if !ok && isAnswer(data) && c == (dialectV2{}) {
				t.Fatalf("taken for an answer: %T", e)
			}
			if ok {
				if a.content != nil {
					// The short way and the long way agree.
					slow, err := c.content(answerEvent{result: a.result})
					var f frame
					if err != nil || json.Unmarshal(data, &f) != nil || idOf(f) != a.id || !sameValue(slow, a.content) {
						t.Fatalf("%s: plain answer %q, id %q; the long way %q, %v", c.name(), a.content, a.id, slow, err)
					}
				}
				if (a.result == nil) == (a.failure == nil) {
					t.Fatalf("%s: an answer with neither or both of result and failure", c.name())
				}
				if a.failure != nil {
					_ = pageError(a.failure)
					_ = decodePeerError(a.failure)
				} else if content, err := c.content(a); err == nil && !json.Valid(content) {
					t.Fatalf("%s: invalid content %q", c.name(), content)
				}
			}
		}
	})
}

// FuzzParts gives parts to an inbox as the bytes say: it must hold no more than
// its limit, and hand out nothing but what was put in.
func FuzzParts(f *testing.F) {
	// Each part is a byte with its length, followed by it.
	framed := func(parts ...[]byte) (all []byte) {
		for _, p := range parts {
			all = append(append(all, byte(len(p))), p...)
		}
		return all
	}
	f.Add(framed(part(1, 6, 0, "abc"), part(1, 6, 3, "def")))
	f.Add(framed(part(1, 6, 0, "abc"), part(2, 4, 0, "1234"), part(1, 6, 3, "def"), part(1, 3, 0, "ghi")))
	f.Add(framed(part(1, 100, 0, "abc"), part(2, 100, 0, "a"), part(3, 100, 0, "a"), part(4, 100, 0, "a"), part(5, 100, 0, "a")))
	f.Add(framed(part(1, 1<<30, 0, "abc")))
	f.Add(framed([]byte("short"), part(7, 6, 0, "abcdef"), part(7, 6, 6, "g")))
	f.Fuzz(func(t *testing.T, data []byte) {
		const limit = 200
		in := inbox{limit: limit}
		put := make(map[uint32][]byte)
		for len(data) > 0 {
			n := min(int(data[0]), len(data)-1)
			frame := data[1 : 1+n]
			data = data[1+n:]
			number, whole, taken, err := in.take(frame)
			if err != nil {
				switch err.(type) {
				case *frameError, *connError:
				default:
					t.Fatalf("%T: %v", err, err)
				}
				return // the link ends
			}
			put[number] = append(put[number], frame[partHeader:]...)
			if taken > len(put[number]) {
				t.Fatalf("%d taken of %d", taken, len(put[number]))
			}
			if whole != nil {
				if got := whole.join(); !bytes.Equal(got, put[number]) {
					t.Fatalf("put in %q, got out %q", put[number], got)
				}
				delete(put, number)
				in.finish(number)
			}
			if len(in.open) > maxUnfinished {
				t.Fatalf("%d messages are open", len(in.open))
			}
			for _, m := range in.open {
				if m.have > limit || m.have > m.size {
					t.Fatalf("holds %d bytes of %d for one message", m.have, m.size)
				}
			}
		}
	})
}

// FuzzPartsRoundTrip takes messages apart and puts them together again, the
// receiver's words coming late.
func FuzzPartsRoundTrip(f *testing.F) {
	f.Add(uint32(1), uint32(partBytes), uint32(partBytes+1), uint32(700<<10), byte(3), uint32(partsWindow))
	f.Fuzz(func(t *testing.T, a, b, c, d uint32, late byte, window uint32) {
		o := outbox{window: partBytes + int(window%partsWindow)}
		in := inbox{limit: 1 << 20}
		var sent [][]byte
		for i, size := range []uint32{a, b, c, d, a, b} {
			m := bytes.Repeat([]byte{byte(i)}, 1+int(size%(1<<20)))
			sent = append(sent, m)
			o.add("", m)
		}
		var words []takenParams
		have := make(map[uint32]int)
		for done := 0; done < len(sent); {
			p := o.part(nil)
			if p != nil {
				number, whole, _, err := in.take(p)
				if err != nil {
					t.Fatal(err)
				}
				have[number] += len(p) - partHeader
				words = append(words, takenParams{number, have[number]})
				if whole != nil {
					if !bytes.Equal(whole.join(), sent[number-1]) {
						t.Fatalf("message %d came out changed", number)
					}
					in.finish(number)
				}
			}
			if len(words) > int(late%8) || p == nil {
				if len(words) == 0 {
					t.Fatalf("nothing to send and nothing to hear with %d of %d done", done, len(sent))
				}
				whole, err := o.taken(words[0])
				words = words[1:]
				if err != nil {
					t.Fatal(err)
				}
				if whole != nil {
					done++
				}
			}
		}
	})
}

// sameValue ignores the spaces around a value.
func sameValue(a, b []byte) bool {
	return bytes.Equal(bytes.TrimSpace(a), bytes.TrimSpace(b))
}
