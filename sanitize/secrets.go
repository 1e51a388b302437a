package sanitize

import (
	"bytes"
	"math"
	"regexp"
	"strings"
)

// Redacted stands for a secret.
const Redacted = "[redacted]"

// shape is what the tokens of one service look like.
type shape struct {
	prefix string
	// length is the least number of characters behind the prefix.
	length int
	// extra are the characters that may follow besides letters and digits.
	extra string
	// mixed wants digits and letters of both cases: the prefix is also an ordinary word.
	mixed bool
	// parts is how many parts it has, with dots between them; 0 for any number.
	parts int
}

var shapes = []shape{
	{prefix: "AKIA", length: 16}, {prefix: "ASIA", length: 16},
	{prefix: "ghp_", length: 20}, {prefix: "gho_", length: 20}, {prefix: "ghu_", length: 20}, {prefix: "ghs_", length: 20}, {prefix: "ghr_", length: 20},
	{prefix: "github_pat_", length: 20, extra: "_"},
	{prefix: "glpat-", length: 20, extra: "-_."}, {prefix: "glptt-", length: 20, extra: "-_"}, {prefix: "gldt-", length: 20, extra: "-_"},
	{prefix: "glrt-", length: 20, extra: "-_."}, {prefix: "glcbt-", length: 20, extra: "-_"}, {prefix: "glsoat-", length: 20, extra: "-_"},
	{prefix: "xoxa-", length: 10, extra: "-"}, {prefix: "xoxb-", length: 10, extra: "-"}, {prefix: "xoxp-", length: 10, extra: "-"},
	{prefix: "xoxr-", length: 10, extra: "-"}, {prefix: "xoxs-", length: 10, extra: "-"},
	{prefix: "sk-", length: 16, extra: "-_", mixed: true},
	{prefix: "xoxe-", length: 10, extra: "-"}, {prefix: "xoxe.", length: 20, extra: "-."}, {prefix: "xapp-", length: 20, extra: "-"},
	{prefix: "hooks.slack.com/services/", length: 30, extra: "/"},
	{prefix: "sk_live_", length: 16}, {prefix: "rk_live_", length: 16}, {prefix: "sk_test_", length: 16}, {prefix: "rk_test_", length: 16},
	{prefix: "whsec_", length: 24, extra: "+/="},
	{prefix: "AIza", length: 35, extra: "-_"}, {prefix: "GOCSPX-", length: 24, extra: "-_"},
	{prefix: "npm_", length: 36}, {prefix: "hf_", length: 30, mixed: true},
	{prefix: "dop_v1_", length: 60}, {prefix: "doo_v1_", length: 60}, {prefix: "dor_v1_", length: 60},
	{prefix: "dapi", length: 32}, {prefix: "dckr_pat_", length: 20, extra: "-_"}, {prefix: "shpat_", length: 32}, {prefix: "shpca_", length: 32},
	{prefix: "shppa_", length: 32}, {prefix: "shpss_", length: 32}, {prefix: "sq0atp-", length: 22, extra: "-_"}, {prefix: "sq0csp-", length: 43, extra: "-_"},
	{prefix: "ATATT3", length: 40, extra: "-_="}, {prefix: "glsa_", length: 32, extra: "_"}, {prefix: "glc_", length: 32, extra: "+/=", mixed: true},
	{prefix: "hvs.", length: 24, extra: "-_"}, {prefix: "hvb.", length: 24, extra: "-_"}, {prefix: "lin_api_", length: 32}, {prefix: "ntn_", length: 40},
	{prefix: "NRAK-", length: 27}, {prefix: "PMAK-", length: 40, extra: "-"}, {prefix: "pscale_tkn_", length: 30, extra: "-_."},
	{prefix: "pscale_pw_", length: 30, extra: "-_."}, {prefix: "pul-", length: 40}, {prefix: "r8_", length: 37, mixed: true}, {prefix: "rubygems_", length: 48},
	{prefix: "sntrys_", length: 40, extra: "_+/="}, {prefix: "sntryu_", length: 40}, {prefix: "sbp_", length: 40}, {prefix: "tskey-", length: 20, extra: "-"},
	{prefix: "gsk_", length: 40, mixed: true}, {prefix: "xai-", length: 40, mixed: true}, {prefix: "figd_", length: 40, extra: "-_"},
	{prefix: "AGE-SECRET-KEY-1", length: 50}, {prefix: "EAAA", length: 56, extra: "-_", mixed: true},
	{prefix: "pypi-", length: 50, extra: "-_"},
	{prefix: "SG.", length: 40, extra: "-_."},
	{prefix: "ya29.", length: 40, extra: "-_"},
	{prefix: "eyJ", length: 20, extra: "-_.", parts: 3},
}

const (
	keyBegins = "-----BEGIN "
	keyBody   = "PRIVATE KEY"
	keyEnds   = "-----END"
	maxKey    = 16 << 10 // bytes of a private key
)

// Tokens redacts, in text or in JSON, what is a secret by its form alone: tokens
// of well-known services that look random, and private keys. It returns its
// argument where there is none. JSON stays valid.
func Tokens(text []byte) []byte { return withoutKeys(withoutTokens(text, true)) }

// byFirst are the shapes by the first byte of their prefix.
var byFirst = func() (table [256][]*shape) {
	for i := range shapes {
		first := shapes[i].prefix[0]
		table[first] = append(table[first], &shapes[i])
	}
	return table
}()

