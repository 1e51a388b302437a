import type { Codebase, FileStore, SkippedFile } from "./codebase.ts";
import type { AnchoredSlot } from "./collector.ts";
import type { AliasFact, FilterFact, FileFacts, MountFact, NamedCode, RegisteredSets, ViewFact } from "./facts.ts";
import { EDGE_TYPES, EdgeColumns, Graph } from "./graph.ts";
import { RESOLVED_EDGE_TYPES } from "./language.ts";
import { packNodes, unpackNodes } from "./node-columns.ts";
import { type Arrays, DamagedError, type Packed, type Packer, TYPES } from "./packed.ts";
import type { Anchor, Relation, Relations } from "./relations.ts";
import type { Failure } from "./resolve-around.ts";
import { Turns } from "./turns.ts";

/** What a workspace writes down. An edit changes some of it in place. */
export interface Snapshot {
  codebase: Codebase;
  /** Whether it is as it was when it was taken. */
  current: () => boolean;
  /** Sorted by path. */
  files: { path: string; text: string; bytes: number; facts?: FileFacts; reason?: string }[];
  /** What the source left out. */
  skipped: readonly SkippedFile[];
  /** By language. */
  relations: Record<string, ReturnType<Relations["keep"]>>;
  /** Versions of the files, as the hub gave them. */
  versions: Record<string, string>;
  /** The codebase's search index in pieces, if it had one. */
  search?: Iterable<Uint8Array>;
}

/** What is known at once of a snapshot. */
interface Head {
  name: string;
  bytes: number;
  /** Milliseconds since the epoch. */
  indexedAt: number;
  versions: Record<string, string>;
  skipped: readonly SkippedFile[];
  allSkipped: readonly SkippedFile[];
  syntaxErrors: Codebase["syntaxErrors"];
  files: { path: string; bytes: number; facts?: Omit<FileFacts, "symbols" | "data">; reason?: string }[];
  languages: KeptFacts["languages"];
  communities: { label: string; cohesion: number; node: number; size: number }[];
  processes: { label: string; crossCommunity: boolean; node: number; size: number }[];
}

/** A symbol as it is kept: the place of its file in the snapshot, and its index; -1 for the file itself. */
export interface KeptAnchor {
  file: number;
  symbol: number;
}

export interface KeptSlot {
  owner: KeptAnchor | undefined;
  name: string;
}

/** What the resolution of a file said. */
export interface KeptResolved {
  relations: (Pick<Relation, "type" | "confidence" | "line" | "moreLines"> & { from: KeptAnchor; to: KeptAnchor })[];
  puts: { into: KeptSlot; what: KeptAnchor | KeptSlot }[];
  calls: { by: KeptAnchor; from: KeptSlot; line: number; otherwise: KeptSlot | undefined }[];
}

/** What only changes need. */
export interface KeptFacts {
  /** Of the file at a place in `files`; undefined for one that was not parsed. */
  facts: (file: number) => FileFacts | undefined;
  /** What its resolution has asked. */
  asked: (file: number) => Uint32Array;
  resolved: (file: number) => KeptResolved;
  languages: Record<string, { read: string[]; failures: readonly Failure[] }>;
}

/** A workspace as it was kept. What answers need is there. */
export interface KeptWorkspace {
  codebase: Codebase;
  files: readonly { path: string; bytes: number; reason?: string }[];
  skipped: readonly SkippedFile[];
  versions: Record<string, string>;
  search?: Uint8Array;
  /** Reads the rest. Rejects with DamagedError. */
  rest: () => Promise<KeptFacts>;
}

