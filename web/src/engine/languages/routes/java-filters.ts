import type { Node } from "web-tree-sitter";
import type { MountFact, NamedCode } from "../../facts.ts";
import { type Annotated, type Call, callOf, type Grammar } from "./calls.ts";
import type { Code } from "./code.ts";
import { JAX_RS, SPRING } from "./frameworks.ts";
import { codeOf } from "./named-code.ts";
import type { Texts } from "./texts.ts";

/** What a file says that has filters or interceptors. */
const MARKS = /\baddInterceptor\(|\bOncePerRequestFilter\b|\bGenericFilterBean\b|\bWebFilter\b|\bimplements\b[^{]{0,500}\bFilter\b|\bContainerRe(?:quest|sponse)Filter\b/;
/** What a class extends or implements that is a filter of Spring, or of JAX-RS. */
const SPRING_FILTER = /\b(?:OncePerRequestFilter|GenericFilterBean|WebFilter|Filter)\b/;
const JAX_RS_FILTER = /\bContainerRe(?:quest|sponse)Filter\b/;
/** Annotations that bind a filter of JAX-RS to no methods of their own. */
const UNBOUND = /^(?:Provider|Priority|Component|Singleton|ApplicationScoped|Dependent|Slf4j)$/;

/** What runs before all routes of a module of Java, or those under some paths: filters by their classes, and interceptors that a configuration of Spring adds. */
export function javaFilters({ root, source, grammar, texts, annotated }: Code): MountFact[] {
  if (!MARKS.test(source)) return [];
  const calls = source.includes("addInterceptor") ? root.descendantsOfType("method_invocation").flatMap((node) => callOf(node, grammar) ?? []) : [];
  return [...annotated.flatMap((one) => filterOf(one)), ...calls.flatMap((call) => (call.name === "addInterceptor" && call.args[0] ? interceptor(call, root, texts, grammar) : []))];
}

function filterOf({ node, name, annotations }: Annotated): MountFact[] {
  if (node.type !== "class_declaration") return [];
  const above = `${node.childForFieldName("superclass")?.text ?? ""} ${node.childForFieldName("interfaces")?.text ?? ""}`;
  const has = (annotation: string): boolean => annotations.some((one) => one.name === annotation);
  const router = has("Component") && SPRING_FILTER.test(above) ? SPRING : has("Provider") && JAX_RS_FILTER.test(above) && annotations.every((one) => UNBOUND.test(one.name)) ? JAX_RS : undefined;
  const line = name.startPosition.row + 1;
  return router === undefined ? [] : [runsBefore(router, { text: name.text, names: [name.text], line, endLine: line, declared: true }, {})];
}

/** `registry.addInterceptor(audit).addPathPatterns("/api/**").excludePathPatterns("/api/login")` */
function interceptor({ node, args }: Call, root: Node, texts: Texts, grammar: Grammar): MountFact[] {
  const said: Record<string, string[]> = {};
  for (let at = node.parent; at?.type === "method_invocation"; at = at.parent) {
    const { name, args: given } = callOf(at, grammar)!;
    // `List.of("/a", "/b")`
    const paths = given.flatMap((one) => [one.node, ...one.node.childForFieldName("arguments")?.namedChildren ?? []]).flatMap((one) => texts.all(one));
    said[name] = paths.map((path) => path.replace(/(?<!\*)\*(?!\*)/g, ":part"));
  }
  const used = args[0]!.node;
  const { addPathPatterns: under, excludePathPatterns: except } = said;
  return [runsBefore(SPRING, { ...codeOf(typeOf(used, root) ?? used, grammar), text: used.text.slice(0, 60) }, { last: true, exact: true, ...(under ? { under } : {}) }, except)];
}

/** The type of a field, a parameter, or of what a method gives. */
function typeOf(used: Node, root: Node): Node | undefined {
  const name = /^(?:this\.)?(\w+)(?:\(\))?$/.exec(used.text)?.[1];
  const declared = name === undefined ? undefined : root.descendantsOfType(["field_declaration", "formal_parameter", "method_declaration"]).find((one) => (one.childForFieldName("declarator") ?? one).childForFieldName("name")?.text === name);
  return declared?.childForFieldName("type") ?? undefined;
}

function runsBefore(router: string, code: NamedCode, runs: NonNullable<MountFact["runs"]>, except?: string[]): MountFact {
  return { prefix: "", target: { text: router, names: [router], line: 0, endLine: 0 }, before: [code], runs, ...(except ? { except } : {}) };
}
