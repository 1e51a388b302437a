import type { Node } from "web-tree-sitter";
import type { Annotation } from "./calls.ts";
import type { Code } from "./code.ts";
import type { Texts } from "./texts.ts";
import { LOOKUP } from "../../mounts.ts";

/** What a file with such views has in it. */
const MARKS = /\b(?:require_\w+|api_view)\b|^class\s+\w+\(.*\b\w*(?:View|ViewSet)\b/m;
const ACTIONS = /^(?:list|create|retrieve|update|partial_update|destroy)$/;
const METHODS = /^(?:get|post|put|patch|delete|head|options)$/;
/** What classes of Django, its REST framework and Flask answer by themselves: methods, and actions of sets. */
const ANSWERS: Readonly<Record<string, string>> = {
  View: "", MethodView: "", APIView: "", GenericAPIView: "", TemplateView: "GET", ListView: "GET", DetailView: "GET", CreateView: "GET POST", UpdateView: "GET POST", DeleteView: "GET POST", FormView: "GET POST",
  ListAPIView: "GET", RetrieveAPIView: "GET", CreateAPIView: "POST", DestroyAPIView: "DELETE", UpdateAPIView: "PUT PATCH", ListCreateAPIView: "GET POST",
  RetrieveUpdateAPIView: "GET PUT PATCH", RetrieveDestroyAPIView: "GET DELETE", RetrieveUpdateDestroyAPIView: "GET PUT PATCH DELETE",
  ViewSet: "", GenericViewSet: "", ModelViewSet: "list create retrieve update partial_update destroy", ReadOnlyModelViewSet: "list retrieve",
  ListModelMixin: "list", CreateModelMixin: "create", RetrieveModelMixin: "retrieve", UpdateModelMixin: "update partial_update", DestroyModelMixin: "destroy",
};

/** What an object of a set of Django's REST framework goes by in paths, where its class says nothing else. */
const PK = "pk";

/** The parameter for an object of a set, as its class says it: `lookup_url_kwarg = "slug"`, `lookup_field = "slug"`. */
export function lookupOf(cls: Node): string {
  const said = (name: string): string | undefined => new RegExp(`^\\s*${name}\\s*(?::\\s*str\\s*)?=\\s*["'](\\w+)["']`, "m").exec(cls.childForFieldName("body")?.text ?? "")?.[1];
  return said("lookup_url_kwarg") ?? said("lookup_field") ?? PK;
}

/** HTTP's methods that the views of a file answer, and actions of sets of views, by the name of the function or class, where the file says all of them. */
export function answersOf(code: Code): Record<string, readonly string[]> | undefined {
  const { root, source, texts } = code;
  if (!MARKS.test(source) || !/\b(?:django|rest_framework|flask)\b/.test(source)) return undefined;
  const found: Record<string, readonly string[]> = {};
  for (const { node, name, annotations } of code.annotated) {
    const methods = node.type === "function_definition" ? annotations.flatMap((one) => methodsOf(one, texts)) : [];
    if (methods.length > 0) found[name.text] = methods;
  }
  for (const cls of root.descendantsOfType("class_definition")) {
    const answers = ofClass(cls);
    if (answers && answers.length > 0) found[cls.childForFieldName("name")!.text] = answers;
  }
  return Object.keys(found).length > 0 ? found : undefined;
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

function ofClass(cls: Node): string[] | undefined {
  const bases = (cls.childForFieldName("superclasses")?.namedChildren ?? []).map(({ text }) => text.split(".").at(-1)!);
  const known = bases.flatMap((base) => ANSWERS[base] ?? []);
  // What other classes answer is not known here.
  if (known.length === 0 || bases.some((base) => ANSWERS[base] === undefined && !base.endsWith("Mixin"))) return undefined;
  const body = cls.childForFieldName("body");
  if (!body || /\bhttp_method_names\b|^\s*methods\s*[:=]/m.test(body.text)) return undefined;
  const own = body.namedChildren.map((one) => (one.childForFieldName("definition") ?? one).childForFieldName("name")?.text ?? "");
  const isSet = bases.some((base) => base.endsWith("ViewSet"));
  const lookup = isSet ? lookupOf(cls) : PK;
  return [...(lookup === PK ? [] : [LOOKUP + lookup]), ...new Set([...known.flatMap((all) => all.split(" ")), ...own.flatMap((name) => (isSet ? ACTIONS.test(name) ? name : [] : METHODS.test(name) ? name.toUpperCase() : []))])].filter((one) => one !== "");
}
