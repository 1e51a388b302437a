package repo

import (
	"path"
	"regexp"
	"strings"
)

// secretReason is why a file is left out that is there to hold secrets.
const secretReason = "may hold secrets"

// The names of files that hold secrets, in lower case: of any folder, and with the
// folder that they stand in. web/src/engine/secret-files.ts has the same.
var (
	secretName = regexp.MustCompile(`^(\.env.*` +
		`|.*\.(pem|key|crt|cer|der|p7b|p8|p12|pfx|jks|keystore|bks|kdb|kdbx|ppk|tfstate)` +
		`|id_(rsa|dsa|ecdsa|ed25519)(_sk)?` +
		`|\.npmrc|\.pypirc|\.?_?netrc|\.git-credentials|\.htpasswd|\.pgpass|\.my\.cnf|\.dockercfg|\.s3cfg|\.boto|\.vault-token|\.terraformrc` +
		`|kubeconfig|client_secret.*\.json|service[-_]account.*\.json|application_default_credentials\.json)$`)
	secretPath = regexp.MustCompile(`(^|/)(\.aws/(credentials|config)|\.docker/config\.json|\.kube/config|\.azure/.*|\.config/gcloud/.*` +
		`|\.cargo/credentials(\.toml)?|\.gem/credentials|\.ssh/.*)$`)
	templateName = regexp.MustCompile(`[._-](example|sample|template|dist|defaults?|schema)$`)
)

// holdsSecrets reports whether a file is there to hold secrets, by its path.
// Templates such as .env.example are not.
func holdsSecrets(name string) bool {
	name = strings.ToLower(name)
	base := path.Base(name)
	if templateName.MatchString(base) {
		return false
	}
	return secretName.MatchString(base) || secretPath.MatchString(name)
}
