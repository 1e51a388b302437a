package events

import (
	"encoding/json"
	"strings"
)

// redact makes an event what the log may keep.
func (l *Log) redact(e *Event) {
	if l.options.Redact == nil {
		e.Message, e.Arguments = "", nil
		return
	}
	l.options.Redact(e)
	if len(e.Message) > MaxMessage {
		e.Message = strings.ToValidUTF8(e.Message[:MaxMessage], "")
	}
	if e.Arguments == nil {
		return
	}
	fields := map[string]json.RawMessage{}
	if len(e.Metadata) > 0 && json.Unmarshal(e.Metadata, &fields) != nil {
		fields = map[string]json.RawMessage{}
	}
	fields["arguments"] = e.Arguments
	metadata, err := json.Marshal(fields)
	if err != nil { // Redact left something else than JSON
		metadata = nil
	}
	e.Metadata, e.Arguments = metadata, nil
}
