import type { Unit } from "./unit.ts";

/** Those of the compiler, whose words are no code. */
const PLAIN = /^#!?\[\s*(?:derive|cfg|cfg_attr|doc|allow|warn|deny|expect|forbid|repr|inline|must_use|deprecated|test|non_exhaustive|automatically_derived)\b/;
/** Keys whose text is the path of a function: serde's and others'. */
const PATH_KEY = /^(?:default|getter|with|custom|function|\w+_with|skip_serializing_if|skip_deserializing_if)$/;
/** `key = "path"`, `key = path` and `key = path(…)` */
const VALUE = /\b(\w+)\s*=\s*(?:"((?:\w+::)*[A-Za-z_]\w*)"|((?:\w+::)*[A-Za-z_]\w*)\s*(?=[,()\]]))/g;
/** What says more is no list of values. */
const MAX_LENGTH = 500;

/** Takes down the functions and constants that an attribute names: `#[serde(default = "port")]`, `#[arg(value_parser = level)]`. */
export function attribute(u: Unit, node: number): void {
  const text = u.syntax.text(node);
  if (PLAIN.test(text) || text.length > MAX_LENGTH) return;
  for (const { 1: key = "", 2: quoted, 3: named } of text.matchAll(VALUE)) {
    if (quoted !== undefined && !PATH_KEY.test(key)) continue;
    const names = (quoted ?? named!).split("::");
    // A module with both.
    for (const last of key === "with" ? ["serialize", "deserialize"] : [""]) {
      u.use([...names, ...(last === "" ? [] : [last])].reduce((prefix, name) => u.path(prefix, name), 0), node);
    }
  }
}

/** The same of all attributes just before a declaration. */
export function attributesBefore(u: Unit, node: number): void {
  for (let at = node - 1; at > 0 && u.syntax.kind(at) === "attribute_item"; at--) attribute(u, at);
}
