import type { Node } from "web-tree-sitter";
import type { MountFact, NamedCode, RouterFact } from "../../facts.ts";
import { type Annotated, argument, type Call, callOf, type Grammar } from "./calls.ts";
import { below, type Holder, holderOf, inheritedRouter, simple } from "./inherited.ts";
import { typeIn } from "./known-routers.ts";
import { ASP_NET } from "./frameworks.ts";
import { codeOf } from "./named-code.ts";
import { joined } from "./prefixes.ts";
import type { Added } from "./routers.ts";
import type { Texts } from "./texts.ts";

/** The path that ASP.NET gives a fallback. */
const FALLBACK = "{*path:nonfile}";

/** Pages of Razor, by their areas and the paths of their files. */
const PAGES = /(?:^|\/)(?:Areas\/(\w+)\/)?Pages\/(.*)\.cshtml\.cs$/;

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

/** A class that is a controller, or that controllers inherit from. */
interface Controller {
  holder: Holder;
  body: readonly Node[];
  marks: readonly Attribute[];
  /** What `[controller]` and `[area]` stand for. */
  tokens: { controller: string; area?: string };
  /** The paths that its attributes say. */
  templates: readonly string[];
  hasTemplate: boolean;
  /** Where its actions are that no attribute gives a path: `/Admin/Users`. */
  prefix: string;
  /** All of its public methods are actions; else those that an attribute gives a method of HTTP's. */
  isView: boolean;
}

function controllersIn(root: Node): Controller[] {
  return root.descendantsOfType("class_declaration").flatMap((cls) => {
    const holder = holderOf(cls)!;
    const [, controller = ""] = /^(\w+)Controller$/.exec(holder.name) ?? [];
    const list = cls.namedChildren.find(({ type }) => type === "base_list");
    if ((controller === "" && !holder.isAbstract) || !list) return [];
    const marks = attributesOf(cls);
    const isView = /\b\w*Controller\b/.test(list.text.replace("ControllerBase", "")) && !marks.some(({ name }) => name === "ApiController");
    const area = marks.find(({ name }) => name === "Area");
    const areaName = area && (/"([^"]*)"/.exec(area.node.text)?.[1] ?? "…");
    const routes = marks.filter(({ name }) => name === "Route");
    return [{
      holder, marks, isView, body: cls.childForFieldName("body")?.namedChildren ?? [], tokens: { controller, ...(areaName === undefined ? {} : { area: areaName }) },
      templates: routes.flatMap(({ node }) => /"([^"]*)"/.exec(node.text)?.[1] ?? []), hasTemplate: routes.length > 0, prefix: areaName === undefined ? `/${controller}` : `/${areaName}/${controller}`,
    }];
  });
}

/** What the routes are added to that a class has by the names of its actions, for the classes below it. */
const actionsOf = (type: string): string => `actions of ${type}`;

/** ASP.NET MVC: public methods of controllers, as far as no attribute gives the class or the method a path of its own. Those of an abstract class are where the classes below it are. */
export function actionsByName(root: Node, grammar: Grammar): Action[] {
  return controllersIn(root).flatMap(({ holder, body, marks, tokens: { controller, area }, templates, hasTemplate, prefix, isView }) => {
    // `[Route("[controller]/[action]")]`
    const path = templates.find((one) => one.includes("[action]"));
    if ((hasTemplate && path === undefined) || (!isView && !holder.isAbstract && holder.bases.length === 0)) return [];
    const inherited = hasTemplate ? undefined : inheritedRouter({ ...holder, isAbstract: false }, undefined);
    return body.filter(isPublicMethod).flatMap((node): Action[] => {
      const method = node.childForFieldName("name")!;
      const own = attributesOf(node);
      if (own.some((mark) => /^(?:Route|NonAction|AcceptVerbs)$/.test(mark.name) || (VERB.test(mark.name) && hasTemplateIn(mark.node)))) return [];
      const verbs = own.flatMap((mark) => VERB.exec(mark.name)?.[1]?.toUpperCase() ?? []);
      const isOpen = [...marks, ...own].some((mark) => mark.name === "AllowAnonymous");
      const before = [...marks, ...own].filter((mark) => mark.name === "Authorize" && !isOpen).map((mark) => ({ ...codeOf(mark.node, grammar), text: mark.name }));
      const action = actionName(method.text, /"([^"]*)"/.exec(own.find(({ name }) => name === "ActionName")?.node.text ?? "")?.[1]);
      const tokens = { controller, action, ...(area === undefined ? {} : { area }) };
      // Those with a verb have their routes by their attributes.
      if (path !== undefined) return verbs.length > 0 || !isView ? [] : [{ name: `ANY /${replaced(path.replace(/^\//, ""), tokens)}`, method, before }];
      if (!isView && verbs.length === 0) return [];
      const at = holder.isAbstract ? `/${action}` : `${prefix}/${action}`;
      const router: RouterFact = holder.isAbstract ? { names: [actionsOf(holder.name)], line: 0, own: at, tokens: { action } }
        : { line: 0, ...inherited, names: [...inherited?.names ?? [], ASP_NET], ...(inherited ? { own: at, tokens } : {}) };
      // Where a class says nothing that is surely a controller's, its paths are those of what it inherits from.
      const isPart = holder.isAbstract || !isView;
      return (verbs.length > 0 ? verbs : ["ANY"]).map((verb) => ({ name: `${verb} ${isPart ? "…" : ""}${at}`, method, before, router }));
    });
  });
}

