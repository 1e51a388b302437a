import type { Node } from "web-tree-sitter";
import { type Call, callOf, type Grammar } from "./calls.ts";
import type { Framework } from "./frameworks.ts";
import type { Texts } from "./texts.ts";

/** By the row of the framework and the node of a call, the call that is looked for before it. */
type Before = Map<Framework, Map<number, Call | undefined>>;

/** What stands before a call in a chain of routes. Each call is gone through once: chains that machines write are long. */
export class Chains {
  private readonly starts: Before = new Map();
  private readonly withPath: Before = new Map();

  constructor(private readonly texts: Texts, private readonly grammar: Grammar) {}

  /** What the routes are called on: `app.route("/x")` of `app.route("/x").get(list).post(add)`. */
  start(receiver: Node, row: Framework): Call | undefined {
    return this.back(this.starts, receiver, row, ({ receiver: on, name }) => !on || row.verbs[name] === undefined);
  }

  /** Hono: the path of the routes before one, `app.get("/x", list).post(add)`. */
  path(receiver: Node, row: Framework): string[] {
    const pathOf = (call: Call): string[] => (row.verbs[call.name] !== undefined && call.args[0] ? this.texts.all(call.args[0].node) : []);
    const call = this.back(this.withPath, receiver, row, (one) => row.verbs[one.name] === undefined || pathOf(one).length > 0);
    return call ? pathOf(call) : [];
  }

  /** From a call on back, the first that is what is looked for. */
  private back(before: Before, from: Node, row: Framework, is: (call: Call) => boolean): Call | undefined {
    let known = before.get(row);
    if (!known) before.set(row, (known = new Map<number, Call | undefined>()));
    const passed: number[] = [];
    let node: Node | undefined = from;
    let call: Call | undefined;
    for (; node; node = call.receiver) {
      if (known.has(node.id)) {
        call = known.get(node.id);
        break;
      }
      passed.push(node.id);
      call = callOf(node, this.grammar);
      if (!call || is(call)) break;
    }
    if (!node) call = undefined;
    for (const id of passed) known.set(id, call);
    return call;
  }
}
