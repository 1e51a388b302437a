package sanitize

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

const (
	maxValue     = 200 // bytes of one text in arguments
	maxItems     = 20  // of one list or object
	maxDepth     = 4
	maxArguments = 4 << 10 // bytes of all arguments
)

// sourceKey matches arguments that carry source text or other contents.
var sourceKey = regexp.MustCompile(`(?i)^(content|contents|source|sourcecode|code|body|text|snippet|diff|patch)$`)

// Arguments returns a call's JSON arguments as a log or a debug answer may show
// them: secrets are redacted, source text is replaced by its size, long values are
// cut. What is not JSON becomes its size. The result has at most 4 KB.
func Arguments(arguments json.RawMessage) json.RawMessage {
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
	if IsSecret(key) {
		return Redacted
	}
	switch v := value.(type) {
	case string:
		if sourceKey.MatchString(key) {
			return size(len(v))
		}
		return Brief(v, maxValue)
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
			out[Brief(k, maxValue)] = redactValue(k, item, depth+1)
		}
		return out
	}
	return value
}

// Brief redacts what looks like a secret and cuts text at limit bytes.
func Brief(text string, limit int) string {
	whole := len(text)
	if whole > 4*limit {
		text = text[:4*limit] // bounds the work; what is cut here is cut below too
	}
	text = Log(strings.ToValidUTF8(text, "\uFFFD"))
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
