import type { SymbolFact } from "../../facts.ts";
import type { Ask, Project } from "../../language.ts";
import { wordAfter } from "../words.ts";
import type { Found } from "./evaluate.ts";
import type { ClassFact, FunctionFact, PyFacts } from "./facts.ts";
import { Op, ScopeKind } from "./facts.ts";
import { Memory, type Listed } from "./memory.ts";
import type { Module } from "./modules.ts";
import { Modules } from "./modules.ts";
import { BUILTINS } from "./names.ts";
import { HEIRS, model, ofClass, ofFile, ofFolder, OPEN, related, STARS } from "./questions.ts";
import { modelsIn, type Relation, relationsIn } from "./relations.ts";
import type { Heirs } from "./heirs.ts";
import type { Sites } from "./sites.ts";
import type { Type } from "./types.ts";

/** One file while it is being resolved: its facts, and the types that were found. Programs before and after an edit share those that it leaves. */
export interface SourceFile {
  index: number;
  path: string;
  facts: PyFacts;
  symbols: readonly SymbolFact[];
  /** String -> index, for looking up names that come from other files. */
  strings: ReadonlyMap<string, number>;
  values: Map<number, Found<Type>>;
  /** The same with what calls pass as the types of parameters that declare none, of what rests on that. */
  informed: Map<number, Found<Type>>;
  /** What its expressions mean where a type is expected. */
  annotations: Map<number, Found<Type>>;
  /** Symbols of variables and of members of enumerations, by the bindings of their names. */
  variables: ReadonlyMap<readonly number[], number>;
  classes: (Cls | undefined)[];
  functions: (Callable | undefined)[];
  /** The number of questions about what its names mean. */
  word: number;
  /** What its expressions have asked of other files and of classes, in the numbers of questions. */
  asked: Set<number>;
}

/** A class of the repository. */
export interface Cls {
  file: SourceFile;
  index: number;
  fact: ClassFact;
  name: string;
  /** Itself first; undefined until asked for. */
  mro: Found<readonly Ancestor[]> | undefined;
  /** Keys of its type variables, in order; undefined until asked for. */
  typeVars: Found<readonly (Type & { k: "var" })[]> | undefined;
  /** The number of questions about it. */
  word: number;
}

/** A class in a method resolution order: of the repository, with its type arguments, or from elsewhere. */
export type Ancestor = { cls: Cls; args: readonly Type[] } | { cls: undefined; type: Type };

/** A function of the repository. */
export interface Callable {
  file: SourceFile;
  index: number;
  fact: FunctionFact;
  name: string;
  owner: Cls | undefined;
  /** What a method's first parameter is, `self` or `cls`; null for what has none, undefined until asked for. */
  self: Type | null | undefined;
}

/** Definitions of one name, in the file where they are. */
export interface Binding {
  file: SourceFile;
  definitions: readonly number[];
}

/** What a name means: definitions, a module, or something from elsewhere by its dotted name. */
export type Meaning =
  | { k: "definitions"; binding: Binding }
  | { k: "module"; module: Module }
  | { k: "external"; name: string }
  | undefined;

/** Where a file's imports lead, as far as it was asked for. Programs before and after an edit share it, too. */
interface Imports {
  modules: (Module | undefined | null)[];
  /** Through every re-export. */
  followed: (Followed | undefined)[];
  /** By name what its star imports give. */
  starred: Map<string, Starred>;
}

interface Followed extends Listed<Followed> {
  meanings: readonly Meaning[];
}

interface Starred extends Listed<Starred> {
  meaning: Meaning;
  /** That it took. */
  questions: readonly number[];
  /** The files that have asked them: each version of a file is another one, and what nobody else has is gone. */
  askedBy: WeakSet<SourceFile>;
}

/** More re-exports in a row than this are a circle. */
const MAX_HOPS = 16;
/** With more heirs than this a class says nothing of what they have. */
export const MAX_HEIRS = 24;
/** Star imports that are gone through for one name, each module once. */
const MAX_STARS = 1_000;
/** The modules in which a name was looked for already. */
type Asked = Set<number>;

const indexes = new WeakMap<PyFacts, ReadonlyMap<string, number>>();

/** Where each string of a file stands. It is the same for every program that the file is in. */
function indexOf(facts: PyFacts): ReadonlyMap<string, number> {
  let index = indexes.get(facts);
  if (!index) {
    const made = new Map<string, number>();
    facts.strings.forEach((text, i) => made.set(text, i));
    indexes.set(facts, (index = made));
  }
  return index;
}

