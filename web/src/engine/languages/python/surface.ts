import type { FileFacts } from "../../facts.ts";
import type { ProjectFile } from "../../language.ts";
import { symbolNames } from "../../relations.ts";
import { aspect } from "../surfaces.ts";
import { closuresOf, saysAny } from "./closures.ts";
import type { ClassFact, FunctionFact, ParamFact, PyFacts } from "./facts.ts";
import { CONFTEST, FunctionFlag, Op, renamed, ScopeKind } from "./facts.ts";

/** What calls pass to functions of a name. */
export const passedTo = (name: string): string => aspect(name, "passed");

/** One thing that others may read of a file. */
export interface Entry {
  /** A name of the module, one that `__all__` hands on, a class as what is above and below it, or a member of one. */
  kind: "name" | "handed" | "class" | "member";
  /** The class; -1 for what is none's. */
  cls: number;
  name: string;
  /** All that it says in the file itself: with the same text it is the same as long as what it uses is. */
  text: string;
  /** The names in it that others decide. */
  uses: ReadonlySet<string>;
}

/** What others may read of a file: what its names are bound to, and its classes with their members. Bodies count as far as values come from them. */
export function surfaceOf({ data }: FileFacts<PyFacts>): Entry[] {
  const { strings, scopes, classes } = data;
  const entries: Entry[] = [];
  const add = (kind: Entry["kind"], cls: number, name: string, describe: (print: Printer) => void): void => {
    const print = new Printer(data);
    describe(print);
    entries.push({ kind, cls, name, text: print.text, uses: print.uses });
  };
  for (const [name, definitions] of Object.entries(scopes[0]!.names)) {
    add("name", -1, strings[Number(name)]!, (print) => print.all(definitions));
  }
  for (const name of data.all ?? []) add("handed", -1, name, () => undefined);
  classes.forEach((fact, cls) => {
    const body = scopes[fact.scope]!.names;
    add("class", cls, strings[fact.name]!, (print) => {
      print.all([...fact.bases, fact.metaclass, ...fact.decorators]);
      for (const param of fact.typeParams ?? []) print.all(body[param] ?? []);
      // The fields of a tuple or of a data class have an order, which is that of their nodes.
      const declared = Object.values(body).flat().filter((d) => data.nodes[d] === Op.Declared as number);
      for (const d of declared.sort((a, b) => a - b)) print.node(data.nodes[d + 1]!);
      print.write(fieldsOf(data, fact).map(([name]) => name).join(","));
    });
    for (const member of new Set([...Object.keys(body), ...Object.keys(fact.attrs)].map(Number))) {
      add("member", cls, strings[member]!, (print) => {
        print.all(body[member] ?? []);
        print.write("self");
        print.all(fact.attrs[member] ?? []);
      });
    }
  });
  return entries;
}

/** The fields that a class declares in its body, in order, with their first definitions: a declaration of a type, or a call as `attr.ib()`. */
export function fieldsOf(facts: PyFacts, { scope }: ClassFact): [name: string, definition: number][] {
  const { nodes, scopes, strings } = facts;
  return Object.entries(scopes[scope]!.names)
    .map(([name, definitions]): [string, number] => [strings[Number(name)]!, definitions[0]!])
    .filter(([, definition]) => nodes[definition] === Op.Declared as number || isOfAttrs(facts, definition))
    .sort(([, a], [, b]) => a - b);
}

function isOfAttrs({ nodes, strings }: PyFacts, definition: number): boolean {
  if (nodes[definition] !== Op.Call as number) return false;
  const callee = nodes[definition + 1]!;
  switch (nodes[callee] as unknown as Op) {
    case Op.Attr: return /^(?:ib|attrib|field)$/.test(strings[nodes[callee + 2]!]!);
    case Op.Name: case Op.Local: return /^(?:ib|attrib|field)$/.test(strings[nodes[callee + 1]!]!);
    default: return false;
  }
}

/** The names of a module and the members of its classes in the order in which they are bound, as often as they are. */
export function bindings(facts: FileFacts<PyFacts>): string[] {
  const { scopes, classes, strings } = facts.data;
  const symbols = symbolNames(facts);
  const found: [id: number, name: string][] = [];
  const add = (of: string, names: Readonly<Record<number, readonly number[]>>): void => {
    for (const [name, ids] of Object.entries(names)) for (const id of ids) found.push([id, `${of} ${strings[Number(name)]!}`]);
  };
  add("", scopes[0]!.names);
  for (const { symbol, scope, attrs } of classes) {
    add(symbols[symbol]!, scopes[scope]!.names);
    add(symbols[symbol]!, attrs);
  }
  return found.sort(([a], [b]) => a - b).map(([, name]) => name);
}

