import type { Node } from "web-tree-sitter";
import { type Annotated, argument } from "./calls.ts";
import { calledJobs } from "./called-jobs.ts";
import { classJobs } from "./class-jobs.ts";
import type { Code, Declared, Found } from "./code.ts";
import { Commands, hasGroups } from "./commands.ts";
import { JOBS } from "./frameworks.ts";
import { firstWord } from "./texts.ts";

/** Jobs and commands: by what stands above functions and classes, by what classes derive from, and of calls. */
export function jobs(code: Code): Found {
  const above = annotatedJobs(code);
  // A class that an attribute makes a command is one already.
  const known = new Set(above.routes.map(({ route }) => route.symbol));
  const classes = classJobs(code).filter(({ route }) => !known.has(route.symbol));
  return { routes: [...above.routes, ...classes, ...calledJobs(code)], mounts: above.mounts };
}

function annotatedJobs(code: Code): Required<Pick<Found, "routes" | "mounts">> {
  const { language, root, source, grammar, texts, symbolAt } = code;
  const rows = (JOBS[language] ?? []).filter(({ imports, marks }) => imports.test(source) && marks?.test(source) !== false);
  const isGrouped = language === "python" && hasGroups(source);
  if (rows.length === 0 && !isGrouped) return { routes: [], mounts: [] };
  const hasCommands = isGrouped || (language === "python" && rows.some(({ kind }) => kind === "COMMAND"));
  const commands = hasCommands ? new Commands(root, source, grammar, code.annotated) : undefined;
  const routes = code.annotated.flatMap((one): Declared[] => {
    const row = rows.find(({ callee }) => one.annotations.some((each) => callee.test(each.callee)));
    const annotation = row && one.annotations.find((each) => row.callee.test(each.callee));
    const run = row?.runs ? methodOf(one, row.runs) : one.name;
    const symbol = annotation && run ? symbolAt(run) : -1;
    if (!annotation || symbol < 0) return [];
    const { kind, names } = row;
    if (commands && kind === "COMMAND") {
      const { words, router } = commands.command(one.name, annotation.args, annotation.receiver);
      return [{ name: `${kind} ${words}`, node: one.node, route: { before: [], symbol, router } }];
    }
    const node = names && argument(annotation.args, names);
    const said = node ? texts.all(node).filter((text) => !/[…«]/.test(text)) : [];
    return (said.length > 0 ? said : [one.name.text]).map((name) => (
      { name: `${kind} ${kind === "COMMAND" ? firstWord(name) : name}`, node: one.node, route: { before: [], symbol } }
    ));
  });
  return { routes, mounts: isGrouped ? commands!.mounts() : [] };
}

/** The first method of a class that has one of some names. */
function methodOf({ node }: Annotated, names: readonly string[]): Node | undefined {
  const own = (node.childForFieldName("body")?.namedChildren ?? []).map((child) => child.childForFieldName("name"));
  return names.map((name) => own.find((one) => one?.text === name)).find((one) => one) ?? undefined;
}
