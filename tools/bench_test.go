package tools

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// A call through the server over pipes, with a caller that answers at once:
// what the server itself adds to a call.
func BenchmarkServe(b *testing.B) {
	for _, size := range []int{100, 10_000, 100_000, 10_000_000} {
		b.Run(fmt.Sprintf("answer=%d", size), func(b *testing.B) {
			content := json.RawMessage(`{"content":"` + strings.Repeat("if a < b && c { }\\n", size/18) + `"}`)
			caller := &benchCaller{content}
			inR, inW := io.Pipe()
			outR, outW := io.Pipe()
			served := make(chan error, 1)
			go func() { served <- NewServer(Options{Caller: caller}).Serve(context.Background(), inR, outW) }()
			r := bufio.NewReaderSize(outR, 64<<10)
			call := []byte(callLine("1", "search", `{"query":"auth"}`) + "\n")
			n := 0
			b.ReportAllocs()
			for b.Loop() {
				if _, err := inW.Write(call); err != nil {
					b.Fatal(err)
				}
				for {
					part, err := r.ReadSlice('\n')
					n += len(part)
					if err == nil {
						break
					}
				}
			}
			b.ReportMetric(float64(n)/float64(b.N), "wire-bytes/op")
			inW.Close()
			<-served
		})
	}
}

type benchCaller struct{ content json.RawMessage }

func (c *benchCaller) Call(context.Context, *wsbridge.Call) (json.RawMessage, error) {
	return c.content, nil
}

func BenchmarkGuardCypher(b *testing.B) {
	query := `MATCH (a:Function)-[r:CodeRelation {type: 'CALLS'}]->(b:Function) WHERE a.name CONTAINS 'create' RETURN b.name, count(a) AS callers ORDER BY callers DESC LIMIT 10`
	b.SetBytes(int64(len(query)))
	for b.Loop() {
		if err := GuardCypher(query); err != nil {
			b.Fatal(err)
		}
	}
}
