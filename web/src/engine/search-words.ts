/** What English verbs are called when their forms do not end as others do. */
const IRREGULAR = new Map([
  "begin began begun", "break broke broken", "build built", "catch caught", "choose chose chosen", "draw drew drawn", "freeze froze frozen", "grow grew grown",
  "hide hid hidden", "hold held", "keep kept", "lose lost", "override overrode overridden", "rebuild rebuilt", "resend resent", "rewrite rewrote rewritten", "run ran", "send sent", "show shown",
  "steal stole stolen", "take took taken", "throw threw thrown", "wake woke woken", "write wrote written",
].flatMap((line) => {
  const [verb, ...forms] = line.split(" ");
  return forms.map((form) => [form, verb!] as const);
}));

/** Words that stand in questions and tell nothing about code. */
const STOP_WORDS = new Set([
  "a", "an", "the", "this", "that", "it", "its", "of", "to", "in", "on", "for", "and", "or", "is", "are", "be", "was", "how", "does", "do", "did",
  "where", "what", "when", "which", "who", "why", "with", "by", "we", "i", "happens", "happen", "happened",
]);

/** Words of sentences about code that stand in most of them. */
const WEAK_WORDS = new Set((
  "return returns returned given specified provided whether used using use called if then else from into at as not all any only one least can may will should has have been there their them "
  + "current currently particular corresponding according based other some such each every more most true false value values work works know knows"
).split(" "));

/**
 * What code says in the place of words that sentences have. Stems are made of both. Many are of the pairs that most packages have among 153,000
 * comments of public Go, Python and TypeScript and the names of what these stand at, aligned word by word (IBM Model 1: Brown et al., Computational Linguistics 1993).
 */
const SAID_OTHERWISE: readonly (readonly [said: string, code: string])[] = [
  ["retrieve obtain fetch look return calculate compute associated", "get"], ["create build construct produce allocate generate", "new make"], ["delete clear empty drop", "remove"], ["remove empty reset", "clear"],
  ["remove", "delete"], ["whether check true determine test indicate", "is has"], ["contain exist", "has"], ["number amount", "count len size num"], ["length size", "len"],
  ["append insert register attach", "add"], ["initialize construct instance", "init"], ["cancel end finish", "stop close abort"], ["begin launch run", "start"], ["execute call invoke", "run"], ["call invoke callback event", "on"],
  ["assign change store", "set"], ["change", "update"], ["convert transform turn", "to from"], ["verify valid ensure", "check validate"], ["fail failure exception invalid problem raise throw occur encounter", "error"],
  ["representation", "repr str string"], ["same equality identical", "equal eq"], ["search locate", "find"], ["advance", "next"], ["until", "wait"], ["establish", "connect"], ["panic", "must"], ["trailing leading", "trim strip"],
  ["copy duplicate", "clone"], ["shallow duplicate", "copy"], ["yield over", "iter"], ["about describe", "info"], ["extract", "parse"], ["largest", "max"], ["smallest", "min"], ["regular", "regex"], ["filesystem", "fs"],
  ["multiple", "multi"], ["automatically", "auto"], ["synchronously", "sync"], ["asynchronously", "async"], ["combine", "merge"],
  ["save store persist", "save store persist write dump"], ["load", "read open"], ["print display show", "print display show render"], ["emit publish notify", "emit dispatch publish notify"], ["quit exit", "quit exit close"],
  ["authenticate login", "authenticate login auth"],
];

/** How code shortens words: the word, then its short forms. */
const SHORTENED = new Map([
  "address addr", "allocate alloc", "application app", "argument arg", "array arr", "attribute attr", "authentication auth", "authorization auth", "average avg", "binary bin", "boolean bool", "buffer buf",
  "button btn", "calculate calc", "callback cb", "certificate cert", "channel chan", "character char", "column col", "command cmd", "communication comm", "compare cmp", "configuration config conf cfg",
  "configure config conf cfg", "connection conn", "context ctx", "control ctrl", "coordinate coord", "counter cnt", "current cur curr", "database db", "declaration decl", "decode dec", "definition def", "delete del",
  "dependency dep", "description desc", "destination dest dst", "device dev", "difference diff", "directory dir", "distance dist", "document doc", "element elem el", "encode enc", "environment env", "error err",
  "evaluate eval", "event evt", "exception exc", "execute exec", "expression expr", "extension ext", "format fmt", "function func fn", "generate gen", "group grp", "identifier id ident", "image img",
  "implementation impl", "index idx", "information info", "initialize init", "integer int", "interface iface", "iterator iter", "language lang", "length len", "level lvl", "library lib", "listener lsnr",
  "location loc", "manager mgr", "maximum max", "memory mem", "message msg", "middleware mw", "minimum min", "modification mod", "number num", "object obj", "operation op", "operator op", "option opt", "package pkg",
  "parameter param", "password passwd pwd", "pattern pat", "permission perm", "pointer ptr", "position pos", "previous prev", "procedure proc", "process proc", "property prop", "random rand",
  "receive recv", "record rec", "reference ref", "register reg", "repository repo", "request req", "resource res", "response resp res", "result res", "sequence seq", "server srv",
  "service svc", "session sess", "signature sig", "source src", "specification spec", "standard std", "statement stmt", "statistic stat", "string str", "structure struct", "subscription sub", "symbol sym",
  "synchronize sync", "synchronous sync", "asynchronous async", "temporary temp tmp", "temperature temp", "text txt", "token tok", "transaction tx txn", "utility util", "value val", "variable var", "vector vec",
  "version ver", "window win",
].map((line): [string, readonly string[]] => {
  const [whole, ...short] = line.split(" ");
  return [stem(whole!), short];
}));

