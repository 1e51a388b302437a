/** What views of Django, its REST framework and Flask answer, with what they inherit from other files. */
import type { ClassName, FileFacts, ViewFact } from "./facts.ts";

/** HTTP's method for each action of a set of views. */
const ACTION: Readonly<Record<string, string>> = { list: "GET", create: "POST", retrieve: "GET", update: "PUT", partial_update: "PATCH", destroy: "DELETE" };

/** The actions of a set of views for all of its objects, and those for one. */
export const FOR_ALL = ["list", "create"] as const;
export const FOR_ONE = ["retrieve", "update", "partial_update", "destroy"] as const;

/** Classes above a class that are looked at. */
const MAX_ABOVE = 30;
/** A class that is not of the project, and by its name one that gives a view no methods: `LoginRequiredMixin`. */
const MIXIN = /Mixin$/;

interface Answers {
  answers: readonly string[];
  lookup: string | undefined;
  only: readonly string[] | undefined;
  /** Nothing of another project may have it answer more. */
  isWhole: boolean;
}

interface File {
  path: string;
  facts: FileFacts;
}

/** The views of all files of a language. */
export class ViewAnswers {
  private readonly known = new Map<string, Answers | undefined>();
  private classes: Map<string, string[]> | undefined;

  constructor(private readonly files: ReadonlyMap<string, File>) {}

  /** HTTP's methods that a view answers, or a set for some of its actions, and the parameter for an object of the set; no methods where these are not known. */
  of(path: string, name: string, actions?: readonly string[]): { methods: readonly string[]; lookup?: string | undefined } {
    const all = this.answers(path, name);
    return all ? { methods: methodsOf(all, actions), lookup: actions && all.lookup } : { methods: [] };
  }

  /** Of some sets the routes that they answer nothing of (`RegisteredSets.silent`). */
  silent(names: readonly ClassName[]): string[] {
    return names.flatMap((said) => {
      const { name, paths } = this.named(said);
      const all = paths.map((path) => this.answers(path, name));
      const isSilent = (actions: readonly string[]): boolean => all.length > 0 && all.every((one) => one?.isWhole === true && methodsOf(one, actions).length === 0);
      return [FOR_ALL, FOR_ONE].flatMap((actions) => (isSilent(actions) ? [silence(said, actions)] : []));
    });
  }

  /** Undefined where a class above it is not known. */
  private answers(path: string, name: string, depth = 0): Answers | undefined {
    const key = `${path} ${name}`;
    if (this.known.has(key)) return this.known.get(key);
    // So that one that is above itself ends there.
    this.known.set(key, undefined);
    const fact = this.factOf(path, name);
    const found = fact && fact.open !== true && depth < MAX_ABOVE ? this.withAbove(path, name, fact, depth) : undefined;
    this.known.set(key, found);
    return found;
  }

  private factOf(path: string, name: string): ViewFact | undefined {
    const { answers = {} } = this.files.get(path)?.facts ?? {};
    return Object.hasOwn(answers, name) ? answers[name] : undefined;
  }

  private withAbove(path: string, cls: string, { answers, bases = [], lookup, only }: ViewFact, depth: number): Answers | undefined {
    const above: Answers[] = [];
    let isWhole = true;
    for (const base of bases) {
      const { name, paths: all } = base !== cls && this.factOf(path, base) ? { name: base, paths: [path] } : this.named(base);
      // `class Orders(v1.Orders)`
      const paths = name === cls ? all.filter((one) => one !== path) : all;
      const one = paths.length === 1 ? this.answers(paths[0]!, name, depth + 1) : undefined;
      if (one) above.push(one);
      else if (paths.length === 0 && MIXIN.test(name)) isWhole = false;
      else return undefined;
    }
    return {
      answers: [...new Set([...answers, ...above.flatMap((one) => one.answers)])], isWhole: isWhole && above.every((one) => one.isWhole),
      lookup: lookup ?? above.find((one) => one.lookup !== undefined)?.lookup, only: only ?? above.find((one) => one.only)?.only,
    };
  }

  /** The name of a class that is said as `ClassName`, and the files that declare it. */
  private named(said: ClassName): { name: string; paths: readonly string[] } {
    const [name = "", top] = said.split("/").reverse();
    const paths = this.declaring(name);
    return { name, paths: top === undefined ? paths : paths.filter((path) => path.split("/").some((part) => part === top || part === `${top}.py`)) };
  }

  private declaring(name: string): readonly string[] {
    if (!this.classes) {
      this.classes = new Map();
      for (const { path, facts: { symbols } } of this.files.values()) {
        for (const { kind, name: cls } of symbols) {
          if (kind !== "Class") continue;
          const paths = this.classes.get(cls);
          if (!paths) this.classes.set(cls, [path]);
          else if (paths.at(-1) !== path) paths.push(path);
        }
      }
    }
    return this.classes.get(name) ?? [];
  }
}

/** A route of a set that a router makes of some actions, of a set that answers none of these. */
export function silence(set: ClassName, actions: readonly string[]): string {
  return `${set} ${actions[0]}`;
}

function methodsOf({ answers, only }: Answers, actions: readonly string[] | undefined): string[] {
  const all = actions ? actions.filter((one) => answers.includes(one)).flatMap((one) => ACTION[one] ?? []) : answers.filter((one) => /^[A-Z]+$/.test(one));
  return only ? all.filter((one) => only.includes(one)) : all;
}

/** The files that are to be read with other silent routes than they were, and these. */
export function silentRoutes(files: readonly File[]): ReadonlyMap<string, readonly string[]> {
  const again = new Map<string, readonly string[]>();
  let views: ViewAnswers | undefined;
  for (const { path, facts: { sets } } of files) {
    if (!sets) continue;
    const now = (views ??= new ViewAnswers(new Map(files.map((file) => [file.path, file])))).silent(sets.names);
    if (now.length !== sets.silent.length || now.some((one, i) => one !== sets.silent[i])) again.set(path, now);
  }
  return again;
}
