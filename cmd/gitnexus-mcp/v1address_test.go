package main

import (
	"strings"
	"testing"

	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// Where the system does not tell whose process a page of the older app is, as on macOS,
// an address with a secret is printed. TestV1IsAdmittedByItsProcessOrASecret has it required.
func TestV1Address(t *testing.T) {
	gate := wsbridge.Gate{Port: 54319, Token: "0123456789abcdef0123456789abcdef", AllowOrigins: []string{"http://localhost:5173"}}
	insecure, none := gate, gate
	insecure.InsecureV1, none.AllowOrigins = true, nil
	for _, c := range []struct {
		system string
		gate   wsbridge.Gate
		want   bool
	}{
		{"darwin", gate, true}, {"freebsd", gate, true}, {"linux", gate, false}, {"windows", gate, false},
		{"darwin", insecure, false}, {"darwin", none, false}, {"linux", insecure, false},
	} {
		got := v1Address(c.gate, c.system)
		if strings.Contains(got, "every user of this machine") != c.gate.InsecureV1 {
			t.Errorf("%s, insecure %v: %q", c.system, c.gate.InsecureV1, got)
		}
		if strings.Contains(got, " ws://localhost:54319/v1/") != c.want || c.want && len(got[strings.Index(got, "/v1/"):]) != len("/v1/\n")+32 {
			t.Errorf("%s, insecure %v, origins %v: %q", c.system, c.gate.InsecureV1, c.gate.AllowOrigins, got)
		}
	}
}
