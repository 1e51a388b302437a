/** Ruby files that edits are applied to, and what is told of these. */
import { expect } from "vitest";
import { ruby } from "../src/engine/languages/ruby/index.ts";
import { anchored, Relations, type ParsedFile } from "../src/engine/relations.ts";
import { extract } from "./languages.ts";

type Texts = Record<string, string>;

/** Files written as `-- path --` and text. */
function filesOf(text: string): Texts {
  const [, ...parts] = text.split(/^ *-- (.+) --\n/m);
  return Object.fromEntries(parts.flatMap((path, i) => (i % 2 === 0 ? [[path, parts[i + 1]!]] : [])));
}

/** A folder of Ruby files that edits are applied to. */
class Folder {
  readonly relations = new Relations(ruby);
  private readonly files = new Map<string, ParsedFile>();

  static async of(texts: Texts): Promise<Folder> {
    const folder = new Folder();
    for (const path of Object.keys(texts).sort()) folder.files.set(path, anchored(path, await extract(ruby, path, texts[path]!)));
    folder.relations.update(...folder.all());
    return folder;
  }

  /** Without a text the file goes. */
  async edit(path: string, text: string | undefined): Promise<void> {
    if (text === undefined) this.files.delete(path);
    else this.files.set(path, anchored(path, await extract(ruby, path, text), this.files.get(path)));
    this.relations.update(...this.all(), { own: new Set([path]), paths: [], contents: [] });
  }

  private all(): [readonly ParsedFile[], ReadonlySet<string>, () => undefined] {
    return [[...this.files.keys()].sort().map((path) => this.files.get(path)!), new Set(this.files.keys()), () => undefined];
  }

  words(): string[] {
    return [...this.files.keys()].flatMap((path) => this.relations.of(path).map(({ type, from, to, confidence, line, moreLines }) => (
      `${type} ${from.path}:${this.name(from)} -> ${to.path}:${this.name(to)} ${confidence} ${[line, ...(moreLines ?? [])].join(",")}`
    ))).sort();
  }

  private name({ path, symbol }: { path: string; symbol: number }): string {
    const { owner, name } = this.files.get(path)!.facts.symbols[symbol] ?? { name: "" };
    return owner === undefined ? name : `${owner}.${name}`;
  }
}

export const SHAPES = `
-- base.rb --
class Base
  def draw; end
  def size; end
end
-- circle.rb --
class Circle < Base
  def turn; end
end
-- square.rb --
class Square < Base
  def flip; end
end
`;

/** Files, the path of one of them, a text of it, and what stands in its place after the edit. */
export type Edit = [title: string, files: string, path: string, from: string, to: string];

/** After an edit relations are those of an index from the start, and so they are when it is taken back; these files alone were resolved. */
export async function expectInPart(...[, files, path, from, to, redone]: [...Edit, redone: string]): Promise<void> {
  const texts = filesOf(files);
  const folder = await Folder.of(texts);
  const before = folder.words();
  expect(texts[path]).toContain(from);
  await folder.edit(path, texts[path]!.replace(from, to));
  expect(folder.words()).toEqual((await Folder.of({ ...texts, [path]: texts[path]!.replace(from, to) })).words());
  expect(redoneIn(folder)).toBe(redone);
  await folder.edit(path, texts[path]);
  expect(folder.words()).toEqual(before);
}

function redoneIn({ relations }: Folder): string {
  return [...relations.redonePaths ?? ["all"]].sort().join(" ");
}

/** Without a file relations are those of an index from the start, and so they are when it comes back, and when it comes for the first time; these files alone were resolved. */
export async function expectMoved(files: string, path: string, redone: string): Promise<void> {
  const texts = filesOf(files);
  const folder = await Folder.of(texts);
  const before = folder.words();
  const less = Object.fromEntries(Object.entries(texts).filter(([name]) => name !== path));
  const without = await Folder.of(less);
  const between = without.words();
  expect(between).not.toEqual(before);
  await folder.edit(path, undefined);
  expect(folder.words()).toEqual(between);
  const gone = redoneIn(folder);
  await folder.edit(path, texts[path]);
  expect(folder.words()).toEqual(before);
  await without.edit(path, texts[path]);
  expect(without.words()).toEqual(before);
  expect(`${gone} / ${redoneIn(without)}`).toBe(redone);
}

/** After each of several edits, of which those without a text take a file away, relations are those of an index from the start, and not all files were resolved. */
export async function expectSteps(files: string, steps: readonly (readonly [path: string, text: string | undefined])[]): Promise<void> {
  const texts = filesOf(files);
  const folder = await Folder.of(texts);
  for (const [path, text] of steps) {
    await folder.edit(path, text);
    if (text === undefined) Reflect.deleteProperty(texts, path);
    else texts[path] = text;
    expect(folder.words()).toEqual((await Folder.of(texts)).words());
    expect(folder.relations.redonePaths).toBeDefined();
  }
}

/** After an edit that makes some of them others, relations are those of an index from the start, and all files were resolved. */
export async function expectWhole(...[, files, path, from, to]: Edit): Promise<void> {
  const texts = filesOf(files);
  const folder = await Folder.of(texts);
  const before = folder.words();
  expect(texts[path]).toContain(from);
  await folder.edit(path, texts[path]!.replace(from, to));
  const now = folder.words();
  expect(now).toEqual((await Folder.of({ ...texts, [path]: texts[path]!.replace(from, to) })).words());
  expect(now).not.toEqual(before);
  expect(folder.relations.redonePaths).toBeUndefined();
}
