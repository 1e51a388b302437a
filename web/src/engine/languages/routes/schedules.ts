import type { Node } from "web-tree-sitter";
import { callOf, entriesOf, GRAMMARS, literal } from "./calls.ts";
import type { Declared } from "./code.ts";
import { codeOf } from "./named-code.ts";
import { firstWord } from "./texts.ts";

const GRAMMAR = GRAMMARS["python"]!;
const PHP = GRAMMARS["php"]!;
/** What a table of celery's schedules is called, alone or as a member. */
const TABLE = /(?:^|_|\.)beat_?schedule$/i;

/** Celery: what runs a task when it is time, by a table of schedules (`"every-night": {"task": "shop.tasks.clean", …}`) or a call of `add_periodic_task`. */
export function schedules(root: Node, source: string): Declared[] {
  const tables = !/beat_?schedule\b/i.test(source) ? [] : root.descendantsOfType(["assignment", "keyword_argument"]).flatMap((node) => {
    const [name, value] = [node.childForFieldName("left") ?? node.childForFieldName("name"), node.childForFieldName("right") ?? node.childForFieldName("value")];
    return name && TABLE.test(name.text) && value?.type === "dictionary" ? entriesOf(value) : [];
  });
  const listed = tables.flatMap(({ name, node }): Declared[] => {
    const task = node.type === "dictionary" ? literal(entriesOf(node).find((one) => one.name === "task")?.node, GRAMMAR) : undefined;
    return task === undefined ? [] : [{ name: `SCHEDULE ${name}`, node, route: { before: [], task } }];
  });
  const called = !source.includes("add_periodic_task") ? [] : root.descendantsOfType("call").flatMap((node): Declared[] => {
    const call = callOf(node, GRAMMAR)!;
    const run = call.name === "add_periodic_task" ? call.args[1]?.node : undefined;
    const made = run && (callOf(run, GRAMMAR)?.receiver ?? run);
    return made ? [{ name: `SCHEDULE ${literal(call.args.find((one) => one.name === "name")?.node, GRAMMAR) ?? made.text}`, node, route: { before: [], handler: codeOf(made, GRAMMAR) } }] : [];
  });
  return [...listed, ...called];
}

/** The method of Laravel's classes that each call of a schedule runs. */
const RUN: Readonly<Record<string, string>> = { command: "handle", job: "handle", call: "__invoke" };

/** Laravel: what runs by the clock, `Schedule::command("mail:send")`, `$schedule->job(new Prune)`, `Schedule::call([Reports::class, "send"])`. */
export function laravelSchedules(root: Node, source: string): Declared[] {
  if (!/\bSchedule::|\$schedule->/.test(source)) return [];
  return root.descendantsOfType([...PHP.calls]).flatMap((node): Declared[] => {
    const call = callOf(node, PHP)!;
    const method = /^(?:Schedule|\$schedule)$/.test(call.receiver?.text ?? "") ? RUN[call.name] : undefined;
    const given = call.args[0]?.node;
    if (method === undefined || !given) return [];
    const word = call.name === "command" ? literal(given, PHP) : undefined;
    if (word !== undefined) return [{ name: `SCHEDULE ${firstWord(word)}`, node, route: { before: [], task: firstWord(word) } }];
    const [, owner, name = method] = /^\[?\s*(?:new\s+)?\\?(?:\w+\\)*(\w+)(?:::class)?(?:\s*,\s*["'](\w+)["']\s*\]|\s*\(.*\))?$/s.exec(given.text) ?? [];
    return owner === undefined ? [] : [{ name: `SCHEDULE ${owner}`, node, route: { before: [], named: { owner, name } } }];
  });
}
