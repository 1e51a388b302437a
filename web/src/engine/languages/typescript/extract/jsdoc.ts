import { Op } from "../facts.ts";
import type { Offset } from "../facts.ts";
import type { Extraction } from "./extraction.ts";

/** The types that a JSDoc comment declares; 0 for none. */
export interface Doc {
  parameters: ReadonlyMap<string, Offset>;
  returns: Offset;
  type: Offset;
}

/** Between a comment and what it is about there may stand this much, such as `export const name = async`. */
const MAX_DISTANCE = 200;
const BETWEEN = /^\s*(?:(?:export|default|async|static|const|let|var|get|set)\s+)*(?:[\w$.#]+\s*[=:]\s*)?(?:async\s+)?\(?$/;
const TAG = /@(param|arg|argument|returns?|type)\s*\{/g;

/** In JavaScript, what the comment before a node says of types. */
export function docBefore(x: Extraction, node: number): Doc | undefined {
  if (!x.javascript) return undefined;
  const { source } = x.syntax;
  const start = x.syntax.start(node);
  const near = source.slice(Math.max(0, start - MAX_DISTANCE), start);
  const end = near.lastIndexOf("*/");
  if (end < 0 || !BETWEEN.test(near.slice(end + 2))) return undefined;
  const until = start - near.length + end;
  const from = source.lastIndexOf("/*", until - 1);
  return from >= 0 && source.startsWith("/**", from) ? read(x, source.slice(from + 3, until)) : undefined;
}

function read(x: Extraction, comment: string): Doc {
  const parameters = new Map<string, Offset>();
  const doc = { parameters, returns: 0, type: 0 };
  for (const match of comment.matchAll(TAG)) {
    const open = match.index + match[0].length;
    const close = closing(comment, open);
    if (close < 0) break;
    // Lines of a comment begin with a star.
    const type = new TypeText(x, comment.slice(open, close).replace(/\n\s*\*/g, " ")).read();
    if (type === 0) continue;
    if (match[1] === "type") doc.type = type;
    else if (match[1]!.startsWith("return")) doc.returns = type;
    else {
      const [, name, property] = /^\s*\[?\s*([\w$]+)(\.|\[\])?/.exec(comment.slice(close + 1)) ?? [];
      if (name !== undefined && property === undefined) parameters.set(name, type);
    }
  }
  return doc;
}

/** Where the brace ends that was opened before `from`; -1 for nowhere. */
function closing(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "{") depth++;
    else if (text[at] === "}" && --depth === 0) return at;
  }
  return -1;
}

/** Types nested deeper are left out. */
const MAX_DEPTH = 20;
const PRIMITIVES = new Set(["string", "number", "boolean", "bigint", "symbol", "undefined", "null", "void", "never"]);

/** Reads names, their arguments, arrays and unions; what it does not know has no type. */
class TypeText {
  private readonly tokens: string[];
  private at = 0;

  constructor(private readonly x: Extraction, text: string) {
    this.tokens = text.match(/[\w$]+|\.\.\.|\[\]|\S/g) ?? [];
  }

  /** The whole text as one type. */
  read(): Offset {
    const type = this.union(0);
    this.take("=");
    return this.at === this.tokens.length ? type : 0;
  }

  private union(depth: number): Offset {
    const members: Offset[] = [];
    do members.push(this.postfix(depth)); while (this.take("|"));
    return members.length === 1 ? members[0]! : this.x.emit(Op.TypeUnion, members.length, ...members);
  }

  private postfix(depth: number): Offset {
    const rest = this.take("...");
    while (this.take("?") || this.take("!"));
    let type = this.primary(depth);
    while (this.take("[]")) type = this.array(type);
    return rest ? this.array(type) : type;
  }

  private array(of: Offset): Offset {
    return of === 0 ? 0 : this.x.emit(Op.TypeArray, of);
  }

  private primary(depth: number): Offset {
    const token = this.tokens[this.at];
    if (token === undefined || depth > MAX_DEPTH) return 0;
    if (token === "(") {
      this.at++;
      const type = this.union(depth + 1);
      return this.take(")") ? type : 0;
    }
    if (!/^[A-Za-z_$]/.test(token)) return 0;
    this.at++;
    if (PRIMITIVES.has(token)) return this.x.emit(Op.TypePrimitive, this.x.str(token));
    const path = [token];
    while (this.tokens[this.at] === "." && /^[A-Za-z_$]/.test(this.tokens[this.at + 1] ?? "")) {
      path.push(this.tokens[this.at + 1]!);
      this.at += 2;
    }
    const list = this.typeArguments(depth);
    if (list === undefined || this.tokens[this.at] === "(") return 0;
    const last = path.pop()!;
    if (path.length === 0) return this.x.typeName(last, list);
    let home = this.x.name(path[0]!);
    for (const name of path.slice(1)) home = this.x.emit(Op.Member, home, this.x.str(name));
    return this.x.emit(Op.TypeMember, home, this.x.str(last), list.length, ...list);
  }

  /** `<A, B>`, also with a dot before it; undefined for one that does not end. */
  private typeArguments(depth: number): Offset[] | undefined {
    if (this.tokens[this.at] === "." && this.tokens[this.at + 1] === "<") this.at++;
    const list: Offset[] = [];
    if (!this.take("<")) return list;
    do list.push(this.union(depth + 1)); while (this.take(","));
    return this.take(">") ? list : undefined;
  }

  private take(token: string): boolean {
    if (this.tokens[this.at] !== token) return false;
    this.at++;
    return true;
  }
}
