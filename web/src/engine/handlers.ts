import { ClassFilters } from "./class-filters.ts";
import type { NamedCode, RouteFact } from "./facts.ts";
import { exportedHandlers, mountedRoutes } from "./mounts.ts";
import type { Anchor, ParsedFile, Relation } from "./relations.ts";
import { sameCalls } from "./stored.ts";
import { SURE } from "./summary.ts";

/** A handler that is named by the name of its class. */
const BY_NAME = 0.9;
/** One of several of that name. */
const ONE_OF_SEVERAL = 0.6;
const MAX_NAMED = 4;
/** Methods of a class that a framework calls for each request, and for those with the HTTP method of that name. */
const FOR_ALL: ReadonlySet<string> = new Set(["dispatch_request", "ServeHTTP"]);
/** Methods of what frameworks run before a handler: middlewares of Laravel, PSR-15, ASP.NET and Starlette, filters of ASP.NET, permissions of Django's REST framework, filters and interceptors of Java, guards, pipes, interceptors and filters of NestJS. */
const BEFORE: ReadonlySet<string> = new Set([
  "handle", "process", "__invoke", "Invoke", "InvokeAsync", "dispatch", "__call__", "canActivate", "intercept", "transform", "use", "catch",
  ...["Action", "Resource", "Result"].flatMap((of) => [`On${of}Executing`, `On${of}Executed`, `On${of}ExecutionAsync`]), "OnAuthorization", "OnAuthorizationAsync", "has_permission", "has_object_permission", "preHandle", "postHandle", "doFilter", "doFilterInternal", "filter",
]);
/** Methods that Django's views and those of its REST framework call themselves: for all requests, or for those of some methods or actions. */
const CALLED: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ..."dispatch setup initial get_queryset filter_queryset get_object get_context_data get_form get_form_class get_form_kwargs get_initial get_serializer get_serializer_class get_serializer_context get_permissions test_func render_to_response".split(" ").map((name) => [name, []] as const),
  ...["form_valid", "form_invalid", "get_success_url"].map((name) => [name, ["post", "put"]] as const),
  ["perform_create", ["post", "create"]], ["perform_update", ["put", "patch", "update", "partial_update"]], ["perform_destroy", ["delete", "destroy"]],
]);
/** What the class above a class calls, as far as no method between them does otherwise. */
const BY_CLASS_ABOVE = 0.8;
const FOR_METHOD: ReadonlySet<string> = new Set(["get", "post", "put", "patch", "delete", "head", "options", "trace"]);

/**
 * Adds HANDLES from routes to what they run, as the other relations of their file say, and, where a route names a class and its method, by
 * these names. A class that is a handler is run by its methods for requests. What another file runs before the routes of a router that it
 * puts somewhere is handled there. With `only`, for these files and those whose routes go by names, to classes or through other files; the
 * paths of those that have other handlers now are returned.
 */
