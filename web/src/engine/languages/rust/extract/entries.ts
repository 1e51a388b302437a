import type { EntryKind } from "../../../facts.ts";
import type { Unit } from "./unit.ts";

export interface Attribute {
  /** The last part of its path: `test` of `tokio::test`. */
  name: string;
  /** `value` of `#[name = "value"]`. */
  value?: string;
  /** What stands in its brackets. */
  inside: string;
}

const TESTS = new Set(["test", "bench", "rstest", "test_case", "quickcheck", "proptest", "wasm_bindgen_test", "test_log"]);
/** actix-web, rocket. */
const ROUTES = new Set(["get", "post", "put", "delete", "patch", "head", "options", "route", "catch"]);
const HANDLERS = new Set(["command", "handler", "event", "debug_handler"]);
/** What other languages call. */
const EXPORTS = new Set(["no_mangle", "export_name", "wasm_bindgen", "pyfunction", "pymodule", "napi", "proc_macro", "proc_macro_derive", "proc_macro_attribute", "uniffi"]);

/** What says more is documentation. */
const MAX_LENGTH = 500;

/** The attributes before a declaration. */
export function attributesOf(u: Unit, node: number): Attribute[] {
  const { syntax } = u;
  const found: Attribute[] = [];
  // An attribute is read without what it holds, so that the nodes just before a declaration are its attributes.
  for (let at = node - 1; at > 0 && syntax.kind(at) === "attribute_item"; at--) {
    const text = syntax.text(at).slice(0, MAX_LENGTH);
    const [head = "", path = ""] = /^#\[\s*(?:unsafe\s*\(\s*)?((?:\w+\s*::\s*)*\w+)/.exec(text) ?? [];
    const rest = text.slice(head.length);
    const value = /^\s*=\s*"([^"]*)"/.exec(rest)?.[1];
    found.push({ name: path.slice(path.lastIndexOf(":") + 1).trim(), inside: rest, ...(value === undefined ? {} : { value }) });
  }
  return found;
}

/** The functions that a route of axum or actix-web is given: `get(list).post(create)`, `web::post().to(save)`. */
export function routesIn(given: string): string[] {
  return [...given.slice(0, MAX_LENGTH).matchAll(/\b(?:get|post|put|patch|delete|head|options|any|to)\(\s*(?:\w+::)*(\w+)\s*\)/g)].map(([, name]) => name!);
}

/** Why control may enter at a declaration, if it may; `name` is that of a function at a file's top level. */
export function entryOf(attributes: readonly Attribute[], name: string): EntryKind | undefined {
  for (const attribute of attributes) {
    if (TESTS.has(attribute.name) || (attribute.name === "cfg" && /^\s*\(\s*(?:test\b|(?:all|any)\s*\(\s*test\b)/.test(attribute.inside))) return "test";
    if (EXPORTS.has(attribute.name)) return "export";
    if (ROUTES.has(attribute.name) && /^\s*\(/.test(attribute.inside)) return "route";
    if (HANDLERS.has(attribute.name)) return "handler";
  }
  return name === "main" ? "main" : undefined;
}
