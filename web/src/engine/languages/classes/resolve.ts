import { attend } from "../../effort.ts";
import { type Emit, FEW, ONE_OF_MANY, type Project, type Stores, type SymbolRef } from "../../language.ts";
import { isTestPath } from "../../test-paths.ts";
import { emitPassed, MAY_CALL } from "../passed.ts";
import { Checker } from "./checker.ts";
import { nextTo, withoutCopies } from "./copies.ts";
import { type Hierarchy, MAX_IMPLEMENTATIONS } from "./hierarchy.ts";
import { INFERRED, type Target } from "./operand.ts";
import { Stored } from "./stored.ts";
import type { Rules } from "./rules.ts";
import type { Type } from "./types.ts";
import { type ClassFacts, isByValue, Op } from "./facts.ts";
import { codeOf, type Declaration, type Member, Program, refOf, type Source } from "./program.ts";

/** A method without a body may run any of its implementations, another one what takes its place in a class below. */
const IMPLEMENTATION = 0.6;

/** What a call of a member may run in the classes below, and what was looked for to find it. */
interface Behind {
  members: readonly Member[];
  asked: ReadonlySet<number>;
}

/** A class that another one extends, where that says so. */
type Extended = ReturnType<Hierarchy["supers"]>[number];

/** Joins the files of a language of classes: emits its relations by the language's rules. */
export function resolveClasses(project: Project<ClassFacts>, rules: Rules, emit: Emit, only?: ReadonlySet<number>, stores?: Stores): void {
  const program = new Program(project.files, rules);
  const checker = new Checker(program, rules);
  checker.hierarchy.settle();
  const wanted = (source: Source): boolean => only?.has(source.index) ?? true;
  const { lookups } = checker;
  const implementations = new Map<Declaration, Map<Member, Behind>>();
  const behindOf = (member: Member, receiver: Declaration): Behind => {
    let known = implementations.get(receiver);
    if (!known) implementations.set(receiver, (known = new Map<Member, Behind>()));
    let behind = known.get(member);
    if (!behind) {
      let members: readonly Member[] = [];
      const asked = lookups.during(() => {
        members = checker.hierarchy.implementations(member, receiver);
      });
      known.set(member, (behind = { members, asked }));
    }
    return behind;
  };
  /** What the file that is looked at has asked for. */
  const asked = new Set<Behind>();

  /** What such a call may run, asked for by the file that is looked at. */
  const behind = (member: Member, receiver: Declaration): readonly Member[] => {
    const all = behindOf(member, receiver);
    if (!asked.has(all)) {
      asked.add(all);
      lookups.again(all.asked);
    }
    return all.members.length > MAX_IMPLEMENTATIONS ? [] : all.members;
  };
  /** The types around a name, whose methods it may mean. */
  const around = (source: Source, within: number): Type[] => {
    const all: Type[] = [];
    for (let at = within; at >= 0; at = source.data.types[at]!.outer) all.push(checker.hierarchy.own(program.declaration(source, at)));
    return all;
  };
  const foreign = new Map<string, Behind>();
  /** The constructors that run where code names the class of what it sends: `Ship::dispatch($order)`. */
  const sentItself = (source: Source, callee: number): readonly Member[] => {
    const { code, strings } = source.data;
    if (code[callee] !== Op.Select || rules.functions?.sendsItself?.test(strings[code[callee + 2]!]!) !== true) return [];
    const { static: isStatic, type } = checker.operand(source, code[callee + 1]!);
    return isStatic ? checker.termsOf(type).flatMap((term) => (term.kind === "class" ? checker.hierarchy.constructors(term, true) : [])).map(({ member }) => member) : [];
  };
  /** What a call may run that is known by a type outside the repository alone: methods of what inherits from that. */
  const behindForeign = (source: Source, at: number): readonly Member[] => {
    const { code, strings } = source.data;
    const callee = code[code[at + 1]!] === Op.Generic ? code[code[at + 1]! + 1]! : code[at + 1]!;
    const name = code[callee] === Op.Name ? strings[code[callee + 1]!]! : code[callee] === Op.Select && isOpen(checker, source, callee) ? strings[code[callee + 2]!]! : undefined;
    if (name === undefined || (code[callee] === Op.Name && rules.freeFunctions)) return [];
    const given = code[at + 2]!;
    const terms = code[callee] === Op.Name ? around(source, code[callee + 2]!) : checker.termsOf(checker.operand(source, code[callee + 1]!).type);
    const found = terms.flatMap((term) => {
      if (term.kind !== "class" && !(term.kind === "foreign" && checker.hierarchy.foreignChildren.has(term.name))) return [];
      const key = `${term.kind === "foreign" ? term.name : term.declaration.id} ${name} ${given}`;
      let known = foreign.get(key);
      if (!known) {
        let members: readonly Member[] = [];
        const looked = lookups.during(() => {
          members = checker.hierarchy.behindForeign(term, name, given);
        });
        foreign.set(key, (known = { members, asked: looked }));
      }
      lookups.again(known.asked);
      // What tests put in the place of a library's object is theirs.
      return known.members.filter((member) => !isTestPath(member.source.path) || isTestPath(source.path));
    });
    return found.length > MAX_IMPLEMENTATIONS ? [] : found;
  };
  const stored = stores && rules.functions && new Stored(checker, rules.functions, stores, behind, ({ index }, symbol) => project.files[index]!.facts.symbols[symbol]?.entry === "handler");

  const reach = (from: SymbolRef, { member, confidence: certainty, receiver = member.owner, named }: Target, line: number, isOpen: boolean): void => {
    const to = refOf(member);
    const confidence = named ? Math.min(certainty, MAY_CALL) : certainty;
    if (to && named) emitPassed(emit, from, to, certainty, line);
    else if (to) emit("CALLS", from, to, confidence, line);
    if (!receiver || !(member.fact.abstract || (member.fact.virtual && isOpen))) return;
    for (const implementation of withoutCopies(behind(member, receiver), program.sources[from.file]!)) {
      const ref = refOf(implementation) ?? codeOf(implementation);
      if (ref) emit("CALLS", from, ref, Math.min(confidence, IMPLEMENTATION), line);
    }
  };
  /** A field or property whose value is called is used, too. */
  const calledField = (from: SymbolRef, source: Source, callee: number, line: number): void => {
    const op = source.data.code[callee];
    if (op !== Op.Name && op !== Op.Select) return;
    for (const target of checker.calls.mentioned(source, callee)) {
      if (target.member.fact.kind !== "field" || target.named) continue;
      if (target.member.fact.variable) emit("REFERENCES", from, refOf(target.member)!, target.confidence, line);
      else reach(from, target, line, isOpen(checker, source, callee));
    }
  };
  const made = (from: SymbolRef, declaration: Declaration, confidence: number, line: number): void => {
    const ref = symbolOf(declaration, program.sources[from.file]!);
    if (ref) emit("CALLS", from, ref, confidence, line);
  };

  /** A class that code names to take a member of: where the member is inherited, also from a class outside, nothing else tells of it. */
  const scope = (from: SymbolRef, source: Source, member: number, targets: readonly Target[], line: number): void => {
    const { code } = source.data;
    if (code[member] !== Op.Select && code[member] !== Op.Reference) return;
    const on = code[member + 1]!;
    if (code[on] === Op.Static ? code[code[on + 1]!] !== Op.Named : code[on] !== Op.Name && code[on] !== Op.Select) return;
    const { static: isStatic, type } = checker.operand(source, on);
    if (isStatic !== true || type.kind !== "class") return;
    const found = targets.length > 0 ? targets : checker.calls.mentioned(source, member);
    if (found.some((target) => target.member.owner === type.declaration) || (found.length === 0 && !checker.hierarchy.hasForeignAncestor(type.declaration))) return;
    const to = symbolOf(type.declaration, source);
    if (to) emit("REFERENCES", from, to, 1, line);
  };

  /** What runs of `above`, which a part of the class extends, though no code names it: at the beginning of the class's constructors, or of the one that it has without declaring any. */
  const chained = ({ constructors, parts }: Declaration, { type, source: home, line: at }: Extended): void => {
    const part: SymbolRef = { file: home.index, symbol: parts.find(({ source }) => source === home)!.fact.symbol };
    const own = constructors.filter(({ fact }) => !fact.chained).map((constructor) => {
      const from = refOf(constructor) ?? part;
      return { source: constructor.source, from, line: project.files[from.file]!.facts.symbols[from.symbol]!.line };
    });
    for (const { source, from, line } of constructors.length > 0 ? own : [{ source: home, from: part, line: at }]) {
      const run = checker.calls.implied(type, source);
      if (run === "class") made(from, type.declaration, 1, line);
      else for (const target of run) reach(from, target, line, false);
    }
  };

  /** Who makes an object of a class without a name hands on what this declares in the place of methods above. */
  const nameless = (source: Source): void => {
    const { symbols } = project.files[source.index]!.facts;
    source.data.types.forEach(({ name: own, symbol: named, supers: [above], members }, i) => {
      const methods = own === "" && named < 0 ? members.filter(({ symbol, virtual }) => symbol >= 0 && virtual) : [];
      if (methods.length === 0) return;
      const declaration = program.declaration(source, i);
      const isForeign = checker.hierarchy.hasForeignAncestor(declaration);
      for (const { symbol, name } of methods) {
        const { parent } = symbols[symbol]!;
        lookups.ask(declaration, name);
        if (!isForeign && !checker.hierarchy.inherited(declaration).some((one) => one.methods.has(name))) continue;
        const [from, to] = [{ file: source.index, symbol: parent }, { file: source.index, symbol }];
        // An enum's constant is such an object.
        if (symbols[parent]?.kind === "Variable") emit("REFERENCES", from, to, 1, above!.line);
        else emitPassed(emit, from, to, 1, above!.line);
      }
    });
  };

  for (const source of program.sources) {
    if (!wanted(source)) continue;
    const { code, uses, types } = source.data;
    // Code outside of methods, and that of static ones.
    const ofTypes = new Set(types.flatMap(({ symbol, members }) => [symbol, ...members.flatMap((member) => (member.static ? [member.symbol] : []))]));
    attend(source.index);
    lookups.by(source);
    asked.clear();
    for (let i = 0; i < uses.length; i += 3) {
      const at = uses[i]!;
      const from: SymbolRef = { file: source.index, symbol: uses[i + 1]! };
      const line = uses[i + 2]!;
      if (code[at] === Op.Call || code[at] === Op.New) {
        const call = checker.calls.call(source, at);
        for (const one of call.made ?? []) if (one.kind !== "interface" || !isByValue(code, code[at + 1]!)) made(from, one, isByValue(code, code[at + 1]!) ? INFERRED : 1, line);
        for (const target of call.targets) reach(from, target, line, isOpen(checker, source, code[at + 1]!));
        for (const target of checker.implied.converted(source, at, call.targets)) reach(from, target, line, false);
        if (call.targets.length === 0 && code[at] === Op.Call) {
          for (const member of sentItself(source, code[at + 1]!)) {
            const to = refOf(member);
            if (to) emit("CALLS", from, to, INFERRED, line);
          }
        }
        // So it may what inherits from a type that is not in the repository, where few do; of more, any one is less likely.
        if (call.targets.length === 0 && code[at] === Op.Call) {
          const found = behindForeign(source, at);
          const confidence = found.length > FEW ? ONE_OF_MANY : IMPLEMENTATION;
          for (const member of found) {
            const to = refOf(member) ?? codeOf(member);
            if (to) emit("CALLS", from, to, confidence, line);
          }
        }
        if (code[at] === Op.Call) scope(from, source, code[code[at + 1]!] === Op.Generic ? code[code[at + 1]! + 1]! : code[at + 1]!, call.targets, line);
        if (call.targets.length === 0 && rules.functions?.calledFields) calledField(from, source, code[at + 1]!, line);
        stored?.call(source, at, from, line);
      } else if (code[at] === Op.Static || code[at] === Op.Named) {
        // A constructor that is handed on; else a class that is a value or an annotation.
        const type = checker.type(source, code[at] === Op.Static ? code[at + 1]! : at);
        const to = type.kind === "class" ? symbolOf(type.declaration, source) : undefined;
        if (to && code[at] === Op.Static) emitPassed(emit, from, to, 1, line);
        else if (to) emit("REFERENCES", from, to, 1, line);
      } else if (code[at] === Op.Operator || code[at] === Op.Runs) {
        const targets = code[at] === Op.Runs ? checker.implied.methods(source, at) : checker.implied.operator(source, at).targets;
        for (const target of targets) reach(from, target, line, true);
      } else if (code[at] === Op.Quoted && code[code[at + 1]!] === Op.Named) {
        const type = checker.type(source, code[at + 1]!);
        const isNamed = type.kind === "class" && (rules.texts !== undefined || checker.hierarchy.isNamedBelow(type.declaration, /Attribute$/));
        const to = isNamed ? symbolOf(type.declaration, source) : undefined;
        if (to) emit("REFERENCES", from, to, rules.texts ?? 1, line);
      } else if (code[at] === Op.Constant) {
        for (const { member, confidence } of checker.calls.mentioned(source, code[at + 1]!)) if (member.fact.variable) emit("REFERENCES", from, refOf(member)!, confidence, line);
      } else if (code[at] === Op.Quoted) {
        for (const { member, confidence } of checker.calls.mentioned(source, code[at + 1]!)) {
          const to = refOf(member);
          if (to) emit("REFERENCES", from, to, Math.min(confidence, rules.texts ?? 1), line);
        }
      } else {
        const targets = checker.calls.mentioned(source, at, ofTypes.has(from.symbol));
        scope(from, source, at, targets, line);
        for (const target of targets) {
          if (target.member.fact.variable) emit("REFERENCES", from, refOf(target.member)!, target.confidence, line);
          else reach(from, target, line, isOpen(checker, source, at));
        }
      }
    }
    nameless(source);
    stored?.file(source);
  }

  attend();
  for (const declaration of program.declarations) {
    if (!isNode(declaration) || !declaration.parts.some(({ source }) => wanted(source))) continue;
    const supers = checker.hierarchy.supers(declaration);
    for (const { type, how, source, line } of supers) {
      const to = symbolOf(type.declaration, source);
      const own = declaration.parts.find((part) => part.source === source)!;
      if (to) emit(how === "implements" ? "IMPLEMENTS" : "EXTENDS", { file: source.index, symbol: own.fact.symbol }, to, 1, line);
    }
    const above = rules.inheritedConstructors ? undefined : supers.find(({ how }) => how === "extends");
    if (above) chained(declaration, above);
  }

  imports(program, checker, wanted, emit);
  for (const source of program.sources) if (wanted(source)) lookups.keep(source, checker.hierarchy.inherited);
}

