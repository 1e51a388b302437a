import { annotatedRoutes } from "./annotations.ts";
import { parserCommands } from "./argparse.ts";
import { actionsByName, controllerMiddlewares, inheritedActions, pageHandlers } from "./aspnet.ts";
import { thorCommands } from "./class-jobs.ts";
import type { Code, Finder, Found } from "./code.ts";
import { folderHooks, ownPrefix } from "./folders.ts";
import { goCommands } from "./go-commands.ts";
import { javaFilters } from "./java-filters.ts";
import { resourceMounts } from "./jax-rs.ts";
import { jobs } from "./jobs.ts";
import { aliasesOf } from "./laravel-aliases.ts";
import { controllerFilters } from "./laravel-filters.ts";
import { memberTexts } from "./members.ts";
import { composedDecorators, nestMounts } from "./nest.ts";
import { nextMounts, pagesOf } from "./next.ts";
import { railsRoutes } from "./rails.ts";
import { filtersOf } from "./rails-filters.ts";
import { routerRoutes } from "./router-routes.ts";
import { rocketMounts } from "./rust.ts";
import { laravelSchedules, schedules } from "./schedules.ts";
import { servletRoutes } from "./servlets.ts";
import { classMounts, rackMounts } from "./sinatra.ts";
import { commentedRoutes, configuredRoutes, inheritedRoutes } from "./symfony.ts";
import { tornadoRoutes } from "./tornado.ts";
import { procedures } from "./trpc.ts";
import { viewFilters } from "./view-filters.ts";
import { answersOf } from "./views.ts";

/** What is looked for in every language: each reads its frameworks from a table. */
export const EVERYWHERE: readonly Finder[] = [
  routerRoutes,
  annotatedRoutes,
  jobs,
  ({ language, root, source }) => ({ texts: memberTexts(language, root, source) }),
];

/** What else in one: only a file that imports a framework, or is where one looks for it, is walked through. */
export const FINDERS: Readonly<Record<string, readonly Finder[]>> = {
  go: [goCommands],
  typescript: [
    procedures,
    (code) => ({ mounts: nestMounts(code), aliases: composedDecorators(code) }),
    (code) => ({ routes: pagesOf(code), mounts: nextMounts(code) }),
    ({ root, source, path, grammar }) => ({ ownPrefix: ownPrefix(source), folderHooks: folderHooks(root, source, path, grammar) }),
  ],
  python: [
    ({ root, source }) => ({ routes: parserCommands(root, source) }),
    ({ root, source }) => ({ routes: schedules(root, source) }),
    (code) => ({ routes: tornadoRoutes(code), answers: answersOf(code), filters: viewFilters(code) }),
  ],
  java: [
    resourceMounts,
    servletRoutes,
    (code) => ({ mounts: javaFilters(code) }),
  ],
  csharp: [
    actions,
    ({ root, source, grammar }) => (/\bUseMiddleware</.test(source) && source.includes("MapController") ? { mounts: controllerMiddlewares(root, grammar) } : {}),
  ],
  php: [
    ({ root, source }) => ({ routes: laravelSchedules(root, source) }),
    commentedRoutes,
    configuredRoutes,
    inheritedRoutes,
    ({ root, source, grammar }) => (/[mM]iddleware/.test(source) && /[aA]lias|[gG]roup|routeMiddleware|withMiddleware/.test(source) ? { aliases: aliasesOf(root, grammar) } : {}),
    ({ root, source, grammar, texts, symbolAt }) => (/->middleware\(|\bstatic function middleware\(/.test(source) && /^[^\n]*\bclass\s/m.test(source) ? { filters: controllerFilters(root, grammar, texts, symbolAt) } : {}),
  ],
  ruby: [
    thorCommands,
    ({ root, source, path, grammar, texts }) => (/\.ru$/.test(path) || /\bRack::(?:Builder|URLMap)\b/.test(source) ? { mounts: rackMounts(root, grammar, texts) } : {}),
    ({ root, source, grammar }) => (/\b(?:before|register)\b/.test(source) && /^[ \t]*class\s+\S+\s*</m.test(source) ? { mounts: classMounts(root, grammar) } : {}),
    drawnRoutes,
    ({ root, source, grammar, texts, symbolAt }) => (/_action\b/.test(source) ? { filters: filtersOf(root, grammar, texts, symbolAt) } : {}),
  ],
  rust: [({ root, source, grammar, texts }) => (/\brocket\b/.test(source) ? { mounts: rocketMounts(root, texts, grammar) } : {})],
};

/** ASP.NET: actions of controllers by name, and handlers of pages. */
function actions({ root, source, path, grammar, symbolAt }: Code): Found {
  const hasControllers = /Controller\b|\babstract\b/.test(source) && !path.endsWith(".cshtml.cs");
  const all = hasControllers ? actionsByName(root, grammar) : path.endsWith(".cshtml.cs") ? pageHandlers(root, path) : [];
  return { mounts: hasControllers ? inheritedActions(root) : [], routes: all.flatMap(({ name, method, before, router }) => {
    const symbol = symbolAt(method);
    return symbol < 0 ? [] : [{ name, node: method.parent ?? method, route: { before, symbol, ...(router ? { router } : {}) } }];
  }) };
}

/** Rails: `routes.draw`, and the files that it takes in. */
function drawnRoutes({ root, source, path, grammar }: Code): Found {
  const isDrawn = /(?:^|\/)config\/routes\/.+\.rb$/.test(path);
  return isDrawn || /\.routes\.draw\b/.test(source) ? railsRoutes(root, source, grammar, isDrawn) : {};
}
