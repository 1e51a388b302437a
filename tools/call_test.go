package tools

import (
	"time"

	"github.com/gitnexus/gitnexus-mcp/resilience"
)

func timeouts(quick, heavy time.Duration) resilience.Timeouts {
	return resilience.Timeouts{Quick: quick, Heavy: heavy}
}
