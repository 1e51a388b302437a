import { fragmentEnd, type Tokens } from "./fragments.ts";
import { bracketsOf, isName, type Token } from "./tokens.ts";

/** What a name in a rule's pattern stands for: the tokens of a fragment, or one of these for each round of a repetition. */
type Bound = { spec: string; tokens: readonly Token[] } | Bound[];
type Bindings = Map<string, Bound>;

type Part =
  | { is: "token"; token: Token }
  | { is: "fragment"; name: string; spec: string; token: Token }
  | { is: "group"; open: Token; parts: Part[]; close: Token }
  | { is: "repetition"; parts: Part[]; separator: Token | undefined; most: string; names: string[] };

/** One rule of a `macro_rules!`: `(pattern) => { text }`. */
export interface Rule {
  pattern: Part[];
  text: Part[];
}

/** Counts down what the expansions of a file may cost, in tokens looked at or written. */
export interface Budget {
  left: number;
}

/** The rules of a declaration: `macro_rules! name { (pattern) => { text }; … }`. */
export function rulesOf(tokens: readonly Token[]): Rule[] {
  const brackets = bracketsOf(tokens);
  const end = brackets?.get(3);
  const rules: Rule[] = [];
  if (!brackets || end === undefined) return rules;
  for (let i = 4; i < end; i++) {
    const text = brackets.get((brackets.get(i) ?? end) + 2);
    if (text === undefined) break;
    const rule = ruleOf(tokens.slice(i, text + 1));
    if (rule) rules.push(rule);
    i = text + 1;
  }
  return rules;
}

/** Reads a rule; undefined for what is none. */
function ruleOf(list: readonly Token[]): Rule | undefined {
  const brackets = bracketsOf(list);
  const pattern = brackets?.get(0);
  if (!brackets || pattern === undefined || list[pattern + 1]?.text !== "=>") return undefined;
  const text = brackets.get(pattern + 2);
  if (text === undefined) return undefined;
  const tokens = { list, brackets };
  return { pattern: partsOf(tokens, 1, pattern), text: partsOf(tokens, pattern + 3, text) };
}

function partsOf(tokens: Tokens, from: number, end: number): Part[] {
  const { list, brackets } = tokens;
  const parts: Part[] = [];
  for (let i = from; i < end; i++) {
    const token = list[i]!;
    const next = i + 1 < end ? list[i + 1] : undefined;
    const close = brackets.get(i);
    if (token.text === "$" && next?.text === "(") {
      const after = brackets.get(i + 1)!;
      const bare = /^[*+?]$/.test(list[after + 1]?.text ?? "");
      const inner = partsOf(tokens, i + 2, after);
      parts.push({ is: "repetition", parts: inner, separator: bare ? undefined : list[after + 1], most: list[bare ? after + 1 : after + 2]?.text ?? "*", names: namesIn(inner) });
      i = bare ? after + 1 : after + 2;
    } else if (token.text === "$" && next && isName(next.text)) {
      const typed = next.text !== "crate" && list[i + 2]?.text === ":" && i + 3 < end;
      if (next.text === "crate") parts.push({ is: "token", token: { ...next, spaced: token.spaced } });
      else parts.push({ is: "fragment", name: next.text, spec: typed ? list[i + 3]!.text : "", token });
      i++;
    } else if (close !== undefined) {
      parts.push({ is: "group", open: token, parts: partsOf(tokens, i + 1, close), close: list[close]! });
      i = close;
    } else parts.push({ is: "token", token });
  }
  return parts;
}

function namesIn(parts: readonly Part[]): string[] {
  return parts.flatMap((part) => (part.is === "fragment" ? [part.name] : part.is === "repetition" ? part.names : part.is === "group" ? namesIn(part.parts) : []));
}

/** What the text of the first rule that fits stands for; undefined where none does, or the budget is spent. */
export function expand(rules: readonly Rule[], tokens: Tokens, mark: number, budget: Budget): Token[] | undefined {
  for (const rule of rules) {
    const bindings: Bindings = new Map();
    if (match(rule.pattern, tokens, 0, tokens.list.length, bindings, budget) !== tokens.list.length) continue;
    const out: Token[] = [];
    return write(rule.text, bindings, mark, out, budget) ? out : undefined;
  }
  return undefined;
}

