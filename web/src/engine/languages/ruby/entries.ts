import type { EntryKind } from "../../facts.ts";

/** Why control may enter a method: a runner of tests calls it, or Rails for a request. */
export function entryOf(path: string, owner: string, name: string, open: boolean): EntryKind | undefined {
  if (/^test_./.test(name) && (/Test/.test(owner) || /(?:^|\/)(?:test|tests)\//.test(path) || /(?:^test_|_test\.rb$)/.test(path.slice(path.lastIndexOf("/") + 1)))) return "test";
  if (open && /Controller$/.test(owner) && /(?:^|\/)controllers\//.test(path) && /^[a-z]\w*$/.test(name) && name !== "initialize") return "route";
  // What a mailer has are its mails; a channel's methods are called by the other end.
  if (open && /(?:Mailer|Channel)$/.test(owner) && /(?:^|\/)app\/(?:mailers|channels)\//.test(path) && name !== "initialize") return "handler";
  if (open && name === "perform" && /(?:Job|Worker)$/.test(owner)) return "handler";
  return undefined;
}

/** Files that Rake runs, and what looks like them. */
export function isRakefile(path: string): boolean {
  return /(?:^|\/)rakefile(?:\.rb)?$|\.rake$/i.test(path);
}

/** Files of examples, as RSpec and Minitest::Spec run them. */
export function isSpec(path: string): boolean {
  return /_spec\.rb$|(?:^|\/)spec\/|_test\.rb$|(?:^|\/)(?:test|tests)\//.test(path);
}
