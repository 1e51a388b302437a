/** What Java's library does with functions as values. */

/** Methods that put their arguments into a list or a table. */
export const FILLS = /^(?:add(?:All|First|Last)?|put(?:All|First|Last|IfAbsent)?|offer(?:First|Last)?|push|set|getAndSet|compareAndSet|replace)$/;
/** Methods that put into a table what the functions give that they are given. */
export const COMPUTES = /^(?:compute(?:IfAbsent|IfPresent)?|merge)$/;
/** Methods that give what the functions give that they are given, alone or in something. */
export const GIVES = /^(?:orElseGet|requireNonNullElseGet|map|flatMap|supplyAsync|thenApply(?:Async)?|thenCompose(?:Async)?|generate)$/;
/** Methods that give what they are given, alone or in something. */
export const PASSES = /^(?:of|ofNullable|ofEntries|entry|asList|copyOf|requireNonNull\w*|checkNotNull|unmodifiable\w+|synchronized\w+|singleton\w*|orElse|getOrDefault|andThen|compose|and|or|thenComparing|concat)$/;
/** Methods that make a list or a table of what they are given. */
export const MAKERS = /^(?:of|ofNullable|ofEntries|entry|asList|copyOf|unmodifiable\w+|synchronized\w+|singleton\w*)$/;
/** Methods of functions that give one that runs them. */
export const COMBINES = /^(?:andThen|compose|and|or|negate|reversed|thenComparing\w*)$/;
/** Methods that hand an event or a message to whatever handles it: Spring, Guava, CDI, message buses. */
export const SENDS = /^(?:publish(?:Event|Async)?|post|fire(?:Async|Event)?|send(?:AndWait|Event|Message)?|convertAndSend|dispatch|emit|raise)$/;

const PLAIN = /^(?:Runnable|Callable|Comparator)$|(?:Consumer|Supplier|Predicate|Function|Operator)$/;
/** By habit interfaces of one method are called so. */
const CALLED_SO = /(?:Action|Callback|Command|Factory|Filter|Handler|Hook|Interceptor|Listener|Mapper|Observer|Provider|Task)$/;

/** A type of the library whose values are functions. */
export function isFunction(type: string): boolean {
  return PLAIN.test(type) || CALLED_SO.test(type);
}

/** Whether a method of such a type runs the function; the type is "" where it is not known. */
export function runs(type: string, method: string): boolean {
  if (type === "") return /^(?:run|call|accept|test|apply)$/.test(method);
  if (PLAIN.test(type)) return /^(?:run|call|compare|accept|test|(?:get|apply)(?:As[A-Z]\w*)?)$/.test(method);
  return CALLED_SO.test(type) && !/^(?:equals|hashCode|toString|getClass)$/.test(method);
}
