import { type Offset, Op } from "../classes/facts.ts";
import type { Unit } from "../classes/unit.ts";
import { ANY } from "../patterns.ts";

/** Of so many texts none is told as a name. */
const MAX_TEXTS = 20;
/** No name is longer. */
const MAX_NAME = 100;

/** A shorter ending says nothing of a name of which nothing else is known. */
const MIN_ENDING = 3;

/** The texts that a value may be, each the name of a method, or the pattern of one; none where it may be something else. */
export function textsOf(u: Unit, at: Offset, depth = 0): string[] {
  const op = u.code[at];
  if (depth > 4) return [];
  if (op === Op.Variable) return textsOf(u, u.code[at + 2]!, depth + 1);
  const text = textOf(u, at);
  if (text !== undefined) return [text];
  if (op !== Op.Either) return [];
  const each = Array.from({ length: u.code[at + 1]! }, (_, i) => textsOf(u, u.code[at + 2 + i]!, depth + 1));
  return each.length <= MAX_TEXTS && each.every((texts) => texts.length > 0) ? each.flat() : [];
}

/** Functions that call what a text among their arguments names. */
export const CALLING = /^(?:array_(?:map|filter|walk|walk_recursive|reduce|find|any|all|u\w+)|call_user_func(?:_array)?|u[ak]?sort|is_callable|spl_autoload_register|register_shutdown_function|register_tick_function|set_(?:error|exception)_handler|preg_replace_callback|mb_ereg_replace_callback|forward_static_call(?:_array)?|pcntl_signal|session_set_save_handler|header_register_callback|xml_set_\w+_handler|libxml_set_external_entity_loader|readline_(?:completion_function|callback_handler_install)|iterator_apply|ob_start|add_(?:action|filter|shortcode|meta_box|\w+_(?:page|field|section))|register_\w+_(?:hook|callback))$/;

/** Classes whose objects call what a text among their arguments names: Twig's filters, functions and tests. */
export const CALLING_CLASS = /^(?:.*\.)?Twig(?:_(?:Simple)?)?(?:Filter|Function|Test)$/;

/** `'f'` and `'C::m'` as arguments name a function or a method. */
export function named(u: Unit, argument: number): void {
  const { syntax } = u;
  const text = syntax.children(argument).at(-1);
  const [, owner, name = ""] = (text !== undefined && /string$/.test(syntax.kind(text)) && /^['"]\\?(?:([\w\\]+)::)?([\w\\]+)['"]$/.exec(syntax.text(text))) || [];
  if (name === "" || text === undefined) return;
  // Such a name is whole, whatever the namespace around.
  const dotted = (path: string): string => `.${path.replace(/\\+/g, ".")}`;
  u.use(owner === undefined ? u.emit(Op.Name, u.str(dotted(name)), u.within) : u.emit(Op.Reference, classNamed(u, owner, dotted(owner)), u.str(name)), text);
}

/** `constant('C::NAME')`, `defined('NAME')` */
export function namedConstant(u: Unit, list: number): void {
  const { syntax } = u;
  const [first] = syntax.children(list);
  const text = first === undefined ? undefined : syntax.children(first).at(-1);
  const [, owner, name] = (text !== undefined && /^['"]\\?(?:([\w\\]+)::)?(\w+)['"]$/.exec(syntax.text(text))) || [];
  if (name === undefined || text === undefined) return;
  u.use(owner === undefined ? u.emit(Op.Name, u.str(`.::${name}`), u.within) : u.select(classNamed(u, owner, `.${owner.replace(/\\+/g, ".")}`), `::${name}`), text);
}

/** The functions that a variable has the names of, where it is called. */
export function heldText(u: Unit, variable: Offset, node: number): void {
  for (const text of textsOf(u, variable)) if (/^\w+$/.test(text)) u.use(u.emit(Op.Name, u.str(`.${text}`), u.within), node);
}

/** The class in a text: the one around, or one by its whole name. */
function classNamed(u: Unit, owner: string, dotted: string): Offset {
  return u.emit(Op.Static, /^(?:self|static)$/i.test(owner) ? u.emit(Op.Self, u.within) : u.named(dotted));
}

/** A text, which may name a function or a method (`C::m`, or Laravel's `C@m`), or a class of a namespace. */
export function quoted(u: Unit, node: number): Offset {
  const [, owner, name] = /^['"]\\?(?:([\w\\]+)(?:::|@))?([A-Za-z_][\w\\]*)['"]$/.exec(u.syntax.text(node)) ?? [];
  if (name === undefined) return interpolated(u, node);
  const dotted = (path: string): string => path.replace(/\\+/g, ".");
  if (owner !== undefined) {
    const member = u.emit(Op.Reference, classNamed(u, owner, `.${dotted(owner)}`), u.str(name));
    u.use(u.emit(Op.Quoted, member), node);
    return member;
  }
  if (/\w\\+\w/.test(name)) u.use(u.emit(Op.Quoted, u.named(`.${dotted(name)}`)), node);
  return u.emit(Op.Text, u.str(dotted(name)));
}

/** A text that is put together, and the pattern of the name that it may be: `"do$word"`. */
function interpolated(u: Unit, node: number): Offset {
  const [, beginning = "", ending = ""] = /^"(\w{2,}?)?(?:\{\$[^}"\s]*\}|\$\w+)(\w*)"$/.exec(u.syntax.text(node)) ?? [];
  return patterned(u, beginning === "" && ending.length < MIN_ENDING ? undefined : `${beginning}${ANY}${ending}`);
}

/** `'get' . ucfirst($name)`, of the records of its sides. */
export function concatenated(u: Unit, left: Offset, right: Offset): Offset {
  const [before, after] = [textOf(u, left), textOf(u, right)];
  if (before === undefined || before.length < 2 || before.length > MAX_NAME) {
    return patterned(u, after !== undefined && /^\w+$/.test(after) && after.length >= MIN_ENDING ? `${ANY}${after}` : undefined);
  }
  const open = before.indexOf(ANY);
  if (after === undefined || after.includes(ANY)) return patterned(u, open < 0 ? `${before}${ANY}` : before.slice(0, open + 1));
  return patterned(u, before + after);
}

function patterned(u: Unit, pattern: string | undefined): Offset {
  const at = u.value(".string");
  if (pattern !== undefined) u.patterns.set(at, pattern);
  return at;
}

/** The word, or the pattern of one, that a value is. */
function textOf(u: Unit, at: Offset): string | undefined {
  const text = u.patterns.get(at) ?? (u.code[at] === Op.Text ? u.stringAt(u.code[at + 1]!) : undefined);
  return text !== undefined && /^(?:\w+(?:\*\w*)?|\*\w+)$/.test(text) ? text : undefined;
}

/** The name under which a table has something, where it is written out. */
export function keyIn(u: Unit, node: number): string | undefined {
  return /string$/.test(u.syntax.kind(node)) ? /^['"](\w+)['"]$/.exec(u.syntax.text(node))?.[1] : undefined;
}
