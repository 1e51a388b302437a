import { spend } from "../../effort.ts";
import { annotated } from "./annotations.ts";
import { attributeOf, memberOf } from "./attributes.ts";
import { callValue } from "./calls.ts";
import type { Member } from "./classes.ts";
import { opOf } from "./classes.ts";
import { constant, dict, elements, tuple } from "./displays.ts";
import { isMapping, MADE } from "./externals.ts";
import { FunctionFlag, Op } from "./facts.ts";
import { functionValue, parameter, selfIn, selfOf } from "./function-types.ts";
import { narrowed } from "./narrowing.ts";
import { awaitedOf, binaryOf, caughtOf, enteredOf, itemOf, sliceOf, subscriptOf, unpackedOf } from "./protocols.ts";
import type { Listed } from "./memory.ts";
import type { Binding, Cls, Meaning, Program, SourceFile } from "./program.ts";
import type { Type } from "./types.ts";
import { EXTERNAL, STR, UNKNOWN, bounded, ext, instanceOf, itemsOf, substitute, union, withoutNone } from "./types.ts";

/** Evaluations that wait for one another; the next one is begun anew, since the stack is finite. */
const MAX_DEPTH = 150;
/** How often evaluation may lead up, to what stands later in the order of files and of expressions in them. */
export const LEVELS = 5;
/** Classes and annotations that wait for others which stand later, or through values. */
const NESTS = 20;
/** Steps that one stands for: it takes some microseconds. */
const EVALUATION = 10;

/** How sure an edge is that follows from ... */
export const SURE = { declared: 0.9, inferred: 0.8, weak: 0.7, possible: 0.6 } as const;

/** How far evaluation went, and whether it was cut off there. */
interface Reach {
  /** How often it led up. */
  rise: number;
  isLow: boolean;
  /** How many classes and annotations waited for one another. */
  nests: number;
  isFull: boolean;
  /** It rests on what calls pass, or on what derives from a class, and may differ where these are not known. */
  isInformed: boolean;
}

const NOWHERE: Reach = { rise: 0, isLow: false, nests: 0, isFull: false, isInformed: false };

/** What was found, and how far that went. */
export interface Measured<T> extends Reach {
  found: T;
}

/** What was found, to be kept. */
export interface Found<T> extends Measured<T>, Listed<Found<T>> {
  /** How sure that is. */
  sure: number;
  /** The levels and nests that were left. */
  level: number;
  nest: number;
}

/**
 * Finds types of expressions, lazily, so that what is found does not depend on what was looked at before. Code goes in circles, which have
 * to be cut at a place that is the same whoever asks first. Each circle leads up at least once, from an expression to one that stands later
 * in its file, or in a later file: every time there is one level less, and without any left nothing is known. What was not cut off, as
 * nearly all is, holds with any number of levels that is high enough; what was, with the same number alone, and is found for each. So
 * it is with the classes and annotations that wait for others, which are found with all levels wherever they are asked for.
 */
export class Evaluator {
  readonly program: Program;
  /** How sure the types are that were used since it was last set to 1. */
  sure = 1;
  /** What the evaluation that is going on has reached. */
  private reach: Reach = { ...NOWHERE };
  /** What is left of levels and nests. */
  private level = LEVELS;
  private nest = NESTS;
  /** Where that stands which is being found, and whether it is a class or an annotation; nothing is after all files. */
  private file = Infinity;
  private id = 0;
  private isApart = true;
  private depth = 0;
  /** Finds what was too deep to be found at once. Until it has, nothing else that is found counts. */
  private tooDeep: (() => void) | undefined;
  /** Evaluations so far. */
  evaluations = 0;
  /** What classes are being asked in the evaluation that is going on. */
  private asked = new Set<string>();

  constructor(program: Program) {
    this.program = program;
  }

  /** The evaluator of the project after an edit. It and this one know what the other has found where the edit changes nothing. */
  after(project: Program["project"]): Evaluator {
    return new Evaluator(this.program.after(project));
  }

  /** Takes down that the code of a file asks for something of a class. */
  ask({ word }: Cls, name: string): void {
    this.program.ask(word, name);
  }

  /** What is asked meanwhile, the code of this file asks; without one, nobody's. */
  readBy<T>(file: SourceFile | undefined, read: () => T): T {
    const { reader } = this.program;
    this.program.reader = file;
    const found = read();
    this.program.reader = reader;
    return found;
  }

