package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/gitnexus/gitnexus-mcp/browser"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// open prints the address that pairs a page with the hub, and shows it in the
// user's browser unless --browser none says not to.
func (p program) open(ctx context.Context, s settings) error {
	gate, err := s.gate()
	if err != nil {
		return err
	}
	if err := checkHub(ctx, gate); err != nil {
		return err
	}
	fmt.Fprintln(p.stdout, gate.PairingURL())
	if s.browser == "none" {
		return nil
	}
	if err := browser.Open(ctx, gate.PairingURL()); err != nil {
		fmt.Fprintf(p.stderr, "Could not open a browser (%v). Open the address above yourself: it works on this machine, for you alone.\n", err)
	}
	return nil
}

// checkHub says in words why the app's address would not work.
func checkHub(ctx context.Context, gate wsbridge.Gate) error {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, gate.URL()+"api/check", nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+gate.Token)
	client := http.Client{Transport: &http.Transport{Proxy: nil, DisableKeepAlives: true}}
	resp, err := client.Do(req)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("port %d does not answer: whatever holds it is frozen", gate.Port)
	case err != nil:
		return fmt.Errorf("no gitnexus-mcp is running on port %d: start your agent first (it starts gitnexus-mcp), or run `gitnexus-mcp serve`", gate.Port)
	}
	defer func() { _ = resp.Body.Close() }()
	switch resp.StatusCode {
	case http.StatusNoContent:
		return nil
	case http.StatusForbidden:
		return fmt.Errorf("the gitnexus-mcp on port %d has another token: it runs for another user or with another GITNEXUS_TOKEN", gate.Port)
	}
	return fmt.Errorf("the program on port %d is no gitnexus-mcp (HTTP status %d)", gate.Port, resp.StatusCode)
}