// withoutTokens redacts tokens; strictly, only those that look random.
func withoutTokens(text []byte, strictly bool) []byte {
	var out []byte // nil until something is redacted
	last := 0
	var seen map[*shape]int // up to where a text begins with the shape and is no token
	for n := 0; n < len(text); n++ {
		if insideWord(text, n) {
			continue
		}
		for _, s := range byFirst[text[n]] {
			if !bytes.HasPrefix(text[n:], []byte(s.prefix)) || n < seen[s] {
				continue
			}
			end, isToken := s.match(text[n:], strictly)
			if isToken {
				out = append(append(out, text[last:n]...), Redacted...)
				last = n + end
				n = last - 1
				break
			}
			if seen == nil {
				seen = make(map[*shape]int)
			}
			seen[s] = n + end // its end is none either, and to look again would take the square of its length
		}
	}
	if last == 0 {
		return text
	}
	return append(out, text[last:]...)
}

// insideWord reports whether a word goes on at n, so that no token begins there.
func insideWord(text []byte, n int) bool {
	return n > 0 && wordByte(text[n-1]) && (n < 2 || text[n-2] != '\\') // "\nghp_" in JSON
}

// match returns how far the characters of a token go in a text that begins with its
// prefix, and whether they are one.
func (s *shape) match(text []byte, strictly bool) (end int, isToken bool) {
	body := text[len(s.prefix):]
	size, dots := 0, 0
	var lower, upper, digit bool
	for size < len(body) && (wordByte(body[size]) || strings.IndexByte(s.extra, body[size]) >= 0) {
		c := body[size]
		if c == '.' {
			dots++
			if s.parts > 0 && dots == s.parts { // it ends a sentence, or something else follows
				break
			}
		}
		lower, upper, digit = lower || c >= 'a' && c <= 'z', upper || c >= 'A' && c <= 'Z', digit || c >= '0' && c <= '9'
		size++
	}
	body = body[:size]
	isToken = size >= s.length && dots >= s.parts-1 &&
		(!strictly || entropy(body) >= 3 && (!s.mixed || lower && upper && digit))
	return len(s.prefix) + size, isToken
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// entropy is Shannon's, in bits a byte. Placeholders such as "xxxx" have little.
func entropy(text []byte) float64 {
	var counts [256]int
	for _, c := range text {
		counts[c]++
	}
	bits, n := 0.0, float64(len(text))
	for _, count := range counts {
		if count > 0 {
			p := float64(count) / n
			bits -= p * math.Log2(p)
		}
	}
	return bits
}

// withoutKeys redacts what stands between the first and the last line of private
// keys, or up to the end of the string that has only the first.
func withoutKeys(text []byte) []byte {
	var out []byte // nil until something is redacted
	last := 0
	for at := 0; ; {
		n := bytes.Index(text[at:], []byte(keyBegins))
		if n < 0 && last == 0 {
			return text
		}
		if n < 0 {
			return append(out, text[last:]...)
		}
		at += n + len(keyBegins)
		head := text[at:min(len(text), at+40)]
		n = bytes.Index(head, []byte(keyBody))
		if n < 0 || bytes.IndexByte(head[:n], '"') >= 0 {
			continue
		}
		n += len(keyBody)
		rest, pgp := bytes.CutPrefix(text[at+n:], []byte(" BLOCK"))
		if pgp {
			n += len(" BLOCK")
		}
		if !bytes.HasPrefix(rest, []byte("-----")) {
			continue
		}
		at += n + len("-----")
		body := text[at:min(len(text), at+maxKey)]
		if n := bytes.IndexByte(body, '"'); n >= 0 { // the end of a JSON string
			body = body[:n]
		}
		end := bytes.Index(body, []byte(keyEnds))
		if end < 0 {
			end = bytes.IndexFunc(body, func(r rune) bool {
				return r > 'z' || !wordByte(byte(r)) && !strings.ContainsRune("+/=\\ \t\r\n", r)
			})
		}
		if end < 0 {
			end = len(body)
		}
		if escapes := end - len(bytes.TrimRight(body[:end], `\`)); escapes%2 == 1 {
			end-- // it belongs to the character behind it
		}
		if end >= 20 { // shorter: no key, but code that looks for one
			out = append(append(out, text[last:at]...), Redacted...)
			last = at + end
			at = last
		}
	}
}

// secret matches what may be a secret by what stands before it. In source code it
// would match too much.
var secret = regexp.MustCompile(`(?i)(bearer\s+)[^\s"']+|((?:token|secret|passwo?r?d|api[_-]?key)\s*[=:]\s*["']?)[^\s"',;&)}]{4,}` +
	`|(://)[^/\s:@]+:[^/\s@]+@`)

// ourToken is what a token of this program looks like.
var ourToken = regexp.MustCompile(`\b[A-Za-z0-9_-]{43}\b`)

// Log redacts, in text for a log or a debug answer, what Tokens does, and what may
// be a secret by what stands around it.
func Log(text string) string {
	text = string(withoutKeys(withoutTokens([]byte(text), false)))
	text = secret.ReplaceAllString(text, "${1}${2}${3}"+Redacted)
	return ourToken.ReplaceAllString(text, Redacted)
}

// secretKey matches the names of members that hold secrets.
var secretKey = regexp.MustCompile(`(?i)token|secret|passw|passphrase|authorization|api_?-?key|private_?-?key|cookie|credential|session_?-?key`)

// IsSecret reports whether a member of that name holds a secret.
func IsSecret(name string) bool { return secretKey.MatchString(name) }
