/** Constructors that run without being named: where a value is handed over, returned or assigned as an object of a class, and where an object is copied or moved. */
import { type Checker, parametersOf } from "./checker.ts";
import type { Choice } from "./choice.ts";
import { Flag, type FunctionFact, type Offset, Op } from "./facts.ts";
import { DECLARED, INFERRED, type Operand, POSSIBLE, type Resolution, type Target } from "./operand.ts";
import type { Function, Program, Source, Space } from "./program.ts";
import { fit, isPointer, type Type, UNKNOWN } from "./types.ts";

/** Whether an expression names an object, so that its value is copied; gives one away, so that it is moved; or makes one, which becomes the object that is asked for. */
type Category = "named" | "given" | "made";

const NONE: readonly Target[] = [];
const POINTS = Flag.Pointer | Flag.Array;
/** How well an argument has to fit for a constructor to be meant; see `fit`. */
const CONVERTS = 2;

/** Of more constructors that one value suffices for, no one knows which runs. */
const MAX_CONSTRUCTORS = 100;

export class Conversions {
  private readonly converting = new Map<Space, readonly Function[]>();
  private readonly takenBy = new Map<FunctionFact, readonly number[]>();

  constructor(private readonly program: Program, private readonly checker: Checker, private readonly choice: Choice) {}

  /** What the arguments of a call run on their way to the parameters. */
  ofArguments(source: Source, at: Offset, { targets }: Resolution): readonly Target[] {
    const [target] = targets;
    if (!target || target.confidence < POSSIBLE || !target.function.source.data.cpp) return NONE;
    const places = this.placesOf(target.function);
    if (places.length === 0) return NONE;
    const { code } = source.data;
    // An operator that is a member has its object before its arguments.
    const first = at + 3 + (code[at] === Op.Operator && target.function.space.isClass ? 1 : 0);
    const end = at + 3 + Math.max(0, code[at + 2]!);
    return places.flatMap((place) => {
      const value = first + place < end ? code[first + place]! : 0;
      if (value === 0 || code[value] === Op.Pack) return NONE;
      return this.between(source, value, this.parameterOf(source, at, target.function, place));
    });
  }

  /** Whether a class has a constructor that makes an object of it of a value of another type. */
  accepts(from: Type, to: Type): boolean {
    if (to.kind !== "class" || !isTaken(to)) return false;
    const constructors = this.constructors(to.space);
    return constructors.length > 0 && this.accepting(constructors, from).length > 0;
  }

  /** What a Converted runs. */
  ofValue(source: Source, at: Offset): readonly Target[] {
    const { code } = source.data;
    const value = code[at + 2]!;
    const { type } = code[at + 1] === 0 ? this.checker.operand(source, value) : { type: this.checker.type(source, code[at + 1]!) };
    return this.between(source, value, type.kind === "unknown" || code[at + 1] !== 0 ? type : { ...type, flags: type.flags & ~(Flag.Reference | Flag.Const) }, code[at + 3] === 1);
  }

  /** The parameters of a function that are objects of classes with such constructors, or of a type that its class is given. */
  private placesOf({ source, fact, space }: Function): readonly number[] {
    let places = this.takenBy.get(fact);
    if (!places) {
      places = [...fact.parameters.keys()].filter((place) => {
        const type = this.checker.type(source, fact.parameters[place]!);
        return isTaken(type) && (type.kind === "class" ? this.constructors(type.space).length > 0 : type.kind === "foreign" && parametersOf(space).includes(type.name));
      });
      this.takenBy.set(fact, places);
    }
    return places;
  }

  private parameterOf(source: Source, at: Offset, { source: home, fact, space }: Function, place: number): Type {
    const { code } = source.data;
    const type = this.checker.type(home, fact.parameters[place]!);
    if (type.kind === "class") return type;
    const callee = code[at] === Op.Call ? code[at + 1]! : 0;
    let object: Type = UNKNOWN;
    if (code[at] === Op.Operator) object = this.checker.operand(source, code[at + 3]!).type;
    else if (code[callee] === Op.Select) {
      const receiver = this.checker.operand(source, code[callee + 1]!).type;
      object = code[callee + 3] === 1 ? this.checker.pointed(receiver) : receiver;
    }
    return object.kind === "class" ? this.checker.inObject(type, object, space) : type;
  }

