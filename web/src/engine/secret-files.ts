/** Files that are there to hold secrets, by their names. repo/secrets.go has the same. */

/** Why such a file is left out, as the hub says it, too. */
export const SECRET_REASON = "may hold secrets";

const NAME = new RegExp(
  "^(\\.env.*" +
  "|.*\\.(pem|key|crt|cer|der|p7b|p8|p12|pfx|jks|keystore|bks|kdb|kdbx|ppk|tfstate)" +
  "|id_(rsa|dsa|ecdsa|ed25519)(_sk)?" +
  "|\\.npmrc|\\.pypirc|\\.?_?netrc|\\.git-credentials|\\.htpasswd|\\.pgpass|\\.my\\.cnf|\\.dockercfg|\\.s3cfg|\\.boto|\\.vault-token|\\.terraformrc" +
  "|kubeconfig|client_secret.*\\.json|service[-_]account.*\\.json|application_default_credentials\\.json)$",
);
const PATH = new RegExp(
  "(^|/)(\\.aws/(credentials|config)|\\.docker/config\\.json|\\.kube/config|\\.azure/.*|\\.config/gcloud/.*" +
  "|\\.cargo/credentials(\\.toml)?|\\.gem/credentials|\\.ssh/.*)$",
);
const TEMPLATE = /[._-](example|sample|template|dist|defaults?|schema)$/;

/** Whether a file is there to hold secrets, by its path. Templates such as .env.example are not. */
export function holdsSecrets(path: string): boolean {
  const lower = path.toLowerCase();
  const name = lower.slice(lower.lastIndexOf("/") + 1);
  return !TEMPLATE.test(name) && (NAME.test(name) || PATH.test(lower));
}