/** Where the tokens that fit a pattern end; -1 where they do not. */
function match(pattern: readonly Part[], tokens: Tokens, from: number, end: number, bindings: Bindings, budget: Budget): number {
  const { list, brackets } = tokens;
  let i = from;
  for (let p = 0; p < pattern.length; p++) {
    const part = pattern[p]!;
    if (--budget.left < 0) return -1;
    if (part.is === "token") {
      if (i >= end || list[i]!.text !== part.token.text) return -1;
      i++;
    } else if (part.is === "group") {
      const close = i < end && list[i]!.text === part.open.text ? brackets.get(i)! : -1;
      if (close < 0 || match(part.parts, tokens, i + 1, close, bindings, budget) !== close) return -1;
      i = close + 1;
    } else if (part.is === "fragment") {
      const to = fragmentEnd(part.spec, tokens, i, end);
      if (to < 0) return -1;
      bindings.set(part.name, { spec: part.spec, tokens: list.slice(i, to) });
      budget.left -= to - i;
      i = to;
      // The pattern has `: spec` behind the name as tokens of its own.
      p += 2;
    } else {
      i = rounds(part, tokens, i, end, bindings, budget);
      if (i < 0) return -1;
    }
  }
  return i;
}

function rounds({ parts, separator, most, names }: Part & { is: "repetition" }, tokens: Tokens, from: number, end: number, bindings: Bindings, budget: Budget): number {
  const found: Bindings[] = [];
  let i = from;
  while (i < end) {
    const apart = found.length > 0 && separator !== undefined;
    if (apart && tokens.list[i]!.text !== separator.text) break;
    const round: Bindings = new Map();
    const to = match(parts, tokens, apart ? i + 1 : i, end, round, budget);
    if (to <= i) break;
    found.push(round);
    i = to;
    if (most === "?") break;
  }
  if (most === "+" && found.length === 0) return -1;
  for (const name of names) bindings.set(name, found.map((round) => round.get(name) ?? []));
  return i;
}

/** Writes a rule's text; false where it cannot be. */
function write(parts: readonly Part[], bindings: Bindings, mark: number, out: Token[], budget: Budget): boolean {
  for (const [p, part] of parts.entries()) {
    if (--budget.left < 0) return false;
    if (part.is === "token") out.push({ ...part.token, mark });
    else if (part.is === "group") {
      out.push({ ...part.open, mark });
      if (!write(part.parts, bindings, mark, out, budget)) return false;
      out.push({ ...part.close, mark });
    } else if (part.is === "fragment") {
      const bound = bindings.get(part.name);
      if (Array.isArray(bound)) return false;
      if (!bound) out.push({ ...part.token, mark }, { ...part.token, text: part.name, spaced: false, mark });
      else {
        const next = parts[p + 1];
        budget.left -= bound.tokens.length;
        put(bound, part.token, next?.is === "token" && next.token.text === "::", mark, out);
      }
    } else {
      const lists = part.names.flatMap((name) => { const bound = bindings.get(name); return Array.isArray(bound) ? [[name, bound] as const] : []; });
      const count = lists[0]?.[1].length ?? 0;
      if (lists.length === 0 || lists.some(([, list]) => list.length !== count)) return false;
      for (let round = 0; round < count; round++) {
        if (round > 0 && part.separator) out.push({ ...part.separator, mark });
        const inner = new Map(bindings);
        for (const [name, list] of lists) inner.set(name, list[round]!);
        if (!write(part.parts, inner, mark, out, budget)) return false;
      }
    }
  }
  return true;
}

/** Writes a fragment. It stays one thing: an operation is set in brackets, and so is a type whose path goes on. */
function put({ spec, tokens }: { spec: string; tokens: readonly Token[] }, { at, spaced }: Token, path: boolean, mark: number, out: Token[]): void {
  const sign = (text: string): void => { out.push({ text, at: tokens[0]?.at ?? at, mark, spaced: false }); };
  const [open, close] = /^expr/.test(spec) && tokens.length > 1 && tokens.some(isOperator) ? ["(", ")"] : path && spec === "ty" && tokens.length > 1 ? ["<", ">"] : ["", ""];
  if (open) sign(open);
  for (const [i, token] of tokens.entries()) out.push(i === 0 && !open ? { ...token, spaced } : token);
  if (close) sign(close);
}

function isOperator({ text }: Token): boolean {
  return /^(?:as|return|break|if|match|loop|move|[-+*/%^&|<>=!]=?|&&|\|\||<<|>>|\.\.=?)$/.test(text);
}