function variablesOf({ variables, enumMembers, scopes }: PyFacts): ReadonlyMap<readonly number[], number> {
  const found = new Map<readonly number[], number>();
  for (let i = 0; i < variables.length; i += 2) found.set(scopes[0]!.names[variables[i]!]!, variables[i + 1]!);
  for (let i = 0; i < enumMembers.length; i += 3) found.set(scopes[enumMembers[i]!]!.names[enumMembers[i + 1]!]!, enumMembers[i + 2]!);
  return found;
}

/** The models that a file declares, and their relations, in words. */
function toldOf(facts: PyFacts): string {
  return [...modelsIn(facts), ...relationsIn(facts).map(({ name, cls, field, isOne }) => `${name} ${cls} ${field} ${isOne}`)].join("\n");
}

/** All files of the language, and the ways from a name to what it was bound to. */
export class Program {
  readonly files: SourceFile[];
  readonly modules: Modules;
  /** For parameters without a declared type, some expressions that calls pass: evidence for what they are. */
  private sites: Sites | undefined;
  /** What derives from classes: evidence for what `self` has in a mixin. */
  private heirs: Heirs | undefined;
  /** The same before the edit. */
  private readonly before: { sites: Sites; heirs: Heirs } | undefined;
  private places: ReadonlyMap<string, SourceFile> | undefined;
  /** The file whose code asks. */
  reader: SourceFile | undefined;
  /** Whether what calls pass counts as the type of parameters that declare none. */
  informed = false;
  private relations: Map<string, { file: SourceFile; relation: Relation }[]> | undefined;
  /** What is asked while star imports are gone through. */
  private questions: number[] | undefined;

  /** The number of the edit that made it what it is. */
  readonly edit: number;
  private readonly imports: readonly Imports[];

  /** `before`: the program before an edit, with the same paths. */
  constructor(readonly project: Project<PyFacts>, readonly memory = new Memory(), before?: Program) {
    this.edit = memory.edit;
    this.modules = before?.modules ?? new Modules(project);
    this.files = project.files.map(({ path, facts }, index) => {
      const known = before?.files[index];
      if (known?.facts === facts.data) return known;
      return {
        index, path, facts: facts.data, symbols: facts.symbols, strings: indexOf(facts.data),
        values: new Map(), informed: new Map(), annotations: new Map(), variables: variablesOf(facts.data), classes: [], functions: [], word: ofFile(path), asked: new Set(),
      };
    });
    this.imports = this.files.map((file, i) => (before && before.files[i] === file ? before.imports[i]! : { modules: [], followed: [], starred: new Map() }));
    if (before?.sites && before.heirs) this.before = { sites: before.sites, heirs: before.heirs };
  }

  /** The program after an edit. Where files come or go, nothing that was found before is known in it. */
  after(project: Project<PyFacts>): Program {
    const { files, memory } = this;
    if (project.files.length !== files.length || project.files.some(({ path }, i) => path !== files[i]!.path)) return new Program(project);
    memory.next();
    memory.change(project.files.flatMap(({ facts }, i) => (facts.data === files[i]!.facts ? [] : [memory.file(i)])));
    if (project.files.some(({ facts }, i) => facts.data !== files[i]!.facts && toldOf(facts.data) !== toldOf(files[i]!.facts))) memory.change([memory.models()]);
    return new Program(project, memory, this);
  }

  /** Takes down that a file's code asks for something by its name. */
  ask(of: number, name: string): void {
    const question = wordAfter(of, name);
    if (this.questions) this.questions.push(question);
    else this.asks(question);
  }

  private asks(question: number): void {
    this.reader?.asked.add(question);
  }

  /** Tells what each file's code has asked since it was last told. */
  tell(ask: Ask): void {
    for (const { index, asked } of this.files) {
      if (asked.size > 0) ask(index, [...asked]);
      asked.clear();
    }
  }

  at(path: string): SourceFile | undefined {
    this.places ??= new Map(this.files.map((file) => [file.path, file]));
    return this.places.get(path);
  }

  cls(file: SourceFile, index: number): Cls {
    return (file.classes[index] ??= {
      file, index, fact: file.facts.classes[index]!, name: file.facts.strings[file.facts.classes[index]!.name]!,
      mro: undefined, typeVars: undefined,
      word: ofClass(file.word, file.facts.strings[file.facts.classes[index]!.name]!),
    });
  }

  fn(file: SourceFile, index: number): Callable {
    const known = file.functions[index];
    if (known) return known;
    const fact = file.facts.functions[index]!;
    return (file.functions[index] = {
      file, index, fact, name: file.facts.strings[fact.name]!, owner: fact.owner < 0 ? undefined : this.cls(file, fact.owner), self: undefined,
    });
  }