export function addHandlers(files: readonly ParsedFile[], byFile: Map<string, readonly Relation[]>, only?: ReadonlySet<string>): string[] {
  let methods: Map<string, { anchor: Anchor; path: string }[]> | undefined;
  let tasks: { names: readonly string[]; run: Anchor }[] | undefined;
  const classes = new Classes(files, byFile);
  const mounted = mountedRoutes(files, (path) => byFile.get(path) ?? []);
  const holders = new Holders(files, byFile);
  const middlewares = new Middlewares(files, byFile, classes, holders);
  const again: string[] = [];
  /** What else runs where something is a handler: methods of a class, and what runs around it or them. */
  const handledBy = (to: Anchor, route: string, names?: readonly string[], actions?: readonly string[]): readonly { to: Anchor; confidence: number }[] => {
    const views = to.path.endsWith(".py") && holders.isVariable(to) ? holders.classesOf(to, classes) : [to];
    const runs = views.flatMap((view) => classes.runs(view, route, to === view ? names : undefined, actions));
    const named = views.filter((view) => view !== to).map((view) => ({ to: view, confidence: BY_NAME }));
    return [...named, ...runs, ...[...new Set([...views, ...runs.map((run) => run.to)])].flatMap((run) => classes.around(run, middlewares))];
  };
  for (const file of files) {
    const { facts: { symbols }, path } = file;
    // Routes are behind all other symbols.
    if (symbols.at(-1)?.kind !== "Route") continue;
    // Around views of Python in other files decorators of those run.
    const isOpen = path.endsWith(".py") || symbols.some(({ route }) => route?.named !== undefined || route?.task !== undefined || route?.router !== undefined || isOfInterface(route?.symbol, file)) || (byFile.get(path) ?? []).some(({ type, to }) => (type === "HANDLES" && classes.has(to)) || (type === "REFERENCES" && holders.isVariable(to))) || (middlewares.areNamed && symbols.some(({ route }) => route && route.before.length > 0));
    if (only && !only.has(path) && !isOpen) continue;
    const own = (byFile.get(path) ?? []).filter(({ type }) => type !== "HANDLES");
    const handles = new Map<string, Relation>();
    const add = (from: Anchor, to: Anchor, confidence: number, line: number): void => {
      const known = handles.get(`${from.id} ${to.id}`);
      if (!known) handles.set(`${from.id} ${to.id}`, { type: "HANDLES", from, to, confidence, line });
      else known.confidence = Math.max(known.confidence, confidence);
    };
    symbols.forEach(({ name, route, line, startLine, endLine }, i) => {
      if (!route) return;
      const from = file.symbols[i]!;
      if (route.symbol !== undefined) add(from, file.symbols[route.symbol]!, 1, line);
      for (const code of codesOf(route)) {
        const declared = declaredBy(code, file);
        if (declared) add(from, declared, 1, code.line);
        for (const { to, confidence, at } of code === route.handler ? meant(code, own, files, holders) : middlewares.of(path, code)) {
          if (code.inline && isOfAnother(code, nameOf(to, files), symbols)) continue;
          if (to === from) continue;
          add(from, to, confidence, at);
          if (code === route.handler) for (const run of handledBy(to, name, code.names, route.actions)) add(from, run.to, Math.min(confidence, run.confidence), at);
        }
      }
      for (const { to } of exportedHandlers(route, own, (at) => fileAt(at, files))) add(from, to, 1, line);
      for (const code of route.decorators ?? []) {
        for (const { to, confidence } of meant(code, own, files, holders)) {
          const made = (fileAt(to.path, files)?.facts.aliases ?? []).filter((one) => one.composed && one.name === nameOf(to, files));
          if (made.length > 0) add(from, to, confidence, line);
          for (const one of made) {
            for (const { to: used } of middlewares.of(to.path, one.code)) add(from, used, Math.min(confidence, BY_NAME), line);
          }
        }
      }
      for (const { path: at, code } of mounted.get(path)?.get(i)?.before ?? []) {
        const declared = declaredBy(code, fileAt(at, files));
        for (const run of declared ? classes.before(declared) : []) add(from, run, BY_NAME, line);
        if (declared) add(from, declared, 1, line);
        for (const { to, confidence } of middlewares.of(at, code)) add(from, to, confidence, line);
      }
      if (route.symbol !== undefined) for (const run of handledBy(file.symbols[route.symbol]!, name)) add(from, run.to, run.confidence, line);
      if (isOfInterface(route.symbol, file)) {
        const all = classes.implementing(file.symbols[symbols[route.symbol!]!.parent]!, symbols[route.symbol!]!.name);
        for (const run of all.length > MAX_NAMED ? [] : all) add(from, run, all.length === 1 ? BY_NAME : ONE_OF_SEVERAL, line);
      }
      if (route.task !== undefined) {
        const all = (tasks ??= tasksOf(files)).filter((task) => task.names.some((one) => one === route.task || (route.task!.includes(".") && one.endsWith(`.${route.task}`))));
        for (const { run } of all.length > MAX_NAMED ? [] : all) add(from, run, all.length === 1 ? BY_NAME : ONE_OF_SEVERAL, line);
      }
      if (!route.named) return;
      methods ??= methodsOf(files);
      const named = methods.get(`${route.named.owner}.${route.named.name}`) ?? [];
      const all = nearest(named.length > 1 ? inClassesOf(named, own, startLine, endLine) : named, route.named);
      if (all.length > MAX_NAMED) return;
      const sure = all.length === 1 ? BY_NAME : ONE_OF_SEVERAL;
      for (const { anchor } of all) {
        add(from, anchor, sure, line);
        for (const { to, confidence } of classes.around(anchor, middlewares)) add(from, to, Math.min(confidence, sure), line);
      }
    });
    if (only && !only.has(path)) {
      const before = (byFile.get(path) ?? []).filter(({ type }) => type === "HANDLES");
      if (sameCalls(before, [...handles.values()])) continue;
      again.push(path);
    }
    if (handles.size > 0 || byFile.has(path)) byFile.set(path, [...own, ...handles.values()]);
  }
  return again;
}

