import type { Node } from "web-tree-sitter";
import type { MountFact } from "../../facts.ts";
import { callOf, type Grammar } from "./calls.ts";
import type { Code, Declared, Found } from "./code.ts";
import { codeOf } from "./named-code.ts";
import { firstWord, type Texts } from "./texts.ts";

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
    { marks: /\bcelery\b/, above: /Task$/, kind: "TASK", runs: ["run"], named: /^name$/ },
    { marks: /django\.core\.management/, above: /(?:^|\.)(?:Base|App|Label|NoArgs)Command$/, kind: "COMMAND", runs: ["handle", "handle_app_config", "handle_label"], byFile: true },
    { marks: /\bclass Command\b/, above: /./, kind: "COMMAND", runs: ["handle", "handle_app_config", "handle_label"], byFile: true, placed: { path: /(?:^|\/)management\/commands\/[^/]+\.py$/, called: /^Command$/ } },
  ],
  ruby: [{ marks: /Job\b|Sidekiq::Worker\b/, above: /^(?:ApplicationJob|ActiveJob::Base|Sidekiq::(?:Job|Worker|IterableJob))$/, kind: "TASK", runs: ["perform"] }],
  php: [
    { marks: /Illuminate\\Console|Symfony\\Component\\Console/, above: /Command$/, kind: "COMMAND", runs: ["handle", "execute", "__invoke"], named: /^(?:\$?signature|\$?defaultName|\$?name|setName|__construct)$/ },
    { marks: /\bMessageHandlerInterface\b/, above: /(?:^|\\)MessageHandlerInterface$/, kind: "TASK", runs: ["__invoke"] },
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
    { marks: /["']@oclif\/core["']/, above: /^Command$/, kind: "COMMAND", runs: ["run"], byFile: true },
  ],
};

const CLASS = ["class_declaration", "class_definition", "class"];

/** Classes that are jobs or commands. */
export function classJobs({ language, root, source, path, grammar, texts, symbolAt }: Code): Declared[] {
  const rows = (CLASSES[language] ?? []).filter(({ marks, placed }) => marks.test(source) && placed?.path.test(path) !== false);
  return rows.length === 0 ? [] : root.descendantsOfType(CLASS).flatMap((cls) => {
    const body = cls.childForFieldName("body");
    const name = cls.childForFieldName("name");
    const row = body && rows.find(({ above, placed }) => placed?.called.test(name?.text ?? "") !== false && aboveOf(cls, body).some((one) => above.test(one)));
    // An abstract class has no objects: the classes below it are the jobs.
    if (!name || !row || cls.namedChildren.some(({ type }) => type === "abstract_modifier")) return [];
    const members = body.namedChildren;
    const run = row.runs.map((method) => members.find((member) => member.childForFieldName("name")?.text === method)).find((one) => one)?.childForFieldName("name");
    const symbol = run ? symbolAt(run) : -1;
    if (symbol < 0) return [];
    const said = row.named && wordIn(body, row.named, texts, grammar);
    const word = (said === undefined ? undefined : firstWord(said)) ?? (row.byFile ? /([^/]+)\.\w+$/.exec(path)?.[1] : undefined) ?? name.text;
    return [{ name: `${row.kind} ${word}`, node: cls, route: { before: [], symbol } }];
  });
}

/** The names of what a class derives from, implements and includes. */
function aboveOf(cls: Node, body: Node): string[] {
  const lists = cls.namedChildren.filter(({ type }) => /^(?:superclass|super_interfaces|base_clause|class_interface_clause|base_list|argument_list|class_heritage)$/.test(type));
  const included = body.namedChildren.filter((one) => one.childForFieldName("method")?.text === "include").flatMap((one) => one.childForFieldName("arguments")?.namedChildren ?? []);
  return [...lists.flatMap((list) => list.text.replace(/<[^>]*>|\bextends\b|\bimplements\b|^[(:<]|\)$/g, " ").split(/[\s,]+/)), ...included.map(({ text }) => text)].filter((text) => text !== "");
}

/** The text that a property of a class is given, or a call in it. */
function wordIn(body: Node, named: RegExp, texts: Texts, grammar: Grammar): string | undefined {
  for (const node of body.descendantsOfType(["assignment", "property_element", ...grammar.calls])) {
    const call = callOf(node, grammar);
    const name = call ? call.name : (node.childForFieldName("left") ?? node.childForFieldName("name"))?.text;
    const value = call ? call.args[0]?.node : (node.childForFieldName("right") ?? node.childForFieldName("default_value") ?? node.namedChildren[1]);
    const text = name !== undefined && named.test(name) ? texts.one(value ?? undefined) : undefined;
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Ruby: the methods of a command line of Thor, each behind a `desc`, and the command lines that it has behind a word: `subcommand "remote", Remote`. */
export function thorCommands({ root, source, grammar, texts, symbolAt }: Code): Found {
  if (!/<\s*Thor\b/.test(source)) return {};
  const mounts: MountFact[] = [];
  const routes = root.descendantsOfType("class").flatMap((cls) => {
    const [body, type] = [cls.childForFieldName("body"), cls.childForFieldName("name")];
    if (!body || !type || !aboveOf(cls, body).includes("Thor")) return [];
    const router = { names: [type.text.split("::").at(-1)!], line: type.startPosition.row + 1, word: "" };
    let [described, hidden] = [false, false];
    return body.namedChildren.flatMap((member): Declared[] => {
      const call = callOf(member, grammar);
      const called = call?.name ?? (member.type === "identifier" ? member.text : undefined);
      if (called === "desc") described = true;
      if (/^(?:private|protected|public)$/.test(called ?? "") && (call?.args ?? []).length === 0) hidden = called !== "public";
      const [word, part] = called === "subcommand" ? call!.args : [];
      if (word && part) mounts.push({ prefix: "", target: codeOf(part.node, grammar), into: router, word: texts.one(word.node) ?? "…" });
      // What is described before it is the command line behind the word.
      if (/^(?:subcommand|register)$/.test(called ?? "")) described = false;
      const name = member.type === "method" && described && !hidden ? member.childForFieldName("name") : null;
      if (!name) return [];
      described = false;
      const symbol = symbolAt(name);
      return symbol < 0 ? [] : [{ name: `COMMAND ${name.text}`, node: member, route: { before: [], symbol, router } }];
    });
  });
  return { routes, mounts };
}
