/** The router of all of NestJS's controllers. */
export const NEST = "@nestjs";

/** The router of all classes of JAX-RS that have a path. */
export const JAX_RS = "@ApplicationPath";

/** The router of all of Spring's controllers. */
export const SPRING = "@RestController";

/** The router of all of ASP.NET's controllers. */
export const ASP_NET = "MapControllers";

/** The router of all of Symfony's routes. */
export const SYMFONY = "#[Route]";

/** What a text says, or not: a regular expression, or several. */
interface Says {
  test(text: string): boolean;
}

/** What a call of a framework's is, by name. */
export interface Framework {
  /** What a file that uses it says. */
  imports: RegExp;
  /** What a file with routes has in it, where many import and few route. */
  marks?: RegExp;
  /** What a file says that is handed a router by its usual name, and imports nothing. Tests are handed many things. */
  handed?: Says;
  /** Callees that make an application, whose paths are whole. */
  app?: RegExp;
  /** Callees that make a router, which is put somewhere else. */
  router?: RegExp;
  /** Names of calls that are routes, and the methods that they stand for; "" where an argument or a call behind says it. */
  verbs: Readonly<Record<string, string>>;
  /** Where the handler stands among the arguments; what else is behind the path is middleware. -1: the last. */
  handler: number;
  /** Names of calls that give a router under a path, or hand one to a function. */
  groups?: RegExp;
  /** Names of calls that give the router itself, with the arguments as middleware. */
  same?: RegExp;
  /** Names of calls after which the arguments run before everything. */
  use?: RegExp;
  /** Names of calls that put a router under a path. */
  mounts?: RegExp;
  /** The argument that says under which path, where it has a name. */
  prefix?: string;
  /** Names of calls on a route that name its methods. */
  methods?: RegExp;
  /** What routes are registered on that is no value of the file: a package, a class. */
  receiver?: RegExp;
  /** Routes are decorators. */
  decorators?: true;
  /** Names of decorators, and of calls, that make functions run before all of a router's routes. */
  hooks?: RegExp;
  /** Routes are calls on nothing. */
  bare?: true;
  /** What makes the application of such calls: without it in their file another may put them under a path. */
  served?: RegExp;
  /** What makes a router has its path as the first argument. */
  scoped?: true;
  /** A file's routes may be included by another. */
  includes?: true;
  /** What makes a handler of a class whose methods have the names of HTTP's. */
  views?: RegExp;
  /** A handler is an object, of which the methods `on_get`, `on_post`, … answer, or those with a suffix that its route says. */
  responders?: true;
  /** An application is made of what its paths are added to, and routes name their class before their paths. */
  wraps?: true;
  /** Routes are those of a set of views, by a name for its actions. */
  viewsets?: true;
  /** A route may have a name before its path. */
  names?: true;
  /** A path may have a method before it, and a host. */
  patterns?: true;
  /** Nobody puts an application under a path. */
  alone?: true;
  /** What is used runs before routes that are added earlier, too: in its order also in a chain of calls, or the last first. */
  always?: true | "in order" | "last first";
  /** Of what is used, the last runs first, and before all else; the arguments behind it are its options. */
  outermost?: true;
  /** A router that comes from elsewhere has whole paths, too. */
  absolute?: true;
  /** What is used may run after errors alone. */
  errors?: true;
  /** The path under which a router is put takes the place of its own. */
  overrides?: true;
}

const words = (methods: string, spell: (word: string) => string): Record<string, string> => Object.fromEntries(methods.split(" ").map((word) => [spell(word), word]));
const capital = (word: string): string => word[0]! + word.slice(1).toLowerCase();
const lower = (word: string): string => word.toLowerCase();
// Every file is looked through for these, so each begins with what is rare in code, and looks back from there.
/** A function of JavaScript that has a parameter of one of these names. */
const taking = (names: string): RegExp => new RegExp(`\\b(?:${names})\\b(?:\\s*=>|(?<=\\(\\s*(?:${names}))\\s*(?:,[^()]*)?\\)\\s*(?:=>|\\{))`);
/**
 * A file that has `called`, of which the first group is a name, on what it imports: `imports` has the names in its groups. One expression that
 * looks back for the import would read all of the file again for each call.
 */