/** Of methods those whose class the code of some lines refers to, if there are any: `Table\\SearchController::class`. */
function inClassesOf<T extends { anchor: Anchor; path: string }>(methods: readonly T[], relations: readonly Relation[], startLine: number, endLine: number): readonly T[] {
  const paths = new Set(relations.filter(({ type, to, line, moreLines = [] }) => type === "REFERENCES" && to.symbol >= 0 && [line, ...moreLines].some((at) => at >= startLine && at <= endLine)).map(({ to }) => to.path));
  const fitting = methods.filter(({ path }) => paths.has(path));
  return fitting.length > 0 ? fitting : methods;
}

/** Whether a handler is a method that another type may have the code of. In Java a method has the annotations of the one that it overrides. */
function isOfInterface(handler: number | undefined, { path, facts: { symbols } }: ParsedFile): boolean {
  const { parent, signature = "" } = (handler === undefined ? undefined : symbols[handler]) ?? { parent: -1 };
  return parent >= 0 && (symbols[parent]!.kind === "Interface" || /\b(?:abstract|virtual)\b/.test(signature) || (path.endsWith(".java") && /\babstract\b/.test(symbols[parent]!.signature ?? "")));
}

/** Whether a piece of code is a call, so that a class in it is an argument and no middleware: `validate(UserSchema)`. */
function isPassed({ text }: NamedCode): boolean {
  return /\w\(/.test(text.replace(/\b(?:new\s+[\w.\\]+|typeof)\(/g, ""));
}

/** What the names in a piece of code refer to, with `holders` a variable, too, where the code is its name; of a function without a name, what it calls. */
function* meant(code: NamedCode, relations: readonly Relation[], files: readonly ParsedFile[], holders?: Holders): Generator<{ to: Anchor; confidence: number; at: number }> {
  const names = new Set(code.names);
  for (const { type, to, confidence, line, moreLines = [] } of relations) {
    if (type !== "REFERENCES" && type !== "CALLS") continue;
    const at = [line, ...moreLines].find((one) => one >= code.line && one <= code.endLine);
    if (at === undefined || to.symbol < 0) continue;
    // What is handed on may be called there, too: the reference is the fact.
    const called = fileAt(to.path, files)?.facts.symbols[to.symbol]?.name;
    if (type === "REFERENCES" && holders?.isMeant(code, to)) yield { to, confidence, at };
    // Another call on its line is none of what it does.
    if (code.inline ? type !== "CALLS" || (confidence >= SURE - 1e-6 && code.beside?.includes(called ?? "")) : !names.has(nameOf(to, files))) continue;
    yield { to, confidence, at };
  }
}

/** The function that is declared there, where a decorator makes it run. */
function declaredBy(code: NamedCode, file: ParsedFile | undefined): Anchor | undefined {
  const declared = code.declared && file ? file.facts.symbols.findIndex((symbol) => symbol.line === code.line && code.names.includes(symbol.name)) : -1;
  return file?.symbols[declared];
}

function codesOf({ before, handler }: RouteFact): NamedCode[] {
  return [...before, ...(handler ? [handler] : [])];
}

/** Whether another route on the line of a function names something that the function does not. */
function isOfAnother(code: NamedCode, name: string, symbols: ParsedFile["facts"]["symbols"]): boolean {
  return code.names.length > 0 && !code.names.includes(name)
    && symbols.some(({ route }) => route && codesOf(route).some((one) => one.line <= code.endLine && one.endLine >= code.line && one.names.includes(name)));
}

/** Variables that hold what runs: `const show = asyncHandler(async (req, res) => load(req))`, `const guards = [signedIn, isAdmin]`. */
class Holders {
  private readonly known = new Map<Anchor, boolean>();

  constructor(private readonly files: readonly ParsedFile[], private readonly byFile: ReadonlyMap<string, readonly Relation[]>) {}

  isVariable({ path, symbol }: Anchor): boolean {
    return symbol >= 0 && fileAt(path, this.files)?.facts.symbols[symbol]?.kind === "Variable";
  }

  /** Whether a piece of code is the name of a variable, `signedIn` or `...guards`, that is no text or number; of a member of something, `users.show`, one whose value uses a function. */
  isMeant({ inline, text }: NamedCode, to: Anchor): boolean {
    if (inline || !this.isVariable(to)) return false;
    const { name, signature = "" } = fileAt(to.path, this.files)!.facts.symbols[to.symbol]!;
    const [, owner, last] = /^(?:\.{3})?((?:[\w$]+\.)*)([\w$]+)$/.exec(text) ?? [];
    return last === name && (owner === "" ? !/=\s*["'`\d-]/.test(signature) : this.holds(to));
  }

  /** The classes that the lines of a variable of Python name: `show = login_required(Show.as_view())`. */
  classesOf({ path, symbol }: Anchor, classes: Classes): Anchor[] {
    const { startLine, endLine } = fileAt(path, this.files)!.facts.symbols[symbol]!;
    const named = (this.byFile.get(path) ?? []).filter(({ type, to, line, moreLines = [] }) => type === "REFERENCES" && [line, ...moreLines].some((at) => at >= startLine && at <= endLine) && classes.has(to));
    return [...new Set(named.map(({ to }) => to))];
  }

  /** Whether the value of a variable uses a function, or a variable whose value does. */
  private holds(variable: Anchor): boolean {
    const known = this.known.get(variable);
    if (known !== undefined) return known;
    this.known.set(variable, false);
    const holds = (this.byFile.get(variable.path) ?? []).some(({ type, from, to }) => (
      from === variable && (type === "CALLS" || type === "REFERENCES") && to.symbol >= 0 && (nameOf(to, this.files) !== "" || (this.isVariable(to) && this.holds(to)))
    ));
    this.known.set(variable, holds);
    return holds;
  }
}

/** What runs before handlers, as pieces of code name it. */
class Middlewares {
  /** By name, what routes may call so. */
  private readonly aliases = new Map<string, { path: string; code: NamedCode }[]>();
  private readonly known = new Map<string, readonly { to: Anchor; confidence: number }[]>();

  constructor(private readonly files: readonly ParsedFile[], private readonly byFile: ReadonlyMap<string, readonly Relation[]>, private readonly classes: Classes, private readonly holders: Holders) {
    for (const { path, facts } of files) {
      for (const { name, code, composed } of facts.aliases ?? []) {
        if (composed) continue;
        const same = this.aliases.get(name);
        if (same) same.push({ path, code });
        else this.aliases.set(name, [{ path, code }]);
      }
    }
  }

  /** Whether some go by names of their own. */
  get areNamed(): boolean {
    return this.aliases.size > 0;
  }

  /** What a piece of code of a file means: what its names refer to, or the text that it is is a name for, `'auth:api'`; of a class the methods that run, too. */
  *of(path: string, code: NamedCode): Generator<{ to: Anchor; confidence: number; at: number }> {
    for (const { to, confidence, at } of meant(code, this.byFile.get(path) ?? [], this.files, this.holders)) {
      yield { to, confidence, at };
      for (const run of isPassed(code) ? [] : this.classes.before(to)) yield { to: run, confidence: Math.min(confidence, BY_NAME), at };
    }
    const [, word] = code.inline || code.names.length > 0 ? [] : /^([\w.-]+)(?::|$)/.exec(code.text) ?? [];
    for (const one of word === undefined ? [] : this.named(word)) yield { ...one, at: code.line };
  }

  /** What a name stands for: each that a file says, in a group of them, too. */
  private named(name: string): readonly { to: Anchor; confidence: number }[] {
    const known = this.known.get(name);
    if (known) return known;
    // A group may have names of others in it, and its own.
    this.known.set(name, []);
    const all = this.aliases.get(name) ?? [];
    const sure = all.every(({ path }) => path === all[0]!.path) ? BY_NAME : ONE_OF_SEVERAL;
    const found = all.flatMap(({ path, code }) => [...this.of(path, code)].map(({ to, confidence }) => ({ to, confidence: Math.min(confidence, sure) })));
    this.known.set(name, found);
    return found;
  }
}

/** Classes whose objects, or which themselves, are handlers. */
class Classes {
  private readonly filters: ClassFilters;
  /** The types that extend or implement one, found when they are first asked for. */
  private below: Map<Anchor, Anchor[]> | undefined;

  constructor(private readonly files: readonly ParsedFile[], private readonly byFile: ReadonlyMap<string, readonly Relation[]>) {
    this.filters = new ClassFilters((path) => fileAt(path, files), (path) => byFile.get(path) ?? []);
  }

  has(to: Anchor): boolean {
    return this.filters.has(to);
  }

  /**
   * The methods that a request runs, of a class or of those above it; `route`: its name, which begins with the HTTP method. `names`: of the
   * code that names the class, whose methods for HTTP's, or `actions`, run where it comes last or makes a view (`Users`, `Users.as_view("users")`).
   */
  runs(cls: Anchor, route: string, names?: readonly string[], actions?: readonly string[]): { to: Anchor; confidence: number }[] {
    if (!this.has(cls)) return [];
    const view = names?.indexOf("as_view") ?? 0;
    const isView = names === undefined || names.at(view > 0 ? view - 1 : -1) === nameOf(cls, this.files);
    const found = new Map<string, { to: Anchor; confidence: number }>();
    const verb = route.slice(0, route.indexOf(" ")).toLowerCase();
    // Django: `http_method_names = ["get"]`
    const only = fileAt(cls.path, this.files)?.facts.answers?.[nameOf(cls, this.files)]?.only;
    const isForRequest = (name: string, isPublic: boolean): boolean => {
      if (actions) return actions.includes(name);
      // Clients of a hub call its public methods.
      if (only?.includes(name.toUpperCase()) === false) return false;
      return verb === "websocket" ? isPublic && cls.path.endsWith(".cs") : FOR_METHOD.has(name) && (verb === "any" || verb === name);
    };
    const isCalled = (name: string): boolean => {
      const when = CALLED.get(name);
      return when !== undefined && (when.length === 0 || (!actions && verb === "any") || when.some((one) => actions?.includes(one) ?? one === verb));
    };
    for (const at of this.filters.above(cls)) {
      if (!this.has(at)) continue;
      for (const { name, anchor, isPublic } of this.methods(at)) {
        if (found.has(name)) continue;
        if (FOR_ALL.has(name) || (isView && isForRequest(name, isPublic))) found.set(name, { to: anchor, confidence: BY_NAME });
        else if (isView && at.path.endsWith(".py") && isCalled(name)) found.set(name, { to: anchor, confidence: BY_CLASS_ABOVE });
      }
    }
    return [...found.values()];
  }

  /** The methods that run before a handler, of a class that is named there. */
  before(cls: Anchor): Anchor[] {
    if (!this.has(cls)) return [];
    for (const at of this.filters.above(cls)) {
      const found = this.methods(at).filter(({ name }) => BEFORE.has(name));
      if (found.length > 0) return found.map(({ anchor }) => anchor);
    }
    return [];
  }

  /** What runs around a method, a class that is a handler, or a function, as its class and those above it say. */
  around(handler: Anchor, middlewares: Middlewares): readonly { to: Anchor; confidence: number }[] {
    const found = new Map<string, Map<Anchor, number>>();
    for (const { path, filter: { code } } of this.filters.around(handler)) {
      const before = found.get(code.text);
      const now = new Map<Anchor, number>();
      for (const { to, confidence } of middlewares.of(path, code)) now.set(to, Math.max(confidence, now.get(to) ?? before?.get(to) ?? 0));
      if (now.size > 0) found.set(code.text, now);
    }
    return [...found.values()].flatMap((all) => [...all].map(([to, confidence]) => ({ to, confidence })));
  }

  /** The methods of a name in the types right below one, but for those that have a route of their own. */
  implementing(type: Anchor, name: string): Anchor[] {
    if (!this.below) {
      this.below = new Map();
      for (const relations of this.byFile.values()) {
        for (const { type: kind, from, to } of relations) {
          if (kind !== "EXTENDS" && kind !== "IMPLEMENTS") continue;
          const same = this.below.get(to);
          if (same) same.push(from);
          else this.below.set(to, [from]);
        }
      }
    }
    const all = [...new Set(this.below.get(type))].flatMap((one) => this.methods(one).filter((method) => method.name === name).map(({ anchor }) => anchor));
    return all.filter(({ path, symbol }) => !fileAt(path, this.files)!.facts.symbols.some(({ route }) => route?.symbol === symbol));
  }

  /** Of a Go type in all files of its package. */
  private methods(cls: Anchor): { name: string; anchor: Anchor; isPublic: boolean }[] {
    const owner = nameOf(cls, this.files);
    const folder = cls.path.endsWith(".go") ? folderOf(cls.path) : undefined;
    const files = folder === undefined ? [fileAt(cls.path, this.files)!] : this.files.filter(({ path }) => path.endsWith(".go") && folderOf(path) === folder);
    return files.flatMap(({ facts, symbols }) => facts.symbols.flatMap((symbol, i) => (
      symbol.kind === "Method" && (folder === undefined ? symbol.parent === cls.symbol : symbol.owner === owner) ? [{ name: symbol.name, anchor: symbols[i]!, isPublic: symbol.exported && !/\bprotected\b/.test(symbol.signature ?? "") }] : []
    )));
  }
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

const places = new WeakMap<readonly ParsedFile[], ReadonlyMap<string, ParsedFile>>();

function fileAt(path: string, files: readonly ParsedFile[]): ParsedFile | undefined {
  let byPath = places.get(files);
  if (!byPath) places.set(files, (byPath = new Map(files.map((file) => [file.path, file]))));
  return byPath.get(path);
}

/** The name of what may run; "" for what cannot. */
function nameOf({ path, symbol }: Anchor, files: readonly ParsedFile[]): string {
  const fact = fileAt(path, files)?.facts.symbols[symbol];
  return fact && fact.kind !== "Variable" && fact.kind !== "Module" ? fact.name : "";
}

/** The tasks of Python by their own name, and by the module and the function that each is; the commands of PHP by their name. */
function tasksOf(files: readonly ParsedFile[]): { names: readonly string[]; run: Anchor }[] {
  return files.flatMap(({ path, symbols, facts }) => facts.symbols.flatMap(({ name, route }) => {
    if (path.endsWith(".php") && name.startsWith("COMMAND ") && route?.symbol !== undefined) return [{ names: [name.slice("COMMAND ".length)], run: symbols[route.symbol]! }];
    const run = path.endsWith(".py") && name.startsWith("TASK ") && route?.symbol !== undefined ? facts.symbols[route.symbol] : undefined;
    return run ? [{ names: [name.slice("TASK ".length), `${path.replace(/(?:\/__init__)?\.py$/, "").replaceAll("/", ".")}.${run.name}`], run: symbols[route!.symbol!]! }] : [];
  }));
}

function methodsOf(files: readonly ParsedFile[]): Map<string, { anchor: Anchor; path: string }[]> {
  const methods = new Map<string, { anchor: Anchor; path: string }[]>();
  for (const { path, symbols, facts } of files) {
    facts.symbols.forEach(({ kind, owner, name }, i) => {
      if (kind !== "Method" || owner === undefined) return;
      const key = `${owner}.${name}`;
      const same = methods.get(key);
      if (same) same.push({ anchor: symbols[i]!, path });
      else methods.set(key, [{ anchor: symbols[i]!, path }]);
    });
  }
  return methods;
}

/** Of several those in the folder that is named, or directly in one of controllers where none is. */
function nearest<T extends { path: string }>(all: readonly T[], { within }: NonNullable<RouteFact["named"]>): readonly T[] {
  if (all.length < 2) return all;
  const near = all.filter(({ path }) => (within === undefined ? /(?:^|\/)controllers\/[^/]*$/i.test(path) : path.toLowerCase().includes(`/${within.toLowerCase()}/`)));
  return near.length > 0 ? near : all;
}
