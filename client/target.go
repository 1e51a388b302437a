package client

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptrace"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/gitnexus/gitnexus-mcp/resilience"
)

// Target says which server to connect to.
type Target struct {
	name string
	open func() (transport.Interface, error)

	last *lastTools
}

// lastTools are the tools of the last connection, which outlive it.
type lastTools struct {
	mu   sync.Mutex
	list []mcp.Tool
}

// URL is a server at an address, over Streamable HTTP. A nil client means the
// default one.
func URL(address string, httpClient *http.Client) Target {
	return Transport(address, func() (transport.Interface, error) {
		if httpClient == nil {
			httpClient = &http.Client{}
		}
		own := *httpClient
		own.Transport = statuses{own.Transport}
		t, err := transport.NewStreamableHTTP(address, transport.WithHTTPBasicClient(&own), transport.WithHTTPLogger(slog.New(slog.DiscardHandler)))
		if err != nil {
			return nil, err
		}
		return streamable{t}, nil
	})
}

// streamable tells a connection that closed before the answer, and a call whose
// time was up, from other failures, which mcp-go does not.
type streamable struct{ *transport.StreamableHTTP }

func (s streamable) SendRequest(ctx context.Context, request transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	var closed atomic.Bool
	response, err := s.StreamableHTTP.SendRequest(context.WithValue(ctx, closedKey{}, &closed), request)
	if err != nil && closed.Load() {
		// The end of the context closes the body, and mcp-go may name neither.
		return nil, errors.Join(cmp.Or(ctx.Err(), resilience.ErrClosed), err)
	}
	return response, err
}

// closedKey is the context key of an *atomic.Bool that a response sets when its
// body ends too early, or is a stream and ends.
type closedKey struct{}

type body struct {
	io.ReadCloser
	stream bool
	closed *atomic.Bool
}

func (b body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && (b.stream || err != io.EOF) {
		b.closed.Store(true)
	}
	return n, err
}

// Command is a server that runs as a child process and speaks over its stdin and
// stdout. Its stderr is that of this process when stderr is nil.
func Command(stderr io.Writer, program string, args ...string) Target {
	if stderr == nil {
		stderr = os.Stderr
	}
	return Transport(strings.Join(append([]string{program}, args...), " "), func() (transport.Interface, error) {
		return transport.NewStdioWithOptions(program, nil, args,
			transport.WithCommandStderrWriter(stderr), transport.WithCommandLogger(slog.New(slog.DiscardHandler))), nil
	})
}

// Transport is a server behind a transport of one's own. open is called for each
// connection.
func Transport(name string, open func() (transport.Interface, error)) Target {
	return Target{name: name, open: open, last: &lastTools{}}
}

// Named is the same server under another name in errors and the log.
func (t Target) Named(name string) Target {
	t.name = name
	return t
}

func (t Target) remember(tools []mcp.Tool) {
	t.last.mu.Lock()
	defer t.last.mu.Unlock()
	t.last.list = tools
}

func (t Target) tools() []mcp.Tool {
	t.last.mu.Lock()
	defer t.last.mu.Unlock()
	return t.last.list
}

// errSession is a session that the server does not know, as after its restart.
var errSession = errors.New("the server does not know this session")

// statuses is a RoundTripper that returns what an HTTP status says as an error,
// which mcp-go would pass on as text alone.
type statuses struct{ next http.RoundTripper }

func (s statuses) RoundTrip(request *http.Request) (*http.Response, error) {
	next := s.next
	if next == nil {
		next = http.DefaultTransport
	}
	var connected, answered atomic.Bool
	response, err := next.RoundTrip(request.WithContext(httptrace.WithClientTrace(request.Context(), &httptrace.ClientTrace{
		GotConn:              func(httptrace.GotConnInfo) { connected.Store(true) },
		GotFirstResponseByte: func() { answered.Store(true) },
	})))
	if err != nil && connected.Load() && !answered.Load() && request.Context().Err() == nil {
		// net/http has no exported error for a server that closes at once.
		return nil, errors.Join(resilience.ErrClosed, err)
	}
	if err != nil || request.Method != http.MethodPost {
		return response, err
	}
	if closed, ok := request.Context().Value(closedKey{}).(*atomic.Bool); ok {
		stream := strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream")
		response.Body = body{response.Body, stream, closed}
	}
	switch response.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusRequestTimeout, http.StatusUnprocessableEntity,
		http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		_ = response.Body.Close()
		return nil, &resilience.StatusError{Status: response.StatusCode, RetryAfter: retryAfter(response.Header.Get("Retry-After"))}
	case http.StatusBadRequest:
		if request.Header.Get(transport.HeaderKeySessionID) == "" {
			return response, nil
		}
		// The official SDKs answer a session that they do not know with -32000.
		body, err := io.ReadAll(io.LimitReader(response.Body, 64<<10))
		_ = response.Body.Close()
		if err != nil {
			return nil, err
		}
		var message struct {
			Error struct {
				Code int `json:"code"`
			} `json:"error"`
		}
		if json.Unmarshal(body, &message) == nil && message.Error.Code == -32000 {
			return nil, errSession
		}
		response.Body = io.NopCloser(bytes.NewReader(body))
	}
	return response, nil
}

// retryAfter reads the header, in seconds or as a date. 0 means none.
func retryAfter(header string) time.Duration {
	if seconds, err := strconv.ParseUint(header, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}