/** Whether what runs depends on what the receiver turns out to be: it does not on super, on a new object and on a class by its name. */
function isOpen(checker: Checker, source: Source, callee: number): boolean {
  const { code } = source.data;
  if (code[callee] === Op.Generic) return isOpen(checker, source, code[callee + 1]!);
  if (code[callee] !== Op.Select) return code[callee] === Op.Name;
  const on = code[callee + 1]!;
  return code[on] === Op.Self || (code[on] !== Op.Super && code[on] !== Op.New && checker.operand(source, on).static !== true);
}

function imports(program: Program, checker: Checker, wanted: (source: Source) => boolean, emit: Emit): void {
  const byPath = new Map(program.sources.map(({ path, index }) => [path, index]));
  for (const source of program.sources) {
    if (!wanted(source)) continue;
    attend(source.index);
    for (const { imports: facts, namespace } of source.data.scopes) {
      for (const fact of facts) {
        if (fact.kind === "function") {
          const home = nextTo(program.functionsAt(fact.path), (member) => member.source, source)?.source;
          if (home && home !== source) program.noteFile(source, home, fact.line);
          continue;
        }
        const target = fact.alias === "" && fact.kind === "type" ? undefined : program.importedName(fact, namespace, -1)
          ?? (fact.kind === "static" ? program.importedName({ ...fact, path: fact.path.slice(0, Math.max(0, fact.path.lastIndexOf("."))) }, namespace, -1) : undefined);
        if (target) program.note(source, target, fact);
      }
    }
    // What the file names of a wildcard, and which of several types of one name: not only as far as somebody asked for it.
    checker.nameAll(source);
    for (const [file, line] of program.imported[source.index]!) emit("IMPORTS", { file: source.index, symbol: -1 }, { file, symbol: -1 }, 1, line);
    for (const { path, line } of source.data.includes) {
      const file = included(byPath, source, path);
      if (file !== undefined) emit("IMPORTS", { file: source.index, symbol: -1 }, { file, symbol: -1 }, 1, line);
    }
  }
}

/** The file that a path means: from the including file's folder, else from the root. */
function included(byPath: ReadonlyMap<string, number>, { path: from }: Source, path: string): number | undefined {
  const folder = from.slice(0, from.lastIndexOf("/") + 1);
  for (const base of [folder, ""]) {
    const parts: string[] = [];
    for (const part of `${base}${path}`.split("/")) {
      if (part === "..") parts.pop();
      else if (part !== "" && part !== ".") parts.push(part);
    }
    const file = byPath.get(parts.join("/"));
    if (file !== undefined) return file;
  }
  return undefined;
}

/** Whether a type is a node of the graph: of several parts all are or none. */
function isNode({ parts: [first] }: Declaration): boolean {
  return first !== undefined && first.fact.symbol >= 0;
}

/** The node of a type for code of a file. */
function symbolOf(declaration: Declaration, by: Source): SymbolRef | undefined {
  if (!isNode(declaration)) return undefined;
  const { source, fact } = nextTo(declaration.parts, (part) => part.source, by)!;
  return { file: source.index, symbol: fact.symbol };
}
