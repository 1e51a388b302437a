//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"regexp"
	"time"

	"github.com/gitnexus/gitnexus-mcp/resilience"
	"github.com/gitnexus/gitnexus-mcp/tools"
)

// chaosCall is one request of an agent.
type chaosCall struct {
	proc      *agentProc
	id        string
	tool      *tools.Tool // nil for a request that is no tool call
	nonce     string      // "" where the tool takes no words
	script    string
	repo      string
	arguments map[string]any
	sent      time.Time
	cancelled time.Time
	done      chan struct{} // closed when the answer is there
	reply     message
	rest      rest // of a large answer, once it is there
}

// rest is where to read on in an answer that is over the budget.
type rest struct {
	Truncated                    bool
	FullBytes, ShownBytes, Pages int
	Next                         string
}

func (c *chaosCall) String() string {
	name := "request"
	if c.tool != nil {
		name = c.tool.Name
	}
	return fmt.Sprintf("%s %s of %s (id %s, sent %s)", name, c.nonce, c.proc.name, c.id, clock(c.sent))
}

func (c *chaosCall) limit() time.Duration {
	if c.tool != nil && c.tool.Class == resilience.Heavy {
		return chaosHeavy
	}
	return chaosQuick
}

// A nonce tells whose call it is, and what the engine is to do with it:
// N<seat>-<number>-<script>-<checksum>. By the checksum one that a bad link has
// changed is told from another call's.
var noncePattern = regexp.MustCompile(`N\d+-\d+-[a-zA-Z]+\d*-[0-9a-f]{8}`)

func sealed(head string) string {
	return fmt.Sprintf("%s-%08x", head, crc32.ChecksumIEEE([]byte(head)))
}

func genuine(nonce string) bool { return nonce == sealed(nonce[:max(len(nonce)-9, 0)]) }

// choose picks a tool of the table, and what is to happen to the call.
func (s *seat) choose(r *rand.Rand) *chaosCall {
	tool := &tools.Table[r.IntN(len(tools.Table))]
	for tool.Late { // it reads what there is once something was truncated
		tool = &tools.Table[r.IntN(len(tools.Table))]
	}
	c := &chaosCall{tool: tool, script: "plain", arguments: map[string]any{}}
	switch n := r.IntN(100); {
	case n < 12:
		c.script = fmt.Sprintf("slow%d", 1+r.IntN(400))
	case n < 15:
		c.script = fmt.Sprintf("slow%d", 400+r.IntN(1200))
	case n < 18:
		c.script = "progress"
	case n < 21:
		c.script = "fail"
	case n < 23:
		c.script = fmt.Sprintf("large%d", 1000+r.IntN(90_000))
	case n < 24:
		c.script = fmt.Sprintf("large%d", 200_000+r.IntN(2_000_000))
	case n < 26:
		c.script = "invalid"
	case n < 27:
		c.script = "unknown"
	case n < 28:
		c.script = "forbidden"
	}
	if r.IntN(5) == 0 && c.tool.Answer == nil {
		c.repo = chaosRepo
	}
	for _, f := range c.tool.Fields { // what takes no words tells calls apart by numbers
		if !f.Required && f.Kind == tools.Integer && r.IntN(2) == 0 && c.tool.Check == nil {
			c.arguments[f.Name] = int(f.Min) + r.IntN(int(f.Max-f.Min)+1)
		}
	}
	return c
}

// fill gives the call arguments that carry its nonce wherever the tool takes words.
func (c *chaosCall) fill(nonce string) {
	for _, f := range c.tool.Fields {
		if !f.Required {
			continue
		}
		switch {
		case len(f.Enum) > 0:
			c.arguments[f.Name] = f.Enum[crc32.ChecksumIEEE([]byte(nonce))%uint32(len(f.Enum))]
		case f.Kind == tools.String && c.tool.Guard != nil:
			c.arguments[f.Name], c.nonce = "MATCH (n {name: '"+nonce+"'}) RETURN n", nonce
		case f.Kind == tools.String:
			c.arguments[f.Name], c.nonce = nonce, nonce
		case f.Kind == tools.Strings:
			c.arguments[f.Name], c.nonce = []string{nonce}, nonce
		default:
			c.arguments[f.Name] = int(f.Min)
		}
	}
	if raw, err := json.Marshal(c.arguments); err == nil {
		if _, err := c.tool.Validate(raw); err != nil { // it wants more than its required fields
			for _, f := range c.tool.Fields {
				switch {
				case f.Required || len(f.Enum) > 0 || f.Pattern != nil:
				case f.Kind == tools.Strings:
					c.arguments[f.Name], c.nonce = []string{nonce}, nonce
				case f.Kind == tools.String:
					c.arguments[f.Name], c.nonce = nonce, nonce
				}
			}
		}
	}
	if c.repo != "" {
		c.arguments["repo"] = c.repo
	}
	switch {
	case c.script == "invalid":
		c.arguments["nonsense"] = nonce
	case c.script == "unknown":
		c.tool = &tools.Tool{Name: "no_such_tool"}
	case c.script == "forbidden":
		cypher, _ := tools.Find("cypher")
		c.tool, c.arguments = cypher, map[string]any{"query": "MATCH (n {name: '" + nonce + "'}) DELETE n"}
	case c.nonce == "" && c.script != "plain":
		c.script = "plain" // the engine never learns of it
	}
}
