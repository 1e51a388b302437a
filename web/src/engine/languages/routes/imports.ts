import type { Node } from "web-tree-sitter";
import type { MountFact, NamedCode } from "../../facts.ts";

const IMPORTS = ["import_statement", "import_from_statement", "lexical_declaration", "variable_declaration"];

/** The imports of a file of JavaScript or Python. */
export class Imports {
  /** With the names in each, found when they are first asked for. */
  private all: { names: ReadonlySet<string>; node: Node }[] | undefined;

  /** The first part of a module of Python by each name that an import binds. */
  private tops: ReadonlyMap<string, string> | undefined;

  constructor(private readonly root: Node) {}

  has(name: string): boolean {
    return this.of(name) !== undefined;
  }

  /** Whether the import of a name says a text. */
  isOf(name: string, text: string): boolean {
    return this.of(name)?.text.includes(text) === true;
  }

  /** The first part of the module of Python that a dotted name begins with or is imported from; undefined for a relative one. */
  topOf(dotted: string): string | undefined {
    this.tops ??= topsOf(this.root);
    return this.tops.get(dotted.split(".", 1)[0]!);
  }

  /** The line that a name is imported in. */
  lineOf(name: string): number | undefined {
    const node = this.of(name);
    return node && node.startPosition.row + 1;
  }

  /** The name that another file has for what this one imports by a name: `router` of `import { router as users }`. */
  original(name: string): string | undefined {
    const text = this.of(name)?.text;
    return text === undefined ? undefined : new RegExp(`([\\w$]+)(?:\\s+as\\s+|\\s*:\\s*)${name.replaceAll("$", "\\$")}(?![\\w$])`).exec(text)?.[1];
  }

  /** A piece of code that begins with a name of an import: with the lines of that, and the name that the other file has for it (`import { router as users }`). */
  target(code: NamedCode): Pick<MountFact, "target" | "imported"> {
    const [name = ""] = /^[\w$]+/.exec(code.text) ?? [];
    const node = this.of(name);
    if (!node) return { target: code };
    const own = this.original(name);
    const as = own ?? takenAs(name, node.text);
    return {
      target: own === undefined ? code : { ...code, names: [...code.names, own] },
      imported: { line: node.startPosition.row + 1, endLine: node.endPosition.row + 1, ...(as === undefined ? {} : { as }) },
    };
  }

  private of(name: string): Node | undefined {
    this.all ??= this.root.descendantsOfType(IMPORTS).flatMap((node) => {
      const { text } = node;
      return /declarat(?:ion|or)$/.test(node.type) && !/\brequire\(|\bimport\(/.test(text) ? [] : [{ names: new Set(text.replace(/"[^"]*"|'[^']*'/g, "").match(/[\w$]+/g)), node }];
    });
    return name === "" ? undefined : this.all.find(({ names }) => names.has(name))?.node;
  }
}

/** The name by which an import of JavaScript takes from another file what it calls by a name of its own; undefined for all of a file. */
function takenAs(name: string, text: string): string | undefined {
  const [, list] = /^import\s+(?:type\s+)?([^"']+)\sfrom\s*["']/.exec(text) ?? /^(?:const|let|var)\s*(\{[^}]*\})\s*=\s*require\b/.exec(text) ?? [];
  if (list === undefined) return undefined;
  const named = /\{([^}]*)\}/.exec(list)?.[1]?.match(/[\w$]+/g);
  if (named?.includes(name)) return name;
  return /^[\w$]+/.exec(list)?.[0] === name ? "default" : undefined;
}

function topsOf(root: Node): Map<string, string> {
  const tops = new Map<string, string>();
  for (const { text } of root.descendantsOfType(["import_statement", "import_from_statement"])) {
    const [, from, named = ""] = /^(?:from\s+(\S+)\s+)?import\b(.*)$/s.exec(text.replace(/#.*|[\\()]/g, "")) ?? [];
    for (const one of named.split(",")) {
      const [name = "", alias] = one.trim().split(/\s+as\s+/);
      const bound = alias ?? name.split(".", 1)[0]!;
      const top = (from ?? name).split(".", 1)[0]!;
      if (top === "") tops.delete(bound);
      else tops.set(bound, top);
    }
  }
  return tops;
}