  /** Tells what calls pass, and what derives from classes. */
  link(sites: Sites, heirs: Heirs): void {
    if (sites === this.sites && heirs === this.heirs) return;
    this.sites = sites;
    this.heirs = heirs;
    const { memory, before } = this;
    if (before) memory.change(this.files.flatMap(({ index }) => (sites.isSame(index, before.sites) && heirs.isSame(index, before.heirs) ? [] : [memory.passed(index)])));
  }

  /** What derives from a class, as far as that was told. */
  heirsOf(cls: Cls): readonly Cls[] {
    if (!this.heirs) return [];
    this.memory.take(this.memory.passed(cls.file.index));
    this.ask(cls.word, HEIRS);
    if (this.heirs.count(cls) > MAX_HEIRS) return [];
    const heirs = this.heirs.of(cls);
    for (const { file } of heirs) this.memory.take(this.memory.file(file.index));
    return heirs;
  }

  /** The relations of models that are called so backwards. */
  related(name: string): readonly { file: SourceFile; relation: Relation }[] {
    this.memory.take(this.memory.models());
    if (!this.relations) {
      this.relations = new Map();
      for (const file of this.files) {
        for (const relation of relationsIn(file.facts)) {
          const same = this.relations.get(relation.name);
          if (same) same.push({ file, relation });
          else this.relations.set(relation.name, [{ file, relation }]);
        }
      }
    }
    this.asks(related(this.relations.size === 0 ? "" : name));
    const found = this.relations.get(name) ?? [];
    for (const { file } of found) this.memory.take(this.memory.file(file.index));
    return found;
  }

  /** A model that a text names as Django does, by the folder and the class: `"orders.Order"`. */
  model(text: string): Cls | undefined {
    const [app, name, more] = text.split(".");
    if (!app || !name || more !== undefined) return undefined;
    this.memory.take(this.memory.models());
    this.asks(model(name));
    for (const file of this.files) {
      if (!file.strings.has(name) || !file.path.toLowerCase().split("/").slice(0, -1).includes(app.toLowerCase()) || !modelsIn(file.facts).includes(name)) continue;
      this.memory.take(this.memory.file(file.index));
      return this.cls(file, file.facts.classes.findIndex((fact) => file.facts.strings[fact.name] === name));
    }
    return undefined;
  }

  /** What calls pass to a function's parameter, as far as that was told. */
  passed({ file, index }: Callable, param: number): { file: SourceFile; id: number }[] {
    const found: { file: SourceFile; id: number }[] = [];
    if (!this.sites) return found;
    this.memory.take(this.memory.passed(file.index));
    const slot = this.sites.slot(file.index, index, param);
    for (let i = 0; i < this.sites.count(slot); i++) found.push({ file: this.files[this.sites.file(slot, i)]!, id: this.sites.id(slot, i) });
    return found;
  }

  /** A name in a scope and the scopes around it. Classes are skipped on the way out, as Python does. */
  lookup(file: SourceFile, name: number, scope: number): Meaning {
    const { scopes, strings } = file.facts;
    for (let at = scope; at >= 0; at = scopes[at]!.parent) {
      const fact = scopes[at]!;
      if (fact.kind === ScopeKind.Class && at !== scope) continue;
      if (at !== 0 && fact.globals?.includes(name)) continue;
      const definitions = fact.names[name];
      if (definitions) return { k: "definitions", binding: { file, definitions } };
      if (fact.stars) {
        const meaning = at === 0 ? this.starred(file, strings[name]!) : this.throughStars(file, fact.stars, strings[name]!, 0, new Set());
        if (meaning) return meaning;
      }
    }
    const text = strings[name]!;
    return BUILTINS.has(text) ? { k: "external", name: text } : undefined;
  }

  /** A name as an attribute of a module: what the module binds, re-exports, or holds as a submodule. */
  member(module: Module, name: string, hops = 0, asked?: Asked): Meaning {
    if (hops > MAX_HOPS) return undefined;
    if ("file" in module) {
      const file = this.files[module.file]!;
      this.memory.take(this.memory.file(file.index));
      this.ask(file.word, name);
      const index = file.strings.get(name);
      const definitions = index === undefined ? undefined : file.facts.scopes[0]!.names[index];
      if (definitions) return { k: "definitions", binding: { file, definitions } };
      this.ask(file.word, STARS);
      const { stars } = file.facts.scopes[0]!;
      const starred = stars && (asked ? this.throughStars(file, stars, name, hops + 1, asked) : this.starred(file, name));
      if (starred) return starred;
    }
    else this.ask(ofFolder(module.folder), name);
    const sub = this.modules.submodule(module, name);
    return sub && { k: "module", module: sub };
  }

