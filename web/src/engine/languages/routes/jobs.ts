import type { Node } from "web-tree-sitter";
import { type Annotated, argument, type Call, callOf, type Grammar, GRAMMARS, literal } from "./calls.ts";
import type { Code, Declared, Found } from "./code.ts";
import { Commands, hasGroups } from "./commands.ts";
import { JOBS } from "./frameworks.ts";
import { codeOf } from "./known-routers.ts";
import type { Texts } from "./texts.ts";

/** Jobs and commands: by what stands above functions and classes, by what classes derive from, and of calls. */
export function jobs(code: Code): Found {
  const above = annotatedJobs(code);
  // A class that an attribute makes a command is one already.
  const known = new Set(above.routes.map(({ route }) => route.symbol));
  const classes = classJobs(code).filter(({ route }) => !known.has(route.symbol));
  return { routes: [...above.routes, ...classes, ...calledJobs(code)], mounts: above.mounts };
}

function annotatedJobs(code: Code): Required<Pick<Found, "routes" | "mounts">> {
  const { language, root, source, grammar, symbolAt } = code;
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
    const name = (names && literal(argument(annotation.args, names), grammar)) ?? one.name.text;
    return [{ name: `${kind} ${name}`, node: one.node, route: { before: [], symbol } }];
  });
  return { routes, mounts: isGrouped ? commands!.mounts() : [] };
}

/** The first method of a class that has one of some names. */
function methodOf({ node }: Annotated, names: readonly string[]): Node | undefined {
  const own = (node.childForFieldName("body")?.namedChildren ?? []).map((child) => child.childForFieldName("name"));
  return names.map((name) => own.find((one) => one?.text === name)).find((one) => one) ?? undefined;
}

/** Jobs and commands that are classes, by what stands above them. */
interface ClassJobs {
  /** What a file with such a class has in it. */
  marks: RegExp;
  /** What the class derives from, implements or includes. */
  above: RegExp;
  kind: "TASK" | "COMMAND";
  /** The methods that run, the first that it has. */
  runs: readonly string[];
  /** A property, or a call in the class, that names it. Without one it has the name of the class, or of the file. */
  named?: RegExp;
  byFile?: true;
  /** Where it is taken for one by its place and its own name, whatever it derives from. */
  placed?: { path: RegExp; called: RegExp };
}

