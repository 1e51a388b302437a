import type { EntryKind } from "../../facts.ts";
import type { Unit } from "../classes/unit.ts";

/** xUnit, NUnit and MSTest. */
const TESTS = /^(?:Fact|Theory|Test|TestCase|TestCaseSource|TestMethod|DataTestMethod|Benchmark)$/;
/** ASP.NET. */
const ROUTES = /^(?:Http(?:Get|Post|Put|Delete|Patch|Head|Options)|Route|AcceptVerbs|WebMethod|OperationContract)$/;
const HANDLERS = /^(?:FunctionName|Function|JSInvokable)$/;

/** The names of the attributes of a declaration, without namespace and the ending `Attribute`. */
export function attributesOf(u: Unit, node: number): string[] {
  const { syntax } = u;
  return syntax.children(node).filter((child) => syntax.kind(child) === "attribute_list").flatMap((list) =>
    syntax.children(list).filter((child) => syntax.kind(child) === "attribute").map((attribute) => {
      const name = syntax.part(attribute, "name");
      return name ? syntax.text(name).replace(/^.*\./, "").replace(/Attribute$/, "") : "";
    }));
}

/** Why control may enter at a method, if it may. `controller`: it stands in a class that answers requests. */
export function entryOf(u: Unit, node: number, name: string, modifiers: readonly string[], controller: boolean): EntryKind | undefined {
  const attributes = attributesOf(u, node);
  if (attributes.some((attribute) => TESTS.test(attribute))) return "test";
  if (attributes.some((attribute) => ROUTES.test(attribute))) return "route";
  if (attributes.some((attribute) => HANDLERS.test(attribute))) return "handler";
  if (name === "Main" && modifiers.includes("static")) return "main";
  return controller && modifiers.includes("public") && !modifiers.includes("static") && !attributes.includes("NonAction") ? "route" : undefined;
}
