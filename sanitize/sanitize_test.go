package sanitize

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"plain\ttext\n":                "plain\ttext\n",
		"line\r\nend\rhidden":          `line` + "\r\n" + `end\u000Dhidden`,
		"if user != \"\u202e admin\"":  `if user != "\u202E admin"`,
		"\x1b[2Jgone":                  `\u001B[2Jgone`,
		"zero\u200bwidth":              `zero\u200Bwidth`,
		"tag\U000e0041":                `tag\uDB40\uDC41`,
		"a\u3164 = b\uffa0":            `a\u3164 = b\uFFA0`,
		"se\u00adlect\ufe01\U000e0100": `se\u00ADlect\uFE01\uDB40\uDD00`,
		"❤\ufe0f":                      "❤\ufe0f",
		"👩\u200d💻 ümlaut — dash":       "👩\u200d💻 ümlaut — dash",
	} {
		if got := Text(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// JSON looks for the first bytes of hidden characters: none is missing there.
func TestLeads(t *testing.T) {
	for r := rune(0x7f); r <= utf8.MaxRune; r++ {
		if hidden(r) && strings.ContainsRune(string(JSON([]byte(`"`+string(r)+`"`))), r) {
			t.Errorf("%U stays in JSON", r)
		}
	}
}

func TestName(t *testing.T) {
	if got := Name("a\nb\u202e", 100); got != `a\nb\u202E` {
		t.Errorf("got %q", got)
	}
	got := Name(strings.Repeat("é", 6<<20), 101)
	if len(got) > 101 || !strings.HasSuffix(got, "é…") || !utf8.ValidString(got) {
		t.Errorf("got %d bytes: %q", len(got), got)
	}
}

// What the escapes say is the same value.
func FuzzJSON(f *testing.F) {
	f.Add("plain")
	f.Add("\u034f\u180e\u3164\ufe00\U0001d173\U000e0100")
	f.Add("a\u202eb\u0085c\U000e0041d\x7f — é")
	f.Fuzz(func(t *testing.T, text string) {
		raw, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		var before, after string
		got := JSON(raw)
		if err := json.Unmarshal(got, &after); err != nil {
			t.Fatalf("%s: %v", got, err)
		}
		_ = json.Unmarshal(raw, &before)
		if before != after {
			t.Errorf("%q became %q", before, after)
		}
		for _, r := range string(got) {
			if hidden(r) {
				t.Errorf("%q is in %q", r, got)
			}
		}
	})
}

const (
	mixed = "aB3dE5gH7jK9mN1pQ2sT4vW6xY8zA0cD"
	pem   = `-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEAwX0b\nq83hf\n-----END RSA PRIVATE KEY-----`
)

func TestTokens(t *testing.T) {
	for in, want := range map[string]string{
		`{"line":"key = \"ghp_` + mixed + `\""}`:                    `{"line":"key = \"[redacted]\""}`,
		`{"line":"\nghp_` + mixed + ` AKIAQ3EGT5XZ1LNB7W"}`:         `{"line":"\n[redacted] AKIAQ3EGT5XZ1LNB7W"}`, // 14 letters: none
		`AKIAQ3EGT5XZ1LNB7W2P`:                                      `[redacted]`,
		`sk-proj-` + mixed:                                          `[redacted]`,
		`eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmN`: `[redacted]`,
		`{"a":"` + pem + `"}`:                                       `{"a":"-----BEGIN RSA PRIVATE KEY-----[redacted]-----END RSA PRIVATE KEY-----"}`,
		`["-----BEGIN PRIVATE KEY-----","MIIEow"]`:                  `["-----BEGIN PRIVATE KEY-----","MIIEow"]`,
		`{"a":"-----BEGIN PRIVATE KEY-----\nMIIEowIBAAKCAQEAwX0b"}`: `{"a":"-----BEGIN PRIVATE KEY-----[redacted]"}`,
		`["-----BEGIN PRIVATE KEY-----MIIEowIBAAKCAQEAwX0b\"00"]`:   `["-----BEGIN PRIVATE KEY-----[redacted]\"00"]`,

		"-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQOYBGPabc0BCADk3jdu\n=abcd\n-----END PGP PRIVATE KEY BLOCK-----": "-----BEGIN PGP PRIVATE KEY BLOCK-----[redacted]-----END PGP PRIVATE KEY BLOCK-----",
		`glsa_` + mixed + `_0a1b2c3d`:                                                   `[redacted]`,
		`https://hooks.slack.com/services/T0AB1CD2E/B0FG3HI4J/k5lM6nO7pQ8rS9`:           `https://[redacted]`,
		`GOCSPX-` + mixed + ` hvs.` + mixed + ` shpat_0123456789abcdef0123456789abcdef`: `[redacted] [redacted] [redacted]`,
		`The token is eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmN.`:       `The token is [redacted].`,
		`-sk-` + mixed + ` a-sk-b-sk-` + mixed:                                          `-[redacted] a-[redacted]`,
		"-----BEGIN PRIVATE KEY-----\nMIIEowIBAAKCAQEAwX0b\n-----END PRIVATE KEY----- -----BEGIN PRIVATE KEY-----\nMIIEowIBAAKCAQEAwX0b\n-----END PRIVATE KEY----- end"://
		"-----BEGIN PRIVATE KEY-----[redacted]-----END PRIVATE KEY----- -----BEGIN PRIVATE KEY-----[redacted]-----END PRIVATE KEY----- end",
		// Ordinary code.
		`hvs.getElementByIdAndClass(0) dapi.request lin_api_key tskey-name`: `hvs.getElementByIdAndClass(0) dapi.request lin_api_key tskey-name`,
		`class="sk-cube-grid-container-item-active"`:                        `class="sk-cube-grid-container-item-active"`,
		`ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx`:                          `ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx`,
		`password = readPassword()`:                                         `password = readPassword()`,
		`npm_config_registry hf_hub_download eyJ task-sk-1`:                 `npm_config_registry hf_hub_download eyJ task-sk-1`,
		`keyBegins = "-----BEGIN PRIVATE KEY-----"`:                         `keyBegins = "-----BEGIN PRIVATE KEY-----"`,
	} {
		got := string(Tokens([]byte(in)))
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
		if json.Valid([]byte(in)) && !json.Valid([]byte(got)) {
			t.Errorf("no JSON any more: %s", got)
		}
	}
}

// JSON stays JSON, and nothing panics.
func FuzzTokens(f *testing.F) {
	f.Add("ghp_" + mixed + " -----BEGIN PRIVATE KEY-----\nMIIEowIBAAKCAQEAwX0b")
	f.Add("-----BEGIN \"PRIVATE KEY-----\\")
	f.Fuzz(func(t *testing.T, text string) {
		raw, _ := json.Marshal(map[string]string{text: text})
		if got := Tokens(raw); !json.Valid(got) {
			t.Errorf("%s became %s", raw, got)
		}
	})
}

// Each of these begins again and again, and is no token: what takes the square of
// their length does not end within the time of a test.
func TestTokensOfHostileTexts(t *testing.T) {
	for _, again := range []string{"eyJ.", "eyJ-", "eyJ", "sk-", "sk-aB3_", "hvs.", "SG.-", "AKIA/", "-----BEGIN ", "-----BEGIN PRIVATE KEY-----"} {
		text := []byte(strings.Repeat(again, 1<<20/len(again)))
		if got := Tokens(text); string(got) != string(text) {
			t.Errorf("%q many times became %.100q", again, got)
		}
	}
	key := "-----BEGIN PRIVATE KEY-----MIIEowIBAAKCAQEAwX0b-----END PRIVATE KEY-----"
	const keys = 1000
	if n := strings.Count(string(Tokens([]byte(strings.Repeat(key, keys)))), Redacted); n != keys {
		t.Errorf("%d of %d keys are redacted", n, keys)
	}
}

func BenchmarkAnswer(b *testing.B) {
	answer := []byte(strings.Repeat(`{"file":"src/user.ts","line":12,"text":"  if (user.isAdmin) { return load(user) }"},`, 700))
	b.SetBytes(int64(len(answer)))
	for b.Loop() {
		JSON(Tokens(answer))
	}
}
