/** Files that are there to hold secrets, by their names. repo/secrets.go has the same. */

/** Why such a file is left out, as the hub says it, too. */
export const SECRET_REASON = "may hold secrets";

const NAME = new RegExp(
  "^(\\.env.*" +
  "|.*\\.env|.*\\.tfstate(\\.backup)?|.*\\.tfvars(\\.json)?" +
  "|.*\\.(pem|key|crt|cer|der|csr|p7b|p7c|p8|p12|pfx|pvk|jks|jceks|bks|bcfks|keystore|truststore|keytab|keychain|keychain-db|kdb|kdbx|psafe3|agilekeychain|opvault|ppk|ovpn)" +
  "|(id|ssh_host|.*[._-])?_?(rsa|dsa|ecdsa|ed25519)(_sk|_key)?|secring\\.gpg" +
  "|\\.npmrc|\\.yarnrc(\\.yml)?|\\.pypirc|\\.?_?netrc|\\.git-credentials|\\.htpasswd|\\.?pgpass(\\.conf)?|\\.my\\.cnf|\\.mylogin\\.cnf|\\.dockercfg|\\.dockerconfigjson|\\.s3cfg|\\.boto" +
  "|\\.vault-token|\\.vault[-_]pass(word)?(\\.txt)?|\\.terraformrc|terraform\\.rc|credentials\\.tfrc\\.json|rclone\\.conf|\\.dev\\.vars|\\.sentryclirc|\\.msmtprc|\\.(bash|zsh|python|psql|mysql|node_repl)_history" +
  "|kubeconfig|client_secret.*\\.json|.*service[-_]account.*\\.json|.*firebase[-_]adminsdk.*\\.json|gha-creds-.*\\.json|application_default_credentials\\.json" +
  "|(aws[-_])?credentials(\\.json|\\.csv|\\.ya?ml)?|secrets?\\.(json|ya?ml|toml|ini|env))$",
);
const PATH = new RegExp(
  "(^|/)(\\.aws/.*|\\.docker/config\\.json|\\.kube/.*|\\.azure/.*|\\.oci/.*|\\.config/(gcloud|gh|hub|doctl|heroku|rclone|op)/.*" +
  "|\\.cargo/credentials(\\.toml)?|\\.gem/credentials|\\.composer/auth\\.json|\\.m2/settings(-security)?\\.xml|\\.subversion/auth/.*|\\.gnupg/.*|\\.password-store/.*|\\.ssh/.*)$",
);
const TEMPLATE = /[._-](example|sample|template|dist|defaults?|schema)$/;

/** Whether a file is there to hold secrets, by its path. Templates such as .env.example are not. */
export function holdsSecrets(path: string): boolean {
  const lower = path.toLowerCase();
  const name = lower.slice(lower.lastIndexOf("/") + 1);
  return !TEMPLATE.test(name) && (NAME.test(name) || PATH.test(lower));
}
