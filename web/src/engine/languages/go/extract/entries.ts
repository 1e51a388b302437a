import type { EntryKind } from "../../../facts.ts";
import { type Offset, Op } from "../facts.ts";
import type { Signature } from "./types.ts";
import type { Unit } from "./unit.ts";

/** The parameters of functions that a framework calls, as they are written: any import of that name will do. */
const HANDLERS = new Set([
  "http.ResponseWriter, *http.Request", "*fasthttp.RequestCtx", "context.Context, *app.RequestContext",
  "*gin.Context", "echo.Context", "*echo.Context", "*fiber.Ctx", "fiber.Ctx",
  "*cobra.Command, []string", "*cli.Context", "context.Context, *cli.Command", "tea.Msg",
  "context.Context, ctrl.Request", "context.Context, reconcile.Request", "context.Context, *asynq.Task",
]);
/** A method that serves a remote call, or an event of AWS Lambda: the message is of a package for them. */
const SERVES = /^context\.Context, (?:\*\w*pb\.\w+|\*?events\.\w+(?:Request|Event))$/;

/** Why control may enter at a function, if it may. `owner` is a method's type. */
export function entryOf(u: Unit, name: string, owner: string, { parameters }: Signature): EntryKind | undefined {
  if (owner === "") {
    if (name === "main" && u.syntax.childOf(0, "package_clause") && packageName(u) === "main") return "main";
    if (u.path.endsWith("_test.go") && /^(?:Test|Benchmark|Fuzz|Example)(?!\p{Ll})/u.test(name)) return "test";
  }
  return isHandler(u, parameters) ? "handler" : undefined;
}

/** Whether a function with these parameters is one that a framework calls. */
export function isHandler(u: Unit, parameters: Signature["parameters"]): boolean {
  const types = parameters.map((p) => spelling(u, p.type)).join(", ");
  return HANDLERS.has(types) || SERVES.test(types);
}

/** What has the parameters of a handler, but is the file's own and called in it by its name, is a part of handlers. */
export function withoutHelpers(u: Unit): void {
  const helpers = u.symbols.filter(({ entry, exported }) => entry === "handler" && !exported);
  if (helpers.length === 0) return;
  const called = new Set<string>();
  for (let i = 0; i < u.uses.length; i += 3) {
    const target = u.code[u.uses[i]!] === Op.Call ? u.code[u.uses[i]! + 1]! : 0;
    if (u.code[target] === Op.Name) called.add(u.strings[u.code[target + 1]!]!);
    if (u.code[target] === Op.Select) called.add(u.strings[u.code[target + 2]!]!);
  }
  for (const symbol of helpers) if (called.has(symbol.name)) delete symbol.entry;
}

export function packageName(u: Unit): string {
  const clause = u.syntax.childOf(0, "package_clause");
  const name = clause && u.syntax.childOf(clause, "package_identifier");
  return name ? u.syntax.text(name) : "";
}

function spelling(u: Unit, type: Offset): string {
  const { code, strings } = u;
  switch (code[type]) {
    case Op.Name:
      return strings[code[type + 1]!]!;
    case Op.Select:
      return `${spelling(u, code[type + 1]!)}.${strings[code[type + 2]!]!}`;
    case Op.Star:
      return `*${spelling(u, code[type + 1]!)}`;
    case Op.SliceOf:
      return `[]${spelling(u, code[type + 1]!)}`;
    default:
      return "?";
  }
}