  /** Asks with what calls pass as the type of parameters that declare none. */
  informedly<T>(ask: () => T): T {
    this.program.informed = true;
    const answer = ask();
    this.program.informed = false;
    return answer;
  }

  /** Asks a class for one thing; while it is being asked for the same by one expression, it has no answer. */
  once(what: string, cls: Cls, ask: () => Type): Type {
    const key = `${what} ${cls.file.index}:${cls.index}`;
    if (this.asked.has(key)) return UNKNOWN;
    this.asked.add(key);
    const type = ask();
    this.asked.delete(key);
    return type;
  }

  /**
   * Finds something about a class, or an annotation, at a place in its file: the same whatever asks for it, as long as there are nests
   * left, else `otherwise`. It is found without what calls pass, and what it takes to find it makes nobody less sure.
   */
  apart<T>({ index }: Pick<SourceFile, "index">, at: number, otherwise: T, find: () => T, keep: (found: Found<T>) => void): T {
    const { sure, level, nest, file, id, isApart, reach, asked, program } = this;
    const { memory } = program;
    const waits = this.waits(index, at);
    if (waits > nest) {
      this.uses({ ...NOWHERE, nests: waits, isFull: true });
      return otherwise;
    }
    this.nest = nest - waits;
    const again = (): T => this.apart({ index }, at, otherwise, find, keep);
    if (this.isTooDeep(again)) {
      this.nest = nest;
      return otherwise;
    }
    const { informed } = program;
    program.informed = false;
    this.file = index;
    this.id = at;
    this.isApart = true;
    this.level = LEVELS;
    const own = this.begin(otherwise);
    const outer = memory.begin(memory.file(index));
    own.found = find();
    own.read = memory.end(outer);
    this.depth--;
    this.reach = reach;
    this.asked = asked;
    this.nest = nest;
    this.level = level;
    this.file = file;
    this.id = id;
    this.isApart = isApart;
    program.informed = informed;
    this.sure = sure;
    if (this.tooDeep) return this.depth === 0 ? this.anew(again) : otherwise;
    memory.size++;
    keep(own);
    this.usesApart(own, waits);
    return own.found;
  }

  /** Finds something with some levels left, and how far that went. */
  measured<T>(find: () => T, level = this.level): Measured<T> {
    const { reach, level: before } = this;
    const own = (this.reach = { ...NOWHERE });
    this.level = level;
    const found = find();
    this.level = before;
    this.reach = reach;
    this.uses(own);
    return { found, ...own };
  }

  /** What was found apart before, where it holds. */
  known<T>({ index }: SourceFile, at: number, kept: Found<T> | undefined): Found<T> | undefined {
    const waits = this.waits(index, at);
    const found = this.fitting(kept, LEVELS, this.nest - waits);
    if (!found) return undefined;
    this.program.memory.take(found.read);
    this.usesApart(found, waits);
    return found;
  }

  /** The one that holds in this program with these levels and nests left: what was not cut off holds wherever it is not. */
  private fitting<T>(found: Found<T> | undefined, level: number, nest: number): Found<T> | undefined {
    const { memory, edit } = this.program;
    let at = found;
    while (at && ((at.isLow ? at.level !== level : at.rise > level) || (at.isFull ? at.nest !== nest : at.nests > nest) || !memory.holds(at, edit))) at = at.next;
    return at;
  }

  /** 1 where a class or an annotation is one more that is waited for, 0 where one asks for what stands before it. */
  private waits(file: number, at: number): number {
    return this.isApart && (file < this.file || (file === this.file && at < this.id)) ? 0 : 1;
  }

  /** Takes down how far something reaches that is used; `up`: how often evaluation led up to it. */
  uses({ rise, isLow, nests, isFull, isInformed }: Reach, up = 0): void {
    const { reach } = this;
    if (rise + up > reach.rise) reach.rise = rise + up;
    if (nests > reach.nests) reach.nests = nests;
    if (isLow) reach.isLow = true;
    if (isFull) reach.isFull = true;
    if (isInformed) reach.isInformed = true;
  }

  /** Takes down that what calls pass, or what derives from a class, counts here where it is asked for. */
  informs(): void {
    this.reach.isInformed = true;
  }

  /** The same of what was found apart, with levels of its own. */
  private usesApart({ nests, isFull }: Reach, waits: number): void {
    this.uses({ rise: 0, isLow: false, nests: nests + waits, isFull, isInformed: false });
  }

