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
		`|.*\.env|.*\.tfstate(\.backup)?|.*\.tfvars(\.json)?` +
		`|.*\.(pem|key|crt|cer|der|csr|p7b|p7c|p8|p12|pfx|pvk|jks|jceks|bks|bcfks|keystore|truststore|keytab|keychain|keychain-db|kdb|kdbx|psafe3|agilekeychain|opvault|ppk|ovpn)` +
		`|(id|ssh_host|.*[._-])?_?(rsa|dsa|ecdsa|ed25519)(_sk|_key)?|secring\.gpg` +
		`|\.npmrc|\.yarnrc(\.yml)?|\.pypirc|\.?_?netrc|\.git-credentials|\.htpasswd|\.?pgpass(\.conf)?|\.my\.cnf|\.mylogin\.cnf|\.dockercfg|\.dockerconfigjson|\.s3cfg|\.boto` +
		`|\.vault-token|\.vault[-_]pass(word)?(\.txt)?|\.terraformrc|terraform\.rc|credentials\.tfrc\.json|rclone\.conf|\.dev\.vars|\.sentryclirc|\.msmtprc|\.(bash|zsh|python|psql|mysql|node_repl)_history` +
		`|kubeconfig|client_secret.*\.json|.*service[-_]account.*\.json|.*firebase[-_]adminsdk.*\.json|gha-creds-.*\.json|application_default_credentials\.json` +
		`|(aws[-_])?credentials(\.json|\.csv|\.ya?ml)?|secrets?\.(json|ya?ml|toml|ini|env))$`)
	secretPath = regexp.MustCompile(`(^|/)(\.aws/.*|\.docker/config\.json|\.kube/.*|\.azure/.*|\.oci/.*|\.config/(gcloud|gh|hub|doctl|heroku|rclone|op)/.*` +
		`|\.cargo/credentials(\.toml)?|\.gem/credentials|\.composer/auth\.json|\.m2/settings(-security)?\.xml|\.subversion/auth/.*|\.gnupg/.*|\.password-store/.*|\.ssh/.*)$`)
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
