package tools

import (
	"crypto/rand"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// updateEvery is the least time between two resources/updated of one resource.
const updateEvery = time.Second

// session is a client as mcp-go sees it. A client of the protocol up to
// 2025-11-25 has one. A later one has one for the connection, which gets no
// notifications, and one for each subscriptions/listen request, which gets
// those that were asked for.
type session struct {
	// Set once.
	id            string
	listen        json.RawMessage // id of the subscriptions/listen request; nil for a connection
	onAgent       func(name string)
	notifications chan mcp.JSONRPCNotification
	done          chan struct{} // closed by close
	pumped        chan struct{} // closed by pump, when it has written all there was

	mu          sync.Mutex
	closed      bool
	initialized bool
	version     string // from initialize; "" for a later client
	client      mcp.Implementation
	abilities   mcp.ClientCapabilities
	filter      mcp.SubscriptionFilter
	subscribed  map[string]*subscription
}

// subscription is one resource that a client wants to hear of.
type subscription struct {
	last  time.Time
	timer *time.Timer // nil unless an update waits
}

var (
	_ server.SessionWithClientInfo            = (*session)(nil)
	_ server.SessionWithResourceSubscriptions = (*session)(nil)
	_ server.SessionWithSubscriptionFilter    = (*session)(nil)
	_ server.SessionWithProtocolVersion       = (*session)(nil)
)

func newSession(listen json.RawMessage, onAgent func(string)) *session {
	return &session{
		id: rand.Text(), listen: listen, onAgent: onAgent,
		// mcp-go drops what does not fit. Updates are rare by updateEvery, so
		// only a client that does not read at all loses any.
		notifications: make(chan mcp.JSONRPCNotification, 64),
		done:          make(chan struct{}),
		pumped:        make(chan struct{}),
		subscribed:    make(map[string]*subscription),
	}
}

// pump hands the session's notifications to write, until close and all that
// came before it are through.
func (s *session) pump(write func(any)) {
	defer close(s.pumped)
	for {
		select {
		case n := <-s.notifications:
			write(s.tagged(n))
			continue
		case <-s.done:
		}
		select {
		case n := <-s.notifications:
			write(s.tagged(n))
		default:
			return
		}
	}
}

// tagged is the notification with the id of the request that asked for it.
func (s *session) tagged(n mcp.JSONRPCNotification) mcp.JSONRPCNotification {
	if s.listen == nil {
		return n
	}
	meta := maps.Clone(n.Params.Meta) // mcp-go sends the same map to all sessions
	if meta == nil {
		meta = make(map[string]any)
	}
	meta[mcp.MetaKeySubscriptionID] = s.listen
	n.Params.Meta = meta
	return n
}

func (s *session) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.closed = true
	close(s.done)
	for _, sub := range s.subscribed {
		if sub.timer != nil {
			sub.timer.Stop()
		}
	}
}

// updated tells the client that resources have changed: those that it
// subscribed to, each at most every updateEvery, the last change always.
func (s *session) updated(uris ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, uri := range uris {
		sub := s.subscribed[uri]
		if sub == nil || sub.timer != nil || s.closed {
			continue
		}
		if wait := updateEvery - time.Since(sub.last); wait > 0 {
			sub.timer = time.AfterFunc(wait, func() {
				s.mu.Lock()
				defer s.mu.Unlock()
				sub.timer = nil
				s.notify(uri, sub)
			})
			continue
		}
		s.notify(uri, sub)
	}
}

// notify is called with mu held.
func (s *session) notify(uri string, sub *subscription) {
	if s.closed || s.subscribed[uri] != sub {
		return
	}
	sub.last = time.Now()
	n := mcp.JSONRPCNotification{JSONRPC: mcp.JSONRPC_VERSION}
	n.Method = mcp.MethodNotificationResourceUpdated
	n.Params.AdditionalFields = map[string]any{"uri": uri}
	select {
	case s.notifications <- n:
	default:
	}
}

// SessionID implements server.ClientSession.
func (s *session) SessionID() string { return s.id }

// NotificationChannel implements server.ClientSession.
func (s *session) NotificationChannel() chan<- mcp.JSONRPCNotification { return s.notifications }

// Initialize implements server.ClientSession.
func (s *session) Initialize() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.initialized = true
}

// Initialized implements server.ClientSession.
func (s *session) Initialized() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.initialized
}

// SetProtocolVersion is called by mcp-go when initialize has settled it.
func (s *session) SetProtocolVersion(version string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version = version
}

// ProtocolVersion implements server.SessionWithProtocolVersion.
func (s *session) ProtocolVersion() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}

// knowsLinks tells whether the client's protocol has content that is a link to a
// resource. One that does not know it may refuse the whole answer.
func (s *session) knowsLinks() bool {
	version := s.ProtocolVersion()
	return version == "" || version >= mcp.ProtocolVersion20250618
}

// SetClientInfo implements server.SessionWithClientInfo.
func (s *session) SetClientInfo(info mcp.Implementation) {
	s.mu.Lock()
	renamed := info.Name != "" && info.Name != s.client.Name
	s.client = info
	s.mu.Unlock()
	if renamed {
		s.onAgent(clip(info.Name, 100))
	}
}

// GetClientInfo implements server.SessionWithClientInfo.
func (s *session) GetClientInfo() mcp.Implementation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.client
}

// SetClientCapabilities implements server.SessionWithClientInfo.
func (s *session) SetClientCapabilities(abilities mcp.ClientCapabilities) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.abilities = abilities
}

// GetClientCapabilities implements server.SessionWithClientInfo.
func (s *session) GetClientCapabilities() mcp.ClientCapabilities {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.abilities
}

// SetSubscriptionFilter implements server.SessionWithSubscriptionFilter.
func (s *session) SetSubscriptionFilter(filter mcp.SubscriptionFilter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.filter = filter
}

// SubscriptionFilter implements server.SessionWithSubscriptionFilter. A client
// that never said initialize hears only what it listens to.
func (s *session) SubscriptionFilter() (mcp.SubscriptionFilter, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.filter, s.listen != nil || s.version == ""
}

// SubscribeToResource implements server.SessionWithResourceSubscriptions.
func (s *session) SubscribeToResource(uri string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	// Only what exists can change; the rest would be a list without end.
	if uri != ContextURI && uri != HealthURI || s.subscribed[uri] != nil {
		return
	}
	s.subscribed[uri] = &subscription{}
}

// UnsubscribeFromResource implements server.SessionWithResourceSubscriptions.
func (s *session) UnsubscribeFromResource(uri string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sub := s.subscribed[uri]; sub != nil && sub.timer != nil {
		sub.timer.Stop()
	}
	delete(s.subscribed, uri)
}

// SubscribedResources implements server.SessionWithResourceSubscriptions.
func (s *session) SubscribedResources() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.subscribed))
}

// IsSubscribedToResource implements server.SessionWithResourceSubscriptions.
func (s *session) IsSubscribedToResource(uri string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.subscribed[uri] != nil
}
