package main

import (
	"encoding"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gitnexus/gitnexus-mcp/client"
	"github.com/gitnexus/gitnexus-mcp/reconnect"
	"github.com/gitnexus/gitnexus-mcp/resilience"
	"github.com/gitnexus/gitnexus-mcp/tools"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// settings is everything that flags and environment decide. Nothing below cmd
// reads either.
type settings struct {
	port             int
	repo             string
	browser          string // "none", "open" or "headless"
	allowOrigins     []string
	insecureV1       bool
	includeSecrets   bool
	share            bool
	timeouts         resilience.Timeouts
	breakerThreshold int
	breakerCooldown  time.Duration
	retryAttempts    int
	maxReconnect     int
	backoff          reconnect.Backoff
	grace            time.Duration // 0: none
	maxResult        int           // bytes; 0: no limit
	answers          string        // "text" or "structured"
	tools            string        // "all" or "lean"
	maxMessage       int64         // bytes
	maxInflight      int           // calls at a page
	maxQueue         int           // calls of one agent
	agent            string
	debug            bool
	logFile          string
	token            string // "": the one in the token file
	out              string // of export
	minConfidence    float64
	events           string // "on", "off" or the file
	alertAfter       int
	alertWindow      time.Duration
	callTimeout      time.Duration // of the command call
	filter           filter        // of the commands events and stats
	json             bool
	fix, report      bool     // of doctor
	http             bool     // of serve
	server           string   // of call
	list             bool     // of call
	args             []string // of hooks, call, pair and the tools
	graph            string   // of the tools
	base             string   // of check
	failOn           string
	sarif, markdown  string // files
	toolArgs         map[string]any
}

// filter is which events the commands events and stats show.
type filter struct {
	since       time.Duration
	code, graph string
	follow      bool
}

func defaults() settings {
	return settings{
		port: 54319, browser: "none",
		timeouts:         resilience.Timeouts{Quick: 60 * time.Second, Heavy: 120 * time.Second},
		breakerThreshold: 5, breakerCooldown: 30 * time.Second,
		retryAttempts: 3, maxReconnect: wsbridge.DefaultMaxReconnect,
		backoff:   reconnect.Backoff{Base: reconnect.DefaultBase, Cap: reconnect.DefaultCap},
		grace:     wsbridge.DefaultGrace,
		maxResult: 60 << 10, answers: tools.TextAnswers, tools: tools.AllTools, maxMessage: wsbridge.DefaultMaxMessage,
		minConfidence: 0.5, failOn: "high",
		filter: filter{since: 24 * time.Hour},
		events: "on", alertAfter: 5, alertWindow: 10 * time.Minute, callTimeout: client.DefaultTimeout,
		maxInflight: wsbridge.DefaultMaxInflight, maxQueue: wsbridge.DefaultMaxQueue,
	}
}

// setting is one row of the table of settings.
type setting struct {
	flag, env string // one of them may be ""
	arg       string // what it takes, in the usage text; "" for a switch
	help      string
	set       func(string) error
}

// table lists the settings in the order of the usage text.
func (s *settings) table() []setting {
	return []setting{
		{"port", "GITNEXUS_PORT", "N", "port on loopback; 54319", number(&s.port, 1, 65535)},
		{"repo", "GITNEXUS_REPO", "DIR", "folder that the app loads by itself; none", text(&s.repo)},
		{"include-secrets", "GITNEXUS_INCLUDE_SECRETS", "", "load files of that folder whose names say that they hold secrets, such as .env and *.pem", boolean(&s.includeSecrets)},
		{"share", "GITNEXUS_SHARE", "", "let this agent also ask about graphs other than that of --repo, by their names", boolean(&s.share)},
		{"browser", "GITNEXUS_BROWSER", "HOW", "none; open: show the app in your browser; headless: run it without a window", oneOf(&s.browser, "none", "open", "headless")},
		{"allow-origin", "GITNEXUS_ALLOW_ORIGIN", "ORIGIN", "web origin that may connect, such as http://localhost:5173; may be repeated, or a list with commas", origins(&s.allowOrigins)},
		{"insecure-v1", "GITNEXUS_INSECURE_V1", "", "let a page of that origin connect without a proof also where the system does not tell that it is yours: any user of this machine can", boolean(&s.insecureV1)},
		{"timeout-quick", "GITNEXUS_TIMEOUT_QUICK", "TIME", "limit for search, grep, read and the like; 60s (a bare number is milliseconds)", duration(&s.timeouts.Quick, time.Millisecond)},
		{"timeout-heavy", "GITNEXUS_TIMEOUT_HEAVY", "TIME", "limit for heavy tools, such as cypher and impact; 120s", duration(&s.timeouts.Heavy, time.Millisecond)},
		{"breaker-threshold", "GITNEXUS_BREAKER_THRESHOLD", "N", "failures in a row that open the circuit breaker; 5", number(&s.breakerThreshold, 1, 1000)},
		{"breaker-cooldown", "GITNEXUS_BREAKER_COOLDOWN", "TIME", "how long it stays open; 30s", duration(&s.breakerCooldown, time.Millisecond)},
		{"retry-attempts", "GITNEXUS_RETRY_ATTEMPTS", "N", "further tries of a call that a busy page refused or that lost its page; 3", number(&s.retryAttempts, 0, 10)},
		{"max-reconnect", "GITNEXUS_MAX_RECONNECT", "N", "steps of the reconnect schedule until a page counts as gone; 10", number(&s.maxReconnect, 1, 1000)},
		{"jitter", "GITNEXUS_JITTER", "HOW", "how waits of that schedule vary: full, 15%, none; full", unmarshal(&s.backoff.Jitter)},
		{"backoff-base", "GITNEXUS_BACKOFF_BASE", "TIME", "first wait of that schedule; 500ms", duration(&s.backoff.Base, time.Millisecond)},
		{"backoff-cap", "GITNEXUS_BACKOFF_CAP", "TIME", "longest wait of that schedule; 60s", duration(&s.backoff.Cap, time.Millisecond)},
		{"grace", "GITNEXUS_GRACE", "TIME", "how long a call waits for a page at the start and after a drop; 3s", duration(&s.grace, 0)},
		{"max-result", "GITNEXUS_MAX_RESULT", "SIZE", "largest message with an answer; 60KB (0: no limit)", orZero(&s.maxResult, size(&s.maxResult, tools.MinResult))},
		{"answers", "GITNEXUS_ANSWERS", "FORM", "text, which every client shows; structured: JSON objects as structured content alone, for programs", oneOf(&s.answers, tools.TextAnswers, tools.StructuredAnswers)},
		{"tools", "GITNEXUS_TOOLS", "LIST", "which tools agents are told of: all; lean: search, read, impact, explore and test_impact (the others still answer)", oneOf(&s.tools, tools.AllTools, tools.LeanTools)},
		{"max-message", "GITNEXUS_MAX_MESSAGE", "SIZE", "largest message from the page; 64MB", size(&s.maxMessage, 64<<10)},
		{"max-inflight", "GITNEXUS_MAX_INFLIGHT", "N", "calls that are under way at once at a page; 64", number(&s.maxInflight, 1, 1024)},
		{"max-queue", "GITNEXUS_MAX_QUEUE", "N", "calls of one agent that may wait for a page or a place at it; 1024", number(&s.maxQueue, 1, 1024)},
		{"agent", "GITNEXUS_AGENT", "NAME", "what the app calls the agent; the MCP client's own name", text(&s.agent)},
		{"debug", "GITNEXUS_DEBUG", "", "debug information in every answer, and a detailed log", boolean(&s.debug)},
		{"log-file", "GITNEXUS_LOG_FILE", "FILE", "log there instead of on stderr", text(&s.logFile)},
		{"events", "GITNEXUS_EVENTS", "FILE", "where to log what happened; on: in your state folder; off: nowhere", text(&s.events)},
		{"alert-after", "GITNEXUS_ALERT_AFTER", "N", "failed calls of a graph with one code, within the window, that raise an alert; 5", number(&s.alertAfter, 1, 1000)},
		{"alert-window", "GITNEXUS_ALERT_WINDOW", "TIME", "that window; 10m", duration(&s.alertWindow, time.Second)},
		{"", "GITNEXUS_CALL_TIMEOUT", "TIME", "limit for connecting and for each attempt of the command call; 30s", duration(&s.callTimeout, time.Millisecond)},
		{"", "GITNEXUS_TOKEN", "TOKEN", "token instead of the one in the token file", secret(&s.token)},
	}
}

// usageError is a bad command line or environment. It ends the program with 2.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// parse reads a command's settings: flags win over environment over defaults.
// environ holds variables as os.Environ returns them; an empty one is not set.
func parse(command string, s settings, args, environ []string) (settings, error) {
	rows := s.table()
	env := ourVariables(environ)
	if err := checkNames(env, rows); err != nil {
		return s, &usageError{err}
	}
	if command == "export" {
		rows = append(rows,
			setting{"out", "", "FILE", "where to write; - for stdout", text(&s.out)},
			setting{"min-confidence", "", "P", "leave out relations below it; 0.5", share(&s.minConfidence)})
	}
	rows = append(rows, s.commandRows(command)...)
	fs := flag.NewFlagSet(command, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	for _, row := range rows {
		if v := env[row.env]; v != "" {
			if err := row.set(v); err != nil {
				return s, &usageError{fmt.Errorf("%s: %w", row.env, err)}
			}
		}
		if row.flag == "" {
			continue
		}
		fromEnv := row.flag == "allow-origin" // a flag replaces what the environment says
		set := func(v string) error {
			if fromEnv {
				s.allowOrigins, fromEnv = nil, false
			}
			if err := row.set(v); err != nil {
				return fmt.Errorf("--%s: %w", row.flag, err)
			}
			return nil
		}
		if row.arg == "" {
			fs.BoolFunc(row.flag, "", set)
		} else {
			fs.Func(row.flag, "", set)
		}
	}
	err := fs.Parse(args)
	tool, isTool := asCommand(command)
	var words []string
	for (isTool || command == "pair") && err == nil && fs.NArg() > 0 { // words and flags come in any order
		words = append(words, fs.Arg(0))
		err = fs.Parse(fs.Args()[1:])
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		return s, err
	case err != nil:
		// The flag package wraps our words into its own.
		if inner := errors.Unwrap(err); inner != nil {
			err = inner
		} else if _, words, ok := strings.Cut(err.Error(), ": --"); ok {
			err = errors.New("--" + words)
		}
		return s, &usageError{err}
	case command == "hooks" || command == "call":
		s.args = fs.Args()
	case command == "pair":
		s.args = words
	case isTool:
		return s, s.takeWords(tool, words)
	case fs.NArg() > 0:
		return s, &usageError{fmt.Errorf("%s: unexpected argument %q", command, fs.Arg(0))}
	case s.backoff.Cap < s.backoff.Base:
		return s, &usageError{fmt.Errorf("--backoff-cap: want at least --backoff-base, %v, got %v", s.backoff.Base, s.backoff.Cap)}
	}
	return s, nil
}

// commandRows are the flags of one command alone.
func (s *settings) commandRows(command string) []setting {
	since := setting{"since", "", "TIME", "how far back, such as 30m, 24h or 7d; 24h", daysOrTime(&s.filter.since)}
	json := setting{"json", "", "", "print JSON", boolean(&s.json)}
	switch command {
	case "events":
		return []setting{since, json,
			{"code", "", "CODE", "those with this error code", text(&s.filter.code)},
			{"graph", "", "NAME", "those of this graph", text(&s.filter.graph)},
			{"follow", "", "", "go on with new ones", boolean(&s.filter.follow)},
		}
	case "stats":
		return []setting{since, json}
	case "call":
		return []setting{json,
			{"server", "", "URL", "the MCP server to call, over Streamable HTTP; the one that runs here", text(&s.server)},
			{"list", "", "", "list the tools", boolean(&s.list)},
		}
	case "serve":
		return []setting{{"http", "", "", "serve MCP clients over HTTP alone, and go on until ended", boolean(&s.http)}}
	case "pair":
		return []setting{json}
	case "check":
		return []setting{json,
			{"base", "", "REV", "the branch or commit that the change is compared with", text(&s.base)},
			{"fail-on", "", "RISK", "the risk from which on it fails: medium, high, critical or never; high", oneOf(&s.failOn, "medium", "high", "critical", "never")},
			{"markdown", "", "FILE", "write the report as Markdown, too", text(&s.markdown)},
			{"sarif", "", "FILE", "write the report as SARIF, too", text(&s.sarif)},
		}
	case "doctor":
		return []setting{json, {"fix", "", "", "mend what is safe to mend", boolean(&s.fix)},
			{"report", "", "", "print one block for a bug report, without secrets", boolean(&s.report)}}
	}
	if tool, ok := asCommand(command); ok {
		return append(s.toolRows(tool), json,
			setting{"graph", "", "NAME", "which graph of several; list_repos has their names", text(&s.graph)})
	}
	return nil
}

// ourVariables are the variables that begin with GITNEXUS_ and are not empty.
func ourVariables(environ []string) map[string]string {
	env := make(map[string]string)
	for _, line := range environ {
		if name, v, _ := strings.Cut(line, "="); strings.HasPrefix(name, "GITNEXUS_") && v != "" {
			env[name] = v
		}
	}
	return env
}

// checkNames refuses a variable that is no setting: most likely it is misspelt,
// and what it was to set would silently keep its default.
func checkNames(env map[string]string, rows []setting) error {
	var known []string
	for _, row := range rows {
		if row.env != "" {
			known = append(known, row.env)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(env)) {
		if slices.Contains(known, name) {
			continue
		}
		if near := tools.Nearest(name, known); len(near) > 0 {
			return fmt.Errorf("%s: no such setting; did you mean %s?", name, near[0])
		}
		return fmt.Errorf("%s: no such setting", name)
	}
	return nil
}

// usage is the settings part of the usage text.
func usage() string {
	var b strings.Builder
	s := defaults()
	for _, row := range s.table() {
		name := row.env
		if row.flag != "" {
			name = strings.TrimSpace("--" + row.flag + " " + row.arg)
		}
		fmt.Fprintf(&b, "  %-24s %s\n", name, row.help)
	}
	return b.String()
}

func text(to *string) func(string) error {
	return func(v string) error { *to = v; return nil }
}

func number(to *int, low, high int) func(string) error {
	return func(v string) error {
		n, err := strconv.Atoi(v)
		if err != nil || n < low || n > high {
			return fmt.Errorf("want a whole number from %d to %d, got %q", low, high, v)
		}
		*to = n
		return nil
	}
}

func share(to *float64) func(string) error {
	return func(v string) error {
		p, err := strconv.ParseFloat(v, 64)
		if err != nil || !(p >= 0 && p <= 1) {
			return fmt.Errorf("want a number from 0 to 1, got %q", v)
		}
		*to = p
		return nil
	}
}

func oneOf(to *string, choices ...string) func(string) error {
	return func(v string) error {
		for _, c := range choices {
			if v == c {
				*to = v
				return nil
			}
		}
		return fmt.Errorf("want one of %s, got %q", strings.Join(choices, ", "), v)
	}
}

func origins(to *[]string) func(string) error {
	return func(v string) error {
		for o := range strings.SplitSeq(v, ",") {
			origin, err := wsbridge.ParseOrigin(strings.TrimSpace(o))
			if err != nil {
				return err
			}
			*to = append(*to, origin)
		}
		return nil
	}
}

// duration takes a Go duration, or a bare number of milliseconds.
func duration(to *time.Duration, low time.Duration) func(string) error {
	return func(v string) error {
		d, err := time.ParseDuration(v)
		if ms, numErr := strconv.ParseInt(v, 10, 40); numErr == nil {
			d, err = time.Duration(ms)*time.Millisecond, nil
		}
		if err != nil || d < low || d > 24*time.Hour {
			return fmt.Errorf("want a time such as 90s, 2m or 1500 (milliseconds), from %v to 24h, got %q", low, v)
		}
		*to = d
		return nil
	}
}

// daysOrTime takes a Go duration, or a number of days.
func daysOrTime(to *time.Duration) func(string) error {
	return func(v string) error {
		d, err := time.ParseDuration(v)
		if digits, isDays := strings.CutSuffix(v, "d"); isDays {
			var days int
			days, err = strconv.Atoi(digits)
			d = time.Duration(days) * 24 * time.Hour
		}
		if err != nil || d <= 0 || d > 366*24*time.Hour {
			return fmt.Errorf("want a time such as 30m, 24h or 7d, got %q", v)
		}
		*to = d
		return nil
	}
}

// size takes bytes, or a number with KB or MB (1024-based).
func size[N int | int64](to *N, low int64) func(string) error {
	return func(v string) error {
		digits, factor := strings.ToUpper(strings.TrimSpace(v)), int64(1)
		for unit, f := range map[string]int64{"KB": 1 << 10, "MB": 1 << 20} {
			if cut, ok := strings.CutSuffix(digits, unit); ok {
				digits, factor = strings.TrimSpace(cut), f
			}
		}
		n, err := strconv.ParseInt(digits, 10, 32)
		if err != nil || n < 0 || n*factor < low || n*factor > 1<<30 {
			return fmt.Errorf("want a size such as 60KB, 64MB or a number of bytes, from %d to 1024MB, got %q", low, v)
		}
		*to = N(n * factor)
		return nil
	}
}

// orZero takes 0, for no limit, besides what another reads.
func orZero(to *int, other func(string) error) func(string) error {
	return func(v string) error {
		if strings.TrimSpace(v) == "0" {
			*to = 0
			return nil
		}
		if err := other(v); err != nil {
			return fmt.Errorf("%w; or 0 for no limit", err)
		}
		return nil
	}
}

// unmarshal takes what the value itself reads.
func unmarshal(to encoding.TextUnmarshaler) func(string) error {
	return func(v string) error { return to.UnmarshalText([]byte(v)) }
}

func boolean(to *bool) func(string) error {
	return func(v string) error {
		b, err := strconv.ParseBool(v)
		if err != nil {
			return fmt.Errorf("want true or false, got %q", v)
		}
		*to = b
		return nil
	}
}

func secret(to *string) func(string) error {
	return func(v string) error {
		*to = v
		return wsbridge.CheckToken(v)
	}
}

// loadToken is the token that hub, peers and commands share.
func (s settings) loadToken() (string, error) {
	if s.token != "" {
		return s.token, nil
	}
	file, err := wsbridge.DefaultTokenFile()
	if err != nil {
		return "", err
	}
	return wsbridge.LoadToken(file)
}

// tokenPlace says where that token is found.
func (s settings) tokenPlace() string {
	if s.token != "" {
		return "that of GITNEXUS_TOKEN"
	}
	file, _ := wsbridge.DefaultTokenFile() // loadToken has read it
	return "in " + file
}

// gate decides who gets in.
func (s settings) gate() (wsbridge.Gate, error) {
	token, err := s.loadToken()
	if err != nil {
		return wsbridge.Gate{}, err
	}
	// Without a folder for their keys no page can be paired; newTicket returns the error.
	pairing, _ := wsbridge.DefaultPairing(token)
	sockets, _ := wsbridge.DefaultSocketDir() // there is none either
	return wsbridge.Gate{Port: s.port, Token: token, Pairing: pairing, SocketDir: sockets, AllowOrigins: s.allowOrigins, InsecureV1: s.insecureV1}, nil
}
