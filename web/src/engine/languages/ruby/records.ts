import { attribute, blockMethod } from "./declarations.ts";
import { type Offset, Op } from "./facts.ts";
import type { Unit } from "./unit.ts";

/*
 * What ActiveRecord's macros declare: a scope is a method of the class, an association one of its objects.
 */

/** `scope :name, -> { where(…) }`; undefined where no code stands there. */
export function recordScope(u: Unit, node: number, nameNode: number, name: string, code: number): Offset | undefined {
  const { syntax } = u;
  const isCall = syntax.kind(code) === "call" && /^(?:lambda|proc)$/.test(syntax.text(syntax.part(code, "method")));
  const body = syntax.kind(code) === "lambda" ? syntax.part(code, "body") : isCall ? syntax.part(code, "block") : 0;
  if (!body) return undefined;
  blockMethod(u, node, nameNode, name, body, true, false, syntax.part(isCall ? body : code, "parameters"));
  // A concern's are those of the classes that include it.
  const scope = u.scopes[u.scope]!;
  if (scope.kind === "module") scope.classMethods = true;
  return 0;
}

/** `belongs_to :author`: `of` is the class of what it gives, where that is known. */
export function association(u: Unit, node: number, many: boolean, of: string | undefined): void {
  const method = u.methods.length;
  attribute(u, node, true, true);
  if (of === undefined || u.methods.length === method) return;
  const cls = constantNamed(u, of);
  u.use(cls, node);
  const one = u.emit(Op.Instance, cls, 0);
  u.methods[method]!.result = many ? u.several(Op.List, [one]) : one;
}

/** Records a constant by its whole name. */
export function constantNamed(u: Unit, name: string): Offset {
  const [first, ...rest] = name.replace(/^::/, "").split("::");
  const top = name.startsWith("::") ? u.emit(Op.Top, u.str(first!)) : u.emit(Op.Constant, u.str(first!), u.scope);
  return rest.reduce((at, one) => u.emit(Op.Scoped, at, u.str(one)), top);
}

/** The class that an association's name means by Rails' habit: `blog_comments` gives objects of BlogComment. */
export function classNamed(name: string): string {
  const one = name.replace(/(?:(?<=[^aeiou])ies|(?<=ss|sh|ch|x)es|(?<=[^s])s)$/, (end) => (end === "ies" ? "y" : ""));
  return one.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