/** The name of an action: what an attribute says, else that of its method, without the end that ASP.NET takes away. */
function actionName(method: string, said: string | undefined): string {
  return said ?? method.replace(/(?<=.)Async$/, "");
}

/** ASP.NET: controllers have the routes of the classes above them, in the place of these, under the paths of their own or under those that the classes above say. */
export function inheritedActions(root: Node): MountFact[] {
  return controllersIn(root).flatMap(({ holder, tokens, templates, hasTemplate, prefix }) => {
    const { name, isAbstract } = holder;
    const at = { line: 0, endLine: 0 };
    return holder.bases.flatMap((node): MountFact[] => {
      const [base, line] = [simple(node), node.startPosition.row + 1];
      const target = { text: base, names: [base], line, endLine: line };
      const actions = { ...target, names: [base, actionsOf(base)] };
      if (hasTemplate) return templates.map((path) => ({ prefix: replaced(path, tokens), target: actions, overrides: true, into: { names: [], line: 0 } }));
      if (!isAbstract) {
        const into = { names: [below(base)], line: 0, tokens };
        return [{ prefix: "", target, overrides: true, into }, { prefix, target: actions, into }];
      }
      return [
        { prefix: "…", target, overrides: true, into: { names: [name], line: 0 } },
        { prefix: "…", target: actions, into: { names: [actionsOf(name)], line: 0 } },
        { prefix: "", target: { text: name, names: [below(name)], ...at }, into: { names: [below(base)], line: 0 } },
      ];
    });
  });
}

function isPublicMethod(node: Node): boolean {
  const modifiers = node.namedChildren.filter(({ type }) => type === "modifier").map(({ text }) => text);
  return node.type === "method_declaration" && modifiers.includes("public") && !modifiers.includes("static") && !modifiers.includes("override");
}

/** Whether an attribute says a path: `[HttpGet("x")]`, `[HttpGet(Paths.One)]`, but not `[HttpGet(Name = "one")]`. */
function hasTemplateIn(attribute: Node): boolean {
  return /^\w+\(\s*(?!\w+\s*=)\S/.test(attribute.text);
}

interface Attribute {
  name: string;
  node: Node;
}

function attributesOf(node: Node): Attribute[] {
  return node.namedChildren.filter(({ type }) => type === "attribute_list").flatMap((list) => list.namedChildren.filter(({ type }) => type === "attribute"))
    .map((attribute) => ({ name: (attribute.childForFieldName("name")?.text ?? "").replace(/Attribute$/, ""), node: attribute }));
}

/** What names in brackets stand for in the paths of a controller, `[controller]/[action]`, and of one of its methods. */
export function tokensOf(controller: Annotated | undefined, method: Annotated | undefined): Record<string, string> {
  const said = (name: string, of: Annotated | undefined): string | undefined => /"([^"]*)"/.exec(of?.annotations.find((one) => one.name === name)?.node.text ?? "")?.[1];
  const name = (controller?.name ?? typeAround(method?.node))?.text.replace(/Controller$/, "");
  const area = said("Area", controller);
  const action = method && actionName(method.name.text, said("ActionName", method));
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

/** What is said of a route, in one chain. */
const MAX_CALLS = 50;

/** What an application runs before the controllers below its folder: `app.UseMiddleware<Audit>(); app.MapControllers();` */
export function controllerMiddlewares(root: Node, grammar: Grammar): MountFact[] {
  const used = root.descendantsOfType("invocation_expression").filter((node) => callOf(node, grammar)?.name === "UseMiddleware" && !isInBranch(node)).flatMap((node) => typeIn(node));
  const target = { text: ASP_NET, names: [ASP_NET], line: 0, endLine: 0 };
  return used.length === 0 ? [] : [{ prefix: "", target, before: used.map(({ node }) => codeOf(node, grammar)), runs: {} }];
}

/** Whether a call stands in a function that is handed on, `app.UseWhen(isApi, api => api.UseMiddleware<Audit>())`. */
function isInBranch(node: Node): boolean {
  for (let at = node.parent; at; at = at.parent) if (at.type === "lambda_expression") return true;
  return false;
}

