import type { Offset } from "./facts.ts";
import { nameIn } from "./names.ts";
import { underscored } from "./paths.ts";
import type { Unit } from "./unit.ts";

/** `require` and its like; undefined where the path is not written out. */
export function load(u: Unit, name: string, arg: number): Offset | undefined {
  const { syntax } = u;
  const text = pathIn(u, arg);
  if (text === undefined) return undefined;
  const relative = name === "require_relative" || text.startsWith("./") || text.startsWith("../") || text.startsWith("/");
  u.imports.push({ kind: relative ? "relative" : "required", path: text.replace(/^\//, "./"), line: syntax.line(arg) });
  return u.core("TrueClass");
}

/** A path as it is written, or as File.expand_path, File.join and __dir__ put it together; from the file's folder if it begins with a dot. */
function pathIn(u: Unit, node: number): string | undefined {
  const text = nameIn(u, node);
  if (text !== undefined) return text;
  const source = u.syntax.text(node).replace(/\s+/g, " ");
  let match = /^File\.expand_path\(? ?["']([^"'#]+)["'], ?__FILE__ ?\)?$/.exec(source);
  // The file itself is the first step up.
  if (match) return `./${match[1]!.replace(/^\.\.\/?/, "")}`;
  match = /^File\.(?:expand_path|join)\(? ?["']([^"'#]+)["'], ?__dir__ ?\)?$/.exec(source)
    ?? /^File\.join\(? ?(?:__dir__|File\.dirname\(__FILE__\)), ?["']([^"'#]+)["'] ?\)?$/.exec(source)
    ?? /^File\.expand_path\(? ?["']([^"'#]+)["'], ?File\.dirname\(__FILE__\) ?\)?$/.exec(source)
    ?? /^"#\{ ?(?:__dir__|File\.dirname\(__FILE__\)) ?\}\/([^"#]+)"$/.exec(source)
    ?? /^File\.dirname\(__FILE__\) ?\+ ?["']\/?([^"'#]+)["']$/.exec(source);
  return match ? `./${match[1]!.replace(/^\.?\//, "")}` : undefined;
}

/** `autoload :Name, "path"`. Returns whether it says which file. */
export function autoload(u: Unit, args: readonly number[]): boolean {
  const { syntax } = u;
  const [what, where] = args;
  const name = what === undefined ? undefined : nameIn(u, what);
  if (name === undefined) return false;
  let path = where === undefined ? undefined : pathIn(u, where);
  if (where === undefined) {
    // ActiveSupport's autoload finds the file by the name.
    const around: string[] = [];
    for (let at = u.scope; at > 0; at = u.scopes[at]!.parent) around.unshift(u.scopes[at]!.name);
    path = underscored([...around, name].join("::"));
  }
  if (path === undefined) return false;
  u.imports.push({ kind: path.startsWith(".") ? "relative" : "required", path, line: syntax.line(what!) });
  return true;
}
