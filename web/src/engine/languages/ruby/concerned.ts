import { callsThrough, QUEUES } from "./dispatch.ts";
import { type Offset, Op } from "./facts.ts";
import { restingOn, stringsAmong, textsAt } from "./called.ts";
import type { Node } from "./numbers.ts";
import type { Method, Source } from "./program.ts";
import type { Resolver } from "./resolve.ts";
import { recordsOf } from "./surface.ts";
import { termsOf } from "./types.ts";
import type { Otherwise } from "./views.ts";

/** The questions that look for something which is found otherwise now. */
export function* concernedBy(otherwise: Otherwise, resolver: Resolver): Generator<Node> {
  const { numbers, program } = resolver;
  const ids = new Set([...otherwise.inherited].map(({ id }) => `${id}`));
  for (const [key, node] of numbers.fields) if (otherwise.lists || ids.has(key.slice(0, key.indexOf(" ")))) yield node;
  const wanted = new Set([...callsFor(otherwise.methods), ...(otherwise.constants.size > 0 ? ["const_get"] : [])]);
  for (const source of program.sources) {
    for (const at of new Records(otherwise, wanted, resolver, source).concerned()) {
      const number = numbers.known(source, at);
      if (number > 0) yield* numbers.nodesOf(number);
    }
  }
}

/** The records of one file. */
class Records {
  /** By the numbers of its strings, those that are among `wanted`. */
  private readonly methods: ReadonlySet<number>;
  private readonly constants: ReadonlySet<number>;

  /** `wanted` are the names by which what is another thing now is called. */
  constructor(private readonly otherwise: Otherwise, private readonly wanted: ReadonlySet<string>, private readonly resolver: Resolver, private readonly source: Source) {
    const { strings } = source.data;
    const constants = new Set<number>();
    this.methods = stringsAmong(source.data, this.wanted);
    for (const [i, text] of strings.entries()) {
      // What a doc comment says are several words.
      if (otherwise.constants.has(text) || (/[^\w?!=]/.test(text) && text.split(/\W+/).some((word) => otherwise.constants.has(word)))) constants.add(i);
    }
    this.constants = constants;
  }

  *concerned(): Generator<Offset> {
    const { methods, constants, source, source: { data }, otherwise: { outsiders }, resolver: { program } } = this;
    const overrides = data.methods.some((_, i) => this.isOther(program.method(source, i)));
    if (this.wanted.size > 0) yield* restingOn(source, methods, this.wanted, (at) => textsAt(this.resolver.checkers, source, at));
    const outside = outsiders.size > 0 && data.scopes.some((_, scope) => outsiders.has(program.moduleOf(source, scope)));
    if (methods.size + constants.size + outsiders.size === 0 && !overrides && !outside) return;
    const found = new Set<Offset>();
    for (const at of recordsOf(data.code)) {
      if (!this.isConcerned(at, found) && !(outside && this.isInside(at)) && !this.asksOutside(at)) continue;
      found.add(at);
      yield at;
    }
  }

  /** Whether a method may go on elsewhere with `super`. */
  private isOther({ fact, owner }: Method): boolean {
    return this.wanted.has(fact.name) || (owner !== undefined && this.otherwise.inherited.has(owner));
  }

  private isConcerned(at: Offset, found: ReadonlySet<Offset>): boolean {
    const { methods, constants, otherwise, source, source: { data: { code, contexts, strings } }, resolver: { program } } = this;
    switch (code[at]) {
      case Op.Call:
      case Op.Reference:
      case Op.Each:
        return methods.has(code[at + 2]!);
      case Op.Super: {
        const { method } = contexts[code[at + 1]!]!;
        return method >= 0 && this.isOther(program.method(source, method));
      }
      case Op.Constant:
      case Op.Top:
      case Op.Documented:
        return constants.has(code[at + 1]!);
      case Op.Scoped:
        // What stands before the name is looked for with it.
        return constants.has(code[at + 2]!) || found.has(code[at + 1]!);
      case Op.Below:
        return otherwise.inherited.has(program.moduleOf(source, code[at + 1]!));
      case Op.Given:
        return otherwise.methods.has("initialize") && isGivenByNew(code, strings, at);
      default:
        return false;
    }
  }

  /** A call without a receiver, in a module of which something else is known above. */
  private isInside(at: Offset): boolean {
    const { source, source: { data: { code, contexts } }, resolver: { program } } = this;
    if ((code[at] !== Op.Call && code[at] !== Op.Reference) || code[at + 1] !== 0) return false;
    return this.otherwise.outsiders.has(program.moduleOf(source, contexts[code[at + 3]!]!.scope));
  }

  /** A call of a class, or an object of one, of which something else is known above: what it has not itself may come from there, as of records of a database. */
  private asksOutside(at: Offset): boolean {
    const { source, source: { data: { code } }, otherwise: { outsiders }, resolver: { checkers } } = this;
    if (outsiders.size === 0 || (code[at] !== Op.Call && code[at] !== Op.Reference && code[at] !== Op.Each)) return false;
    if (code[at] === Op.Each) return true;
    if (code[at + 1] === 0) return false;
    return checkers.some((checker) => termsOf(checker.peek(source, code[at + 1]!)).some((term) => {
      const of = term.kind === "core" ? term.element : term;
      return (of?.kind === "class" || of?.kind === "object") && outsiders.has(of.module);
    }));
  }
}

/** Whether a record is what a constructor gives to its block. */
export function isGivenByNew(code: readonly number[], strings: readonly string[], at: Offset): boolean {
  if (code[at] !== Op.Given) return false;
  const call = code[code[at + 1]! + 1]!;
  return code[call] === Op.Call && strings[code[call + 2]!] === "new";
}

/** These run constructors. */
const CONSTRUCTS = ["new", "raise", "fail"];

/** The names by which methods of some names are called. */
export function callsFor(names: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...names, ...callsThrough(names), ...(names.has("initialize") ? CONSTRUCTS : []), ...(names.has("perform") ? QUEUES : [])]);
}
