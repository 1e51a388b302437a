import type { Node } from "web-tree-sitter";
import type { NamedCode, RouterFact } from "../../facts.ts";
import type { Annotated, Call, Grammar } from "./calls.ts";
import { holderOf, inheritedRouter } from "./inherited.ts";
import { codeOf } from "./known-routers.ts";
import type { Added } from "./routers.ts";
import type { Texts } from "./texts.ts";

/** The path that ASP.NET gives a fallback. */
const FALLBACK = "{*path:nonfile}";

const VERB = /^Http(Get|Post|Put|Delete|Patch|Head|Options)$/;

/** An action that the default route of an application leads to, `{controller}/{action}`. */
export interface Action {
  name: string;
  /** The name of the method. */
  method: Node;
  before: NamedCode[];
  /** A class above may say another path. */
  router?: RouterFact;
}

/** ASP.NET MVC: public methods of controllers, as far as no attribute gives the class or the method a path of its own. */
export function actionsByName(root: Node, grammar: Grammar): Action[] {
  return root.descendantsOfType("class_declaration").flatMap((cls) => {
    const [, controller] = /^(\w+)Controller$/.exec(cls.childForFieldName("name")?.text ?? "") ?? [];
    const marks = attributesOf(cls);
    const isView = cls.namedChildren.some((child) => child.type === "base_list" && /\b\w*Controller\b/.test(child.text.replace("ControllerBase", "")));
    if (controller === undefined || !isView || marks.some(({ name }) => name === "ApiController")) return [];
    // `[Route("[controller]/[action]")]`
    const template = marks.find(({ name }) => name === "Route");
    const [, path] = template ? /"([^"]*\[action\][^"]*)"/.exec(template.node.text) ?? [] : [];
    if (template && path === undefined) return [];
    const area = marks.find(({ name }) => name === "Area");
    const areaName = area && (/"([^"]*)"/.exec(area.node.text)?.[1] ?? "…");
    const prefix = area ? `/${areaName}/${controller}` : `/${controller}`;
    const inherited = template ? undefined : inheritedRouter(holderOf(cls)!, undefined);
    return (cls.childForFieldName("body")?.namedChildren ?? []).filter(isPublicMethod).flatMap((node) => {
      const name = node.childForFieldName("name")!;
      const own = attributesOf(node);
      if (own.some((mark) => /^(?:Route|NonAction|AcceptVerbs|ActionName)$/.test(mark.name) || (VERB.test(mark.name) && hasTemplate(mark.node)))) return [];
      const verbs = own.flatMap((mark) => VERB.exec(mark.name)?.[1]?.toUpperCase() ?? []);
      const before = [...marks, ...own].filter((mark) => mark.name === "Authorize").map((mark) => ({ ...codeOf(mark.node, grammar), text: mark.name }));
      // Those with a verb have their routes by their attributes.
      const tokens = { controller, action: name.text, ...(areaName === undefined ? {} : { area: areaName }) };
      if (path !== undefined) return verbs.length > 0 ? [] : [{ name: `ANY /${replaced(path.replace(/^\//, ""), tokens)}`, method: name, before }];
      const at = `${prefix}/${name.text}`;
      return (verbs.length > 0 ? verbs : ["ANY"]).map((verb) => ({ name: `${verb} ${at}`, method: name, before, ...(inherited ? { router: { ...inherited, own: at, tokens } } : {}) }));
    });
  });
}

function isPublicMethod(node: Node): boolean {
  const modifiers = node.namedChildren.filter(({ type }) => type === "modifier").map(({ text }) => text);
  return node.type === "method_declaration" && modifiers.includes("public") && !modifiers.includes("static") && !modifiers.includes("override");
}