const CLASSES: Readonly<Record<string, readonly ClassJobs[]>> = {
  python: [
    { marks: /\bcelery\b/, above: /(?:^|\.)Task$/, kind: "TASK", runs: ["run"], named: /^name$/ },
    { marks: /django\.core\.management/, above: /(?:^|\.)(?:Base|App|Label|NoArgs)Command$/, kind: "COMMAND", runs: ["handle", "handle_app_config", "handle_label"], byFile: true },
    { marks: /\bclass Command\b/, above: /./, kind: "COMMAND", runs: ["handle", "handle_app_config", "handle_label"], byFile: true, placed: { path: /(?:^|\/)management\/commands\/[^/]+\.py$/, called: /^Command$/ } },
  ],
  ruby: [{ marks: /Job\b|Sidekiq::Worker\b/, above: /^(?:ApplicationJob|ActiveJob::Base|Sidekiq::(?:Job|Worker|IterableJob))$/, kind: "TASK", runs: ["perform"] }],
  php: [
    { marks: /Illuminate\\Console|Symfony\\Component\\Console/, above: /(?:^|\\)Command$/, kind: "COMMAND", runs: ["handle", "execute", "__invoke"], named: /^(?:\$?signature|\$?defaultName|\$?name|setName)$/ },
    { marks: /Illuminate\\(?:Contracts\\Queue|Bus)/, above: /(?:^|\\)ShouldQueue$/, kind: "TASK", runs: ["handle"] },
  ],
  csharp: [
    { marks: /\bBackgroundService\b/, above: /^BackgroundService$/, kind: "TASK", runs: ["ExecuteAsync"] },
    { marks: /\bIHostedService\b/, above: /^IHostedService$/, kind: "TASK", runs: ["StartAsync"] },
    { marks: /\bQuartz\b/, above: /^IJob$/, kind: "TASK", runs: ["Execute"] },
  ],
  java: [
    { marks: /org\.quartz\b/, above: /^(?:Job|QuartzJobBean)$/, kind: "TASK", runs: ["execute", "executeInternal"] },
    { marks: /org\.springframework\.boot\b/, above: /^(?:CommandLineRunner|ApplicationRunner)$/, kind: "TASK", runs: ["run"] },
  ],
  typescript: [
    { marks: /["']@nestjs\/bullmq["']/, above: /^WorkerHost$/, kind: "TASK", runs: ["process"] },
    { marks: /["']@oclif\/core["']/, above: /^Command$/, kind: "COMMAND", runs: ["run"], byFile: true },
  ],
};

const CLASS = ["class_declaration", "class_definition", "class"];

/** Classes that are jobs or commands. */
function classJobs({ language, root, source, path, grammar, symbolAt }: Code): Declared[] {
  const rows = (CLASSES[language] ?? []).filter(({ marks, placed }) => marks.test(source) && placed?.path.test(path) !== false);
  return rows.length === 0 ? [] : root.descendantsOfType(CLASS).flatMap((cls) => {
    const body = cls.childForFieldName("body");
    const name = cls.childForFieldName("name");
    const row = body && rows.find(({ above, placed }) => placed?.called.test(name?.text ?? "") !== false && aboveOf(cls, body).some((one) => above.test(one)));
    if (!name || !row) return [];
    const members = body.namedChildren;
    const run = row.runs.map((method) => members.find((member) => member.childForFieldName("name")?.text === method)).find((one) => one)?.childForFieldName("name");
    const symbol = run ? symbolAt(run) : -1;
    if (symbol < 0) return [];
    const said = row.named && wordIn(body, row.named, grammar);
    const word = (said === undefined ? undefined : first(said)) ?? (row.byFile ? /([^/]+)\.\w+$/.exec(path)?.[1] : undefined) ?? name.text;
    return [{ name: `${row.kind} ${word}`, node: cls, route: { before: [], symbol } }];
  });
}

/** What is typed for a command that says more: `serve [port]`, `|list`. */
function first(words: string): string {
  return /[^\s|]+/.exec(words)?.[0] ?? words;
}

/** The names of what a class derives from, implements and includes. */
function aboveOf(cls: Node, body: Node): string[] {
  const lists = cls.namedChildren.filter(({ type }) => /^(?:superclass|super_interfaces|base_clause|class_interface_clause|base_list|argument_list|class_heritage)$/.test(type));
  const included = body.namedChildren.filter((one) => one.childForFieldName("method")?.text === "include").flatMap((one) => one.childForFieldName("arguments")?.namedChildren ?? []);
  return [...lists.flatMap((list) => list.text.replace(/<[^>]*>|\bextends\b|\bimplements\b|^[(:<]|\)$/g, " ").split(/[\s,]+/)), ...included.map(({ text }) => text)].filter((text) => text !== "");
}

/** The text that a property of a class is given, or a call in it. */
function wordIn(body: Node, named: RegExp, grammar: Grammar): string | undefined {
  for (const node of body.descendantsOfType(["assignment", "property_element", ...grammar.calls])) {
    const call = callOf(node, grammar);
    const name = call ? call.name : (node.childForFieldName("left") ?? node.childForFieldName("name"))?.text;
    const value = call ? call.args[0]?.node : (node.childForFieldName("right") ?? node.childForFieldName("default_value") ?? node.namedChildren[1]);
    const text = name !== undefined && named.test(name) ? literal(value ?? undefined, grammar) : undefined;
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Jobs and commands that calls make: what one is named by, and what it runs. */
interface CallJobs {
  marks: RegExp;
  kind: "TASK" | "COMMAND";
  /** The call, and of its arguments what it runs; nothing where it is none. */
  read: (call: Call, texts: Texts) => { word: string | undefined; run: Node | undefined } | undefined;
}

const last = ({ args }: Call): Node | undefined => args.at(-1)?.node;
/** commander: the `command("build <dir>")` earlier in a chain of calls. */
const commandBefore = ({ receiver }: Call, grammar: Grammar): Call | undefined => {
  for (let at = receiver && callOf(receiver, grammar); at; at = at.receiver && callOf(at.receiver, grammar)) if (/^[cC]ommand$/.test(at.name)) return at;
  return undefined;
};

const CALLS: Readonly<Record<string, readonly CallJobs[]>> = {
  typescript: [
    { marks: /["']commander["']/, kind: "COMMAND", read: (call, texts) => {
      const command = call.name === "action" ? commandBefore(call, GRAMMARS["typescript"]!) : undefined;
      return command && { word: texts.one(command.args[0]?.node), run: call.args[0]?.node };
    } },
    { marks: /["']yargs(?:\/\w+)?["']/, kind: "COMMAND", read: (call, texts) => (call.name === "command" && call.args.length > 2 ? { word: texts.one(call.args[0]?.node) ?? texts.all(call.args[0]!.node)[0], run: last(call) } : undefined) },
    { marks: /["']node-cron["']|["']cron["']/, kind: "TASK", read: (call, texts) => (/^(?:schedule|CronJob)$/.test(call.name) && call.args.length > 1 ? { word: texts.one(call.args[0]?.node), run: call.args[1]!.node } : undefined) },
    { marks: /["']bullmq["']/, kind: "TASK", read: (call, texts) => (call.name === "Worker" && call.args.length > 1 ? { word: texts.one(call.args[0]?.node), run: call.args[1]!.node } : undefined) },
  ],
  ruby: [
    { marks: /^\s*task\b/m, kind: "COMMAND", read: (call, texts) => {
      const [named] = call.args;
      const run = last(call);
      if (call.name !== "task" || call.receiver || !named || !run || !GRAMMARS["ruby"]!.functions.test(run.type)) return undefined;
      const word = named.name === "" ? texts.one(named.node) : named.name;
      return { word: word && [...namespacesAround(call.node, texts), word].join(":"), run };
    } },
  ],
  php: [
    { marks: /\bArtisan::command\b/, kind: "COMMAND", read: (call, texts) => (call.callee === "Artisan.command" ? { word: texts.one(call.args[0]?.node), run: call.args[1]?.node } : undefined) },
  ],
};

/** Ruby: the words of the namespaces around a task. */
function namespacesAround(node: Node, texts: Texts): string[] {
  const words: string[] = [];
  for (let at = node.parent; at; at = at.parent) {
    const call = callOf(at, GRAMMARS["ruby"]!);
    const word = call?.name === "namespace" ? texts.one(call.args[0]?.node) : undefined;
    if (word !== undefined) words.unshift(word);
  }
  return words;
}

/** Jobs and commands that are made by calls. */
function calledJobs({ language, root, source, grammar, texts, symbols }: Code): Declared[] {
  const rows = (CALLS[language] ?? []).filter(({ marks }) => marks.test(source));
  const made = (kind: string, node: Node, word: string | undefined, run: Node | undefined): Declared[] => {
    if (!run || word === undefined) return [];
    // Tasks of rake have nodes of their own.
    const symbol = symbols.findIndex(({ name, line }) => name === word && line === node.startPosition.row + 1);
    return [{ name: `${kind} ${kind === "COMMAND" ? first(word) : word}`, node, route: { before: [], ...(symbol < 0 ? { handler: codeOf(run, grammar) } : { symbol }) } }];
  };
  return rows.length === 0 ? [] : root.descendantsOfType([...grammar.calls]).flatMap((node) => {
    const call = callOf(node, grammar);
    for (const { kind, read } of call ? rows : []) {
      const job = read(call!, texts);
      if (job) return made(kind, node, job.word, job.run);
    }
    return [];
  });
}

/** Ruby: the methods of a command line of Thor, each behind a `desc`. */
export function thorCommands({ root, source, symbolAt }: Code): Found {
  if (!/<\s*Thor\b/.test(source)) return {};
  return { routes: root.descendantsOfType("class").flatMap((cls) => {
    const body = cls.childForFieldName("body");
    if (!body || !aboveOf(cls, body).includes("Thor")) return [];
    let described = false;
    return body.namedChildren.flatMap((member) => {
      if (member.childForFieldName("method")?.text === "desc") described = true;
      const name = member.type === "method" && described ? member.childForFieldName("name") : null;
      if (!name) return [];
      described = false;
      const symbol = symbolAt(name);
      return symbol < 0 ? [] : [{ name: `COMMAND ${name.text}`, node: member, route: { before: [], symbol } }];
    });
  }) };
}