  /** Begins to find something with the levels and nests that are left. */
  private begin<T>(otherwise: T): Found<T> {
    const { edit, memory: { nothing: read } } = this.program;
    const found: Found<T> = { found: otherwise, edit, read, sure: 1, rise: 0, isLow: false, nests: 0, isFull: false, isInformed: false, level: this.level, nest: this.nest, next: undefined };
    this.reach = found;
    if (this.asked.size > 0) this.asked = new Set();
    this.depth++;
    return found;
  }

  /** Whether evaluation is too deep to go on; then `find` is begun from the start of the stack. */
  private isTooDeep(find: () => unknown): boolean {
    if (this.depth > MAX_DEPTH && !this.tooDeep) {
      const { level, nest, program: { informed } } = this;
      this.tooDeep = () => {
        Object.assign(this, { level, nest });
        this.program.informed = informed;
        find();
      };
    }
    return this.tooDeep !== undefined;
  }

  /** Finds what was too deep, and then what needs it. */
  private anew<T>(find: () => T): T {
    const { tooDeep, level, nest, file, id, isApart, sure, program: { reader, informed } } = this;
    this.tooDeep = undefined;
    this.file = Infinity;
    this.isApart = true;
    tooDeep!();
    Object.assign(this, { level, nest, file, id, isApart, sure });
    Object.assign(this.program, { reader, informed });
    return find();
  }

  /** What is kept beside what was found now. */
  others<T>(found: Found<T> | undefined): Found<T> | undefined {
    const { memory, edit } = this.program;
    return memory.others(found, edit);
  }

  /** At most so sure. */
  weaken(to: number): void {
    if (to < this.sure) this.sure = to;
  }

  /** The type of an expression's value. */
  value(file: SourceFile, id: number): Type {
    const { program: { memory } } = this;
    switch (opOf(file, id)) {
      case Op.Const:
        memory.take(memory.file(file.index));
        return constant(file.facts.nodes[id + 1]!);
      case Op.Str: case Op.Quoted:
        memory.take(memory.file(file.index));
        return STR;
      case Op.Param: {
        const self = file.facts.nodes[id + 2] === 0 ? selfIn(this.program.fn(file, file.facts.nodes[id + 1]!)) : null;
        if (!self) break;
        memory.take(memory.file(file.index));
        this.weaken(SURE.declared);
        return self;
      }
      case Op.Local: {
        // Where only one definition reaches a name, and no other declares it, it has the value of that.
        const definition = file.facts.nodes[id + 4]!;
        if (file.facts.nodes[id + 3] !== 1 || opOf(file, definition) === Op.Local) break;
        const type = this.value(file, definition);
        if (!isWeak(type) || !this.isDeclared(file, id)) return type;
        break;
      }
      default:
    }
    return this.remembered(file, id);
  }

  /** Whether a definition of what a local name means declares a type. */
  private isDeclared(file: SourceFile, local: number): boolean {
    const { nodes } = file.facts;
    const meaning = this.program.lookup(file, nodes[local + 1]!, nodes[local + 2]!);
    if (meaning?.k !== "definitions") return false;
    const { binding } = meaning;
    return binding.definitions.some((definition) => opOf(binding.file, definition) === Op.Declared);
  }

  /** The type of an expression's value, which is found once. */
  private remembered(file: SourceFile, id: number): Type {
    spend();
    const up = !this.isApart && (file.index > this.file || (file.index === this.file && id >= this.id)) ? 1 : 0;
    const level = this.level - up;
    if (level < 0) {
      this.uses({ ...NOWHERE, isLow: true }, up);
      return UNKNOWN;
    }
    const { memory, informed } = this.program;
    let known = this.fitting(file.values.get(id), level, this.nest);
    if (informed && (!known || known.isInformed)) known = this.fitting(file.informed.get(id), level, this.nest);
    if (known) {
      memory.take(known.read);
      this.uses(known, up);
      this.weaken(known.sure);
      return known.found;
    }
    const { level: before, file: fromFile, id: fromId, isApart, sure, reach, asked, program: { reader } } = this;
    this.level = level;
    if ((this.depth > MAX_DEPTH || this.tooDeep) && this.isTooDeep(this.asking(file, id))) {
      this.level = before;
      return UNKNOWN;
    }
    spend(EVALUATION);
    this.evaluations++;
    this.program.reader = file;
    this.file = file.index;
    this.id = id;
    this.isApart = false;
    this.sure = 1;
    const own = this.begin(UNKNOWN);
    const outer = memory.begin(memory.file(file.index));
    own.found = bounded(this.evaluate(file, id));
    own.read = memory.end(outer);
    own.sure = this.sure;
    this.depth--;
    this.reach = reach;
    this.asked = asked;
    this.sure = sure;
    this.isApart = isApart;
    this.id = fromId;
    this.file = fromFile;
    this.level = before;
    this.program.reader = reader;
    if (this.tooDeep) return this.depth === 0 ? this.anew(this.asking(file, id)) : UNKNOWN;
    memory.size++;
    const values = informed ? file.informed : file.values;
    own.next = this.others(values.get(id));
    values.set(id, own);
    this.uses(own, up);
    this.weaken(own.sure);
    return own.found;
  }

