/** What PHP's library does with functions as values. */

/** Methods that put their arguments into a list or a table. */
export const FILLS = /^(?:add|append|attach|enqueue|insert|offsetSet|prepend|push|put|set|unshift)$/;
/** Methods that give what they are given, alone or in something. */
export const PASSES = /^(?:bind|fromCallable)$/;
/** Functions and methods that hand an event, a message or a job to whatever handles it: Laravel, Symfony. */
export const SENDS = /^(?:\.?event|\.?dispatch(?:_sync|_now|Sync|Now|AfterResponse|ToQueue)?|fire|until|publish|send|notify|query|push|later)$/;
/** The same on the class of what is sent. */
export const SENDS_ITSELF = /^dispatch(?:If|Unless|Sync|Now|AfterResponse)?$/;
/** Methods that give what they are called on, or some of what is in it. */
export const KEEPS = /^(?:all|bindTo|bottom|current|dequeue|extract|first|get|getArrayCopy|getIterator|last|offsetGet|pop|pull|reverse|shift|toArray|top|values)$/;

/** Functions that call one of their arguments, by its position. */
const CALLS = new Map<string, number>([
  ...["array_map", "call_user_func", "call_user_func_array", "forward_static_call", "forward_static_call_array", "register_shutdown_function", "register_tick_function", "set_error_handler", "set_exception_handler", "spl_autoload_register", "ob_start"].map((name) => [name, 0] as const),
  ...["array_all", "array_any", "array_filter", "array_find", "array_find_key", "array_reduce", "array_walk", "array_walk_recursive", "iterator_apply", "preg_replace_callback", "uasort", "uksort", "usort"].map((name) => [name, 1] as const),
]);

/** Which argument a free function calls; -1 for none. */
export function calls(name: string): number {
  return CALLS.get(name.replace(/^\./, "").toLowerCase()) ?? -1;
}

/** A type of the library whose values are functions; comments say `callback`, too. */
export function isFunction(type: string): boolean {
  return /^(?:callable|callback|Closure)$/i.test(type);
}

/** Whether a method of such a type, or of one that is not known, runs the function. */
export function runs(type: string, method: string): boolean {
  return method === "__invoke" || (method === "call" && /^Closure$/i.test(type));
}

/** Whether a value may be a function or hold some, by its type; "" is none. */
export function mayHold(type: string): boolean {
  return type === "" || /^(?:array|iterable|object|ArrayAccess|ArrayIterator|ArrayObject|Collection|Generator|Iterator|IteratorAggregate|null|Spl\w+|Traversable|WeakMap)$/i.test(type);
}

/** How a property is used: read, given something, asked for by `isset`, or taken away. Each may run a method that stands for it. */
export const Use = { Read: "", Write: "=", Asked: "?", Unset: "!" } as const;

/** What runs where a class declares no property of the name. */
const ANSWERS: Readonly<Record<string, string>> = { [Use.Write]: "__set", [Use.Asked]: "__isset", [Use.Unset]: "__unset" };

/** What answers for a property, by its name behind the sign of how it is used. */
export function answerOf(name: string): string {
  return ANSWERS[name[0] ?? ""] ?? "__get";
}
