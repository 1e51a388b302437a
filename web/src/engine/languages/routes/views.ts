import type { Node } from "web-tree-sitter";
import type { ClassName, RegisteredSets, RouteFact, ViewFact } from "../../facts.ts";
import type { Annotation } from "./calls.ts";
import type { Code, Declared } from "./code.ts";
import type { Imports } from "./imports.ts";
import type { Texts } from "./texts.ts";
import { FOR_ALL, FOR_ONE, silence } from "../../view-answers.ts";

/** What a file with such views, or with what gives them methods, has in it. */
const FUNCTIONS = /\b(?:require_\w+|api_view)\b/;
const CLASSES = /^class\s+\w.*(?:View|ViewSet|Mixin|Resource)\b/m;
const ACTIONS = /^(?:list|create|retrieve|update|partial_update|destroy)$/;
const METHODS = /^(?:get|post|put|patch|delete|head|options)$/;
/** What a class may say of its methods that is not read here: of Flask, of one that it takes over, or makes of others. */
const OPEN = /^[ \t]*methods\s*[:=]|^[ \t]*(?:list|create|retrieve|update|partial_update|destroy|get|post|put|patch|delete|http_method_names)\s*(?::[^=\n]*)?=/m;
const ONLY = /^[ \t]*http_method_names\s*(?::[^=\n]*)?=\s*[[(]((?:\s*["']\w+["']\s*,)*(?:\s*["']\w+["'])?)\s*[\])][ \t]*(?:#.*)?$/m;
const METHODS_SAID = /^[ \t]*methods\s*(?::[^=\n]*)?=\s*[[({]((?:\s*["']\w+["']\s*,)*(?:\s*["']\w+["'])?)\s*[\])}][ \t]*(?:#.*)?$/m;
/** What classes of Django, its REST framework and Flask answer by themselves: methods, and actions of sets. */
const ANSWERS: Readonly<Record<string, string>> = {
  View: "", MethodView: "", Resource: "", APIView: "", GenericAPIView: "", TemplateView: "GET", ListView: "GET", DetailView: "GET", CreateView: "GET POST", UpdateView: "GET POST", DeleteView: "GET POST", FormView: "GET POST",
  ListAPIView: "GET", RetrieveAPIView: "GET", CreateAPIView: "POST", DestroyAPIView: "DELETE", UpdateAPIView: "PUT PATCH", ListCreateAPIView: "GET POST",
  RetrieveUpdateAPIView: "GET PUT PATCH", RetrieveDestroyAPIView: "GET DELETE", RetrieveUpdateDestroyAPIView: "GET PUT PATCH DELETE",
  LoginRequiredMixin: "", PermissionRequiredMixin: "", UserPassesTestMixin: "", AccessMixin: "",
  ViewSetMixin: "", ViewSet: "", GenericViewSet: "", ModelViewSet: "list create retrieve update partial_update destroy", ReadOnlyModelViewSet: "list retrieve",
  ListModelMixin: "list", CreateModelMixin: "create", RetrieveModelMixin: "retrieve", UpdateModelMixin: "update partial_update", DestroyModelMixin: "destroy",
};

/** A router that may make other routes of a set than those of Django's REST framework. */
const OWN_ROUTER = /\b(\w*(?<!Default|Simple)Router)\s*\(/g;
/** A class of the file that inherits from one of the framework's routers, with its body. */
const HEIR = /^class\s+(\w*Router)\s*\(\s*(?:\w+\.)*(?:Default|Simple)Router\s*\)\s*:((?:.*\n(?=[ \t\n]))*.*)/gm;
/** What such a class says of the routes of sets. */
const OTHER_ROUTES = /^[ \t]+(?:routes\b|def\s+get_(?:dynamic_)?routes?\b)/m;

/** What an object of a set of Django's REST framework goes by in paths, where its class says nothing else. */
const PK = "pk";

/** The parameter for an object of a set, as its class says it: `lookup_url_kwarg = "slug"`, `lookup_field = "slug"`. */
export function lookupOf(cls: Node): string {
  return saidLookup(cls) ?? PK;
}

function saidLookup(cls: Node): string | undefined {
  const said = (name: string): string | undefined => new RegExp(`^[ \\t]*${name}\\s*(?::\\s*str\\s*)?=\\s*["'](\\w+)["']`, "m").exec(cls.childForFieldName("body")?.text ?? "")?.[1];
  return said("lookup_url_kwarg") ?? said("lookup_field");
}

/** What the views of a file answer, by the name of the function or class. */
export function answersOf(code: Code): Record<string, ViewFact> | undefined {
  const { root, source, texts } = code;
  const [hasFunctions, hasClasses] = [FUNCTIONS.test(source) && /\b(?:django|rest_framework)\b/.test(source), CLASSES.test(source)];
  const found: Record<string, ViewFact> = {};
  for (const { node, name, annotations } of hasFunctions ? code.annotated : []) {
    const answers = node.type === "function_definition" ? annotations.flatMap((one) => methodsOf(one, texts)) : [];
    if (answers.length > 0) found[name.text] = { answers };
  }
  for (const cls of hasClasses ? root.descendantsOfType("class_definition") : []) {
    if (cls.parent?.parent?.type !== "class_definition") found[cls.childForFieldName("name")?.text ?? ""] = ofClass(cls, code.imports);
  }
  return Object.keys(found).length > 0 ? found : undefined;
}

/** The sets of views that routes of a file are of, and those of its routes that are not `silent`. */
export function registered(routes: readonly Declared[], { source, imports }: Code, silent: readonly string[]): { routes: readonly Declared[]; sets?: RegisteredSets } {
  const names = [...new Set(routes.flatMap(({ route }) => setOf(route, imports) ?? []))];
  if (names.length === 0 || hasOwnRouter(source)) return { routes };
  const isSilent = ({ route }: Declared): boolean => silent.length > 0 && silent.includes(silence(setOf(route, imports) ?? "", route.actions ?? []));
  return { routes: routes.filter((one) => !isSilent(one)), sets: { names, silent } };
}

/** Whether a file makes a router that is not known to make the routes of the framework's. */
function hasOwnRouter(source: string): boolean {
  const heirs = new Set([...source.matchAll(HEIR)].flatMap(([, name, body]) => (OTHER_ROUTES.test(body!) ? [] : [name])));
  return [...source.matchAll(OWN_ROUTER)].some(([, name]) => !heirs.has(name));
}

/** The name of the set whose actions a route runs that a router makes of it. */
function setOf({ actions, handler }: RouteFact, imports: Imports): ClassName | undefined {
  const isOfRouter = actions?.[0] === FOR_ALL[0] || actions?.[0] === FOR_ONE[0];
  return isOfRouter && /^\w+(?:\.\w+)*$/.test(handler?.text ?? "") ? classNamed(handler!.text, imports) : undefined;
}

function classNamed(dotted: string, imports: Imports): ClassName {
  const top = imports.topOf(dotted);
  const name = dotted.split(".").at(-1)!;
  return top === undefined ? name : `${top}/${name}`;
}

/** HTTP's methods that a view of Django's own answers, `TemplateView.as_view(…)`; none for another. */
export function ownMethods(callee: string, imports: Imports): readonly string[] {
  const [, dotted = "", name = ""] = /^((?:\w+\.)*(\w+))\.as_view$/.exec(callee) ?? [];
  return imports.topOf(dotted) === "django" && Object.hasOwn(ANSWERS, name) ? ANSWERS[name]!.match(/\w+/g) ?? [] : [];
}

function methodsOf({ name, args }: Annotation, texts: Texts): string[] {
  const said = args[0] ? texts.all(args[0].node).map((one) => one.toUpperCase()) : [];
  switch (name) {
    case "require_http_methods": return said;
    case "api_view": return args.length > 0 ? said : ["GET"];
    case "require_GET": return ["GET"];
    case "require_POST": return ["POST"];
    case "require_safe": return ["GET", "HEAD"];
    default: return [];
  }
}

function ofClass(cls: Node, imports: Imports): ViewFact {
  const above = (cls.childForFieldName("superclasses")?.namedChildren ?? []).filter(({ type }) => type !== "keyword_argument" && type !== "comment");
  const all = above.map(({ text }) => text.replace(/\[.*/s, ""));
  const names = all.map((text) => text.split(".").at(-1)!);
  const body = cls.childForFieldName("body");
  const text = body?.text ?? "";
  const only = ONLY.exec(text);
  const own = (body?.namedChildren ?? []).map((one) => (one.childForFieldName("definition") ?? one).childForFieldName("name")?.text ?? "");
  // Flask: one function answers all methods that the class says, or GET.
  const said = METHODS_SAID.exec(text);
  const isOne = own.includes("dispatch_request") && all.every((one) => /^(?:flask\.)?(?:views\.)?View$/.test(one));
  if (isOne && (said ?? !/^[ \t]*methods\b/m.test(text))) return { answers: said?.[1]!.toUpperCase().match(/\w+/g) ?? ["GET"] };
  const rest = only ? text.replace(only[0], "") : text;
  if (OPEN.test(rest) || /\bhttp_method_names\b/.test(rest) || all.some((text) => !/^[\w.]+$/.test(text))) return { answers: [], open: true };
  const given = names.flatMap((name) => (Object.hasOwn(ANSWERS, name) ? ANSWERS[name]!.split(" ") : [])).filter((one) => one !== "");
  const bases = all.filter((_, i) => names[i] !== "object" && !Object.hasOwn(ANSWERS, names[i]!)).map((text) => classNamed(text, imports));
  const lookup = saidLookup(cls);
  return {
    answers: [...new Set([...given, ...own.flatMap((name) => (ACTIONS.test(name) ? name : METHODS.test(name) ? name.toUpperCase() : []))])],
    ...(bases.length > 0 ? { bases } : {}), ...(lookup === undefined || lookup === PK ? {} : { lookup }), ...(only ? { only: only[1]!.toUpperCase().match(/\w+/g) ?? [] } : {}),
  };
}