const encoder = new TextEncoder();
/** A mark at the beginning of a text is a part of it. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Writes a snapshot down, with turns for the engine's other work. Rejects when it is not current any more. */
export async function writeSnapshot({ codebase, current, files, skipped, relations, versions, search = [] }: Snapshot, packer: Packer, label: object): Promise<void> {
  const turns = new Turns(current);
  const { graph, communities, processes } = codebase;
  await packer.begin("graph");
  const { texts, numbers } = packNodes(graph.nodes);
  await packer.array("nodes", "u32", numbers);
  await turns.next();
  // As JSON, since a signature may have been cut in the middle of a character.
  await packer.array("texts", "u8", encoder.encode(JSON.stringify(texts)));
  for (const name of ["from", "to", "line"] as const) await packer.array(name, "u32", graph[name]);
  await packer.array("type", "u8", graph.type);
  await packer.array("confidence", "f32", graph.confidence);
  await packer.array("sites", "u32", graph.moreLines());
  await packer.array("members", "u32", slowly(turns, communities, ({ members }) => Uint32Array.from(members)));
  await packer.array("steps", "u32", slowly(turns, processes, ({ steps }) => Uint32Array.from(steps)));

  await packer.begin("search");
  await packer.array("index", "u8", slowly(turns, search, (piece) => piece));

  const packTexts = async <T>(name: string, things: readonly T[], textOf: (thing: T) => string): Promise<void> => {
    const sizes: number[] = [];
    await packer.array(name, "u8", slowly(turns, things, (thing) => {
      const bytes = encoder.encode(textOf(thing));
      sizes.push(bytes.length);
      return bytes;
    }));
    await packer.array(`${name} sizes`, "u32", Uint32Array.from(sizes));
  };
  await packer.begin("texts");
  await packTexts("texts", files, ({ text }) => text);

  await packer.begin("facts");
  const index = new Map(files.map(({ path }, i) => [path, i]));
  const resolved = new Map(Object.values(relations).flatMap((kept) => [...kept.resolved]));
  const each = files.flatMap(({ path }) => resolved.get(path) ?? []);
  await packer.array("counts", "u32", Uint32Array.from(files.flatMap(({ path }) => {
    const { relations: own = [], puts = [], calls = [] } = resolved.get(path) ?? {};
    return [own.length, puts.length, calls.length];
  })));
  const ofEach = (name: string, type: "u8" | "u32" | "f64", numbersOf: (own: (typeof each)[number]) => readonly number[]): Promise<void> =>
    packer.array(name, type, slowly(turns, each, (own) => TYPES[type].from(numbersOf(own))));
  await ofEach("ends", "u32", (own) => own.relations.flatMap(({ from, to }) => [from.symbol + 1, index.get(to.path)!, to.symbol + 1]));
  await ofEach("types", "u8", (own) => own.relations.map(({ type }) => RESOLVED_EDGE_TYPES.indexOf(type)));
  await ofEach("confidences", "f64", (own) => own.relations.map(({ confidence }) => confidence));
  await ofEach("lines", "u32", (own) => own.relations.map(({ line }) => line));
  await ofEach("more", "u32", (own) => own.relations.map(({ moreLines }) => moreLines?.length ?? 0));
  await ofEach("moreLines", "u32", (own) => own.relations.flatMap(({ moreLines = [] }) => moreLines));
  const names = new Map([["", 0]]);
  const slot = (of: Anchor | AnchoredSlot): number[] => {
    const [owner, name] = "id" in of ? [of] : [of.owner, ` ${of.name}`];
    const known = names.get(name ?? "") ?? names.size;
    names.set(name ?? "", known);
    return owner ? [index.get(owner.path)! + 1, owner.symbol + 1, known] : [0, 0, known];
  };
  await ofEach("puts", "u32", ({ puts }) => puts.flatMap(({ into, what }) => [...slot(into), ...slot(what)]));
  await ofEach("calls", "u32", ({ calls }) => calls.flatMap(({ by, from, line, otherwise }) => [by.symbol + 1, ...slot(from), line, ...(otherwise ? slot(otherwise) : [0, 0, 0])]));
  await packer.array("slot names", "u8", encoder.encode(JSON.stringify([...names.keys()])));
  const asked = new Map(Object.values(relations).flatMap((kept) => [...kept.asked]));
  await packer.array("asked", "u32", slowly(turns, files, ({ path }) => asked.get(path) ?? new Uint32Array()));
  await packer.array("asked sizes", "u32", Uint32Array.from(files, ({ path }) => asked.get(path)?.length ?? 0));
  const parsed = files.flatMap(({ facts }) => facts ?? []);
  for (const part of ["symbols", "data"] as const) await packTexts(part, parsed, (facts) => JSON.stringify(facts[part] ?? null));

  await turns.next(); // all above is of one state, and so is what is read from here on
  const head: Head = {
    name: codebase.name, bytes: codebase.bytes, indexedAt: codebase.indexedAt, versions, skipped, allSkipped: codebase.skipped, syntaxErrors: codebase.syntaxErrors,
    files: files.map(({ path, bytes, facts, reason }) => ({
      path, bytes, ...(reason === undefined ? {} : { reason }),
      ...(facts ? { facts: { syntaxErrors: facts.syntaxErrors, ...(facts.generated === undefined ? {} : { generated: facts.generated }), ...(facts.mounts ? { mounts: facts.mounts } : {}), ...(facts.filters ? { filters: facts.filters } : {}), ...(facts.aliases ? { aliases: facts.aliases } : {}), ...(facts.texts ? { texts: facts.texts } : {}), ...(facts.answers ? { answers: facts.answers } : {}), ...(facts.sets ? { sets: facts.sets } : {}), ...(facts.ownPrefix === undefined ? {} : { ownPrefix: facts.ownPrefix }), ...(facts.folderHooks ? { folderHooks: facts.folderHooks } : {}) } } : {}),
    })),
    languages: Object.fromEntries(Object.entries(relations).map(([language, { read, failures }]) => [language, { read, failures }])),
    communities: communities.map(({ label, cohesion, node, members }) => ({ label, cohesion, node, size: members.length })),
    processes: processes.map(({ label, crossCommunity, node, steps }) => ({ label, crossCommunity, node, size: steps.length })),
  };
  await packer.end({ ...label, ...head });
}

