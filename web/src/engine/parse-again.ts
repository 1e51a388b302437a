import type { FileFacts } from "./facts.ts";
import { languageOf, languages } from "./languages/index.ts";
import type { Parse, ParseResult } from "./pipeline.ts";
import type { Delta } from "./workspace.ts";

/** A file that is to be parsed, and what it is to be read with (Language.contexts). */
export interface Unparsed {
  path: string;
  text: string;
  bytes: number;
  context?: unknown;
}

/** What came of it; nothing where it is in no language. */
export interface Parsed extends Unparsed {
  result?: ParseResult | undefined;
}

/** The files of a repository as they are. */
export interface PresentFiles {
  paths: ReadonlySet<string>;
  /** The parsed ones by language. */
  parsed: ReadonlyMap<string, readonly { path: string; facts: FileFacts }[]>;
  get(path: string): { text: string; bytes: number } | undefined;
}

const NONE: ReadonlyMap<string, Parsed> = new Map();

/** The files that are to be parsed with other declarations than they were, when some are others now; undefined is what goes. */
export function outdated(files: PresentFiles, now: ReadonlyMap<string, Parsed | undefined> = NONE): Unparsed[] {
  const fileAt = (path: string): { text: string; bytes: number } | undefined => (now.has(path) ? now.get(path) : files.get(path));
  let paths = files.paths;
  if ([...now].some(([path, one]) => files.paths.has(path) !== (one !== undefined))) paths = new Set([...paths, ...now.keys()].filter((path) => fileAt(path)));
  return languages.flatMap((language) => {
    if (!language.contexts) return [];
    const own = (files.parsed.get(language.id) ?? []).filter(({ path }) => !now.has(path));
    for (const [path, one] of now) if (one?.result && "facts" in one.result && languageOf(path, one.text) === language) own.push({ path, facts: one.result.facts });
    const contexts = own.length > 0 ? [...language.contexts({ files: own, paths, read: (path) => fileAt(path)?.text })] : [];
    return contexts.map(([path, context]) => ({ path, text: fileAt(path)!.text, bytes: fileAt(path)!.bytes, context }));
  });
}

/** Parses the files of a change, and those once more that are to be read with other declarations then. */
export async function parsedWith(files: PresentFiles, delta: Delta, parse: Parse): Promise<Parsed[]> {
  const parseOne = async (file: Unparsed): Promise<Parsed> => ({ ...file, result: languageOf(file.path, file.text) ? await parse(file.path, file.text, file.context) : undefined });
  const parsed = new Map((await Promise.all(delta.files.map(parseOne))).map((file) => [file.path, file]));
  const now = new Map<string, Parsed | undefined>([...parsed, ...delta.removed.map((path) => [path, undefined] as const)]);
  for (const file of await Promise.all(outdated(files, now).map(parseOne))) parsed.set(file.path, file);
  return [...parsed.values()];
}
