package tools

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// updateEvery is the least time between two resources/updated of one resource.
const updateEvery = time.Second

// maxOther bounds a client's requests at once that are no tool calls.
const maxOther = 256

// Client is one MCP client, whatever transport it is connected by, and the
// session that mcp-go asks for. A client of the protocol up to 2025-11-25 has
// one. A later one has one for the connection, which gets no notifications, and
// one for each subscriptions/listen request, which gets those that it asked for.
type Client struct {
	// Set once.
	id            string
	server        *Server
	listen        json.RawMessage // id of the subscriptions/listen request; nil for a connection
	notifications chan mcp.JSONRPCNotification
	done          chan struct{} // closed by close
	pumped        chan struct{} // closed by pump, when it has written all there was
	slotsOf       *Client       // whose slots its requests take; nil for its own
	// useRoots is called with the client's root folders; nil where the server does not
	// ask for them.
	useRoots func(folders []string)
	asking   chan struct{} // has room while the client is asked for its roots

	mu            sync.Mutex
	closed        bool
	initialized   bool
	version       string // of the protocol, from initialize; "" for a later client
	info          mcp.Implementation
	capabilities  mcp.ClientCapabilities
	logLevel      mcp.LoggingLevel // "": it asked for no log messages
	filter        mcp.SubscriptionFilter
	subscriptions map[string]*subscription // by URI
	calls, others int                      // requests begun and not ended
	asks          asks
	asked         int  // requests of this server, for their ids
	questioned    bool // the user has a question to answer
	keepsClosed   bool // the user did not want to open the app
	rootsDue      bool // it is to be asked for its roots before its next call
	folder        wsbridge.Folder
	release       func() // of folder; nil for none
}

// subscription is one resource that a client wants to hear of.
type subscription struct {
	last  time.Time
	timer *time.Timer // nil unless an update waits
}

var (
	_ server.SessionWithClientInfo               = (*Client)(nil)
	_ server.SessionWithResourceSubscriptionsErr = (*Client)(nil)
	_ server.SessionWithSubscriptionFilter       = (*Client)(nil)
	_ server.SessionWithProtocolVersion          = (*Client)(nil)
)

func (s *Server) newClient(listen json.RawMessage) *Client {
	return &Client{
		id: rand.Text(), server: s, listen: listen,
		// mcp-go drops what does not fit. Updates are rare by updateEvery, so
		// only a client that does not read at all loses any.
		notifications: make(chan mcp.JSONRPCNotification, 64),
		asking:        make(chan struct{}, 1),
		done:          make(chan struct{}),
		pumped:        make(chan struct{}),
		subscriptions: make(map[string]*subscription),
	}
}

// connect makes the client known and passes its notifications to write, which
// must not be called for any other client. disconnect ends that.
func (s *Server) connect(ctx context.Context, c *Client, write func(message any)) {
	_ = s.mcp.RegisterSession(ctx, c) // its id is random: it cannot exist
	s.mu.Lock()
	s.clients[c] = struct{}{}
	s.mu.Unlock()
	go s.guarded("notifications", func() { c.pump(write) })
}

// encode writes a notification as JSON.
func (s *Server) encode(notification any, write func(line []byte)) {
	raw, err := marshal(notification)
	if err != nil {
		s.log.Error("a notification could not be encoded", "err", err)
		return
	}
	write(raw)
}

func (s *Server) disconnect(ctx context.Context, c *Client) {
	s.mu.Lock()
	delete(s.clients, c)
	s.mu.Unlock()
	s.mcp.UnregisterSession(ctx, c.id)
	c.close()
	s.tellAgents()
}

// tellAgents tells OnAgent of a change of the connected clients' names.
func (s *Server) tellAgents() {
	if s.options.Agent != "" {
		return
	}
	s.naming.Lock()
	defer s.naming.Unlock()
	s.mu.Lock()
	var names []string
	for c := range s.clients {
		if name := c.GetClientInfo().Name; name != "" && c.listen == nil {
			names = append(names, clip(name, 100))
		}
	}
	s.mu.Unlock()
	slices.Sort(names)
	if all := strings.Join(slices.Compact(names), ", "); all != s.named {
		s.named = all
		s.options.OnAgent(clip(all, 100))
	}
}

