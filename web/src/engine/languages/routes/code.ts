import type { Node, Tree } from "web-tree-sitter";
import type { FileFacts, RouteFact, SymbolFact } from "../../facts.ts";
import { type Annotated, annotated, type Grammar } from "./calls.ts";
import { Imports } from "./imports.ts";
import { Texts } from "./texts.ts";

/** A file in which routes, jobs and commands are looked for. */
export class Code {
  readonly root: Node;
  readonly texts: Texts;
  readonly imports: Imports;
  private declarations: readonly Annotated[] | undefined;
  private places: ReadonlyMap<string, number> | undefined;

  constructor(readonly language: string, readonly grammar: Grammar, readonly path: string, readonly source: string, readonly symbols: readonly SymbolFact[], tree: Tree) {
    this.root = tree.rootNode;
    this.texts = new Texts(this.root, grammar);
    this.imports = new Imports(this.root);
  }

  /** All declarations with decorators, annotations or attributes, in the order of the file. */
  get annotated(): readonly Annotated[] {
    return this.declarations ??= annotated(this.root, this.source, this.grammar);
  }

  /** The symbol that has its name there, or -1. */
  readonly symbolAt = (name: Node): number => {
    // Of several of one name on a line the first.
    this.places ??= new Map(this.symbols.map((symbol, i): [string, number] => [`${symbol.line} ${symbol.name}`, i]).reverse());
    return this.places.get(`${name.startPosition.row + 1} ${name.text}`) ?? -1;
  };
}

/** A route, a job or a command, with where it stands. */
export interface Declared {
  name: string;
  node: Node;
  route: RouteFact;
}

/** What a file declares, and of what the routes of other files are put together. */
export interface Found {
  routes?: readonly Declared[];
  mounts?: FileFacts["mounts"];
  filters?: FileFacts["filters"];
  aliases?: FileFacts["aliases"];
  answers?: FileFacts["answers"] | undefined;
  ownPrefix?: FileFacts["ownPrefix"] | undefined;
  folderHooks?: FileFacts["folderHooks"] | undefined;
  texts?: FileFacts["texts"] | undefined;
}

/** Looks for one kind of them. */
export type Finder = (code: Code) => Found;