  /** What the star imports of a module give by a name. */
  private starred(file: SourceFile, name: string): Meaning {
    const { memory, edit } = this;
    const { starred } = this.imports[file.index]!;
    const known = starred.get(name);
    let found = memory.first(known, edit);
    if (!found) {
      const questions: number[] = (this.questions = []);
      const outer = memory.begin(memory.nothing);
      const meaning = this.throughStars(file, file.facts.scopes[0]!.stars!, name, 0, new Set());
      found = { meaning, questions, askedBy: new WeakSet(), edit, read: memory.end(outer), next: memory.others(known, edit) };
      this.questions = undefined;
      starred.set(name, found);
    } else memory.take(found.read);
    const { askedBy } = found;
    if (this.reader && !askedBy.has(this.reader)) {
      askedBy.add(this.reader);
      for (const question of found.questions) this.asks(question);
    }
    return found.meaning;
  }

  private throughStars(file: SourceFile, stars: readonly number[], name: string, hops: number, asked: Asked): Meaning {
    for (const star of stars) {
      const module = this.moduleOf(file, star);
      if (!module || !("file" in module) || module.file === file.index || asked.has(module.file) || asked.size >= MAX_STARS) continue;
      asked.add(module.file);
      const { facts: { all }, word } = this.files[module.file]!;
      this.memory.take(this.memory.file(module.file));
      this.ask(word, OPEN);
      this.ask(word, name);
      if (all ? !all.includes(name) : name.startsWith("_")) continue;
      const meaning = this.member(module, name, hops + 1, asked);
      if (meaning) return meaning;
    }
    return undefined;
  }

  /** The module that an import of a file names. */
  moduleOf(file: SourceFile, index: number): Module | undefined {
    const { modules } = this.imports[file.index]!;
    const known = modules[index];
    if (known !== undefined) return known ?? undefined;
    const module = this.modules.resolve(file.index, file.facts.imports[index]!);
    modules[index] = module ?? null;
    return module;
  }

  /** What an import binds its name to; one step, which may lead to another import. */
  imported(file: SourceFile, index: number): Meaning {
    const fact = file.facts.imports[index]!;
    const module = this.moduleOf(file, index);
    if (fact.name !== undefined) {
      if (!module) return fact.level === 0 ? { k: "external", name: `${fact.module}.${fact.name}` } : undefined;
      const meaning = this.member(module, fact.name);
      // A package that imports from itself means its submodule.
      if (meaning?.k === "definitions" && "file" in module && module.file === file.index) {
        const sub = this.modules.submodule(module, fact.name);
        if (sub) return { k: "module", module: sub };
      }
      return meaning;
    }
    if (fact.aliased) return module ? { k: "module", module } : { k: "external", name: fact.module };
    const top = fact.module.split(".", 1)[0]!;
    const first = this.modules.absolute(top, file.path);
    // Of `import a.b` with a's own files elsewhere, only what was found counts.
    return first ? { k: "module", module: first } : { k: "external", name: top };
  }

  /** The definitions behind an import, through every re-export. */
  follow(file: SourceFile, imported: number): readonly Meaning[] {
    const { reader, memory, edit } = this;
    const { followed } = this.imports[file.index]!;
    const known = memory.first(followed[imported], edit);
    if (known) {
      memory.take(known.read);
      return known.meanings;
    }
    this.reader = file;
    const outer = memory.begin(memory.file(file.index));
    const meanings = this.trace(file, imported);
    followed[imported] = { meanings, edit, read: memory.end(outer), next: memory.others(followed[imported], edit) };
    this.reader = reader;
    return meanings;
  }

  private trace(file: SourceFile, imported: number): Meaning[] {
    const found: Meaning[] = [];
    const seen = new Set<string>();
    const step = (at: SourceFile, index: number): void => {
      const key = `${at.index}:${index}`;
      if (seen.has(key) || seen.size > MAX_HOPS) return;
      seen.add(key);
      const meaning = this.imported(at, index);
      if (meaning?.k !== "definitions") {
        found.push(meaning);
        return;
      }
      const { file: owner, definitions } = meaning.binding;
      const direct: number[] = [];
      for (const definition of definitions) {
        if (owner.facts.nodes[definition] === Op.Import) step(owner, owner.facts.nodes[definition + 1]!);
        else direct.push(definition);
      }
      // The very list tells which variable it is.
      if (direct.length > 0) found.push({ k: "definitions", binding: { file: owner, definitions: direct.length === definitions.length ? definitions : direct } });
    };
    step(file, imported);
    return found;
  }
}
