import type { Project } from "../../../language.ts";
import { Op } from "../facts.ts";
import type { ExportFacts, GlobalFact, GlobalMemberFact, ModuleFacts, Offset } from "../facts.ts";
import { builtins } from "../lib/builtins.ts";
import { libraries } from "../lib/libraries.ts";
import { Augmentations } from "./augmentations.ts";
import { EQUALS } from "./asked.ts";
import { ModuleResolver } from "./modules.ts";
import { Unit } from "./unit.ts";

/** What a name stands for once imports and re-exports are followed. */
export type Target =
  | { k: "binding"; unit: Unit; binding: number }
  | { k: "module"; unit: Unit }
  /** `export =` of an expression: the name is a member of its value. */
  | { k: "member"; unit: Unit; of: Offset; name: string | undefined };

/** A declaration of a name that all files may use; see GlobalFact. */
export interface Global {
  unit: Unit;
  binding: number;
  put?: GlobalFact[2];
}

/** Re-exports that lead on and on are a circle. */
const MAX_HOPS = 30;
/** Modules in which one name is looked for through `export *`, each once. */
const MAX_STARS = 1_000;

/** All files of a project, and how names lead from one to another. */
export class Program {
  readonly units: readonly Unit[];
  readonly lib: Unit;
  private readonly byPath = new Map<string, Unit>();
  private readonly modules: ModuleResolver;
  private readonly globals = new Map<string, Global[]>();
  private readonly globalMembers = new Map<string, { unit: Unit; fact: GlobalMemberFact }[]>();
  private readonly ambient = new Map<string, { unit: Unit; table: ExportFacts }[]>();
  private readonly libNames: ReadonlyMap<string, number>;
  private wholes: ReadonlyMap<Unit, readonly Unit[]> | undefined;
  readonly augmentations: Augmentations;

  constructor(project: Project<ModuleFacts>) {
    this.units = project.files.map((file, i) => new Unit(i, file.path, file.facts.data, file.facts.symbols));
    for (const unit of this.units) this.byPath.set(unit.path, unit);
    this.modules = new ModuleResolver(new Set(this.byPath.keys()), project);
    const lib = builtins();
    this.lib = new Unit(-1, "", lib, []);
    this.libNames = new Map(lib.globals.map(([name, binding]) => [name, binding]));
    const libraryUnit = new Unit(-1, "", libraries(), []);
    for (const unit of this.units) for (const [name, binding, put] of unit.facts.globals) push(this.globals, name, { unit, binding, put });
    for (const unit of this.units) for (const fact of unit.facts.globalMembers ?? []) push(this.globalMembers, `${fact.global}.${fact.name}`, { unit, fact });
    // What the project itself says of a library goes first.
    for (const unit of [...this.units, libraryUnit]) {
      for (const [text, index] of unit.facts.ambient) push(this.ambient, text, { unit, table: unit.facts.namespaces[index]!.exports });
    }
    this.augmentations = new Augmentations(this);
  }

  /** The file that is imported by a text in the file `from`; undefined for none of the project. */
  moduleNamed(text: string, from: Unit): Unit | undefined {
    const path = this.modules.resolve(text, from.path, from.facts.amd);
    return path === undefined ? undefined : this.byPath.get(path);
  }

  /** The file that an import of a file means. */
  module(unit: Unit, specifier: number): Unit | undefined {
    let target = unit.targets[specifier];
    if (target === null) {
      target = this.moduleNamed(unit.facts.specifiers[specifier]!.text, unit);
      unit.targets[specifier] = target;
    }
    return target ?? undefined;
  }

  /** The CommonJS modules that have a part of them in this one, to which they hand what they export. */
  handedTo(unit: Unit): readonly Unit[] {
    return (this.wholes ??= this.findWholes()).get(unit) ?? [];
  }

  private findWholes(): Map<Unit, Unit[]> {
    const wholes = new Map<Unit, Unit[]>();
    for (const unit of this.units) {
      if (unit.facts.module) continue;
      for (const part of new Set(unit.facts.exports.all.map((specifier) => this.module(unit, specifier)))) if (part) push(wholes, part, unit);
    }
    return wholes;
  }

  /** Declarations of a name that no file declares for itself: the project's own globals, then the language's. */
  global(name: string): readonly Global[] {
    const own = this.globals.get(name) ?? [];
    const lib = this.libNames.get(name);
    return lib === undefined ? own : [...own, { unit: this.lib, binding: lib }];
  }

