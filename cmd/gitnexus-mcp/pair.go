package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// pair lists the browsers that may connect, and shuts out one or all.
func (p program) pair(ctx context.Context, s settings) error {
	action := ""
	if len(s.args) > 0 {
		action = s.args[0]
	}
	switch {
	case action == "list" && len(s.args) == 1, action == "rotate" && len(s.args) == 1, action == "revoke" && len(s.args) == 2:
	default:
		return &usageError{errors.New("pair: want pair list, pair revoke ID or pair rotate")}
	}
	if action == "rotate" && s.token != "" {
		return &usageError{errors.New("pair rotate: the token is that of GITNEXUS_TOKEN: set another one there (`openssl rand -hex 32` makes one) and start your agents anew")}
	}
	gate, err := s.gate()
	if err != nil {
		return err
	}
	switch action {
	case "list":
		return p.listPages(gate, s.json)
	case "revoke":
		if err := gate.Pairing.Revoke(s.args[1]); err != nil {
			return err
		}
		fmt.Fprintf(p.stdout, "%s is revoked. %s\n", s.args[1], cutOff(ctx, gate))
		return nil
	}
	file, err := wsbridge.DefaultTokenFile()
	if err != nil {
		return err
	}
	if _, err := wsbridge.RotateToken(file); err != nil {
		return err
	}
	if err := gate.Pairing.Clear(); err != nil {
		return err
	}
	said := cutOff(ctx, gate)
	renewed, err := s.gate()
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "There is a new token, and no browser is paired. %s\n", said)
	for _, port := range hubs(ctx, renewed) {
		renewed.Port = port
		switch err := wsbridge.CheckHub(ctx, renewed); {
		case err == nil:
			fmt.Fprintf(p.stdout, "The server on port %d, and those that it serves, have the new token.\n", port)
		case !errors.Is(err, wsbridge.ErrNoHub):
			fmt.Fprintf(p.stdout, "The server on port %d has not taken the new token (%v).\n"+
				"One of an older version keeps the old token until it ends: start your agents anew.\n", port, err)
		}
	}
	fmt.Fprintln(p.stdout, "Pair a browser with `gitnexus-mcp open`: what browsers have kept of repositories, notes included, is encrypted with the old token.\n"+
		"MCP clients that connect by address need the new token, which is in "+file+".")
	return nil
}

// cutOff ends the links of pages whose keys are gone, at each port where a server of ours
// runs, and says what came of it.
func cutOff(ctx context.Context, gate wsbridge.Gate) string {
	ended, told := 0, 0
	var failed error
	for _, port := range hubs(ctx, gate) {
		gate.Port = port
		n, err := wsbridge.CheckPages(ctx, gate)
		switch {
		case err == nil:
			told++
			ended += n
		case errors.Is(err, wsbridge.ErrNoHub), errors.Is(err, wsbridge.ErrOtherToken): // keys belong to a token
		default:
			failed = err
		}
	}
	switch {
	case failed != nil:
		return fmt.Sprintf("A server could not be told (%v): a page that is connected there stays so until its link ends.", failed)
	case told == 0:
		return "No server runs that has this token."
	case ended == 1:
		return "Its link, which was open, has ended."
	}
	return fmt.Sprintf("%d open links have ended.", ended)
}

// hubs are the ports where servers of this user may run, the gate's first.
func hubs(ctx context.Context, gate wsbridge.Gate) []int {
	return append([]int{gate.Port}, wsbridge.OtherHubs(ctx, gate)...)
}

func (p program) listPages(gate wsbridge.Gate, asJSON bool) error {
	pages, err := gate.Pairing.Pages()
	if err != nil {
		return err
	}
	if asJSON {
		type row struct {
			ID       string    `json:"id"`
			Name     string    `json:"name"`
			Browser  string    `json:"browser"`
			Created  time.Time `json:"created"`
			LastUsed time.Time `json:"lastUsed"`
		}
		rows := []row{}
		for _, page := range pages {
			rows = append(rows, row(page))
		}
		enc := json.NewEncoder(p.stdout)
		enc.SetIndent("", "  ")
		return enc.Encode(rows)
	}
	if len(pages) == 0 {
		fmt.Fprintln(p.stdout, "No browser is paired. `gitnexus-mcp open` pairs one.")
		return nil
	}
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tPAIRED BY\tBROWSER\tSINCE\tLAST USED")
	const minute = "2006-01-02 15:04"
	for _, page := range pages {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", page.ID, page.Name, page.Browser, page.Created.Local().Format(minute), page.LastUsed.Local().Format(minute))
	}
	return table.Flush()
}
