package main

import (
	"context"
	"fmt"

	"github.com/gitnexus/gitnexus-mcp/browser"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// open prints an address that pairs a page with the hub, once and within a minute,
// and shows it in the user's browser unless --browser none says not to.
func (p program) open(ctx context.Context, s settings) error {
	gate, err := s.gate()
	if err != nil {
		return err
	}
	if err := wsbridge.CheckHub(ctx, gate); err != nil {
		return err
	}
	address, err := gate.PairingURL("open")
	if err != nil {
		return err
	}
	fmt.Fprintln(p.stdout, address)
	if s.browser == "none" {
		return nil
	}
	if err := browser.Open(ctx, address); err != nil {
		fmt.Fprintf(p.stderr, "Could not open a browser (%v). Open the address above yourself within a minute: it works once, on this machine.\n", err)
	}
	return nil
}