/** All that a file may react to: the names in it, and what is passed to its functions. */
export function* wordsOf({ data }: FileFacts<PyFacts>): Iterable<string> {
  yield* data.strings;
  yield* data.all ?? [];
  for (const { module, name = "" } of data.imports) {
    yield name;
    yield* module.split(".");
  }
  for (const fact of data.functions) if (fact.params.some(({ type }) => type < 0)) yield passedTo(data.strings[fact.name]!);
}

/** What tells a file's functions apart. */
export function functionNames({ facts }: ProjectFile<PyFacts>): string[] {
  const { functions, strings } = facts.data;
  const symbols = symbolNames(facts);
  const counts = new Map<string, number>();
  return functions.map((fact, i) => {
    const print = new Printer(facts.data);
    if (fact.symbol < 0) print.function(i);
    const name = fact.symbol < 0 ? print.text : `${symbols[fact.symbol]!} ${strings[fact.name]!}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return `${name}#${count}`;
  });
}

/** Writes out what decides the value of expressions: all of the file that it follows from, and the names that lead on from there. */
export class Printer {
  text = "";
  readonly uses = new Set<string>();
  private readonly seen = new Map<string, number>();
  private at = -1;

  constructor(private readonly facts: PyFacts) {}

  write(text: string): void {
    this.text += `${text} `;
  }

  all(ids: readonly number[]): void {
    this.write(`[${ids.length}`);
    for (const id of ids) this.node(id);
  }

  node(id: number): void {
    if (id < 0) {
      this.write("-");
      return;
    }
    const from = this.at;
    // Up or down.
    if (id >= from && from >= 0) this.write("^");
    if (this.again(`n${id}`)) return;
    this.at = id;
    const { nodes, strings, imports, phis, functions, classes } = this.facts;
    const op = nodes[id]!;
    const a = nodes[id + 1]!;
    const b = nodes[id + 2]!;
    this.write(`(${op}`);
    switch (op as unknown as Op) {
      case Op.Unknown: break;
      case Op.Name:
        this.lookup(a, b);
        break;
      case Op.Local:
        this.list(id + 3);
        this.lookup(a, b);
        break;
      case Op.Attr:
        this.node(a);
        this.use(strings[b]!);
        break;
      case Op.FlowAttr:
        this.node(a);
        this.use(strings[b]!);
        this.list(id + 3);
        break;
      case Op.Call: {
        this.node(a);
        this.list(id + 2);
        const keywords = id + 3 + b;
        for (let i = 0; i < nodes[keywords]!; i++) {
          this.use(strings[nodes[keywords + 1 + 2 * i]!]!);
          this.node(nodes[keywords + 2 + 2 * i]!);
        }
        break;
      }
      case Op.Const:
        this.write(String(a));
        break;
      case Op.Str:
        this.said(strings[a]!);
        break;
      case Op.Quoted:
        this.said(strings[a]!);
        this.node(b);
        break;
      case Op.List: case Op.Tuple: case Op.Set:
        this.list(id + 1);
        break;
      case Op.Dict:
        for (let i = 0; i < 2 * a; i++) this.node(nodes[id + 2 + i]!);
        break;
      case Op.ListComp: case Op.SetComp: case Op.GenComp: case Op.Await: case Op.Star: case Op.Slice: case Op.Caught: case Op.Rest: case Op.TypeAlias:
        this.node(a);
        break;
      case Op.Sub: case Op.DictComp: case Op.Either: case Op.Declared:
        this.node(a);
        this.node(b);
        break;
      case Op.Item: case Op.Enter: case Op.Unpack:
        this.node(a);
        this.write(String(b));
        break;
      case Op.Binary:
        this.write(strings[a]!);
        this.node(b);
        this.node(nodes[id + 3]!);
        break;
      case Op.Narrow:
        this.node(a);
        this.node(b);
        this.write(String(nodes[id + 3]));
        break;
      case Op.Lambda: case Op.Function:
        this.fn(functions[a]!, a);
        break;
      case Op.Param:
        this.param(functions[a]!, b, a);
        break;
      case Op.Super:
        this.owner(functions[a]!);
        this.write(`${functions[a]!.flags}`);
        break;
      case Op.Import: {
        const { level, module, name = "", aliased = false } = imports[a]!;
        this.write(`${level} ${aliased}`);
        this.use(name);
        for (const part of module.split(".")) this.use(part);
        break;
      }
      case Op.Class:
        this.use(strings[classes[a]!.name]!);
        break;
      case Op.Phi:
        for (const definition of phis[a]!) this.node(definition);
        break;
      case Op.TypeVar:
        this.use(strings[a]!);
        this.node(b);
        break;
    }
    this.write(")");
    this.at = from;
  }