  /** The constructors that make an object of a type of a value. `isReturned`: a local object, which the compiler may make in its place at once. */
  private between(source: Source, value: Offset, to: Type, isReturned = false): readonly Target[] {
    if (to.kind !== "class" || !isTaken(to)) return NONE;
    const constructors = this.constructors(to.space);
    if (constructors.length === 0) return NONE;
    const from = this.checker.operand(source, value);
    if (from.type.kind === "unknown") return NONE;
    const isSame = this.isOne(from.type, to.space);
    const isLocal = isReturned && (from.type.flags & Flag.Reference) === 0;
    const category = isLocal ? "given" : categoryOf(source, value, from);
    const meant = isSame ? this.copying(constructors, to, category) : this.accepting(constructors, from.type);
    // Another build may have a type without constructors by the name: `typedef const char *Path`.
    const isTwofold = to.space.parent?.aliases.has(to.space.name) === true;
    const most = Math.min(isTwofold ? INFERRED : DECLARED, from.certainty, isSame && isLocal ? POSSIBLE : 1);
    return this.choice.choose(source, meant, [from.type]).map((target) => ({ ...target, confidence: Math.min(target.confidence, most) }));
  }

  /** The constructors of a class that may be run by one value alone: none of those that say `explicit`. */
  private constructors(space: Space): readonly Function[] {
    let found = this.converting.get(space);
    if (!found) {
      const all = space.functions.get(space.name) ?? [];
      // Default values, and `explicit`, are said where it is declared.
      const named = new Set(all.filter(({ fact }) => fact.explicit).map(({ fact }) => fact.key));
      const least = new Map<string, number>();
      for (const { fact: { key, required } } of all) least.set(key, Math.min(required, least.get(key) ?? required));
      found = all.filter(({ fact: { key, parameters } }) => parameters.length > 0 && least.get(key)! <= 1 && !named.has(key));
      if (found.length > MAX_CONSTRUCTORS || found.every(({ fact }) => fact.symbol < 0)) found = [];
      this.converting.set(space, found);
    }
    return found;
  }

  /** The constructors that copy or move an object of their class: what is made for it is not copied. */
  copying(constructors: readonly Function[], to: Type & { kind: "class" }, category: Category): readonly Function[] {
    if (category === "made" || (to.flags & Flag.Reference) !== 0) return [];
    const all = constructors.filter(({ source: home, fact: { parameters } }) => parameters.length > 0 && this.isOne(this.checker.type(home, parameters[0]!), to.space));
    const moving = all.filter(({ fact: { key } }) => key.includes("&&"));
    return category === "given" && moving.length > 0 ? moving : all.filter((one) => !moving.includes(one));
  }

  /** The constructors that take a value of another type, of these the ones that take it best. */
  private accepting(constructors: readonly Function[], from: Type): readonly Function[] {
    const scores = constructors.map(({ source, fact: { parameters } }) => {
      const parameter = this.checker.type(source, parameters[0]!);
      if (from.kind === "unknown" || parameter.kind === "unknown" || isPointer(from) !== isPointer(parameter)) return 0;
      return fit(from, parameter, (space, base) => this.program.ancestors(space).has(base));
    });
    const best = Math.max(...scores);
    return best < CONVERTS ? [] : constructors.filter((_, i) => scores[i] === best);
  }

  /** Whether values of a type are objects of a class, or of one that derives from it. */
  isOne(type: Type, space: Space): boolean {
    return type.kind === "class" && (type.flags & (POINTS | Flag.Function)) === 0 && (type.space === space || this.program.ancestors(type.space).has(space));
  }
}

/** Whether an object is made for what has a type, where it gets a value of another: not for a reference through which that may change. */
function isTaken(type: Type): boolean {
  return type.kind !== "unknown" && (type.flags & (POINTS | Flag.Function)) === 0 && ((type.flags & Flag.Reference) === 0 || (type.flags & Flag.Const) !== 0);
}

/** What becomes of the object that an expression stands for. */
export function categoryOf(source: Source, at: Offset, { type }: Operand): Category {
  const { code, strings } = source.data;
  switch (code[at]) {
    case Op.Name:
    case Op.Variable:
    case Op.Select:
    case Op.Index:
    case Op.Deref:
    case Op.Element:
      return "named";
    case Op.Call: {
      const callee = code[at + 1]!;
      if (code[callee] === Op.Name && /(?:^|::)move$/.test(strings[code[callee + 1]!]!)) return "given";
      return type.kind !== "unknown" && (type.flags & Flag.Reference) !== 0 ? "named" : "made";
    }
    case Op.Operator:
    case Op.Value:
    case Op.Cast:
      return type.kind !== "unknown" && (type.flags & Flag.Reference) !== 0 ? "named" : "made";
    default:
      return "made";
  }
}
