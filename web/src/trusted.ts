/**
 * Lets Workers be made of this origin's built scripts and of nothing else: the policy of the page and of its Workers refuses
 * every other way from text to a script. Browsers without Trusted Types need nothing.
 */
interface TrustedTypes {
  createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => unknown;
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };

trustedTypes?.createPolicy("default", {
  createScriptURL: (url) => {
    const { origin, pathname } = new URL(url, location.href);
    if (origin !== location.origin || !pathname.startsWith("/assets/")) throw new TypeError(`not a script of this app: ${url.slice(0, 200)}`);
    return url;
  },
});