  /** Made where it is needed: what a function hands to another inside of it is allocated whenever the function is called. */
  private asking(file: SourceFile, id: number): () => Type {
    return () => this.remembered(file, id);
  }

  private evaluate(file: SourceFile, id: number): Type {
    const { nodes, strings } = file.facts;
    const a = nodes[id + 1]!;
    const b = nodes[id + 2]!;
    switch (nodes[id] as unknown as Op) {
      case Op.Unknown: return UNKNOWN;
      case Op.Name: return this.meaning(this.program.lookup(file, a, b));
      case Op.Local: return this.local(file, id);
      case Op.Attr: return attributeOf(this, this.value(file, a), strings[b]!);
      case Op.FlowAttr: {
        const known = union(this.list(file, id + 3));
        return isWeak(known) ? this.orElse(attributeOf(this, this.value(file, a), strings[b]!), known) : known;
      }
      case Op.Call: return callValue(this, this.value(file, a), { file, id });
      case Op.Sub: return subscriptOf(this, this.value(file, a), file, b);
      case Op.List: return ext("list", elements(this, file, id + 1));
      case Op.Set: return ext("set", elements(this, file, id + 1));
      case Op.Tuple: return tuple(this, file, id);
      case Op.Dict: return dict(this, file, id);
      case Op.ListComp: return ext("list", this.value(file, a));
      case Op.SetComp: return ext("set", this.value(file, a));
      case Op.GenComp: return ext("Generator", this.value(file, a));
      case Op.DictComp: return ext("dict", this.value(file, a), this.value(file, b));
      case Op.Binary: return binaryOf(this, strings[a]!, this.value(file, b), this.value(file, nodes[id + 3]!));
      case Op.Either: return union([withoutNone(this.value(file, a)), this.value(file, b)]);
      case Op.Await: return this.awaited(this.value(file, a));
      case Op.Lambda: return { k: "fn", fn: this.program.fn(file, a), self: undefined, solved: undefined };
      case Op.Star: return this.item(this.value(file, a));
      case Op.Slice: return sliceOf(this, this.value(file, a));
      case Op.Param: return parameter(this, this.program.fn(file, a), b);
      case Op.Import: return union(this.program.follow(file, a).map((m) => this.meaning(m)));
      case Op.Function: return functionValue(this, this.program.fn(file, a));
      case Op.Class: return { k: "class", cls: this.program.cls(file, a), args: [] };
      case Op.Item: return this.item(this.value(file, a), b === 1);
      case Op.Enter: return this.entered(this.value(file, a), b === 1);
      case Op.Unpack: return unpackedOf(this, this.value(file, a), b);
      case Op.Rest: return ext("list", this.item(this.value(file, a)));
      case Op.Caught: return caughtOf(this.value(file, a));
      case Op.Declared: return this.declared(file, a, b);
      case Op.Narrow: return narrowed(this, this.value(file, a), this.value(file, b), nodes[id + 3]!);
      case Op.Phi: return union(file.facts.phis[a]!.map((d) => this.value(file, d)));
      case Op.TypeVar: return {
        k: "var", key: `${file.index}:${id}`, bound: b < 0 ? UNKNOWN : annotated(this, file, b), meta: false,
      };
      case Op.Super: {
        const method = this.program.fn(file, a);
        if (!method.owner) return UNKNOWN;
        const meta = (method.fact.flags & FunctionFlag.ClassMethod) !== 0 || method.name === "__new__";
        this.weaken(SURE.declared);
        return { k: "super", cls: method.owner, self: selfOf(method, meta) };
      }
      default: return UNKNOWN;
    }
  }

  /** The type of what a name means. */
  meaning(meaning: Meaning): Type {
    if (!meaning) return UNKNOWN;
    switch (meaning.k) {
      case "external": return { k: "extobj", name: meaning.name };
      case "module": return "file" in meaning.module ? { k: "module", file: meaning.module.file } : { k: "folder", folder: meaning.module.folder };
      case "definitions": return this.definitions(meaning.binding);
    }
  }