/** Whether an attribute says a path: `[HttpGet("x")]`, `[HttpGet(Paths.One)]`, but not `[HttpGet(Name = "one")]`. */
function hasTemplate(attribute: Node): boolean {
  return /^\w+\(\s*(?!\w+\s*=)\S/.test(attribute.text);
}

function attributesOf(node: Node): { name: string; node: Node }[] {
  return node.namedChildren.filter(({ type }) => type === "attribute_list").flatMap((list) => list.namedChildren.filter(({ type }) => type === "attribute"))
    .map((attribute) => ({ name: (attribute.childForFieldName("name")?.text ?? "").replace(/Attribute$/, ""), node: attribute }));
}

/** What names in brackets stand for in the paths of a controller, `[controller]/[action]`, and of one of its methods. */
export function tokensOf(controller: Annotated | undefined, method: Annotated | undefined): Record<string, string> {
  const said = (name: string, of: Annotated | undefined): string | undefined => /"([^"]*)"/.exec(of?.annotations.find((one) => one.name === name)?.node.text ?? "")?.[1];
  const name = (controller?.name ?? typeAround(method?.node))?.text.replace(/Controller$/, "");
  const area = said("Area", controller);
  const action = said("ActionName", method) ?? method?.name.text;
  return { ...(name === undefined ? {} : { controller: name }), ...(area === undefined ? {} : { area }), ...(action === undefined ? {} : { action }) };
}

function typeAround(node: Node | undefined): Node | undefined {
  for (let at = node; at; at = at.parent ?? undefined) if (at.type === "class_declaration") return at.childForFieldName("name") ?? undefined;
  return undefined;
}

/** A path for each version of a controller, or of a method, that it has in it: `v{version:apiVersion}`. */
export function versionsOf(path: string, controller: Annotated | undefined, method: Annotated, texts: Texts): string[] {
  const said = (name: string, of: Annotated | undefined): string[] => (of?.annotations ?? []).filter((one) => one.name === name).flatMap(({ args }) => texts.one(args[0]?.node) ?? []);
  const place = /\{\w+:apiVersion\}/;
  const [own, all] = [[...said("MapToApiVersion", method), ...said("ApiVersion", method)], said("ApiVersion", controller)];
  const versions = place.test(path) ? (own.length > 0 ? own : all) : [];
  return versions.length === 0 ? [path] : versions.map((version) => path.replace(place, version.replace(/\.0$/, "")));
}

/** A path with what the names in brackets stand for. */
export function replaced(path: string, tokens: Readonly<Record<string, string>>): string {
  return path.replace(/\[(\w+)\]/g, (whole, name: string) => tokens[name] ?? whole);
}

/** What answers where no route does, by a function or by the action of a controller, and checks of health, which no code of the repository answers; undefined for another call. */
export function endpoint({ name, args, node }: Call, texts: Texts, grammar: Grammar): Added | undefined {
  const said = args.map((one) => texts.one(one.node));
  const added = (path: string | undefined, handler: NamedCode | undefined): Added => ({ method: "ANY", path: path ?? FALLBACK, call: node, before: [], handler });
  if (name === "MapHealthChecks") return said[0] === undefined ? undefined : added(said[0], undefined);
  const last = args.at(-1)?.node;
  if (!last) return undefined;
  if (name === "MapFallback") return added(args.length > 1 ? said[0] ?? texts.hole(args[0]!.node) : undefined, codeOf(last, grammar));
  const [controller, action, path] = said.toReversed();
  return controller === undefined || action === undefined ? undefined : added(path, { ...codeOf(last, grammar), text: `${controller}Controller@${action}`, names: [] });
}

/** Razor Pages: the methods of a page's class that answer, by the path of its file: `OnGet`, `OnPostDeleteAsync`. */
export function pageHandlers(root: Node, path: string): Action[] {
  const [, area, page] = /(?:^|\/)(?:Areas\/(\w+)\/)?Pages\/(.*)\.cshtml\.cs$/.exec(path) ?? [];
  if (page === undefined) return [];
  const at = `${area === undefined ? "" : `/${area}`}/${page.replace(/(?:^|\/)Index$/, "")}`;
  return root.descendantsOfType("class_declaration").filter((cls) => holderOf(cls)!.bases.length > 0).flatMap((cls) => (
    (cls.childForFieldName("body")?.namedChildren ?? []).filter(isPublicMethod).flatMap((node) => {
      const method = node.childForFieldName("name")!;
      const [, verb, handler = ""] = /^On(Get|Post|Put|Delete|Patch|Head)(\w*?)(?:Async)?$/.exec(method.text) ?? [];
      return verb === undefined ? [] : [{ name: `${verb.toUpperCase()} ${at}${handler === "" ? "" : `?handler=${handler}`}`, method, before: [] }];
    })
  ));
}