  /** Whether something was written before: then it is enough to say which. */
  private again(key: string): boolean {
    const at = this.seen.get(key);
    if (at !== undefined) this.write(`#${at}`);
    else this.seen.set(key, this.seen.size);
    return at !== undefined;
  }

  private use(name: string): void {
    this.write(JSON.stringify(name));
    this.uses.add(name);
  }

  /** A text, which may name a class by the folder that has it: `"books.Author"`. */
  private said(text: string): void {
    this.use(text);
    const [, name] = /^\w+\.(\w+)$/.exec(text) ?? [];
    if (name !== undefined) this.uses.add(name);
  }

  private list(count: number): void {
    const { nodes } = this.facts;
    for (let i = count + 1; i <= count + nodes[count]!; i++) this.node(nodes[i]!);
  }

  /** A name, with all that it is bound to in the functions and classes around; what the module binds to it is an entry of its own. */
  private lookup(name: number, scope: number): void {
    const { scopes, strings, imports } = this.facts;
    this.use(strings[name]!);
    for (let at = scope; at > 0; at = scopes[at]!.parent) {
      const fact = scopes[at]!;
      if (fact.kind === ScopeKind.Class && at !== scope) continue;
      if (fact.globals?.includes(name)) continue;
      if (fact.names[name]) {
        this.all(fact.names[name]);
        return;
      }
      for (const star of fact.stars ?? []) this.write(`${imports[star]!.level} ${imports[star]!.module}`);
    }
    this.write("module");
  }

  function(index: number): void {
    this.fn(this.facts.functions[index]!, index);
  }

  private fn(fact: FunctionFact, index: number): void {
    if (this.again(`f${index}`)) return;
    this.write(`${this.facts.strings[fact.name]!} ${fact.flags} ${(fact.handsBack ?? []).join(",")}`);
    if (fact.fixture !== undefined) {
      this.write(`fixture ${this.facts.strings[fact.fixture]!}`);
      // pytest knows it by other names as well, and which of its own name it is decides who else has that.
      this.use(this.facts.strings[fact.name]!);
    }
    this.owner(fact);
    fact.params.forEach((param, i) => {
      this.write(`${this.facts.strings[param.name]!} ${param.kind}`);
      this.param(fact, i, index);
    });
    this.node(fact.returns);
    if (fact.returns < 0 || saysAny(this.facts, fact.returns)) this.all([...fact.results, ...fact.yields]);
    else for (const closure of closuresOf(this.facts, fact)) this.function(closure);
    this.all(fact.decorators);
    for (const overload of fact.overloads ?? []) this.fn(this.facts.functions[overload]!, overload);
  }

  private param(fact: FunctionFact, index: number, of: number): void {
    if (this.again(`p${of}.${index}`)) return;
    const param: ParamFact = fact.params[index]!;
    this.write(`${index} ${param.kind}`);
    if (index === 0) this.owner(fact);
    this.node(param.type);
    this.node(param.value);
    if (fact.injected?.includes(index)) {
      const name = this.facts.strings[param.name]!;
      for (const use of [name, renamed(name), CONFTEST]) this.use(use);
    }
    if (fact.passedTo !== undefined) this.node(fact.passedTo);
    if (param.type < 0 && (index > 0 || fact.owner < 0 || (fact.flags & FunctionFlag.Static) !== 0)) {
      this.uses.add(passedTo(this.facts.strings[fact.name]!));
      // The same parameter of the method that this one overrides.
      this.uses.add(this.facts.strings[fact.name]!);
      if (fact.owner >= 0) this.owner(fact);
    }
  }

  private owner(fact: FunctionFact): void {
    if (fact.owner >= 0) this.use(this.facts.strings[this.facts.classes[fact.owner]!.name]!);
  }
}