  /** The type of a variable, from all that it was ever bound to: what is declared counts before what is assigned. */
  definitions({ file, definitions }: Binding): Type {
    const declared = this.declaration(file, definitions);
    if (declared) return declared;
    if (definitions.length > 1) this.weakenBy(file, definitions);
    return union(definitions.map((d) => this.value(file, d)));
  }

  private weakenBy(file: SourceFile, definitions: readonly number[]): void {
    for (const d of definitions) {
      const op = opOf(file, d);
      if (op !== Op.Function && op !== Op.Class && op !== Op.Import) {
        this.weaken(SURE.inferred);
        return;
      }
    }
  }

  /** The declared type among bindings, the last one where there are several; undefined when none says anything. */
  declaration(file: SourceFile, definitions: readonly number[]): Type | undefined {
    for (let i = definitions.length - 1; i >= 0; i--) {
      const definition = definitions[i]!;
      if (opOf(file, definition) !== Op.Declared) continue;
      const type = annotated(this, file, file.facts.nodes[definition + 1]!);
      if (type.k === "unknown") continue;
      this.weaken(SURE.declared);
      return type;
    }
    return undefined;
  }

  private local(file: SourceFile, id: number): Type {
    const { nodes } = file.facts;
    const type = union(this.list(file, id + 3));
    if (!isWeak(type)) return type;
    const meaning = this.program.lookup(file, nodes[id + 1]!, nodes[id + 2]!);
    if (meaning?.k !== "definitions") return type;
    const declared = this.declaration(meaning.binding.file, meaning.binding.definitions);
    return declared ? this.orElse(declared, type) : type;
  }

  /** The first type, unless it says nothing. */
  private orElse(type: Type, otherwise: Type): Type {
    return type.k === "unknown" ? otherwise : type;
  }

  private list(file: SourceFile, count: number): Type[] {
    const { nodes } = file.facts;
    const types: Type[] = [];
    for (let i = count + 1; i <= count + nodes[count]!; i++) types.push(this.value(file, nodes[i]!));
    return types;
  }

  /** An annotated assignment, where it stands: the assigned type where that says more. */
  private declared(file: SourceFile, annotation: number, value: number): Type {
    const type = annotated(this, file, annotation);
    this.weaken(SURE.declared);
    if (value < 0) return type;
    const assigned = this.value(file, value);
    return type.k === "unknown" || !isWeak(assigned) ? assigned : type;
  }

  /** Asks the bound of a type variable. */
  bounded(type: Type & { k: "var" }, ask: (bound: Type) => Type): Type {
    return type.bound.k === "unknown" || type.meta ? UNKNOWN : substitute(ask(type.bound), new Map([["self", type]]));
  }

  /** A call without arguments. */
  call(callee: Type): Type {
    return callValue(this, callee, { types: [] });
  }

  /** What `await` gives. */
  awaited(type: Type): Type {
    return awaitedOf(this, type);
  }

  /** What iterating gives. */
  item(type: Type, isAsync = false): Type {
    return itemOf(this, type, isAsync);
  }

  /** What `with ... as` binds. */
  entered(type: Type, isAsync = false): Type {
    return enteredOf(this, type, isAsync);
  }

  /** Where an attribute of an object is bound: a member of a class of the repository, or the external type that has it. */
  member(object: Type, name: string): Member | Type | undefined {
    return memberOf(this, object, name);
  }

  /** What an expression in a class's list of bases means. */
  bases(file: SourceFile, id: number): Type[] {
    const type = annotated(this, file, id);
    const known = itemsOf(type).filter((t) => t.k === "inst" || t.k === "ext" || t.k === "tuple");
    if (known.length > 0) return known.map((t) => (t.k === "tuple" ? ext("tuple", t.rest ?? union(t.items)) : t));
    const value = itemsOf(this.value(file, id));
    const classes = value.filter((t) => t.k === "class").map((t) => instanceOf(t));
    return classes.length > 0 ? classes : [EXTERNAL];
  }
}

/** Says so little that a declaration says more. */
function isWeak(type: Type): boolean {
  switch (type.k) {
    case "unknown": case "none": return true;
    case "ext": return type.name === MADE || (type.args.length === 0 ? type.name === "?" || isMapping(type) || /^(list|set|deque)$/.test(type.name) : type.args.every(isWeak));
    case "tuple": return type.items.length === 0;
    case "union": return type.items.every(isWeak);
    case "callable": return isWeak(type.result);
    default: return false;
  }
}
