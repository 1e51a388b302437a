import { openScope, runMethod, newMethod } from "./declarations.ts";
import { statements } from "./expressions.ts";
import { type Offset, Op } from "./facts.ts";
import { camelized, isInApp, isTemplate, underscored, viewAt, VIEW } from "./paths.ts";
import { option } from "./macros.ts";
import { nameIn } from "./names.ts";
import { classNamed, constantNamed } from "./records.ts";
import type { Unit } from "./unit.ts";

/*
 * What Rails makes of templates, helpers and controllers: a template is a method of an object that has all helpers, and the variables of
 * the controller or mailer that its folder is named for. All such objects are of one class here, which no constant names.
 */

/** The code of a template. */
export function template(u: Unit): void {
  const inside = (loose = false): Offset => {
    runMethod(u, newMethod(u.path, -1, u.scope), { returns: "", parameters: new Map() }, () => {
      if (loose) u.context = u.addContext({ loose });
      bindPartial(u);
      return statements(u, 0);
    });
    return 0;
  };
  const [, component] = /(?:^|\/)app\/components\/([^.]+)\.[^/]*$/.exec(u.path) ?? [];
  if (component !== undefined) {
    openScope(u, { kind: "reopened", name: camelized(component), superclass: 0, symbol: -1, line: 1 }, () => inside());
  } else if (/(?:^|\/)app\/views\//.test(u.path)) {
    const [, folder = ""] = /^(.*)\/[^/]*$/.exec(viewAt(u.path)?.name ?? "") ?? [];
    const owner = folder === "layouts" ? "ApplicationController" : /mailer$/.test(folder) ? camelized(folder) : `${camelized(folder)}Controller`;
    const scope = folder === "" ? -1 : u.scopes.push({ kind: "variables", name: owner, parent: 0, symbol: -1, superclass: 0, line: 1 }) - 1;
    inViews(u, () => {
      if (scope >= 0) u.variables = u.contexts.push({ scope, singleton: false, method: -1, loose: false }) - 1;
      inside();
      u.variables = -1;
    });
  } else {
    // Elsewhere it is not known of which object a template is run.
    inside(true);
  }
}

/** Runs `inside` as the body of the class whose objects run templates. */
function inViews(u: Unit, inside: () => void): void {
  openScope(u, { kind: "class", name: `::${VIEW}`, superclass: constantNamed(u, "::ActionView::Base"), symbol: -1, line: 1 }, () => {
    inside();
    return 0;
  });
}

/** What a partial is given under its own name: `posts/_post.html.erb` gets a `post`, which is a Post. */
function bindPartial(u: Unit): void {
  const [, folder = "", name] = /(?:^|([^/]+)\/)_([^/.]+)\.[^/]*$/.exec(u.path) ?? [];
  if (name === undefined) return;
  const cls = classNamed(name);
  const own = name !== folder && classNamed(folder) === cls ? u.emit(Op.Documented, u.str(cls), u.scope) : u.emit(Op.Unknown);
  u.bind(name, own);
  for (const more of ["counter", "iteration"]) u.bind(`${name}_${more}`, u.emit(Op.Unknown));
}

/** Gives to all templates the module that a file of helpers is there for. */
export function helpers(u: Unit): void {
  const [, path] = /(?:^|\/)app\/helpers\/(?:concerns\/)?(.+)\.rb$/.exec(u.path) ?? [];
  if (path === undefined) return;
  const names: string[] = [];
  for (const [scope, { kind, name, parent, line }] of u.scopes.entries()) {
    names.push(parent > 0 ? `${names[parent]!}::${name}` : name);
    if (kind === "module" && underscored(names[scope]!) === path) mixIn(u, u.emit(Op.Made, scope), line);
  }
}

/** `helper :posts`, `helper PostsHelper` */
export function mixIn(u: Unit, value: Offset, line: number): void {
  inViews(u, () => {
    u.mixins.push({ how: "include", scope: u.scope, target: 0, value, line });
  });
}

/** `helper_method :name`: templates have that method of a controller, too. */
export function handOver(u: Unit, handed: readonly { name: string; scope: number }[]): void {
  if (handed.length === 0) return;
  const names = new Set(handed.map(({ name, scope }) => `${scope} ${name}`));
  const methods = u.methods.filter(({ name, scope, side, of }) => side === "instance" && of === undefined && names.has(`${scope} ${name}`));
  inViews(u, () => {
    for (const method of methods) u.methods.push({ ...method, scope: u.scope });
  });
}

// What is rendered

/** `render "posts/form"`, `render partial: "form"`, `render :edit`, and `erb :index` of Sinatra. */
export function rendered(u: Unit, call: string, receiver: number, args: readonly number[]): void {
  const [first] = args;
  if (first === undefined || (receiver !== 0 && call === "erb")) return;
  if (call === "erb") {
    view(u, nameIn(u, first), first);
    return;
  }
  const isView = isTemplate(u.path);
  if (!isView && !isInApp(u.path)) return;
  const own = nameIn(u, first);
  if (own === undefined) ownPartial(u, first);
  else view(u, isView ? partial(own) : own, first);
  for (const [key, toName] of [["partial", partial], ["template", same], ["action", same], ["layout", isView ? partial : inLayouts]] as const) {
    const value = option(u, args, key);
    const name = value ? nameIn(u, value) : undefined;
    if (name !== undefined) view(u, toName(name), value);
  }
}

/** `render @posts`, `render post.author`: each object by the partial that is named for its class, where the name of what gives it names that. */
function ownPartial(u: Unit, node: number): void {
  const { syntax } = u;
  const last = syntax.kind(node) === "call" && !syntax.part(node, "arguments") ? syntax.part(node, "method") : node;
  if (!/^(?:identifier|instance_variable)$/.test(syntax.kind(last))) return;
  const name = syntax.text(last).replace(/^@/, "");
  const one = underscored(classNamed(name));
  const many = name === one ? `${name.replace(/y$/, "ie")}s` : name;
  u.imports.push({ kind: "object", path: `${many}/_${one}`, line: syntax.line(node) });
}

const same = (name: string): string => name;
const inLayouts = (name: string): string => `layouts/${name}`;

/** The template of a partial begins with `_`. */
function partial(name: string): string {
  return name.replace(/[^/]*$/, "_$&");
}

/** Says that a template is rendered; one without a folder is of the file's own. */
export function view(u: Unit, name: string | undefined, node: number): void {
  if (name === undefined || !/^\/?[\w-]+(?:\/[\w-]+)*(?:\.[\w.]+)?$/.test(name)) return;
  const plain = name.replace(/^\/|\..*$/g, "");
  const line = u.syntax.line(node);
  const folder = plain.includes("/") ? "" : folderOf(u);
  u.imports.push(folder === "" ? { kind: "view", path: plain, line } : { kind: "view", path: `${folder}/${plain}`, or: `application/${plain}`, line });
}

/** The folder of the templates that belong to a file, or to the class around. */
function folderOf(u: Unit): string {
  const own = viewAt(u.path)?.name;
  if (own !== undefined) return own.replace(/\/?[^/]*$/, "");
  const [, path] = /(?:^|\/)app\/(?:controllers|mailers)\/(?:concerns\/)?(.+?)(?:_controller)?\.rb$/.exec(u.path) ?? [];
  return path ?? "";
}
