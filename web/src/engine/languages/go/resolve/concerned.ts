import { spend } from "../../../effort.ts";
import type { Project, SymbolRef } from "../../../language.ts";
import type { GoFacts } from "../facts.ts";
import { behind, EMBEDDED, embeddingOf, guessOf, implementedBy, namelessOf, partsOf } from "./asks.ts";
import { type Shape, type Shapes, shapesOf } from "./shapes.ts";
import { standardInterfaces } from "./standard.ts";

/** Names of members that may be others, by the types that have them. */
type Members = Map<Shape, Set<string>>;

/**
 * What rests on the methods of types without naming them, where these members may be others than before: which types implement an
 * interface, which methods its calls may run, and which method alone has its name. The words by which files have asked for that.
 */
export function implied(told: Iterable<string>, before: Project<GoFacts>, after: Project<GoFacts>): Iterable<string> {
  const words = new Set<string>();
  const all = [...told].map(partsOf);
  const [was, is] = [shapesOf(before.files), shapesOf(after.files)];
  for (const { member } of all) {
    if (member === undefined) continue;
    if (ownerOf(before, was.only(member)) !== ownerOf(after, is.only(member))) words.add(guessOf(member));
  }
  for (const shapes of [was, is]) {
    concern(shapes, membersIn(shapes, all), words);
    const embedding = all.filter(({ member = EMBEDDED }) => member === EMBEDDED).flatMap(({ home, name }) => shapes.named(home, name));
    for (const base of shapes.above(embedding)) words.add(embeddingOf(base));
  }
  return words;
}

function ownerOf({ files }: Project<GoFacts>, method: SymbolRef | undefined): string | undefined {
  return method && `${files[method.file]!.path}\n${files[method.file]!.facts.symbols[method.symbol]!.owner}`;
}

/** The members that may be others, those that types get by embedding with them. */
function membersIn(shapes: Shapes, told: readonly ReturnType<typeof partsOf>[]): Members {
  const members: Members = new Map();
  for (const { home, name, member = EMBEDDED } of told) {
    const reached = new Set(shapes.named(home, name));
    // It grows while it is gone through.
    for (const shape of reached) {
      let own = members.get(shape);
      if (!own) members.set(shape, (own = new Set()));
      if (own.has(member)) continue;
      own.add(member);
      for (const heir of shapes.heirs(shape)) reached.add(heir);
    }
  }
  return members;
}

function concern(shapes: Shapes, members: Members, words: Set<string>): void {
  const asking = new Map<string, readonly Shape[]>();
  const askingFor = (member: string): readonly Shape[] => {
    let found = asking.get(member);
    if (!found) asking.set(member, (found = [...member === EMBEDDED ? shapes.all : shapes.having(member)].filter((shape) => shapes.mayAsk(shape))));
    return found;
  };
  for (const [shape, names] of members) {
    const { home, name } = shape;
    for (const member of names) words.add(namelessOf(member));
    const has = (method: string): boolean => shapes.having(method).has(shape);
    for (const other of new Set([...names].flatMap(askingFor))) {
      spend();
      if (other === shape || !shapes.certain(other).every(has)) continue;
      words.add(behind(other.home, other.name)).add(implementedBy(home, name));
    }
    for (const { home: library, name: asked, asks } of standardInterfaces()) {
      if ((names.has(EMBEDDED) || asks.some((method) => names.has(method))) && asks.every(has)) words.add(behind(library, asked));
    }
    if (!shapes.mayAsk(shape)) continue;
    words.add(behind(home, name));
    const [fewest = shapes.all, ...more] = shapes.certain(shape).map((method) => shapes.having(method)).sort((a, b) => a.size - b.size);
    for (const each of fewest) {
      spend();
      if (more.every((having) => having.has(each))) words.add(implementedBy(each.home, each.name));
    }
  }
}
