package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"strconv"
	"strings"

	"github.com/lmittmann/tint"
	"golang.org/x/term"
)

// newLog returns the program's log. It never writes to stdout, which belongs to
// MCP. close closes a log file.
func newLog(s settings, secret string, stderr *os.File) (_ *slog.Logger, close func(), _ error) {
	var w io.Writer = stderr
	colour := term.IsTerminal(int(stderr.Fd())) && os.Getenv("NO_COLOR") == ""
	close = func() {}
	if s.logFile != "" {
		f, err := os.OpenFile(s.logFile, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, nil, fmt.Errorf("log file: %w", err)
		}
		w, colour, close = f, false, func() { _ = f.Close() }
	}
	level := slog.LevelInfo
	if s.debug {
		level = slog.LevelDebug
	}
	return slog.New(tint.NewTextHandler(w, &tint.Options{
		Level: level, NoColor: !colour, TimeFormat: "15:04:05.000",
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr { return clean(a, secret) },
	})), close, nil
}

// clean keeps foreign text from forging log lines, and the token out of them.
func clean(a slog.Attr, secret string) slog.Attr {
	var text string
	switch a.Value.Kind() {
	case slog.KindString:
		text = a.Value.String()
	case slog.KindAny:
		if _, isLevel := a.Value.Any().(slog.Level); isLevel {
			return a
		}
		text = fmt.Sprint(a.Value.Any())
	default:
		return a
	}
	if secret != "" {
		text = strings.ReplaceAll(text, secret, "[token]")
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\u2028' || r == '\u2029' }) {
		quoted := strconv.Quote(text)
		text = quoted[1 : len(quoted)-1]
	}
	return slog.String(a.Key, text)
}
