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
    if (name === "main" && u.syntax.child(0, "package_clause") && packageName(u) === "main") return "main";
    if (u.path.endsWith("_test.go") && /^(?:Test|Benchmark|Fuzz|Example)(?!\p{Ll})/u.test(name)) return "test";
  }
  const types = parameters.map((p) => spelling(u, p.type)).join(", ");
  return HANDLERS.has(types) || SERVES.test(types) ? "handler" : undefined;
}

export function packageName(u: Unit): string {
  const clause = u.syntax.child(0, "package_clause");
  const name = clause && u.syntax.child(clause, "package_identifier");
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