/** ASP.NET: the filters of `MapGet("/x", list).AddEndpointFilter<Audit>()`, in their order. */
export function filtersBehind(node: Node, grammar: Grammar): NamedCode[] {
  const filters: NamedCode[] = [];
  let call = node.parent?.parent;
  for (let i = 0; i < MAX_CALLS && call?.type === "invocation_expression" && call.firstNamedChild?.type === "member_access_expression"; i++, call = call.parent?.parent) {
    const { name = "", args = [] } = callOf(call, grammar) ?? {};
    if (!name.startsWith("AddEndpointFilter")) continue;
    const given = args.length === 0 ? typeIn(call) : args.filter(({ node: one }) => !grammar.functions.test(one.type));
    filters.push(...given.map(({ node: one }) => codeOf(one, grammar)));
  }
  return filters;
}

/** What one action answers under a path of its own, `MapControllerRoute("blog", "blog/{*article}", new { controller = "Blog", action = "Article" })`, what answers where no route does, by a function or by the action of a controller, and checks of health, which no code of the repository answers; undefined for another call. */
export function endpoint({ name, args, node }: Call, texts: Texts, grammar: Grammar): Added | undefined {
  const said = args.map((one) => texts.one(one.node));
  const added = (path: string | undefined, handler: NamedCode | undefined): Added => ({ method: "ANY", path: path ?? FALLBACK, call: node, before: [], handler });
  if (name === "MapHealthChecks") return said[0] === undefined ? undefined : added(said[0], undefined);
  const last = args.at(-1)?.node;
  if (!last) return undefined;
  if (name === "MapControllerRoute") {
    const [pattern, defaults] = [texts.one(argument(args.filter((one, i) => one.name !== "" || i === 1), ["pattern"])), argument(args.filter((one, i) => one.name !== "" || i === 2), ["defaults"])];
    const [controller, action] = ["controller", "action"].map((key) => new RegExp(`\\b${key}\\s*=\\s*"(\\w+)"`).exec(defaults?.text ?? "")?.[1]);
    // What has the names of actions in it leads to all of them.
    return controller === undefined || action === undefined || pattern === undefined || /\{(?:controller|action)\b/.test(pattern) ? undefined : added(pattern, { ...codeOf(last, grammar), text: `${controller}Controller@${action}`, names: [] });
  }
  if (name === "MapFallback") return added(args.length > 1 ? said[0] ?? texts.hole(args[0]!.node) : undefined, codeOf(last, grammar));
  const [controller, action, path] = said.toReversed();
  return controller === undefined || action === undefined ? undefined : added(path, { ...codeOf(last, grammar), text: `${controller}Controller@${action}`, names: [] });
}

/** The router of the handlers of a page of Razor, whose template may say a path: `@page "{id:int}"`. */
const PAGE = "@page";

/** What the template of a page, `Pages/Edit.cshtml`, puts its handlers under; undefined where it says no path. */
export function pageMount(path: string, template: string): MountFact | undefined {
  const [, area, page] = PAGES.exec(`${path}.cs`) ?? [];
  const said = /^\s*(?:@\*[\s\S]*?\*@\s*)?@page[ \t]+"([^"\n]*)"/.exec(template)?.[1];
  if (page === undefined || said === undefined) return undefined;
  const prefix = /^[~/]/.test(said) ? said.replace(/^~/, "") : joined(pathOf(area, page), said);
  return { prefix, target: { text: PAGE, names: [PAGE], line: 1, endLine: 1 }, file: `${path}.cs`, overrides: true };
}

function pathOf(area: string | undefined, page: string): string {
  return `${area === undefined ? "" : `/${area}`}/${page.replace(/(?:^|\/)Index$/, "")}`;
}

/** Razor Pages: the methods of a page's class that answer, by the path of its file: `OnGet`, `OnPostDeleteAsync`. */
export function pageHandlers(root: Node, path: string): Action[] {
  const [, area, page] = PAGES.exec(path) ?? [];
  if (page === undefined) return [];
  const at = pathOf(area, page);
  const router: RouterFact = { names: [PAGE], line: 0, own: at };
  return root.descendantsOfType("class_declaration").filter((cls) => holderOf(cls)!.bases.length > 0).flatMap((cls) => (
    (cls.childForFieldName("body")?.namedChildren ?? []).filter(isPublicMethod).flatMap((node) => {
      const method = node.childForFieldName("name")!;
      const [, verb, handler = ""] = /^On(Get|Post|Put|Delete|Patch|Head)(\w*?)(?:Async)?$/.exec(method.text) ?? [];
      return verb === undefined ? [] : [{ name: `${verb.toUpperCase()} ${at}${handler === "" ? "" : `?handler=${handler}`}`, method, before: [], router }];
    })
  ));
}
