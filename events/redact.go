package events

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/gitnexus/gitnexus-mcp/sanitize"
)

const (
	maxValue     = 200 // bytes of one text in arguments
	maxItems     = 20  // of one list or object
	maxDepth     = 4
	maxArguments = 4 << 10 // bytes of all arguments
)

// sourceKey matches arguments that carry source text or other contents.
var sourceKey = regexp.MustCompile(`(?i)^(content|contents|source|sourcecode|code|body|text|snippet|diff|patch)$`)

// redact makes an event what the log may keep.
func (e *Event) redact() {
	e.Message = Text(e.Message, MaxMessage)
	if e.Arguments == nil {
		return
	}
	fields := map[string]json.RawMessage{}
	if len(e.Metadata) > 0 && json.Unmarshal(e.Metadata, &fields) != nil {
		fields = map[string]json.RawMessage{}
	}
	fields["arguments"] = Redact(e.Arguments)
	e.Metadata, e.Arguments = encode(fields), nil
}

// Redact returns a call's arguments as the log may keep them: secrets are
// redacted, source text is replaced by its size, long values are cut. What is
// not JSON becomes its size.
func Redact(arguments json.RawMessage) json.RawMessage {
	if len(arguments) == 0 {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(arguments))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		value = size(len(arguments))
	}
	out := encode(redactValue("", value, 0))
	if len(out) > maxArguments {
		out = encode(size(len(arguments)))
	}
	return out
}

func redactValue(key string, value any, depth int) any {
	if sanitize.IsSecret(key) {
		return sanitize.Redacted
	}
	switch v := value.(type) {
	case string:
		if sourceKey.MatchString(key) {
			return size(len(v))
		}
		return Text(v, maxValue)
	case []any:
		if depth == maxDepth {
			return fmt.Sprintf("[%d items]", len(v))
		}
		out := []any{}
		for i, item := range v {
			if i == maxItems {
				out = append(out, fmt.Sprintf("[%d more]", len(v)-i))
				break
			}
			out = append(out, redactValue(key, item, depth+1))
		}
		return out
	case map[string]any:
		if depth == maxDepth || len(v) > maxItems {
			return fmt.Sprintf("[%d fields]", len(v))
		}
		out := map[string]any{}
		for k, item := range v {
			out[Text(k, maxValue)] = redactValue(k, item, depth+1)
		}
		return out
	}
	return value
}

// Text redacts what looks like a secret and cuts text at limit bytes.
func Text(text string, limit int) string {
	whole := len(text)
	if whole > 4*limit {
		text = text[:4*limit] // bounds the work; what is cut here is cut below too
	}
	text = sanitize.Log(strings.ToValidUTF8(text, "\uFFFD"))
	if len(text) <= limit {
		return text
	}
	cut := limit
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return fmt.Sprintf("%s… (%d bytes)", text[:cut], whole)
}

func size(bytes int) string { return fmt.Sprintf("[%d bytes]", bytes) }

func encode(v any) json.RawMessage {
	out, err := json.Marshal(v)
	if err != nil { // values that came from JSON
		panic(err)
	}
	return out
}
