import type { Node } from "web-tree-sitter";
import { type Call, callOf, type Grammar, GRAMMARS, literal } from "./calls.ts";
import type { Code, Declared } from "./code.ts";
import { codeOf } from "./named-code.ts";
import { firstWord, type Texts } from "./texts.ts";

const PYTHON = GRAMMARS["python"]!;
const TYPESCRIPT = GRAMMARS["typescript"]!;
/** Commands in commands in commands … */
const MAX_DEPTH = 5;
/** What is said of a command, in one chain. */
const MAX_STEPS = 50;

/** Jobs and commands that calls make: what one is named by, and what it runs. */
interface CallJobs {
  marks: RegExp;
  kind: "TASK" | "COMMAND";
  /** The call, and of its arguments what it runs, with the commands that it is a part of; nothing where it is none. */
  read: (call: Call, texts: Texts) => { word: string | undefined; run: Node | undefined; outer?: readonly string[] } | undefined;
}

const last = ({ args }: Call): Node | undefined => args.at(-1)?.node;
/** commander: the `command("build <dir>")` earlier in a chain of calls. */
const commandBefore = ({ receiver }: Call, grammar: Grammar): Call | undefined => {
  for (let at = receiver && callOf(receiver, grammar); at; at = at.receiver && callOf(at.receiver, grammar)) if (/^[cC]ommand$/.test(at.name)) return at;
  return undefined;
};
/** commander: the commands that one is a part of, `const users = program.command("users"); users.command("create")`. */
function commandsAround({ receiver }: Call, texts: Texts, depth = 0): string[] {
  const root = /^[\w$]+/.exec(receiver?.text ?? "")?.[0];
  const value = root !== undefined && depth < MAX_DEPTH ? texts.constant(root) : undefined;
  let outer = value && callOf(value, TYPESCRIPT);
  for (let steps = 0; outer && outer.name !== "command"; steps++) outer = outer.receiver && steps < MAX_STEPS ? callOf(outer.receiver, TYPESCRIPT) : undefined;
  const word = outer && texts.one(outer.args[0]?.node);
  return outer && word !== undefined ? [...commandsAround(outer, texts, depth + 1), firstWord(word)] : [];
}

const CALLS: Readonly<Record<string, readonly CallJobs[]>> = {
  typescript: [
    { marks: /["']commander["']/, kind: "COMMAND", read: (call, texts) => {
      const command = call.name === "action" ? commandBefore(call, TYPESCRIPT) : undefined;
      return command && { outer: commandsAround(command, texts), word: texts.one(command.args[0]?.node), run: call.args[0]?.node };
    } },
    { marks: /["']yargs(?:\/\w+)?["']/, kind: "COMMAND", read: (call, texts) => (call.name === "command" && call.args.length > 2 ? { word: texts.one(call.args[0]?.node) ?? texts.all(call.args[0]!.node)[0], run: last(call) } : undefined) },
    { marks: /["']node-cron["']|["']cron["']/, kind: "TASK", read: (call, texts) => (/^(?:schedule|CronJob)$/.test(call.name) && call.args.length > 1 ? { word: texts.one(call.args[0]?.node), run: call.args[1]!.node } : undefined) },
    { marks: /["']bullmq["']/, kind: "TASK", read: (call, texts) => (call.name === "Worker" && call.args.length > 1 ? { word: texts.one(call.args[0]?.node), run: call.args[1]!.node } : undefined) },
  ],
  python: [
    // Celery: `app.task(send)`, `shared_task(name="send")(send)`
    { marks: /^(?=[\s\S]*\bcelery\b)[\s\S]*?\b(?:shared_)?task(?:\([^()]*\))?\(\s*[a-z_]\w*\s*[,)]/, kind: "TASK", read: (call) => {
      const inner = callOf(call.node.childForFieldName("function")!, PYTHON);
      const run = call.args[0]?.node;
      if (!/^(?:shared_)?task$/.test((inner ?? call).name) || call.node.parent?.type === "decorator" || run?.type !== "identifier" || call.args[0]!.name !== "") return undefined;
      return { word: literal((inner ?? call).args.find(({ name }) => name === "name")?.node, PYTHON) ?? run.text, run };
    } },
  ],
  ruby: [
    { marks: /^[ \t]*task\b/m, kind: "COMMAND", read: (call, texts) => {
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
export function calledJobs({ language, root, source, grammar, texts, symbols }: Code): Declared[] {
  const rows = (CALLS[language] ?? []).filter(({ marks }) => marks.test(source));
  const made = (kind: string, node: Node, word: string | undefined, run: Node | undefined, outer: readonly string[] = []): Declared[] => {
    if (!run || word === undefined) return [];
    // Tasks of rake have nodes of their own.
    const symbol = symbols.findIndex(({ name, line }) => name === word && line === node.startPosition.row + 1);
    return [{ name: `${kind} ${kind === "COMMAND" ? [...outer, firstWord(word)].join(" ") : word}`, node, route: { before: [], ...(symbol < 0 ? { handler: codeOf(run, grammar) } : { symbol }) } }];
  };
  return rows.length === 0 ? [] : root.descendantsOfType([...grammar.calls]).flatMap((node) => {
    const call = callOf(node, grammar);
    for (const { kind, read } of call ? rows : []) {
      const job = read(call!, texts);
      if (job) return made(kind, node, job.word, job.run, job.outer);
    }
    return [];
  });
}
