package wsbridge

import "testing"

// A token without digits, or with few kinds of characters, could be one that is refused.
func TestNewTokensAreAccepted(t *testing.T) {
	seen := map[string]bool{}
	for range 20_000 {
		token := NewToken()
		if err := CheckToken(token); err != nil || seen[token] {
			t.Fatalf("%s: %v, made before: %v", token, err, seen[token])
		}
		seen[token] = true
	}
}
