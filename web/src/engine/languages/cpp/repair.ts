/**
 * Readies a text for the grammar, which knows neither what a macro stands for nor conditions that cut through a
 * declaration. Only blanks are put in, so every offset and line stays true.
 */
import { conditions } from "../cut-conditions.ts";

const PRIMITIVE = new Set(["void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "bool", "_Bool", "auto", "size_t", "wchar_t"]);
const STORAGE = new Set([
  "static", "extern", "inline", "const", "volatile", "virtual", "explicit", "constexpr", "typedef", "friend", "register", "mutable", "restrict", "noexcept", "override", "final", "throw",
  "thread_local", "consteval", "constinit", "_Noreturn", "__inline", "__inline__", "__extension__", "__cdecl", "__stdcall",
]);
/** An enum with its body. */
const ENUM = /\benum\b[^;{}()]{0,300}\{[^{}]*\}/g;
const KEYWORDS = new Set(["if", "while", "for", "switch", "return", "else", "do", "case", "operator", "using", "namespace", "template", "sizeof", "typename", "delete", "new", "goto"]);
const TAGS = new Set(["struct", "class", "union", "enum"]);
/** A macro by its name: what stands for nothing, or for an attribute. */
const MACRO = /^(?:[A-Z][A-Z0-9_]*[A-Z0-9]|_[A-Z0-9_]{2,}|__\w+)$/;
/** One that is surely no type. */
const ATTRIBUTE = /API|EXPORT|EXTERN|PUBLIC|PRIVATE|INLINE|STATIC|DECL|IMPORT|LOCAL|INTERN|UNUSED|NORETURN|NODISCARD|CALL|INLINE|HIDDEN|VISIB/;
/** `class API Name {`, which parses as something else without an error. */
const TAGGED = /\b(?:class|struct|union|enum)\s+(?:(?:[A-Z][A-Z0-9_]+|[a-z]\w*_(?:EXPORT|API))\b(?:\s*\([^()]*\))?\s+)+(?=[A-Za-z_]\w*(?:::\w+)*\s*(?:<[^<>;{}]*>\s*)?(?:final\s*)?(?:\{|:(?!\s*\d)))/g;

/** `z_const char`: a name in front of a type's keyword is none that the language knows. */
const BEFORE_TYPE = /\b([A-Za-z_]\w*)(?=\s+(?:void|char|short|int|long|float|double|signed|unsigned)\b)/g;
/** `char FAR *` */
const BEFORE_POINTER = /\b([A-Za-z_]\w*)(\s+)(?:[A-Z][A-Z0-9_]*[A-Z0-9]|__\w+)(?=\s*\*)/g;
/** `(WINAPI *name)(` */
const CONVENTION = /(\(\s*)[A-Z][A-Z0-9_]*[A-Z0-9](?=\s*\*\s*\w+\s*\)\s*\()/g;
/** `offset(p, struct s, field)`, where the grammar expects a value. */
const TAG_AS_VALUE = /([,(]\s*)(?:struct|union|enum)(?=\s+\w+\s*[,)])/g;
/** `} PACKED name;` */
const BEFORE_NAME = /(\}\s*)(?:[A-Z][A-Z0-9_]*[A-Z0-9]|__\w+)(?=\s+\w+\s*[;,])/g;

/** `NORETURN ~Name()` */
const DESTRUCTOR = /()\b[A-Z][A-Z0-9_]*[A-Z0-9](?=\s+~\w+\s*\(\s*\))/g;
/** `TRY { … } CATCH(e)`, which parses as a value of a type TRY. */
const BEFORE_BLOCK = /([;{}]\s*)\b[A-Z][A-Z0-9_]*[A-Z0-9](?=\s*\{)/g;
/** `INLINE Name::Name(int a) : a(a) {}`, which parses as a function a. */
const CONSTRUCTOR = /()\b[A-Z][A-Z0-9_]*[A-Z0-9](?=\s+(?:\w+::)*(\w+)::~?\2\s*\()/g;
/** `new T*[n]` */
const NEW_POINTERS = /(\bnew\s+[\w:]+)\s*\*+(?=\s*\[)/g;
const NEW_CONST = /(\bnew\s+)const(?=\s+[\w:]+\s*\*+\s*\[)/g;

/** `printflike(1, 2) name(`, which parses as a function as C was first written. */
const NUMBERED = /()\b[A-Za-z_]\w*\s*\(\s*\d+(?:\s*,\s*\d+)*\s*\)(?=\s*\*?\s*[A-Za-z_]\w*\s*\()/g;

/** `#if __has_include(<name>)` */
const HAS_INCLUDE = /(^[ \t]*#[ \t]*(?:if|elif)\b[^\n]*?)\b__has_include\s*\([^()\n]*\)/gm;
/** `compare(a, b, >)` */
const OPERATOR_GIVEN = /(,\s*)(?:[<>]=?|[!=]=)(?=\s*[,)])/g;
/** `void show(const Text &text = {}, int size = {1})`, default values that the grammar does not know. */
const DEFAULT_BRACES = /([\w>&*]\s*=\s*)\{[^{}()\n]*\}(?=\s*(?:\)|,\s*(?:const\s+)?\w[\w:<>]*\s*[\s&*]\s*\w+\s*[=,)]))/g;
/** `"%" PRIu64 "\n"`, with zeros for texts. */
const BETWEEN_TEXTS = /((?<![\w.])0{2,}\s+)(?!(?:if|else|or|and|not|xor|or_eq|and_eq|not_eq|bitor|bitand)\b)[A-Za-z_]\w*(?=\s*(?:0{2,}(?![\w.])|[,);]))/g;
/** `void (Name::*run)(int)` */
const MEMBER_POINTER = /(\(\s*)[A-Za-z_]\w*(?:::\w+)*::(?=\*\s*\w*\s*\)\s*\()/g;

/** `(view.*show)(1)`, `(this->*table[i].show)(1)`: calls of pointers to members, which the grammar does not know. What is called stands behind the operator, as behind a comma. */
const MEMBER = /(?:->|\.)\*(?<=[\w)\]]\s{0,20}(?:->|\.)\*)(?<!\b\d{1,20}\.\*)(?=(?:[^;{}()]|\([^;{}()]*\)){1,200}\)\s*\()/g;

/** `void TY_(Name)(int a)`, a macro that makes a function's name of one. */
const NAMING = /^(?![ \t#])[\w \t*]*[ \t*]([A-Z][A-Z0-9_]*)[ \t]*\([ \t]*[A-Za-z_]\w*[ \t]*\)\s*\((?=[^;{}]{0,2000}[;{])/gm;

/** What is named or called with one. */
const NAMED = /(\b([A-Z][A-Z0-9_]*)[ \t]*\()[ \t]*[A-Za-z_]\w*[ \t]*\)(?=\s*\()/g;

/** A directive, with the lines that it goes on in. */
const DIRECTIVE = /^[ \t]*#(?:[^\n\\]|\\\r?\n|\\[^\n])*/gm;

/** Macros in lines of their own in front of an access specifier, as Q_OBJECT; and what Qt adds to the language: specifiers, and `emit`, which says nothing. */
const ALONE = /^()[ \t]*[A-Z][A-Z0-9_]*[ \t]*(?:\([^()\n]*\))?[ \t]*(?=(?:\r?\n[ \t]*[A-Z][A-Z0-9_]*[ \t]*(?:\([^()\n]*\))?[ \t]*){0,20}\r?\n\s{0,200}(?:public|private|protected|signals|Q_SIGNALS)\b[ \w]*:(?!:))/gm;
const SLOTS = /(\b(?:public|private|protected)\s+)(?:slots|Q_SLOTS)(?=\s*:(?!:))/g;
const SIGNALS = /^[ \t]*(?:signals|Q_SIGNALS)(?=\s*:(?!:))/gm;
const EMIT = /()\b(?:emit|Q_EMIT)(?=\s+(?:\w+(?:->|\.|::))*\w+\s*\()/g;
/** `SLOT(shown(const Item *, int))`: types, where the grammar expects values. */
const NAMED_SLOT = /(\b(?:SIGNAL|SLOT)\s*\(\s*\w+\s*\()[^()\n]+(?=\)\s*\))/g;
const QT = [ALONE, SLOTS, EMIT];

/** Whether a text that parses without an error may say something else than it seems. */
export function isDeceptive(source: string): boolean {
  return source.search(TAGGED) >= 0 || source.match(DIRECTIVE)?.some(isCommented) === true || [...QT, SIGNALS, CONSTRUCTOR, MEMBER, NAMING].some((pattern) => source.search(pattern) >= 0);
}

/** Whether a comment stands in a directive that goes on in the next line, where the grammar takes it to end. */
function isCommented(directive: string): boolean {
  const comment = directive.indexOf("/*");
  return comment >= 0 && directive.indexOf("\n", comment) > 0;
}

/** The text, and what was taken out of it beside branches of conditions: offsets of macros, of which some are read again (`taken.ts`). */
export function repaired(source: string): { text: string; taken: readonly Taken[] } {
  const plain = withoutNoise(source);
  const blanks: Blanks = [];
  for (const { 0: text, index } of plain.matchAll(TAGGED)) {
    const tag = /^\w+\s+/.exec(text)![0].length;
    blanks.push({ from: index + tag, to: index + text.length });
  }
  const undirected = apply(plain, blanks).replace(DIRECTIVE, blank);
  for (const { 0: text, 1: word = "", index } of undirected.matchAll(BEFORE_TYPE)) {
    if (!STORAGE.has(word) && !KEYWORDS.has(word) && !PRIMITIVE.has(word) && !TAGS.has(word)) blanks.push({ from: index, to: index + text.length });
  }
  for (const { 0: text, 1: word = "", 2: space = "", index } of undirected.matchAll(BEFORE_POINTER)) {
    if (!KEYWORDS.has(word) && !STORAGE.has(word)) blanks.push({ from: index + word.length + space.length, to: index + text.length });
  }
  const naming = new Set([...undirected.matchAll(NAMING)].map(([, macro]) => macro));
  for (const { 0: text, 1: opening = "", 2: macro = "", index } of naming.size > 0 ? undirected.matchAll(NAMED) : []) {
    if (naming.has(macro)) blanks.push({ from: index, to: index + opening.length }, { from: index + text.length - 1, to: index + text.length });
  }
  for (const { 0: text, index } of undirected.matchAll(SIGNALS)) blanks.push({ from: index + text.search(/\S/), to: index + text.length, with: "public" });
  for (const { 0: text, index } of undirected.matchAll(MEMBER)) blanks.push({ from: index, to: index + text.length, with: "," });
  for (const { 0: text, 1: before = "", index } of plain.matchAll(HAS_INCLUDE)) blanks.push({ from: index + before.length, to: index + text.length, with: "1" });
  for (const { 0: text, 1: before = "", index } of undirected.matchAll(DEFAULT_BRACES)) blanks.push({ from: index + before.length, to: index + text.length, with: "0" });
  for (const { 0: text, 1: before = "", index } of undirected.matchAll(OPERATOR_GIVEN)) blanks.push({ from: index + before.length, to: index + text.length, with: "0" });
  for (const pattern of [...QT, NAMED_SLOT, BETWEEN_TEXTS, MEMBER_POINTER, BEFORE_NAME, CONVENTION, TAG_AS_VALUE, DESTRUCTOR, CONSTRUCTOR, BEFORE_BLOCK, NUMBERED, NEW_POINTERS, NEW_CONST]) {
    for (const { 0: text, 1: before = "", index } of undirected.matchAll(pattern)) blanks.push({ from: index + before.length, to: index + text.length });
  }
  for (const { 0: text, index } of plain.matchAll(ENUM)) inEnum(text, index, blanks);
  decorations(apply(undirected, blanks), blanks);
  const uncommented = source.replace(DIRECTIVE, (text) => text.replace(/"(?:\\.|[^"\\\n])*"|\/\*[\s\S]*?\*\//g, (part) => (part.startsWith("/") ? blank(part) : part)));
  const decorated = apply(uncommented, blanks);
  return { text: conditions(decorated, apply(plain, blanks)), taken: blanks };
}

/** Comments as blanks, but for what makes a directive go on in the next line; texts and characters as zeros, since they are something, but nothing that counts. */
export function withoutNoise(source: string): string {
  return source.replace(/\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*|R"([^\s()\\]{0,16})\((?:[\s\S]*?\)\1"|[\s\S]*$)|"(?:\\[\s\S]|[^"\\\n])*"?|(?<![0-9a-fA-F])'(?:\\[^\n]|[^'\\\n])*'?/g, (text) =>
    text.startsWith("/") ? text.replace(/(\\(?=\r?\n))|[^\n\r]/g, (_, kept: string | undefined) => kept ?? " ") : text.replace(/[^\n]/g, "0"));
}

/** A part of the text that is replaced, by its offsets. */
export interface Taken {
  from: number;
  to: number;
  /** The text in its place; without it, blanks. */
  with?: string;
}
type Blanks = Taken[];

function apply(text: string, blanks: readonly Taken[]): string {
  if (blanks.length === 0) return text;
  const sorted = [...blanks].sort((a, b) => a.from - b.from);
  let out = "";
  let at = 0;
  for (const { from, to, with: instead = "" } of sorted) {
    if (from < at) continue;
    out += text.slice(at, from) + instead + blank(text.slice(from + instead.length, to));
    at = to;
  }
  return out + text.slice(at);
}

function blank(text: string): string {
  return text.replace(/[^\n\r]/g, " ");
}

/** Macros that stand for several constants, and the directives around them. */
function inEnum(text: string, from: number, blanks: Blanks): void {
  for (const { 0: part, 1: before = "", index } of text.matchAll(/^[ \t]*#[ \t]*(?:define|undef)\b(?:[^\n\\]|\\\r?\n|\\[^\n])*|([{,]\s*)?(?<![=|&+*<(~-]\s{0,20})\b[A-Z][A-Z0-9_]*\s*\([^()]*\)(?:\s*,(?=\s*[\w}#])|(?=\s*[\w}#]))/gm)) {
    blanks.push({ from: from + index + before.length, to: from + index + part.length });
  }
}

/** What begins a declaration behind macros, such as `BEGIN_NAMESPACE` in a line of its own. */
const BEGINS = /^(?:namespace|template|using|typedef|inline|extern)$/;
/** No declaration's head has more words and groups than this. */
const MAX_HEAD = 300;

interface Token { text: string; from: number; to: number; line: number }

/** Goes through the heads of declarations outside of functions, and takes the macros out of them. */
function decorations(plain: string, blanks: Blanks): void {
  const open: boolean[] = []; // for each brace: whether declarations stand in it
  let head: Token[] = [];
  let line = 0;
  const declares = (): boolean => open.at(-1) ?? true;
  const words = /\n|[A-Za-z_~]\w*|\(|\{|\}|;|[^\s\w]|\d[\w.]*/g;
  for (let match = words.exec(plain); match; match = words.exec(plain)) {
    const text = match[0];
    const from = match.index;
    if (text === "\n") {
      line++;
      continue;
    }
    if (text === "(" && declares()) {
      const to = closing(plain, from);
      head.push({ text: plain.slice(from, to), from, to, line });
      for (let at = plain.indexOf("\n", from); at >= 0 && at < to; at = plain.indexOf("\n", at + 1)) line++;
      words.lastIndex = to;
    } else if (text === "{") {
      const declaring = declares() && opensDeclarations(head);
      if (declares()) readHead(head, blanks, true);
      open.push(declaring);
      head = [];
    } else if (text === "}") {
      // `struct s { FIELDS }`
      if (declares() && head.every((token) => isGroup(token) || MACRO.test(token.text))) for (const token of head) blanks.push({ from: token.from, to: token.to });
      open.pop();
      head = [];
    } else if (text === ";") {
      if (declares()) readHead(head, blanks, false);
      head = [];
    } else if (text === ":" && head.length === 1 && /^(?:public|private|protected|signals|slots)$/.test(head[0]!.text)) {
      head = [];
    } else {
      head.push({ text, from, to: from + text.length, line });
    }
  }
}

/** The offset behind the parenthesis that closes the one at `from`. */
function closing(plain: string, from: number): number {
  let depth = 0;
  for (let at = from; at < plain.length; at++) {
    const c = plain.charCodeAt(at);
    if (c === 40) depth++;
    else if (c === 41 && --depth === 0) return at + 1;
    // A brace or semicolon in a head: the parenthesis is not closed.
    else if (c === 59 && depth === 1) return at;
  }
  return plain.length;
}

function opensDeclarations(head: readonly Token[]): boolean {
  const words = head.map(({ text }) => text);
  if (words.includes("=")) return false;
  if (words.includes("namespace") || (words[0] === "extern" && words.length <= 2) || /^0+$/.test(words[1] ?? "")) return true;
  return words.some((word) => TAGS.has(word) && word !== "enum") && !words.some((word, i) => word.startsWith("(") && i > 1 && !MACRO.test(words[i - 1]!));
}

const isWord = ({ text }: Token): boolean => /^[A-Za-z_~]/.test(text);
const isGroup = ({ text }: Token): boolean => text.startsWith("(");

/** `opens`: a brace follows. */
function readHead(tokens: readonly Token[], blanks: Blanks, opens: boolean): void {
  if (tokens.length > MAX_HEAD) return;
  const begins = tokens.findIndex(({ text }) => !MACRO.test(text));
  if (begins > 0 && BEGINS.test(tokens[begins]!.text)) {
    for (const { from, to } of tokens.slice(0, begins)) blanks.push({ from, to });
    readHead(tokens.slice(begins), blanks, opens);
    return;
  }
  let head = tokens.filter(({ text }) => text !== "*" && text !== "&");
  // `char *f(a) int a;`: the grammar knows the parameters of old of functions that give no pointer.
  const list = tokens.findIndex(isGroup);
  if (list > 1 && /^\(\s*\w+(?:\s*,\s*\w+)*\s*\)$/.test(tokens[list]!.text) && tokens.slice(list + 1).filter(isWord).length > 1) {
    for (const token of tokens.slice(0, list)) if (token.text === "*") blanks.push({ from: token.from, to: token.to });
  }
  // `API(static int f(int a)) {`
  const [around, whole] = head;
  if (around && whole && head.length === 2 && MACRO.test(around.text) && /^\(\s*(?:[A-Za-z_]\w*[\s*]+)+\w+\s*\([^;{}]*\)\s*\)$/.test(whole.text)) {
    blanks.push({ from: around.from, to: whole.from + 1 }, { from: whole.to - 1, to: whole.to });
    return;
  }
  if (head.some(({ text }) => KEYWORDS.has(text) && text !== "template" && text !== "operator" && text !== "typename")) return;
  const template = head.findIndex(({ text }) => text === "template");
  if (template >= 0) {
    let depth = 0;
    let end = template + 1;
    for (; end < head.length; end++) {
      if (head[end]!.text === "<") depth++;
      else if (head[end]!.text === ">" && --depth === 0) break;
    }
    head = head.slice(end + 1);
  }
  // `DEFINE_FLAG(bool, name, false);` declares what only its macro knows.
  if (around && whole && head.length === 2 && MACRO.test(around.text) && isGroup(whole) && /\b(?:const|void|char|short|int|long|float|double|signed|unsigned|bool)\b/.test(whole.text)) {
    blanks.push({ from: around.from, to: whole.to });
    return;
  }
  const drop = (token: Token): void => {
    blanks.push({ from: token.from, to: token.to });
    head = head.filter((other) => other !== token);
  };
  // Macros with arguments in front of what they decorate: `API(int) f(…)`, `ATTRIBUTE((x)) int f(…)`.
  for (let i = 0; i + 2 < head.length; i++) {
    const [name, group, next] = [head[i]!, head[i + 1]!, head[i + 2]!];
    if (!MACRO.test(name.text) || !isGroup(group) || !isWord(next) || STORAGE.has(next.text) && group.line === next.line && i > 0) continue;
    const before = head.slice(0, i).filter((token) => isWord(token) && !STORAGE.has(token.text));
    const after = wordsToGroup(head.slice(i + 2)).filter(({ text }) => !STORAGE.has(text));
    if (before.length > 0 && after.length > 0 && !MACRO.test(before[0]!.text) && isTrailing(head, i)) continue;
    // `DEFINE_LIST(a)` and `DEFINE_LIST(b);` in lines of their own: no function is declared by the second.
    const isUse = after.length === 1 && after[0] === next && MACRO.test(next.text) && name.line < next.line;
    if (before.length + after.length >= 2 || isUse || name.line < next.line && after.length === 0) {
      drop(name);
      drop(group);
    } else if (after.length === 1 && group.to - name.from >= 4) {
      blanks.push({ from: name.from, to: group.to, with: "int" });
      head = head.filter((other) => other !== name && other !== group);
    } else continue;
    i = -1;
  }
  // `f OF((int a))`
  const doubled = head.findIndex((token, i) => i > 1 && /^\(\s*\(/.test(token.text) && /\)\s*\)$/.test(token.text) && isWord(head[i - 1]!) && isWord(head[i - 2]!));
  if (doubled > 0) {
    const group = head[doubled]!;
    drop(head[doubled - 1]!);
    blanks.push({ from: group.from, to: group.from + 1 }, { from: group.to - 1, to: group.to });
  }
  // `Type name GUARDED_BY(x);`
  for (let i = 2; i + 1 < head.length; i++) {
    const name = head[i]!;
    if (name.text === "=") break;
    if (!MACRO.test(name.text) || !isGroup(head[i + 1]!) || head.slice(0, i).some(isGroup)) continue;
    // `static mine_inline Type __name(int a) {` is a function, whatever its name looks like.
    if (opens && /^__[a-z]/.test(name.text)) continue;
    // Behind `*` or `int` it is what is declared: `API struct list *__find(int);`.
    if (/^[*&]/.test(head[i - 1]!.text) || PRIMITIVE.has(head[i - 1]!.text)) continue;
    if (wordsToGroup(head.slice(0, i)).filter(({ text }) => !STORAGE.has(text) && !TAGS.has(text) && !MACRO.test(text)).length < 2) continue;
    drop(head[i + 1]!);
    drop(name);
    i--;
  }
  const behind = attributeBehind(head);
  if (behind) drop(behind);
  const words = wordsToGroup(head).filter(({ text }) => !STORAGE.has(text));
  const first = head.findIndex(isGroup);
  const named = words.slice(0, -1);
  for (const [i, word] of named.entries()) if (TAGS.has(words[i + 1]!.text) && !TAGS.has(word.text) && !PRIMITIVE.has(word.text)) drop(word);
  const rest = named.filter((word) => head.includes(word) && !TAGS.has(word.text));
  const tagged = named.some(({ text }) => TAGS.has(text));
  const macros = rest.filter(({ text }) => MACRO.test(text));
  const others = rest.length - macros.length;
  if (others > 0) for (const word of macros) drop(word);
  else if (macros.length > 1 && !tagged) {
    const kept = macros.find(({ text }) => !ATTRIBUTE.test(text)) ?? macros[0];
    for (const word of macros) if (word !== kept) drop(word);
  }
  // A type, and a name: what else stands in front is a macro, whatever it looks like.
  const left = named.filter((word, i) => head.includes(word) && !TAGS.has(word.text) && !TAGS.has(named[i - 1]?.text ?? "") && !PRIMITIVE.has(word.text));
  const typed = tagged || named.some(({ text }) => PRIMITIVE.has(text));
  for (const word of left.slice(0, Math.max(0, left.length - (typed ? 0 : 1)))) drop(word);
  if (first < 0) return;
  // What follows the parameters, up to a constructor's initialisers.
  const tail = head.slice(head.findIndex(isGroup) + 1);
  for (const [i, token] of tail.entries()) {
    if (token.text === ":" || token.text === "=" || token.text === ",") break;
    const next = tail[i + 1];
    if (!isWord(token) || STORAGE.has(token.text) || !MACRO.test(token.text) || (i === 0 && head.filter(isWord).length < 2)) continue;
    drop(token);
    if (next && isGroup(next)) drop(next);
  }
  const parameters = head.find(isGroup);
  if (parameters && head.indexOf(parameters) > 0) readParameters(parameters, blanks);
}

/** `struct pool *name __read_mostly = 0;`: the macro behind a variable's type and name. */
function attributeBehind(head: readonly Token[]): Token | undefined {
  const end = head.findIndex(({ text }) => text === "=");
  const last = end < 0 ? head.length - 1 : end - 1;
  const token = head[last];
  if (!token || !/^__[a-z]/.test(token.text) || head.slice(0, last).some(isGroup)) return undefined;
  const before = head.slice(0, last).filter((one) => isWord(one) && !STORAGE.has(one.text));
  const names = before.filter(({ text }) => !PRIMITIVE.has(text) && !TAGS.has(text) && !MACRO.test(text));
  const needed = before.some(({ text }) => PRIMITIVE.has(text)) ? 1 : 2;
  return names.length >= needed ? token : undefined;
}

/** Whether something that closes parameters stands before: a macro there follows the head. */
function isTrailing(head: readonly Token[], at: number): boolean {
  return head.slice(0, at).some(isGroup);
}

/** The words up to the first group, the declared name among them as the last. */
function wordsToGroup(head: readonly Token[]): Token[] {
  const words: Token[] = [];
  let angle = 0;
  for (const [i, token] of head.entries()) {
    if (isGroup(token) || /^[=:[,]$/.test(token.text) && angle === 0 && head[i + 1]?.text !== ":" && head[i - 1]?.text !== ":") break;
    if (token.text === "<") angle++;
    else if (token.text === ">") angle--;
    else if (angle === 0 && isWord(token) && head[i - 1]?.text !== ":") words.push(token);
  }
  return words;
}

function readParameters({ text, from }: Token, blanks: Blanks): void {
  let start = 1;
  let depth = 0;
  for (let at = 1; at < text.length; at++) {
    const c = text[at]!;
    if (c === "(" || c === "<" || c === "[") depth++;
    else if ((c === ")" || c === ">" || c === "]") && depth > 0) depth--;
    else if (depth === 0 && (c === "," || at === text.length - 1)) {
      const piece = text.slice(start, at);
      const words = [...piece.matchAll(/(?<![\w:])[A-Za-z_]\w*(?!\w|::)/g)].filter(([word]) => !STORAGE.has(word) && !TAGS.has(word));
      if (!/[(<=:]/.test(piece) && words.length >= 3) {
        const dropped = words.filter(([word]) => MACRO.test(word));
        if (dropped.length <= words.length - 1) for (const { 0: word, index } of dropped) blanks.push({ from: from + start + index, to: from + start + index + word.length });
      }
      start = at + 1;
    }
  }
}