  /** The same, the file's own first. */
  globalIn(unit: Unit, name: string): readonly Global[] {
    const all = this.global(name);
    const own = all.length > 1 ? all.find((one) => one.unit === unit) : undefined;
    return own ? [own, ...all] : all;
  }

  /** What files put on what a global name stands for, under a name. */
  putOn(global: string, name: string): readonly { unit: Unit; fact: GlobalMemberFact }[] {
    return this.globalMembers.get(`${global}.${name}`) ?? [];
  }

  libBinding(name: string): number | undefined {
    return this.libNames.get(name);
  }

  /** What a module exports under a name. */
  export(unit: Unit, name: string, hops = 0, asked?: Set<Unit>): Target | undefined {
    return this.fromTable(unit, unit.facts.exports, name, hops, asked);
  }

  /** `asked`: the modules that have no such name, or are being asked for it. */
  fromTable(unit: Unit, table: ExportFacts, name: string, hops = 0, asked = new Set<Unit>()): Target | undefined {
    if (hops > MAX_HOPS) return undefined;
    const binding = unit.exported(table, name);
    if (binding !== undefined) return this.follow({ k: "binding", unit, binding }, hops + 1);
    for (const [exported, specifier, imported] of table.from) {
      if (exported === name) return this.imported(unit, specifier, imported, hops + 1);
    }
    if (table.equals !== 0 && name === "default") return { k: "member", unit, of: table.equals, name: undefined };
    if (name === "default") return isCommonJs(unit) ? { k: "module", unit } : undefined;
    for (const specifier of table.all) {
      const target = this.module(unit, specifier);
      if (!target || asked.has(target) || asked.size >= MAX_STARS) continue;
      asked.add(target);
      // Who has a file hand on all of another has asked that for the name; `declare module` is no file.
      if (table !== unit.facts.exports) unit.asked.ask(target.questionsAbout(), name, false);
      const found = this.export(target, name, hops + 1, asked);
      // A part of a CommonJS module gives what it puts on that, and not what it is itself.
      if (found && (unit.facts.module || found.k !== "member")) return found;
    }
    return table.equals === 0 ? undefined : { k: "member", unit, of: table.equals, name };
  }

  /** What an import brings in. */
  imported(unit: Unit, specifier: number, name: string, hops = 0): Target | undefined {
    const target = this.module(unit, specifier);
    if (!target) return this.fromAmbient(unit.facts.specifiers[specifier]!.text, name, hops);
    const found = name === "*" || name === "=" ? whole(target) : this.named(unit, specifier, target, name, hops);
    if (found?.k === "member") unit.asked.ask(found.unit.questionsAbout(), EQUALS, true);
    return found;
  }

  private named(unit: Unit, specifier: number, target: Unit, name: string, hops: number): Target | undefined {
    unit.asked.ask(target.questionsAbout(), name, true);
    return this.export(target, name, hops) ?? this.fromAmbient(unit.facts.specifiers[specifier]!.text, name, hops);
  }

  private fromAmbient(text: string, name: string, hops: number): Target | undefined {
    for (const { unit, table } of this.ambient.get(text) ?? []) {
      const isWhole = name === "*" || name === "=";
      const found = isWhole && table.equals !== 0 ? { k: "member" as const, unit, of: table.equals, name: undefined } : this.fromTable(unit, table, name, hops + 1);
      if (found) return found;
    }
    return undefined;
  }

  /** Goes on from a binding that is itself an import. */
  follow(target: Target, hops = 0): Target | undefined {
    if (target.k !== "binding" || hops > MAX_HOPS) return target;
    const { unit, binding } = target;
    const first = unit.facts.bindings[binding]!;
    if (unit.op(first) !== Op.Import) return target;
    // A local declaration of the same name wins over what is imported beside it.
    if (unit.at(first, 1) !== 0) return { k: "binding", unit, binding };
    return this.imported(unit, unit.at(first, 2), unit.text(first, 3), hops + 1);
  }
}

function whole(unit: Unit): Target {
  const { equals } = unit.facts.exports;
  return equals === 0 ? { k: "module", unit } : { k: "member", unit, of: equals, name: undefined };
}

/** Whether a file gives to others what it puts into `exports`. */
export function isCommonJs(unit: Unit): boolean {
  return !unit.facts.module && (unit.facts.exports.names.length > 0 || unit.facts.exports.all.length > 0 || unit.facts.exports.equals !== 0);
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
