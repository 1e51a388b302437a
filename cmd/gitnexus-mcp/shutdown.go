package main

import "time"

// shutdownBudget is the time in which serve ends altogether. Calls in flight have
// tools.StopsWithin of it; what they leave is for connections, the browser and
// files; and the log has logClosesWithin, the last of it.
const shutdownBudget = time.Second

// shutdown is the end of a command. The zero value is one that has not begun.
type shutdown struct{ deadline time.Time }

func (s *shutdown) begin() { s.deadline = time.Now().Add(shutdownBudget) }

// wait waits for a job until only the time for the log is left, and tells whether
// the job has ended.
func (s *shutdown) wait(job func()) bool {
	done := make(chan struct{})
	go func() {
		job()
		close(done)
	}()
	limit := time.NewTimer(time.Until(s.deadline) - logClosesWithin)
	defer limit.Stop()
	select {
	case <-done:
		return true
	case <-limit.C:
		return false
	}
}