/** What becomes of some things, one after the other. */
async function* slowly<T, V>(turns: Turns, things: Iterable<T>, become: (thing: T) => V): AsyncGenerator<V> {
  for (const thing of things) {
    yield become(thing);
    await turns.next();
  }
}

/** Versions, which are known before anything else is read. */
export function versionsIn(packed: Packed): Record<string, string> {
  return (packed.head as Head).versions;
}

/** Reads what was written. `current`: it is going to be brought up to date. Rejects, with DamagedError or another one, when it is none. */
export async function readSnapshot(packed: Packed, current = true): Promise<KeptWorkspace> {
  const head = packed.head as Head;
  const [graphArrays, searchArrays, textArrays] = await Promise.all([packed.group("graph"), packed.group("search"), packed.group("texts")]);
  const graph = readGraph(graphArrays);
  const search = searchArrays.get("index", "u8");
  const groups = (sizes: readonly { size: number }[], flat: Uint32Array): number[][] => {
    let at = 0;
    return sizes.map(({ size }) => [...flat.subarray(at, at += size)]);
  };
  const members = groups(head.communities, graphArrays.get("members", "u32"));
  const steps = groups(head.processes, graphArrays.get("steps", "u32"));
  return {
    codebase: {
      name: head.name, graph,
      communities: head.communities.map(({ label, cohesion, node }, i) => ({ node, label, members: members[i]!, cohesion })),
      processes: head.processes.map(({ label, crossCommunity, node }, i) => ({ node, label, steps: steps[i]!, crossCommunity })),
      skipped: head.allSkipped, syntaxErrors: head.syntaxErrors, indexedAt: current ? Date.now() : head.indexedAt, phases: [], bytes: head.bytes,
      files: new KeptFiles(head.files.map(({ path }) => path), new Pieces(textArrays.get("texts", "u8"), textArrays.get("texts sizes", "u32"))),
    },
    files: head.files, skipped: head.skipped, versions: head.versions, ...(search.length > 0 ? { search } : {}),
    rest: async () => readFacts(head, await packed.group("facts")),
  };
}

