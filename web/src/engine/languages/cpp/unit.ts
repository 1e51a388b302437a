import type { EntryKind, FileFacts, SymbolKind } from "../../facts.ts";
import { headOf, ScopedRecords, textOfHead } from "../records.ts";
import type { Syntax } from "../classes/syntax.ts";
import { isHeader } from "./dialect.ts";
import type { AliasFact, CppFacts, FunctionFact, IncludeFact, MacroFact, Offset, ScopeFact, ScopeId, TypeFact, VariableFact } from "./facts.ts";
import { Op } from "./facts.ts";

export interface NewSymbol {
  kind: SymbolKind;
  name: string;
  /** Nodes: where the name stands, the whole declaration, its body (0: none). */
  at: number;
  whole: number;
  body: number;
  owner?: string;
  exported: boolean;
  entry?: EntryKind | undefined;
}

/** A macro in a line of its own that opens or closes a namespace, by its name: `FMT_BEGIN_NAMESPACE`, `CV__NS_BEGIN`. */
const NAMESPACE_MACRO = /^[ \t]*(?=[A-Z0-9_]*(?:NAMESPACE|NS_|_NS\b))[A-Z][A-Z0-9_]*[ \t]*(?:\([\w, ]*\))?[ \t]*\r?$/m;

/** One file in the making: its facts so far, and the scope that the walkers are in. */
export class Unit extends ScopedRecords {
  readonly includes: IncludeFact[] = [];
  readonly scopes: ScopeFact[] = [{ kind: "file", name: "", parent: -1, spaces: [], names: [] }];
  readonly types: TypeFact[] = [];
  readonly aliases: AliasFact[] = [];
  readonly functions: FunctionFact[] = [];
  readonly variables: VariableFact[] = [];
  readonly macros: MacroFact[] = [];
  scope: ScopeId = 0;
  /** Whether the walkers are in a function's body. */
  inBody = false;
  /** Whether what the function around returns may be a function. */
  returns = false;
  /** The type of what the function around returns, where that is an object; 0 for none. */
  returned: Offset = 0;
  /** The parameters of the templates around. */
  templates: string[] = [];
  /** The node of the parameters of the template that is declared next; 0 for none, and once they are read. */
  templateList = 0;
  /** What the last access specifier of the class around says. */
  access = "public";
  /** The functions that the class around deletes. */
  deleted: string[] = [];

  /** Members that macros of Qt name by a text. */
  readonly members = new Set<Offset>();

  /** Where the records of const methods begin and end. */
  readonly constants: Offset[] = [];

  private readonly uses: number[] = [];

  constructor(readonly syntax: Syntax, readonly path: string, readonly cpp: boolean) {
    super();
  }

  finish(generated: boolean): FileFacts<CppFacts> {
    const { symbols, includes, scopes, types, aliases, functions, variables, macros, strings, code, uses, constants, cpp, path, syntax } = this;
    return {
      symbols, data: { includes, scopes, types, aliases, functions, variables, macros, strings, code, uses, constants, cpp, header: isHeader(path), hidden: NAMESPACE_MACRO.test(syntax.source) },
      syntaxErrors: syntax.errors - syntax.unended, ...(generated ? { generated } : {}),
    };
  }

  /** The class that code stands in directly; "" for none. */
  owningClass(): string {
    const scope = this.scopes[this.scope]!;
    return scope.kind === "class" ? scope.name : "";
  }

  /** Whether what is declared here is the file's own. */
  isHidden(): boolean {
    for (let at = this.scope; at > 0; at = this.scopes[at]!.parent) if (this.scopes[at]!.kind === "namespace" && this.scopes[at]!.name === "") return true;
    return false;
  }

  isPrivate(): boolean {
    return this.owningClass() !== "" && this.access === "private";
  }

  local(name: string, type: Offset, initialiser: Offset): Offset {
    const at = this.emit(Op.Variable, type, initialiser);
    this.declare(name, at);
    return at;
  }

  /** Runs `inside` in a new scope; returns that scope. */
  within(kind: ScopeFact["kind"], name: string, inside: () => void): ScopeId {
    const { scope } = this;
    this.scope = this.scopes.push({ kind, name, parent: scope, spaces: [], names: [] }) - 1;
    const made = this.scope;
    inside();
    this.scope = scope;
    return made;
  }

  named(name: string, flags = 0, args: readonly Offset[] = []): Offset {
    return this.emit(Op.Named, this.str(name), this.scope, flags, args.length, ...args);
  }

  name(text: string, args: readonly Offset[] = []): Offset {
    return this.lookup(text) || this.emit(Op.Name, this.str(text), this.scope, args.length, ...args);
  }

  value(type: string): Offset {
    return this.emit(Op.Value, this.named(type));
  }

  call(callee: Offset, args: readonly Offset[], node: number): Offset {
    const at = this.emit(Op.Call, callee, args.length, ...args);
    this.use(at, node);
    return at;
  }

  make(type: Offset, args: readonly Offset[], node: number): Offset {
    const at = this.emit(Op.New, type, args.length, ...args);
    this.use(at, node);
    return at;
  }

  use(at: Offset, node: number): void {
    this.useAt(at, this.syntax.line(node));
  }

  useAt(at: Offset, line: number): void {
    this.uses.push(at, this.owner, line);
  }

  /** Adds a symbol inside of the one that code belongs to now; returns its index. */
  symbol({ kind, name, at, whole, body, owner, exported, entry }: NewSymbol): number {
    const { syntax } = this;
    const signature = headOf(textOfHead(syntax, syntax.start(whole), whole, body), /[\s;=:]+$/);
    return this.add(syntax, { kind, name, at, whole, exported, signature, entry, ...(owner ? { owner } : {}) });
  }
}
