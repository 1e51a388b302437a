/** Definitions that may have given a name its value; compared by identity, so never changed in place. */
export type Definitions = readonly number[];

/** What is known of a scope's names at one point of it. */
export interface FlowState {
  env: ReadonlyMap<string, Definitions>;
  /** Control cannot get here. */
  dead: boolean;
}

/**
 * Of a name that may have been given its value in more places than this the first count: what an analyser of types makes of them is
 * nothing anyway, and machine-written code has thousands.
 */
export const MAX_DEFINITIONS = 100;
/** What more names of a scope than this are bound to is not followed from line to line: each branch and each loop has its own state of them all. */
const MAX_NAMES = 2_000;

interface Loop {
  /** Definitions at the loop's head. */
  entry: Map<string, Definitions>;
  phis: Map<string, { definitions: Definitions; sources: number[] }>;
  breaks: FlowState[];
  continues: FlowState[];
}

/**
 * Follows which definitions of a name reach the point of a scope that extraction is at.
 * Keys are names, and dotted paths such as `self.x` for attributes that were assigned or narrowed.
 */
export class Flow {
  private env: ReadonlyMap<string, Definitions> = new Map<string, Definitions>();
  /** `env` belongs to states that were saved, too, and is copied before it is changed. */
  private isShared = false;
  private dead = false;
  private loops: Loop[] = [];
  /** For each path: its attribute as an expression, for ways on which nothing special is known of it. */
  private readonly plain = new Map<string, number>();
  private readonly newPhi: (sources: number[]) => number;

  /** `newPhi` makes a definition that stands for all of `sources`, which may still grow. */
  constructor(newPhi: (sources: number[]) => number) {
    this.newPhi = newPhi;
  }

  /** Whether anything is known of dotted paths. */
  get hasPaths(): boolean {
    return this.plain.size > 0;
  }

  get(key: string): Definitions | undefined {
    let definitions = this.env.get(key);
    if (!definitions) return undefined;
    // The first use in a loop of what was defined before it: later rounds may bring other definitions.
    for (let i = 0; i < this.loops.length; i++) {
      const loop = this.loops[i]!;
      if (loop.entry.get(key) !== definitions) continue;
      let phi = loop.phis.get(key);
      if (!phi) {
        const sources: number[] = [...definitions];
        phi = { definitions: [this.newPhi(sources)], sources };
        loop.phis.set(key, phi);
      }
      for (let inner = i + 1; inner < this.loops.length; inner++) {
        const entry = this.loops[inner]!.entry;
        if (entry.get(key) === definitions) entry.set(key, phi.definitions);
      }
      definitions = phi.definitions;
      this.own().set(key, definitions);
    }
    return definitions;
  }

  /**
   * From here on `key` has one of `definitions`; what was known of its attributes is forgotten.
   * For a path, `plain` is the expression of the attribute itself.
   */
  set(key: string, definitions: Definitions, plain?: number): void {
    if (this.plain.size > 0) {
      const prefix = `${key}.`;
      for (const path of this.env.keys()) if (path.startsWith(prefix)) this.own().delete(path);
    }
    if (this.env.size >= MAX_NAMES && !this.env.has(key)) return;
    if (plain !== undefined) this.plain.set(key, plain);
    this.own().set(key, definitions);
  }

  save(): FlowState {
    this.isShared = true;
    return { env: this.env, dead: this.dead };
  }

  restore({ env, dead }: FlowState): void {
    this.env = env;
    this.isShared = true;
    this.dead = dead;
  }

  private own(): Map<string, Definitions> {
    if (this.isShared) this.env = new Map(this.env);
    this.isShared = false;
    return this.env as Map<string, Definitions>;
  }

  /** Nothing after this point is reached from here. */
  end(): void {
    this.dead = true;
  }

  /** Goes on after a branching: whatever holds at the end of one of `states` that control can leave. */
  join(states: readonly FlowState[]): void {
    const alive = states.filter((s) => !s.dead);
    const first = alive[0] ?? states[0];
    if (!first) return;
    const others = alive.filter(({ env }) => env !== first.env);
    if (others.length === 0) {
      this.restore(first);
      return;
    }
    this.dead = false;
    const env = new Map(first.env);
    for (const other of others) {
      for (const [key, mine] of env) {
        const theirs = other.env.get(key);
        if (theirs === mine) continue;
        if (theirs) env.set(key, mine.length >= MAX_DEFINITIONS ? mine : [...new Set([...mine, ...theirs])].slice(0, MAX_DEFINITIONS));
        else this.orPlain(env, key, mine);
      }
      for (const [key, theirs] of other.env) {
        if (!first.env.has(key) && !env.has(key)) this.orPlain(env, key, theirs);
      }
    }
    this.env = env;
    this.isShared = false;
  }

  /** On the other way a name is unbound, an attribute is whatever its class says. */
  private orPlain(env: Map<string, Definitions>, key: string, definitions: Definitions): void {
    const plain = this.plain.get(key);
    env.set(key, plain === undefined || definitions.includes(plain) ? definitions : [...definitions, plain]);
  }

  enterLoop(): void {
    this.loops.push({ entry: new Map(this.env), phis: new Map(), breaks: [], continues: [] });
  }

  /** At the end of the loop's body. Gives the states in which control leaves by `break`. */
  leaveLoop(): FlowState[] {
    const loop = this.loops.pop();
    if (!loop) return [];
    const rounds = [...loop.continues];
    if (!this.dead) rounds.push(this.save());
    for (const [key, phi] of loop.phis) {
      for (const round of rounds) {
        for (const definition of round.env.get(key) ?? []) {
          if (phi.sources.length >= MAX_DEFINITIONS) break;
          if (definition !== phi.definitions[0] && !phi.sources.includes(definition)) phi.sources.push(definition);
        }
      }
    }
    return loop.breaks;
  }

  leaveBy(kind: "break" | "continue"): void {
    const loop = this.loops.at(-1);
    if (loop && !this.dead) (kind === "break" ? loop.breaks : loop.continues).push(this.save());
    this.dead = true;
  }
}