/** The ways in which words of a stem begin, as far as they are not the stem: `repositories`, `sent`. */
export function beginningsOf(stemmed: string): string[] {
  const forms = [...IRREGULAR].filter(([, verb]) => stem(verb) === stemmed).map(([form]) => form);
  return [...stemmed.endsWith("y") ? [`${stemmed.slice(0, -1)}i`] : [], ...forms];
}

/** A word that only begins as one of the sentence does, beside one that is it. */
export const BEGINS = 0.3;
/** What code may say in the place of a word. */
const OTHERWISE = 0.5;
/** A word that stands in most sentences about code. */
const WEAK = 0.5;

/** Words that ask for tests themselves. */
const TEST_WORDS = new Set(["test", "tests", "testing", "spec", "bench", "benchmark", "fuzz", "fake", "mock", "fixture"]);

/**
 * The words of identifiers, paths and sentences, in lower case: `parseHTTPHeader_v2` gives parse, http, header, v2.
 * Digits stay with the letters before them, so that `utf8` and `v2` can be found.
 */
export function wordsOf(text: string): string[] {
  return (text.match(/\p{Lu}+(?![\p{Ll}])\d*|\p{Lu}?\p{Ll}+\d*|\p{Lo}+|\d+/gu) ?? []).map((word) => word.toLowerCase());
}

/** The words to look for. Stop words count only when there is nothing else. */
export function queryWords(query: string): string[] {
  const words = [...new Set(wordsOf(query))];
  const some = telling(words);
  return some.length > 0 ? some : words;
}

/** Without the words that stand in every sentence. */
export function telling(words: readonly string[]): string[] {
  return words.filter((word) => !STOP_WORDS.has(word));
}

/** What of a sentence tells something of what the code does. */
function strong(words: readonly string[]): readonly string[] {
  const some = words.filter((word) => !WEAK_WORDS.has(word));
  return some.length > 0 ? some : words;
}

/** The stems of words that code may have instead of one, which is a stem, too. */
function otherwiseOf(term: string): readonly string[] {
  return SAID_OTHERWISE.filter(([said]) => said.split(" ").some((word) => stem(word) === term)).flatMap(([, code]) => code.split(" ").map(stem));
}

/** How a word that stands beside another may be written in code: as it is, or short. */
function writings(word: string): readonly string[] {
  const stemmed = stem(word);
  return [word, stemmed, ...SHORTENED.get(stemmed) ?? []];
}

/** Words that two or three beside each other are as one, and the words that each is short for: `filename`, `envvar`, `uptodate`. By stem, with the stems of what it stands for. */
function runTogether(words: readonly string[]): Map<string, readonly string[]> {
  const together = new Map<string, readonly string[]>();
  const stands = (said: string, of: readonly string[]): void => {
    if (!together.has(said)) together.set(said, of.map(stem));
  };
  words.forEach((word, i) => {
    for (const short of SHORTENED.get(stem(word)) ?? []) stands(short, [word]);
    const next = words[i + 1];
    if (next === undefined) return;
    for (const first of writings(word)) for (const second of writings(next)) stands(stem(first + second), [word, next]);
    const third = words[i + 2];
    if (third !== undefined) stands(stem(word + next + third), [word, next, third]);
  });
  return together;
}

/** A word of the sentence. */
export interface Term {
  stem: string;
  /** Stems that code may have for it, with what they count. */
  spellings: Map<string, number>;
  weight: number;
}

/** The words of a sentence that tell something, each stem once. */
export function termsOf(sentence: string): Term[] {
  const words = queryWords(sentence);
  const telling = new Set(strong(words).map(stem));
  const stems = new Set(words.map(stem));
  const terms = new Map([...stems].map((term): [string, Term] => [term, { stem: term, spellings: new Map([[term, 1]]), weight: telling.has(term) ? 1 : WEAK }]));
  const spell = (term: string, spelling: string, count: number): void => {
    const spellings = terms.get(term)?.spellings;
    if (!stems.has(spelling) && !spellings?.has(spelling)) spellings?.set(spelling, count);
  };
  for (const [spelling, of] of runTogether(wordsOf(sentence))) for (const term of of) spell(term, spelling, 1);
  for (const term of stems) for (const other of otherwiseOf(term)) spell(term, other, OTHERWISE);
  return [...terms.values()];
}

/** Whether tests are what is looked for. */
export function asksForTests(words: readonly string[]): boolean {
  return words.some((word) => TEST_WORDS.has(word));
}

/**
 * What the English forms of a word have in common: `checked`, `checks` and `checking` are `check`, `parsed` and `parse`
 * are `pars`, `created` and `creation` are `creat`, `written` is `writ` as is `write`. Only to compare stems with stems.
 */
export function stem(form: string): string {
  const word = IRREGULAR.get(form) ?? form;
  if (!/^[a-z]{4,}$/.test(word)) return word;
  const singular = /(?:ies|ied)$/.test(word) ? `${word.slice(0, -3)}y` : word.replace(/(?<=ss|x|ch|sh)es$|(?<=[^siu])s$/, "");
  const bare = singular.replace(/(?<=[aeiouy].*[^aeiou])(?:ed|ing|e)$|(?<=^...+[ts])ion$/, "");
  // A short rest is not what the word is a form of: `need`, `being`.
  if (bare === singular || bare.length < 3) return singular;
  return bare.replace(/([bdgmnprt])\1$/, "$1");
}