const onImported = (called: RegExp, imports: RegExp): Says => ({
  test(text) {
    let imported: ReadonlySet<string> | undefined;
    for (const [, name] of text.matchAll(called)) {
      imported ??= new Set([...text.matchAll(imports)].flatMap(([, ...names]) => names.join().match(/[\w$]+/g) ?? []));
      if (imported.has(name!)) return true;
    }
    return false;
  },
});
const oneOf = (...all: readonly Says[]): Says => ({ test: (text) => all.some((one) => one.test(text)) });
/** A file that has something, and another thing behind it. */
const followed = (first: RegExp, then: RegExp): Says => ({
  test(text) {
    const at = text.search(first);
    return at >= 0 && then.test(text.slice(at));
  },
});
/** A call with a path on an application or a router that a file of JavaScript imports. */
const IMPORTED_APP = onImported(
  /["'`]\/(?<=^[ \t]*(app|server|router|\w+Router)\.(?:get|post|put|delete|patch|all|use|route)\(\s*["'`]\/)/gm,
  /^(?:import\b([^;"']{0,2000})from|(?:const|let|var)\b([^;=]{0,2000})=\s*require\()/gm,
);
/** A call with a path and a function of a request and a response. */
const ANSWERED = /["'`]\/(?<=\b(?:app|router|server)\.(?:get|post|put|delete|patch|all)\(\s*["'`]\/)[^"'`\n]*["'`]\s*,[^;{}]{0,200}\(\s*_?req(?:uest)?\b[^,)]*,\s*_?res(?:ponse)?\b/;
/** What a function of the project is called that makes an application. */
const MAKES_EXPRESS = "(?:create|make|build|init|new|get)Express(?:App|Application|Server|Router)?";
/** What a package gives as a function, under a name or as it is required. */
const required = (name: string): RegExp => new RegExp(`^${name}$|^require\\(["']${name}["']\\)$`);
/** A module of Python that is imported: its name is looked for first, since few files have it, and every line could begin with an import. */
const importing = (module: string): RegExp => new RegExp(`\\b(?:${module})\\b(?<=^[ \\t]*(?:from|import)\\s+(?:${module}))`, "m");
/** A decorator that says a path, on what the file imports from elsewhere, on a parameter, or on what a function of that name makes (`create_app()`). */
const IMPORTED = onImported(
  /^[ \t]*@(\w+)\.(?:route|get|post|put|delete|patch)\(\s*f?["']\//gm,
  /^from\s+[\w.]+\s+import\s(\s*\([^)]{0,2000}|[^\n(]*)|\bdef\s+\w+\(([^()]{0,2000})\)|^(\w+)\s*=\s*(?:\w+\.)?(?:create|make|build|get|init)_app\(/gm,
);
const VIEWS = /\.as_view\(/;
const HTTP = "GET POST PUT DELETE PATCH HEAD OPTIONS";
const LOWER = { ...words(HTTP, lower), all: "ANY" };

/** By language; the first that takes a call has it. */
export const FRAMEWORKS: Readonly<Record<string, readonly Framework[]>> = {
  go: [
    { // chi
      imports: /"github\.com\/go-chi\/chi/, app: /^chi\.New(?:Router|Mux)$/, patterns: true, handler: 1, groups: /^(?:Route|Group)$/, same: /^With$/, use: /^Use$/, mounts: /^Mount$/,
      verbs: { ...words(`${HTTP} CONNECT TRACE`, capital), Handle: "ANY", HandleFunc: "ANY", Method: "", MethodFunc: "" },
    },
    { // gin
      imports: /"github\.com\/gin-gonic\/gin"/, app: /^gin\.(?:New|Default)$/, alone: true, handler: -1, groups: /^Group$/, use: /^Use$/,
      verbs: { ...words(HTTP, (word) => word), Any: "ANY", Handle: "", Match: "" },
    },
    { // echo
      imports: /"github\.com\/labstack\/echo/, app: /^echo\.New$/, alone: true, always: true, handler: 1, groups: /^Group$/, same: /^Host$/, use: /^(?:Use|Pre)$/,
      verbs: { ...words(HTTP, (word) => word), Any: "ANY", Add: "", Match: "" },
    },
    { // fiber
      imports: /"github\.com\/gofiber\/fiber/, app: /^fiber\.New$/, alone: true, handler: -1, groups: /^(?:Group|Route)$/, use: /^Use$/, mounts: /^Mount$/,
      verbs: { ...words(HTTP, capital), All: "ANY", Add: "" },
    },
    { // gorilla/mux
      imports: /"github\.com\/gorilla\/mux"/, app: /^mux\.NewRouter$/, always: true, handler: 1, groups: /^PathPrefix$/, same: /^(?:Subrouter|StrictSlash|Host|Schemes|Queries|Headers(?:Regexp)?|MatcherFunc|NewRoute)$/, use: /^Use$/, methods: /^Methods$/,
      verbs: { HandleFunc: "ANY", Handle: "ANY", HandlerFunc: "ANY", Handler: "ANY" },
    },
    { // net/http
      imports: /"net\/http"/, marks: /\bHandle(?:Func)?\s*\(|\bServeMux\b|\bListenAndServe|\bhttp\.Server\{/, app: /^http\.NewServeMux$/, patterns: true, handler: 1, receiver: /^http$|mux$/i, absolute: true, verbs: { HandleFunc: "ANY", Handle: "ANY" },
    },
  ],
  typescript: [
    { // Express, also as a file of that name hands it on
      imports: /express["'](?<=(?:from\s*|require\()["'](?:\.[^"'\n]*\/)?express["'])/, handed: oneOf(taking("app|router|express|server"), IMPORTED_APP, ANSWERED, new RegExp(`Express\\w*\\((?<=\\b${MAKES_EXPRESS}\\()`)), app: required("express"), router: new RegExp(`(?:^|\\.)(?:Router|${MAKES_EXPRESS})$`), handler: -1, groups: /^route$/, same: /^(?:set|enable|disable)$/, use: /^use$/, mounts: /^use$/, errors: true, verbs: { ...LOWER, del: "DELETE", search: "SEARCH" },
    },
    { // Fastify
      imports: /["'](?:fastify(?:-plugin)?|@fastify\/[\w-]+)["']/, handed: taking("fastify|instance"), app: required("[fF]astify"), alone: true, handler: -1, groups: /^register$/, mounts: /^register$/, hooks: /^addHook$/, same: /^(?:withTypeProvider|set(?:Validator|Serializer)Compiler)$/, prefix: "prefix", verbs: { ...LOWER, route: "" },
    },
    { // Hono
      imports: /["'](?:hono(?:\/(?:factory|quick|tiny))?|@hono\/zod-openapi)["']/, handed: /\.openapi\(\s*[\w.]+\s*,/, app: /^(?:OpenAPI)?Hono$|\.createApp$/, handler: -1, groups: /^basePath$/, use: /^use$/, mounts: /^route$/, verbs: { ...LOWER, on: "", openapi: "" },
    },
    { // Koa
      imports: /["'](?:@?koa(?:\/|-)router|koa)["']/, app: /^Koa$/, router: /Router$/, handler: -1, same: /^(?:routes|middleware)$/, use: /^use$/, mounts: /^use$/, prefix: "prefix", names: true, verbs: { ...LOWER, del: "DELETE", register: "" },
    },
  ],
  python: [
    { // Flask
      imports: importing("flask"), app: /^(?:flask\.)?Flask$/, router: /^(?:flask\.)?Blueprint$/, handed: oneOf(IMPORTED, /\.register_blueprint\(/), handler: 2, decorators: true, mounts: /^register_blueprint$/, prefix: "url_prefix", overrides: true, views: VIEWS, hooks: /^before_(?:app_)?request$/,
      verbs: { ...LOWER, route: "GET", add_url_rule: "GET" },
    },
    { // Flask-RESTful and flask-restx
      imports: importing("flask_rest(?:ful|x|plus)"), app: /(?:^|\.)Api$/, router: /(?:^|\.)[nN]amespace$/, handler: 1, decorators: true, mounts: /^add_namespace$/, prefix: "path", wraps: true,
      verbs: { add_resource: "ANY", route: "ANY" },
    },
    { // FastAPI
      imports: importing("fastapi"), handed: /\.include_router\(/, app: /^(?:fastapi\.)?FastAPI$/, router: /^(?:fastapi\.)?APIRouter$/, handler: -1, decorators: true, mounts: /^(?:include_router|mount)$/, prefix: "prefix", hooks: /^middleware$/, use: /^add_middleware$/, always: true, outermost: true,
      verbs: { ...LOWER, api_route: "GET", add_api_route: "GET", route: "GET", add_route: "GET", trace: "TRACE", ...Object.fromEntries(["websocket", "websocket_route", "add_api_websocket_route", "add_websocket_route"].map((name) => [name, "WEBSOCKET"])) },
    },
    { // aiohttp, whose applications may be parts of others
      imports: importing("aiohttp"), marks: /\baiohttp(?:\.web\b|\s+import\b[^()\n]*(?:\([^)]*)?\bweb\b)/, handler: 1, decorators: true, verbs: { ...LOWER, view: "ANY", route: "", ...words(HTTP, (word) => `add_${lower(word)}`), add_view: "ANY", add_route: "" },
    },
    { // Falcon
      imports: importing("falcon"), app: /^(?:falcon\.)?(?:asgi\.)?(?:App|API)$/, alone: true, handler: 1, views: /^[A-Z]\w*(?:\.\w+)*\(/, responders: true, verbs: { add_route: "ANY" },
    },
    { // Starlette
      imports: importing("starlette"), handler: 1, bare: true, served: /\bStarlette\(/, verbs: { Route: "GET", WebSocketRoute: "WEBSOCKET" },
    },
    { // Django REST framework, and what makes its routers more
      imports: importing("rest_framework\\w*"), router: /(?:^|\.)\w*Router$/, handler: 1, viewsets: true, verbs: { register: "ANY" },
    },
    { // Django, also where the project has its functions from a module of its own
      imports: importing("django\\.(?:urls|conf\\.urls)"), handed: /^urlpatterns\s*(?::[^=\n]*)?\+?=/m, handler: 1, bare: true, includes: true, views: VIEWS, verbs: { path: "ANY", re_path: "ANY", url: "ANY" },
    },
  ],
  java: [
    { // Javalin
      imports: /\bio\.javalin\b/, app: /^Javalin\.create(?:AndStart)?$/, alone: true, handler: 1, same: /^(?:start|routes)$/, hooks: /^before$/, verbs: words(HTTP, lower),
    },
    { // Javalin's and Spark's static methods
      imports: /import\s+static\s+(?:io\.javalin\.apibuilder\.ApiBuilder|spark\.Spark)\b/, handler: 1, bare: true, verbs: words(HTTP, lower),
    },
    { // Spring's functions
      imports: /\bRouterFunction\b/, app: /^(?:RouterFunctions\.)?route$/, alone: true, handler: -1, groups: /^(?:path|nest)$/, same: /^(?:add|and|build|after|onError)$/, use: /^(?:before|filter)$/, always: "in order", verbs: { ...words(HTTP, (word) => word), route: "", andRoute: "" },
    },
  ],
  csharp: [
    { // ASP.NET
      imports: /\bWebApplication\b|\bIEndpointRouteBuilder\b|\bRouteGroupBuilder\b|Microsoft\.AspNetCore/, app: /\.Build$|^WebApplication\.Create$/, handler: 1, groups: /^MapGroup$/, use: /^UseMiddleware$/, always: "in order",
      same: /^(?:NewVersionedApi|With\w+|Require\w+|Produces\w*|Accepts|AllowAnonymous|AddEndpointFilter\w*|CacheOutput|DisableAntiforgery|ExcludeFromDescription)$/, verbs: { ...words(HTTP, (word) => `Map${capital(word)}`), Map: "ANY", MapMethods: "", MapHub: "WEBSOCKET", MapFallback: "ANY", MapFallbackToController: "ANY", MapControllerRoute: "ANY", MapHealthChecks: "ANY" },
    },
  ],
  php: [
    { // FastRoute
      imports: /\bFastRoute\\/, handler: 1, receiver: /^\$(?:r|routes?|router|\w*[cC]ollector)$/, absolute: true, groups: /^addGroup$/, verbs: { ...words(HTTP, lower), addRoute: "" },
    },
    { // Laravel, Slim
      imports: /Illuminate\\|\bRoute::|\bSlim\\/, handler: 1, use: /^add$/, always: "last first", receiver: /^\\?(?:\w+\\)*Route$|^\$(?:app|router)$/, groups: /^(?:prefix|group)$/, same: /^(?:middleware|name|controller|as|domain|namespace|where|withoutMiddleware|scopeBindings|withoutScopedBindings)$/,
      verbs: { ...LOWER, any: "ANY", view: "GET", match: "", map: "", ...Object.fromEntries(["resource", "apiResource", "resources", "apiResources", "singleton", "apiSingleton", "fallback"].map((name) => [name, "ANY"])) },
    },
  ],
  ruby: [
    { // Sinatra, also where the class inherits from one of another file, and what has its words
      imports: /require\s*\(?["']sinatra|Sinatra::/, handed: followed(/^[ \t]*class\s/m, /^[ \t]+(?:get|post|put|delete|patch)[ (][ \t]*["']\/[^"'\n]*["'][^\n]*(?:\bdo|\{)[ \t]*$/m), handler: -1, bare: true, verbs: words(`${HTTP} LINK UNLINK`, lower),
    },
  ],
  rust: [
    { // axum
      imports: /\baxum::/, app: /^(?:axum::)?Router(?:\.|::)new$/, handler: 1, mounts: /^(?:nest|merge)$/, same: /^(?:clone|with_state|layer|route_layer|fallback|merge|route|nest|(?:route|nest|fallback)_service)$/, verbs: { route: "", route_service: "", fallback: "" },
    },
    { // actix
      imports: /\bactix_web\b/, app: /^App\.new$/, router: /^(?:web\.)?(?:scope|resource)$/, scoped: true, handler: 1, mounts: /^(?:service|configure)$/,
      same: /^(?:service|configure|route|to|wrap|wrap_fn|app_data|default_service|name|guard)$/, verbs: { route: "", to: "", default_service: "" },
    },
  ],
};

const NEST_BEFORE = /^Use(?:Guards|Interceptors|Pipes|Filters)$/;

/** Annotations that say a path, and the method that each stands for; "" where an argument says it. */
export interface Annotations {
  imports: RegExp;
  methods: Readonly<Record<string, string>>;
  /** On the class: its path stands before those of its methods. On the method: a path beside the annotation with the method. */
  paths: RegExp;
  /** Annotations that name what runs before. */
  before?: RegExp;
  /** Names of arguments with the path, and with the method. */
  path: readonly string[];
  method?: RegExp;
  /** Annotations whose arguments without a name are methods. */
  spoken?: RegExp;
  /** A class without a path still has routes, at the root. */
  plain?: true;
  /** The router that all of the repository's are added to. */
  router?: string;
  /** The router that these are of where they need none for their paths: something may run before all of them. */
  all?: string;
  /** A class may have a route, which runs its method of this name. */
  invoked?: string;
  /** A function is put into a router by its name. */
  byName?: true;
  /** A path that begins with a slash is whole. */
  rooted?: true;
  /** On the class: it asks for paths, and answers none. */
  clients?: RegExp;
  /** A class has the routes of what it inherits from, and where it says no path, that of those. */
  inherits?: true;
  /** An annotation of the project may say the path of a class. */
  composed?: true;
}

const spring = { ...words("GET POST PUT DELETE PATCH", (word) => `${capital(word)}Mapping`), RequestMapping: "" };
export const ANNOTATIONS: Readonly<Record<string, readonly Annotations[]>> = {
  typescript: [{ // NestJS
    imports: /["']@nestjs\/common["']/, methods: { ...words(`${HTTP} SEARCH`, capital), All: "ANY", Sse: "GET", RequestMapping: "GET" }, paths: /^Controller$/, before: NEST_BEFORE, path: ["path"], method: /^method$/, inherits: true, router: NEST,
  }],
  java: [
    { imports: /org\.springframework\.web/, methods: spring, paths: /^RequestMapping$/, path: ["value", "path"], method: /^method$/, plain: true, inherits: true, composed: true, all: SPRING, clients: /^(?:FeignClient|HttpExchange)$/ }, // Spring
    { imports: /io\.micronaut\.http/, methods: words(`${HTTP} TRACE`, capital), paths: /^Controller$/, path: ["value", "uri", "uris"], inherits: true, clients: /^Client$/ }, // Micronaut
    { imports: /(?:javax|jakarta)\.ws\.rs/, methods: words(HTTP, (word) => word), paths: /^Path$/, path: ["value"], router: JAX_RS, inherits: true, clients: /^RegisterRestClient$/ }, // JAX-RS
  ],
  csharp: [{ // ASP.NET
    imports: /Microsoft\.AspNetCore|\bApiController\b|\bControllerBase\b/, methods: { ...words(HTTP, (word) => `Http${capital(word)}`), AcceptVerbs: "" }, paths: /^Route$/, path: ["template", "Route"], spoken: /^AcceptVerbs$/, rooted: true, inherits: true, all: ASP_NET, before: /^(?:Authorize|ServiceFilter|TypeFilter)$/,
  }],
  php: [{ imports: /Symfony\\Component\\Routing|#\[Route\b/, methods: { Route: "" }, paths: /^Route$/, path: ["path"], method: /^methods$/, plain: true, invoked: "__invoke", router: SYMFONY }], // Symfony
  rust: [{ imports: /\brocket\b/, methods: { ...words(HTTP, lower), route: "" }, paths: /^$/, path: ["uri"], spoken: /^route$/, plain: true, byName: true }, // Rocket
    { imports: /\bactix_web\b/, methods: { ...words(HTTP, lower), route: "" }, paths: /^$/, path: [], method: /^method$/, plain: true, byName: true }], // actix
  python: [],
};

/** Jobs and commands: what marks a function or a class, by what is called there. */
export interface Jobs {
  imports: RegExp;
  /** What a file with such a mark has in it, where many import and few mark. */
  marks?: RegExp;
  callee: RegExp;
  kind: "TASK" | "COMMAND" | "QUERY" | "MUTATION" | "SUBSCRIPTION" | "FIELD";
  /** Arguments, and entries of objects, that name it, else the first without a name; without them it has the name of the function. */
  names?: readonly string[];
  /** What has no name names nothing. */
  onlyNamed?: true;
  /** The decorator of the class whose argument says the type that it is a field of. */
  of?: RegExp;
  /** Decorators that name what runs before. */
  before?: RegExp;
  /** Of a class: the methods that run, the first that it has. */
  runs?: readonly string[];
  /** The argument that says what it is run with, which is its name; without that, its name is the type of its first parameter. */
  takes?: string;
}

/** Resolvers of GraphQL, by their decorators. */
const GRAPHQL = /["'](?:@nestjs\/graphql|type-graphql)["']/;

export const JOBS: Readonly<Record<string, readonly Jobs[]>> = {
  python: [
    { imports: importing("celery"), marks: /@.*\b(?:task|shared_task|periodic_task)\b/, callee: /(?:^|\.)(?:task|shared_task|periodic_task)$/, kind: "TASK", names: ["name"] },
    { imports: importing("dramatiq|huey"), marks: /@.*\b(?:actor|task)\b/, callee: /(?:^|\.)(?:actor|task|periodic_task)$/, kind: "TASK", names: ["actor_name", "name"] },
    { imports: importing("apscheduler"), marks: /@.*\bscheduled_job\b/, callee: /(?:^|\.)scheduled_job$/, kind: "TASK", names: ["id"] },
    { imports: importing("click|typer"), marks: /@.*\bcommand\b/, callee: /(?:^|\.)command$/, kind: "COMMAND", names: ["name"] },
    { imports: importing("flask"), marks: /@.*\bcommand\b/, callee: /(?:^|\.)cli\.command$/, kind: "COMMAND", names: ["name"] },
  ],
  java: [
    { imports: /\bpicocli\b/, callee: /^Command$/, kind: "COMMAND", names: ["name"], runs: ["call", "run"] },
    { imports: /org\.springframework\b/, callee: /^(?:Kafka|Rabbit|Jms|Sqs)Listener$/, kind: "TASK", names: ["topics", "queues", "destination"] },
    { imports: /org\.springframework\.messaging\b/, callee: /^(?:Message|Subscribe)Mapping$/, kind: "TASK", names: ["value"] },
    ...(["Query", "Mutation", "Subscription"] as const).map((name): Jobs => ({ imports: /org\.springframework\.graphql\b/, callee: new RegExp(`^${name}Mapping$`), kind: name.toUpperCase() as Jobs["kind"], names: ["name", "value"] })),
    { imports: /org\.springframework\.graphql\b/, callee: /^(?:Schema|Batch)Mapping$/, kind: "FIELD", names: ["field", "value"] },
    { imports: /org\.springframework\b/, callee: /^(?:Scheduled|(?:Transactional)?EventListener|(?:Kafka|Rabbit)Handler)$/, kind: "TASK" },
  ],
  typescript: [
    { imports: /["']@nestjs\//, callee: /^(?:MessagePattern|EventPattern|OnEvent|SubscribeMessage|Process|Interval|Timeout)$/, kind: "TASK", names: ["cmd"], before: NEST_BEFORE },
    { imports: /["']@nestjs\//, callee: /^(?:Cron|GrpcMethod|GrpcStreamMethod|GrpcStreamCall)$/, kind: "TASK", names: ["name"], onlyNamed: true, before: NEST_BEFORE },
    { imports: /["']@nestjs\/bullmq["']/, callee: /^Processor$/, kind: "TASK", names: ["name"], runs: ["process"] },
    ...(["Query", "Mutation", "Subscription"] as const).map((name): Jobs => ({ imports: GRAPHQL, callee: new RegExp(`^${name}$`), kind: name.toUpperCase() as Jobs["kind"], names: ["name"], before: NEST_BEFORE })),
    { imports: GRAPHQL, callee: /^(?:ResolveField|FieldResolver)$/, kind: "FIELD", names: ["name"], of: /^Resolver$/, before: NEST_BEFORE },
    { imports: /["']nest-commander["']/, callee: /^(?:Sub)?Command$/, kind: "COMMAND", names: ["name"], runs: ["run"] },
  ],
  php: [
    { imports: /\bAsCommand\b/, callee: /^AsCommand$/, kind: "COMMAND", names: ["name"], runs: ["execute", "handle", "__invoke"] },
    { imports: /\bAsMessageHandler\b/, callee: /^AsMessageHandler$/, kind: "TASK", takes: "handles", runs: ["__invoke"] },
    { imports: /\bAsEventListener\b/, callee: /^AsEventListener$/, kind: "TASK", takes: "event", runs: ["__invoke"] },
    { imports: /\bAs(?:Cron|Periodic)Task\b/, callee: /^As(?:Cron|Periodic)Task$/, kind: "TASK", runs: ["__invoke"] },
  ],
};