function readGraph(arrays: Arrays): Graph {
  const texts = JSON.parse(decoder.decode(arrays.get("texts", "u8"))) as string[];
  const nodes = unpackNodes({ texts, numbers: arrays.get("nodes", "u32") });
  const [from, to, line] = [arrays.get("from", "u32"), arrays.get("to", "u32"), arrays.get("line", "u32")];
  const [type, confidence, sites] = [arrays.get("type", "u8"), arrays.get("confidence", "f32"), arrays.get("sites", "u32")];
  const edges = new EdgeColumns(from.length);
  let site = 0;
  for (let e = 0; e < from.length; e++) {
    if (from[e]! >= nodes.length || to[e]! >= nodes.length || type[e]! >= EDGE_TYPES.length) throw new DamagedError("an edge that leads nowhere");
    edges.push(from[e]!, to[e]!, type[e]!, confidence[e]!, line[e]!);
    for (; sites[site] === e; site += 2) edges.site(sites[site + 1]!);
  }
  return new Graph(nodes, edges);
}

function readFacts(head: Head, arrays: Arrays): KeptFacts {
  const symbols = new Pieces(arrays.get("symbols", "u8"), arrays.get("symbols sizes", "u32"));
  const data = new Pieces(arrays.get("data", "u8"), arrays.get("data sizes", "u32"));
  const parsed = new Map<number, number>();
  head.files.forEach(({ facts }, i) => {
    if (facts) parsed.set(i, parsed.size);
  });
  const [asked, sizes] = [arrays.get("asked", "u32"), arrays.get("asked sizes", "u32")];
  const starts = new Uint32Array(sizes.length + 1);
  for (let i = 0; i < sizes.length; i++) starts[i + 1] = starts[i]! + sizes[i]!;
  if (starts.at(-1) !== asked.length) throw new DamagedError("something asked is missing");
  return {
    languages: head.languages,
    resolved: resolvedIn(arrays),
    asked: (file) => asked.slice(starts[file], starts[file + 1]),
    facts: (file) => {
      const at = parsed.get(file);
      return at === undefined ? undefined : new LazyFacts(head.files[file]!.facts!, symbols.text(at), () => data.text(at));
    },
  };
}

/** What files' resolutions said, by the files' places. */
function resolvedIn(arrays: Arrays): KeptFacts["resolved"] {
  const [counts, ends, types] = [arrays.get("counts", "u32"), arrays.get("ends", "u32"), arrays.get("types", "u8")];
  const [confidences, lines, more, moreLines] = [arrays.get("confidences", "f64"), arrays.get("lines", "u32"), arrays.get("more", "u32"), arrays.get("moreLines", "u32")];
  const [puts, calls] = [arrays.get("puts", "u32"), arrays.get("calls", "u32")];
  const names = JSON.parse(decoder.decode(arrays.get("slot names", "u8"))) as string[];
  /** Of each file, where its own begin. */
  const starts = [0, 1, 2].map((kind) => {
    const all = new Uint32Array(counts.length / 3 + 1);
    for (let i = 1; i < all.length; i++) all[i] = all[i - 1]! + counts[3 * (i - 1) + kind]!;
    return all;
  });
  const furtherLines = new Uint32Array(more.length + 1);
  for (let i = 0; i < more.length; i++) furtherLines[i + 1] = furtherLines[i]! + more[i]!;
  if ([more.length, puts.length / 6, calls.length / 8].some((length, kind) => starts[kind]!.at(-1) !== length) || furtherLines.at(-1) !== moreLines.length) throw new DamagedError("a relation is missing");
  const ownerAt = (numbers: Uint32Array, at: number): KeptAnchor | undefined => (numbers[at] === 0 ? undefined : { file: numbers[at]! - 1, symbol: numbers[at + 1]! - 1 });
  const slotAt = (numbers: Uint32Array, at: number): KeptSlot => ({ owner: ownerAt(numbers, at), name: names[numbers[at + 2]!]!.slice(1) });
  return (file) => {
    const own = <T>(kind: number, read: (i: number) => T): T[] => Array.from({ length: starts[kind]![file + 1]! - starts[kind]![file]! }, (_, i) => read(starts[kind]![file]! + i));
    return {
      relations: own(0, (i) => {
        const further = [...moreLines.subarray(furtherLines[i], furtherLines[i + 1])];
        return {
          type: RESOLVED_EDGE_TYPES[types[i]!]!, from: { file, symbol: ends[3 * i]! - 1 }, to: { file: ends[3 * i + 1]!, symbol: ends[3 * i + 2]! - 1 },
          confidence: confidences[i]!, line: lines[i]!, ...(further.length > 0 ? { moreLines: further } : {}),
        };
      }),
      puts: own(1, (i) => ({ into: slotAt(puts, 6 * i), what: puts[6 * i + 5] === 0 ? ownerAt(puts, 6 * i + 3)! : slotAt(puts, 6 * i + 3) })),
      calls: own(2, (i) => ({
        by: { file, symbol: calls[8 * i]! - 1 }, from: slotAt(calls, 8 * i + 1), line: calls[8 * i + 4]!, otherwise: calls[8 * i + 7] === 0 ? undefined : slotAt(calls, 8 * i + 5),
      })),
    };
  };
}

