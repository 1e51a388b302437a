import type { SymbolFact } from "../../facts.ts";
import type { PyFacts } from "./facts.ts";
import { Op, type Operation, ScopeKind } from "./facts.ts";
import { Flow, MAX_DEFINITIONS } from "./flow.ts";
import type { FlatTree } from "./tree.ts";

/** Where in the file extraction is. */
export interface Place {
  scope: number;
  /** Enclosing symbol, -1 at module level. */
  symbol: number;
  /** Enclosing function, -1 outside. */
  fn: number;
  /** The class whose body this is, -1 inside its methods. */
  cls: number;
  /** The nearest enclosing method, which `super()` speaks of. */
  method: number;
  /** In a method, the name of its first parameter. */
  self: string | undefined;
  flow: Flow;
}

/** Deeper nesting than this is not looked into: no person wrote it, and the stack is finite. */
const MAX_DEPTH = 400;

/** The state of one file's extraction: the facts as they grow, and the current place. */
export class Extraction {
  readonly facts: PyFacts = {
    strings: [], nodes: [], scopes: [], functions: [], classes: [], imports: [], phis: [], calls: [], decorations: [], operations: [], values: [], annotated: [], texts: [], variables: [], enumMembers: [], stores: [],
  };
  readonly symbols: SymbolFact[] = [];
  readonly tree: FlatTree;
  readonly path: string;
  place: Place;
  /** Inside an annotation: names are looked up without regard to order, strings are types. */
  annotating = false;
  /** Names called under `if __name__ == "__main__"`. */
  readonly mainCallees = new Set<string>();
  /** By class: the names of what it extends, as they are written. */
  readonly bases = new Map<number, readonly string[]>();
  /** By class: the parameters of its tests to which its decorators give values. */
  readonly parametrized = new Map<number, readonly string[]>();
  /** By class: the fixtures that its decorators name for its tests. */
  readonly used = new Map<number, readonly string[]>();
  inMain = false;
  /** `__all__` holds more than could be read. */
  openNames = false;
  /** Where names of the module are first bound: nodes of the tree, the name's and that of the assignment, 0 where there is none. */
  readonly assigned = new Map<string, readonly [name: number, assignment: number]>();
  /** By the scope of an enumeration: its class, and the same of what its body binds. */
  readonly enumerations = new Map<number, { cls: number; assigned: Map<string, readonly [name: number, assignment: number]> }>();
  /** The assignment whose targets are being bound. */
  assignment = 0;
  /** Functions of which only overloads were seen so far, by scope and name. */
  readonly overloads = new Map<string, { symbol: number; functions: number[]; definition: number }>();
  private depth = 0;
  private readonly strings = new Map<string, number>();

  constructor(tree: FlatTree, path: string) {
    this.tree = tree;
    this.path = path;
    // Expression 0 is "unknown", for whatever has no expression.
    this.node(Op.Unknown);
    this.place = {
      scope: this.newScope(ScopeKind.Module, -1), symbol: -1, fn: -1, cls: -1, method: -1, self: undefined, flow: this.newFlow(),
    };
  }

  string(text: string): number {
    let index = this.strings.get(text);
    if (index === undefined) {
      index = this.facts.strings.push(text) - 1;
      this.strings.set(text, index);
    }
    return index;
  }

  /** Adds an expression to the pool. */
  node(...words: number[]): number {
    const nodes = this.facts.nodes;
    const at = nodes.length;
    for (const word of words) nodes.push(word);
    return at;
  }

  /** Adds an expression with a list of operands behind its fixed ones. */
  listNode(fixed: readonly number[], list: readonly number[]): number {
    const nodes = this.facts.nodes;
    const at = nodes.length;
    for (const word of fixed) nodes.push(word);
    nodes.push(list.length);
    for (const word of list) nodes.push(word);
    return at;
  }

  /** Notes that an attribute or an item is given a value, which may be a function. */
  store(target: number, value: number): void {
    const op = this.facts.nodes[value] as unknown as Op;
    if (op !== Op.Unknown && op !== Op.Const && op !== Op.Str && op !== Op.Quoted) this.facts.stores.push(target, value);
  }

  /** Notes what is done with a value. */
  operation(operation: Operation, id: number, line: number): void {
    const op = this.facts.nodes[id] as unknown as Op;
    if (!this.annotating && op !== Op.Unknown && op !== Op.Const) this.facts.operations.push(operation, id, this.place.symbol, line);
  }

  newScope(kind: ScopeKind, parent: number): number {
    return this.facts.scopes.push({ kind, parent, names: {} }) - 1;
  }

  newFlow(): Flow {
    return new Flow((sources) => this.node(Op.Phi, this.facts.phis.push(sources) - 1));
  }

  /** Runs `visit` at another place. */
  at(place: Place, visit: () => void): void {
    const outer = this.place;
    this.place = place;
    visit();
    this.place = outer;
  }

  /** Runs `read` with names looked up in another scope, in the flow of this one. */
  reading<T>(scope: number, read: () => T): T {
    const outer = this.place;
    this.place = { ...outer, scope };
    const result = read();
    this.place = outer;
    return result;
  }

  /** Begins what `leave` ends. False where the nesting is absurdly deep: then there is nothing to end. */
  enter(): boolean {
    if (this.depth >= MAX_DEPTH) return false;
    this.depth++;
    return true;
  }

  leave(): void {
    this.depth--;
  }

  /** The expression for a use of a name here. */
  use(name: string): number {
    const { scope, flow } = this.place;
    const definitions = this.annotating ? undefined : flow.get(name);
    if (definitions) return this.listNode([Op.Local, this.string(name), scope], definitions);
    // A class body runs from top to bottom: what it binds further down is not meant yet.
    const from = this.place.cls >= 0 && !this.annotating ? this.facts.scopes[scope]!.parent : scope;
    return this.node(Op.Name, this.string(name), from);
  }

  /** Gives a name its value, in the flow and for every other scope that looks it up. */
  bind(name: string, definition: number): void {
    this.place.flow.set(name, [definition]);
    this.declare(name, definition);
  }

  /** Adds a binding that other scopes see, leaving the flow alone. */
  declare(name: string, definition: number): void {
    const { scopes } = this.facts;
    const index = this.string(name);
    let scope = scopes[this.place.scope]!;
    if (scope.globals?.includes(index)) scope = scopes[0]!;
    else if (scope.nonlocals?.includes(index)) {
      for (let outer = scopes[scope.parent]; outer; outer = scopes[outer.parent]) {
        if (!outer.names[index]) continue;
        scope = outer;
        break;
      }
    }
    const definitions = (scope.names[index] ??= []);
    if (definitions.length < MAX_DEFINITIONS) definitions.push(definition);
  }

  /** Takes back the last binding of a name that another one replaces. */
  withdraw(name: string, definition: number): void {
    const list = this.facts.scopes[this.place.scope]!.names[this.string(name)];
    const at = list?.indexOf(definition) ?? -1;
    if (at >= 0) list!.splice(at, 1);
  }
}
