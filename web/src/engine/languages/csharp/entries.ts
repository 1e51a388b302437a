import type { EntryKind } from "../../facts.ts";
import type { TypeFact } from "../classes/facts.ts";
import type { Unit } from "../classes/unit.ts";

/** xUnit, NUnit and MSTest. */
const TESTS = /^(?:Fact|Theory|Test|TestCase|TestCaseSource|TestMethod|DataTestMethod|(?:OneTime)?(?:SetUp|TearDown)|Test(?:Initialize|Cleanup)|Benchmark)$/;
/** ASP.NET. */
const ROUTES = /^(?:Http(?:Get|Post|Put|Delete|Patch|Head|Options)|Route|AcceptVerbs|WebMethod|OperationContract)$/;
const HANDLERS = /^(?:FunctionName|Function|JSInvokable)$/;
/** What hosts of services and component frameworks call. */
const OVERRIDES = /^(?:ExecuteAsync|OnInitialized(?:Async)?|OnStartup|ConfigureServices)$/;
/** Of a Razor page. */
const PAGE_METHOD = /^On(?:Get|Post|Put|Delete)(?:Async|\p{Lu}\w*)?$/u;

/** What only the handler of a minimal API returns. */
const RESULT = /^(?:(?:Task|ValueTask)<)?(?:IResult\b|Results<)/;

/** `app.MapGet("/todos", List)`: the names of what is given to a route of a minimal API. */
export function noteRoutes(u: Unit, callee: number, list: number): void {
  const { syntax } = u;
  if (!/\.Map(?:Get|Post|Put|Delete|Patch|Methods)?$/.test(syntax.text(callee).slice(-20))) return;
  for (const argument of syntax.children(list)) {
    const name = /^(?:\w+\.)*(\w+)$/.exec(syntax.text(argument))?.[1];
    if (name !== undefined) u.routed.add(name);
  }
}

/** The names of the attributes of a declaration, without namespace and the ending `Attribute`. */
function attributeNames(u: Unit, node: number): string[] {
  const { syntax } = u;
  return syntax.children(node).filter((child) => syntax.kind(child) === "attribute_list").flatMap((list) =>
    syntax.children(list).filter((child) => syntax.kind(child) === "attribute").map((attribute) => {
      const name = syntax.part(attribute, "name");
      return name ? syntax.text(name).replace(/^.*\./, "").replace(/Attribute$/, "") : "";
    }));
}

/** Why control may enter at a method of a class, if it may. */
export function entryOf(u: Unit, node: number, name: string, modifiers: readonly string[], type: TypeFact): EntryKind | undefined {
  const attributes = attributeNames(u, node);
  if (attributes.some((attribute) => TESTS.test(attribute))) return "test";
  if (attributes.some((attribute) => ROUTES.test(attribute))) return "route";
  if (attributes.some((attribute) => HANDLERS.test(attribute))) return "handler";
  if (name === "Main" && modifiers.includes("static")) return "main";
  if (OVERRIDES.test(name) && modifiers.includes("override")) return "handler";
  if (modifiers.includes("static") && RESULT.test(u.syntax.text(u.syntax.part(node, "returns")))) return "route";
  if (modifiers.includes("public") && /^Invoke(?:Async)?$/.test(name) && /^\(\s*(?:[\w.]+\.)?HttpContext\b/.test(u.syntax.text(u.syntax.part(node, "parameters")))) return "handler";
  if (!modifiers.includes("public") || modifiers.includes("static") || type.supers.length === 0) return undefined;
  if (/Model$/.test(type.name) && PAGE_METHOD.test(name)) return "route";
  return /(?:Controller|Hub)$/.test(type.name) && !attributes.includes("NonAction") ? "route" : undefined;
}