/** Texts one after the other, as UTF-8. */
class Pieces {
  private readonly starts: Uint32Array;

  constructor(private readonly bytes: Uint8Array, sizes: Uint32Array) {
    this.starts = new Uint32Array(sizes.length + 1);
    for (let i = 0; i < sizes.length; i++) this.starts[i + 1] = this.starts[i]! + sizes[i]!;
    if (this.starts.at(-1) !== bytes.length) throw new DamagedError("a text is missing");
  }

  text(at: number): string {
    return decoder.decode(this.bytes.subarray(this.starts[at], this.starts[at + 1]));
  }
}

/** The files of a snapshot, each made text when somebody asks for it first. */
class KeptFiles implements FileStore {
  private readonly places: ReadonlyMap<string, number>;
  private readonly texts = new Map<string, string>();

  constructor(readonly paths: readonly string[], private pieces: Pieces | undefined) {
    this.places = new Map(paths.map((path, i) => [path, i]));
  }

  text(path: string): string | undefined {
    const known = this.texts.get(path);
    if (known !== undefined) return known;
    const place = this.places.get(path);
    if (place === undefined) return undefined;
    const text = this.pieces!.text(place);
    this.texts.set(path, text);
    if (this.texts.size === this.paths.length) this.pieces = undefined;
    return text;
  }
}

/** Facts whose own part is read when somebody asks for it. */
class LazyFacts implements FileFacts {
  readonly symbols: FileFacts["symbols"];
  readonly syntaxErrors: number;
  readonly generated?: boolean;
  readonly mounts?: MountFact[];
  readonly filters?: FilterFact[];
  readonly aliases?: AliasFact[];
  readonly texts?: Record<string, string>;
  readonly answers?: Record<string, ViewFact>;
  readonly sets?: RegisteredSets;
  readonly ownPrefix?: string;
  readonly folderHooks?: NamedCode[];
  private read: (() => string) | undefined;
  private known: unknown;

  constructor({ syntaxErrors, generated, mounts, filters, aliases, texts, answers, sets, ownPrefix, folderHooks }: Omit<FileFacts, "symbols" | "data">, symbols: string, data: () => string) {
    this.symbols = JSON.parse(symbols) as FileFacts["symbols"];
    this.syntaxErrors = syntaxErrors;
    if (generated !== undefined) this.generated = generated;
    if (mounts) this.mounts = mounts;
    if (filters) this.filters = filters;
    if (aliases) this.aliases = aliases;
    if (texts) this.texts = texts;
    if (answers) this.answers = answers;
    if (sets) this.sets = sets;
    if (ownPrefix !== undefined) this.ownPrefix = ownPrefix;
    if (folderHooks) this.folderHooks = folderHooks;
    this.read = data;
  }

  get data(): unknown {
    if (this.read) {
      this.known = JSON.parse(this.read());
      this.read = undefined;
    }
    return this.known;
  }
}
