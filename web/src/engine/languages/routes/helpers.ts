import type { Node } from "web-tree-sitter";
import { functionAround } from "./around.ts";
import { type Call, callOf, givenTo, type Grammar } from "./calls.ts";
import type { Round } from "./loops.ts";
import { argumentFor, assignedIn, parametersOf } from "./parameters.ts";
import type { Texts } from "./texts.ts";

/** More calls of functions that add routes are not followed in a file. */
const MAX_ROUNDS = 1_000;

/** Functions that hand a path on to others are followed so far. */
const MAX_DEPTH = 3;

/** What parameters stand for where they are given those of another function. */
function handedOn(values: ReadonlyMap<string, Node>, outer: ReadonlyMap<string, Node>): ReadonlyMap<string, Node> {
  return new Map([...values].map(([name, value]) => [name, outer.get(value.text) ?? value]));
}

/** Whether a call may be of a function: one that is no method is not called on what another call gives, `Router::new().route("/x", get(x))`, nor in Rust on a value. */
function mayBeOf({ type, parent }: Node, { node, receiver }: Call, grammar: Grammar): boolean {
  const isFree = /^function_(?:declaration|item)$/.test(type) && parent?.type !== "declaration_list";
  return !isFree || receiver === undefined || (!callOf(receiver, grammar) && node.childForFieldName("function")?.type !== "field_expression");
}

/** Functions of a file that add routes under paths that they are given: `func (s *server) handle(path string, h http.HandlerFunc) { s.mux.HandleFunc(path, s.wrap(h)) }`. */
export class Helpers {
  private byName: ReadonlyMap<string, readonly Call[]> | undefined;
  private left = MAX_ROUNDS;
  /** The names that functions give values, by the id of the function's node. */
  private readonly assigned = new Map<number, ReadonlySet<string>>();

  /** `calls`: all of the file. */
  constructor(private readonly source: string, private readonly grammar: Grammar, private readonly texts: Texts, private readonly calls: readonly Call[]) {}

  /**
   * A round for each call of the function around a call that adds a route; none where the function is not given the path. What several calls add stands at
   * each of these. Such a call may hand on the path that the function around it is given: `func get(path string, h http.HandlerFunc) { handle("GET " + path, h) }`.
   */
  around({ node, args }: Call, depth = 0): readonly Round[] {
    const around = functionAround(node);
    const name = around && (around.childForFieldName("name")?.text ?? givenTo(around, this.source));
    if (!around || name === undefined) return [];
    const parameters = parametersOf(around);
    const given = new Set(args.slice(0, 2).flatMap((one) => this.unknownIn(one.node)));
    const path = parameters.filter((one) => given.has(one));
    if (path.length === 0) return [];
    const calls = this.callsOf(name).slice(0, this.left).filter((call) => (call.node.startIndex < around.startIndex || call.node.startIndex > around.endIndex) && mayBeOf(around, call, this.grammar));
    this.left -= calls.length;
    return calls.flatMap((call) => {
      const values = new Map(parameters.flatMap((parameter, i) => {
        const value = argumentFor(call.args, i, parameter);
        return value ? [[parameter, value] as const] : [];
      }));
      const textsIn = (round: Round): string[] => path.filter((parameter) => this.texts.one(round.values.get(parameter)) !== undefined);
      const own: Round = { element: calls.length > 1 ? call.node : node, values, isCall: true };
      const outer = textsIn(own).length < path.length && depth < MAX_DEPTH ? this.around(call, depth + 1) : [];
      const rounds = outer.length > 0 ? outer.map((round) => ({ ...round, values: handedOn(values, round.values) })) : [own];
      // A path that the function gives another value is not what it was given; a handler that it wraps is.
      return rounds.filter((round) => textsIn(round).length > 0 && !textsIn(round).some((parameter) => this.assignedIn(around).has(parameter)));
    });
  }

  private assignedIn(around: Node): ReadonlySet<string> {
    let names = this.assigned.get(around.id);
    if (!names) this.assigned.set(around.id, (names = assignedIn(around)));
    return names;
  }

  /** The names in the code of a method or a path. */
  private unknownIn(node: Node): string[] {
    if (/^(?:identifier|variable_name)$/.test(node.type)) return [node.text];
    return /binary|template|interpolat|^string$|argument|literal_element/.test(node.type) ? node.namedChildren.flatMap((one) => this.unknownIn(one)) : [];
  }

  private callsOf(name: string): readonly Call[] {
    if (!this.byName) {
      const found = new Map<string, Call[]>();
      for (const call of this.calls) {
        const same = found.get(call.name);
        if (same) same.push(call);
        else found.set(call.name, [call]);
      }
      this.byName = found;
    }
    return this.byName.get(name) ?? [];
  }
}
