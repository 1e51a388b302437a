package wsbridge

import (
	"cmp"
	"os"
	"slices"
)

// SetAgent names this process's own agent, for the pages to show.
func (h *hub) SetAgent(name string) {
	h.mu.Lock()
	h.agent = name
	h.mu.Unlock()
	h.tellAgents(isPage)
}

// greeted sends the present state to a new page or peer, and the new list of agents to
// the others.
func (h *hub) greeted(s *session) {
	if s.role == rolePeer {
		h.tellAgents(isPage)
		h.broadcast.Lock()
		h.tellPages(s)
		h.broadcast.Unlock()
		return
	}
	h.broadcast.Lock()
	defer h.broadcast.Unlock()
	s.conn.control(s.conn.dialect.agents(h.agents(), h.unproven()))
	h.sendAlerts(s)
}

// unproven is the number of pages that have proved nothing.
func (h *hub) unproven() int {
	return len(h.where(func(s *session) bool { return s.page != nil && s.page.unproven() }))
}

// tellAgents sends pages the list of agents, and how many pages beside them have proved
// nothing.
func (h *hub) tellAgents(to func(*session) bool) {
	h.broadcast.Lock()
	defer h.broadcast.Unlock()
	agents, unproven := h.agents(), h.unproven()
	for _, s := range h.where(to) {
		s.conn.control(s.conn.dialect.agents(agents, unproven))
	}
}

// SetAlerts says which alerts this process knows of, for the pages to show.
func (h *hub) SetAlerts(alerts []Alert) {
	h.mu.Lock()
	h.alerts = alerts
	h.mu.Unlock()
	h.tellAlerts()
}

// tellAlerts sends the pages the list of alerts.
func (h *hub) tellAlerts() {
	h.broadcast.Lock()
	defer h.broadcast.Unlock()
	h.sendAlerts(h.where(isPage)...)
}

// sendAlerts sends the list to those of the pages that want it. It must be called
// with broadcast held.
func (h *hub) sendAlerts(pages ...*session) {
	frame := encode("", methodAlerts, alertsParams{h.allAlerts()})
	for _, s := range pages {
		if s.hello.Alerts {
			s.conn.control(frame)
		}
	}
}

// allAlerts are those that this process or a peer knows of, each once, the oldest first.
func (h *hub) allAlerts() []Alert {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := slices.Clone(h.alerts)
	for s := range h.sessions {
		all = append(all, s.alerts...)
	}
	slices.SortFunc(all, func(a, b Alert) int {
		return cmp.Or(cmp.Compare(a.Graph, b.Graph), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Since, b.Since))
	})
	all = slices.CompactFunc(all, func(a, b Alert) bool { return a.Graph == b.Graph && a.Code == b.Code })
	slices.SortFunc(all, func(a, b Alert) int { return cmp.Compare(a.Since, b.Since) })
	return append([]Alert{}, all...)
}

// tellChanged tells the pages that follow a folder that it has changed.
func (h *hub) tellChanged(folder string) {
	for _, s := range h.where(func(s *session) bool { return isPage(s) && s.hello.Follows && s.page.loads == folder }) {
		s.conn.control(encode("", methodRepo, nil))
	}
}

// pagesChanged tells the peers and the owner.
func (h *hub) pagesChanged() {
	h.broadcast.Lock()
	h.tellPages(h.where(isPeer)...)
	h.broadcast.Unlock()
	h.tellFolders()
	h.opt.OnContext()
}

// tellPages must be called with broadcast held.
func (h *hub) tellPages(peers ...*session) {
	var told pagesParams
	told.Pages, told.Reconnect = h.router.status()
	frame := encode("", methodPages, told)
	for _, s := range peers {
		s.conn.control(frame)
	}
}

func (h *hub) agents() []Agent {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := []Agent{}
	if h.agent != "" {
		list = append(list, Agent{h.agent, os.Getpid()})
	}
	for s := range h.sessions {
		if isPeer(s) && s.hello.Agent != "" {
			list = append(list, Agent{s.hello.Agent, s.hello.PID})
		}
	}
	slices.SortFunc(list, func(a, b Agent) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.PID, b.PID)) })
	return list
}