// begin takes a slot for a request, a tool call or another one, and tells whether
// there was one. end gives it back, once the answer is written: so a client that
// does not read cannot pile up answers.
func (c *Client) begin(isCall bool) bool {
	if c.slotsOf != nil {
		return c.slotsOf.begin(isCall)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	count, limit := c.slots(isCall)
	if *count >= limit {
		return false
	}
	*count++
	return true
}

func (c *Client) end(isCall bool) {
	if c.slotsOf != nil {
		c.slotsOf.end(isCall)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	count, _ := c.slots(isCall)
	*count--
}

// slots must be called with mu held.
func (c *Client) slots(isCall bool) (count *int, limit int) {
	if isCall {
		return &c.calls, c.server.options.MaxCalls
	}
	return &c.others, maxOther
}

// Name is what calls tell pages of the client: what was set for all of them, or
// what it calls itself.
func (c *Client) Name() string {
	if c.server.options.Agent != "" {
		return c.server.options.Agent
	}
	if name := c.GetClientInfo().Name; name != "" {
		return clip(name, 100)
	}
	return "unknown"
}

// pump hands the client's notifications to write, until close and all that
// came before it are through.
func (c *Client) pump(write func(any)) {
	defer close(c.pumped)
	for {
		select {
		case n := <-c.notifications:
			write(c.tagged(n))
			continue
		case <-c.done:
		}
		select {
		case n := <-c.notifications:
			write(c.tagged(n))
		default:
			return
		}
	}
}

// tagged is the notification with the id of the request that asked for it.
func (c *Client) tagged(n mcp.JSONRPCNotification) mcp.JSONRPCNotification {
	if c.listen == nil {
		return n
	}
	meta := maps.Clone(n.Params.Meta) // mcp-go sends the same map to all sessions
	if meta == nil {
		meta = make(map[string]any)
	}
	meta[mcp.MetaKeySubscriptionID] = c.listen
	n.Params.Meta = meta
	return n
}

func (c *Client) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	c.closed = true
	close(c.done)
	if c.release != nil {
		go c.server.guarded("releasing a folder", c.release)
	}
	for _, sub := range c.subscriptions {
		if sub.timer != nil {
			sub.timer.Stop()
		}
	}
}

// updated tells the client that resources have changed: those that it
// subscribed to, each at most every updateEvery, the last change always.
func (c *Client) updated(uris ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, uri := range uris {
		sub := c.subscriptions[uri]
		if sub == nil || sub.timer != nil || c.closed {
			continue
		}
		if wait := updateEvery - time.Since(sub.last); wait > 0 {
			sub.timer = time.AfterFunc(wait, func() {
				c.server.guarded("resource update", func() {
					c.mu.Lock()
					defer c.mu.Unlock()
					sub.timer = nil
					c.notify(uri, sub)
				})
			})
			continue
		}
		c.notify(uri, sub)
	}
}

// notify is called with mu held.
func (c *Client) notify(uri string, sub *subscription) {
	if c.closed || c.subscriptions[uri] != sub {
		return
	}
	sub.last = time.Now()
	n := mcp.JSONRPCNotification{JSONRPC: mcp.JSONRPC_VERSION}
	n.Method = mcp.MethodNotificationResourceUpdated
	n.Params.AdditionalFields = map[string]any{"uri": uri}
	select {
	case c.notifications <- n:
	default:
	}
}

// SessionID implements server.ClientSession.
func (c *Client) SessionID() string { return c.id }

// NotificationChannel implements server.ClientSession.
func (c *Client) NotificationChannel() chan<- mcp.JSONRPCNotification { return c.notifications }

// Initialize implements server.ClientSession.
func (c *Client) Initialize() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.initialized = true
}

// Initialized implements server.ClientSession.
func (c *Client) Initialized() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.initialized
}

// SetProtocolVersion is called by mcp-go when initialize has settled it.
func (c *Client) SetProtocolVersion(version string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.version = version
}

// ProtocolVersion implements server.SessionWithProtocolVersion.
func (c *Client) ProtocolVersion() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.version
}

// knowsLinks tells whether the client's protocol has content that is a link to a
// resource. One that does not know it may refuse the whole answer.
func (c *Client) knowsLinks() bool {
	version := c.ProtocolVersion()
	return version == "" || version >= mcp.ProtocolVersion20250618
}

// SetClientInfo implements server.SessionWithClientInfo.
func (c *Client) SetClientInfo(info mcp.Implementation) {
	c.mu.Lock()
	renamed := info.Name != "" && info.Name != c.info.Name
	c.info = info
	c.mu.Unlock()
	if renamed {
		c.server.tellAgents()
	}
}

// GetClientInfo implements server.SessionWithClientInfo.
func (c *Client) GetClientInfo() mcp.Implementation {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.info
}

// SetClientCapabilities implements server.SessionWithClientInfo.
func (c *Client) SetClientCapabilities(capabilities mcp.ClientCapabilities) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.capabilities = capabilities
}

// GetClientCapabilities implements server.SessionWithClientInfo.
func (c *Client) GetClientCapabilities() mcp.ClientCapabilities {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.capabilities
}

// SetSubscriptionFilter implements server.SessionWithSubscriptionFilter.
func (c *Client) SetSubscriptionFilter(filter mcp.SubscriptionFilter) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.filter = filter
}

// SubscriptionFilter implements server.SessionWithSubscriptionFilter. A client
// that never said initialize hears only what it listens to.
func (c *Client) SubscriptionFilter() (mcp.SubscriptionFilter, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.filter, c.listen != nil || c.version == ""
}

// SubscribeToResourceErr implements server.SessionWithResourceSubscriptionsErr.
// Its error is for the client to read.
func (c *Client) SubscribeToResourceErr(uri string) error {
	if uri != ContextURI && uri != HealthURI {
		return fmt.Errorf("no resource %q can be subscribed to: those that change are %s and %s", clip(uri, 100), ContextURI, HealthURI)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.subscriptions[uri] == nil {
		c.subscriptions[uri] = &subscription{}
	}
	return nil
}

// SubscribeToResource implements server.SessionWithResourceSubscriptions.
func (c *Client) SubscribeToResource(uri string) { _ = c.SubscribeToResourceErr(uri) }

// UnsubscribeFromResource implements server.SessionWithResourceSubscriptions.
func (c *Client) UnsubscribeFromResource(uri string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if sub := c.subscriptions[uri]; sub != nil && sub.timer != nil {
		sub.timer.Stop()
	}
	delete(c.subscriptions, uri)
}

// SubscribedResources implements server.SessionWithResourceSubscriptions.
func (c *Client) SubscribedResources() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Sorted(maps.Keys(c.subscriptions))
}

// IsSubscribedToResource implements server.SessionWithResourceSubscriptions.
func (c *Client) IsSubscribedToResource(uri string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.subscriptions[uri] != nil
}
