import type { Node } from "web-tree-sitter";
import { type Annotated, type Annotation, argument, entriesOf } from "./calls.ts";
import { beforeIn } from "./annotations.ts";
import { calledJobs } from "./called-jobs.ts";
import { classJobs } from "./class-jobs.ts";
import type { Code, Declared, Found } from "./code.ts";
import { Commands, hasGroups } from "./commands.ts";
import { type Jobs, JOBS } from "./frameworks.ts";
import { firstWord, type Texts } from "./texts.ts";

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
    return row ? one.annotations.filter((each) => row.callee.test(each.callee)).flatMap((annotation) => declared(one, annotation, row)) : [];
  });
  return { routes: [...routes, ...commands?.called() ?? []], mounts: isGrouped ? commands!.mounts() : [] };

  /** What one annotation makes of a function or a class. */
  function declared(one: Annotated, annotation: Annotation, row: Jobs): Declared[] {
    const said = annotation.args.find(({ name }) => name === "method")?.node;
    const run = row.runs && /class/.test(one.node.type) ? methodOf(one, [...said ? texts.all(said) : [], ...row.runs]) : one.name;
    const symbol = run ? symbolAt(run) : -1;
    if (symbol < 0) return [];
    const { kind, names } = row;
    if (commands && kind === "COMMAND") {
      const { words, router } = commands.command(one.name, annotation.args, annotation.receiver);
      return [{ name: `${kind} ${words}`, node: one.node, route: { before: [], symbol, router } }];
    }
    // `@Command({ name: "clean" })`, `@Query(() => Author, { name: "author" })`
    const args = annotation.args.flatMap((each) => (each.node.type === "object" ? entriesOf(each.node) : [each]));
    const node = names && (row.onlyNamed ? args.find(({ name }) => names.includes(name))?.node : argument(args, names));
    const words = row.takes !== undefined ? takenBy(run!, annotation, row.takes, texts) : node ? texts.all(node).filter((text) => !/[…«]/.test(text)) : [];
    const before = beforeIn([...one.outer?.annotations ?? [], ...one.annotations], row, grammar);
    const owner = texts.one(args.find(({ name }) => name === "typeName")?.node) ?? (row.of && typeIn(one.outer?.annotations.find(({ name }) => row.of!.test(name))));
    return (words.length > 0 ? words : [one.name.text]).map((name) => (
      { name: `${kind} ${owner === undefined ? "" : `${owner}.`}${kind === "COMMAND" ? firstWord(name) : name}`, node: one.node, route: { before, symbol } }
    ));
  }
}

/** GraphQL: the type of `@Resolver(() => Author)`, `@Resolver("Author")`. */
function typeIn(annotation: Annotation | undefined): string | undefined {
  return /(\w+)["']?$/.exec(annotation?.args[0]?.node.text ?? "")?.[1];
}

/** Symfony: the name of the event, or the simple name of the class of the message, that a method is given. */
function takenBy(method: Node, { args }: Annotation, name: string, texts: Texts): string[] {
  const said = args.find((one) => one.name === name)?.node;
  const type = said ?? method.parent?.childForFieldName("parameters")?.namedChildren[0]?.childForFieldName("type");
  const word = (said && texts.one(said)) ?? /(\w+)(?:::class)?$/.exec(type?.text ?? "")?.[1];
  return word === undefined ? [] : [word];
}

/** The first method of a class that has one of some names. */
function methodOf({ node }: Annotated, names: readonly string[]): Node | undefined {
  const own = (node.childForFieldName("body")?.namedChildren ?? []).map((child) => child.childForFieldName("name"));
  return names.map((name) => own.find((one) => one?.text === name)).find((one) => one) ?? undefined;
}
