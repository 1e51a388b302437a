import type { Node } from "web-tree-sitter";
import type { FilterFact } from "../../facts.ts";
import type { Annotation } from "./calls.ts";
import type { Code } from "./code.ts";
import { codeOf } from "./named-code.ts";

/** What a file with views of Django, its REST framework or Flask says. */
const VIEWS = /\b(?:django|rest_framework|flask)\b/;
/** What a class says of all of its methods: decorators of Flask's, and what Django's REST framework asks first. */
const LISTS = /^(?:decorators|(?:authentication|permission|throttle)_classes)$/;
/** The order in which they are asked, behind Flask's. */
const ORDER = ["decorators", "authentication_classes", "permission_classes", "throttle_classes"];
/** What the decorator of an action says for it alone. */
const OWN = /^(?:authentication|permission|throttle)_classes$/;
/** Decorators that say which requests a function answers, or what it is. */
const NO_FILTER = /^(?:api_view|route|get|post|put|patch|delete|mapping|property|cached_property|staticmethod|classmethod|abstractmethod|override|overload|require_\w+|setter|command|task|shared_task|receiver|register)$/;

/** What decorates this method runs for all. */
const ALL = "dispatch";

/** What runs around views: `decorators` and `permission_classes` of a class, `@method_decorator(login_required, name="post")`, and the decorators of methods and of functions that are given a request. */
export function viewFilters({ root, source, grammar, texts, symbolAt, annotated }: Code): FilterFact[] {
  if (!VIEWS.test(source)) return [];
  const filters: FilterFact[] = [];
  const add = (symbol: number, node: Node, only?: string, list?: string): void => {
    const named = /^(?:list|tuple)$/.test(node.type) ? node.namedChildren : [node];
    // Flask puts each of them around what those before it are around.
    const each = list === "decorators" ? named.toReversed() : named;
    if (symbol < 0) return;
    const rest = { ...(only === undefined ? {} : { only: [only] }), ...(list === undefined ? {} : { list }) };
    filters.push(...each.map((one): FilterFact => ({ symbol, code: codeOf(one, grammar), ...rest })));
    // An empty list says that nothing of the one above holds.
    if (each.length === 0 && list !== undefined) filters.push({ symbol, code: codeOf(node, grammar), ...rest, skips: true });
  };
  const addDecorator = (symbol: number, { name, args, node }: Annotation, only?: string): void => {
    const [first] = args;
    if (name === "method_decorator" && first) {
      const said = args.find((one) => one.name === "name");
      const method = said ? texts.one(said.node) : only;
      add(symbol, first.node, method === ALL ? undefined : method);
    } else if (name === "action") {
      for (const one of args) if (OWN.test(one.name)) add(symbol, one.node, only, one.name);
    } else if (!NO_FILTER.test(name)) add(symbol, node.namedChildren[0]!, only);
  };
  for (const cls of root.descendantsOfType("class_definition")) {
    const symbol = symbolAt(cls.childForFieldName("name")!);
    for (const { namedChildren: [assignment] } of cls.childForFieldName("body")?.namedChildren ?? []) {
      const list = assignment?.type === "assignment" ? assignment.childForFieldName("left")?.text ?? "" : "";
      const value = LISTS.test(list) ? assignment!.childForFieldName("right") : undefined;
      if (value) add(symbol, value, undefined, list);
    }
  }
  for (const { node, name, annotations } of annotated) {
    const cls = node.type === "function_definition" ? classOf(node) : node;
    const only = !cls || cls.id === node.id || name.text === ALL ? undefined : name.text;
    const isView = cls ? symbolAt(cls.childForFieldName("name")!) >= 0 : /^\(\s*request\b/.test(node.childForFieldName("parameters")?.text ?? "");
    for (const one of isView ? annotations : []) addDecorator(symbolAt(cls?.childForFieldName("name") ?? name), one, only);
  }
  return filters.sort((a, b) => rankOf(a) - rankOf(b));
}

/** What is around the whole of a view comes first, then what Django's REST framework asks, in its order, and last what is around one method. */
function rankOf({ list, only }: FilterFact): number {
  return list === undefined ? (only ? ORDER.length : 0) : ORDER.indexOf(list);
}

/** The class that a method is of. */
function classOf(method: Node): Node | undefined {
  const body = method.parent?.type === "decorated_definition" ? method.parent.parent : method.parent;
  return body?.parent?.type === "class_definition" ? body.parent : undefined;
}
