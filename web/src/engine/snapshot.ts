import type { Codebase, FileStore, SkippedFile } from "./codebase.ts";
import type { FileFacts, MountFact } from "./facts.ts";
import { EDGE_TYPES, EdgeColumns, Graph } from "./graph.ts";
import { RESOLVED_EDGE_TYPES } from "./language.ts";
import { packNodes, unpackNodes } from "./node-columns.ts";
import { type Arrays, DamagedError, type Packed, type Packer } from "./packed.ts";
import type { Relation, Relations } from "./relations.ts";
import type { Failure } from "./resolve-around.ts";

/** What a workspace writes down. Nothing of it changes any more. */
export interface Snapshot {
  codebase: Codebase;
  /** Sorted by path. */
  files: { path: string; text: string; bytes: number; facts?: FileFacts; reason?: string }[];
  /** What the source left out. */
  skipped: readonly SkippedFile[];
  /** By language. */
  relations: Record<string, ReturnType<Relations["keep"]>>;
  /** Versions of the files, as the hub gave them. */
  versions: Record<string, string>;
  /** The codebase's search index, if it had one. */
  search?: Uint8Array<ArrayBuffer>;
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
  relations: Record<string, { read: string[]; failures: readonly Failure[]; count: number }>;
  communities: { label: string; cohesion: number; node: number; size: number }[];
  processes: { label: string; crossCommunity: boolean; node: number; size: number }[];
}

/** A relation as it is kept: its ends are files by their places in the snapshot, and their symbols. */
export interface KeptRelation extends Pick<Relation, "type" | "confidence" | "line" | "moreLines"> {
  from: number;
  symbol: number;
  to: number;
  other: number;
}

/** What only changes need. */
export interface KeptFacts {
  /** Of the file at a place in `files`; undefined for one that was not parsed. */
  facts: (file: number) => FileFacts | undefined;
  /** What its resolution has asked. */
  asked: (file: number) => Uint32Array;
  relations: Record<string, { read: string[]; failures: readonly Failure[]; relations: KeptRelation[] }>;
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

/** So many files are written down before the engine's other work has its turn. */
const FILES_A_TURN = 25;

const encoder = new TextEncoder();
/** A mark at the beginning of a text is a part of it. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Writes a snapshot down, a few files at a time. */
export async function writeSnapshot({ codebase, files, skipped, relations, versions, search = new Uint8Array() }: Snapshot, packer: Packer, label: object): Promise<void> {
  const { graph, communities, processes } = codebase;
  await packer.begin("graph");
  const { texts, numbers } = packNodes(graph.nodes);
  await packer.array("nodes", "u32", numbers);
  // As JSON, since a signature may have been cut in the middle of a character.
  await packer.array("texts", "u8", encoder.encode(JSON.stringify(texts)));
  for (const name of ["from", "to", "line"] as const) await packer.array(name, "u32", graph[name]);
  await packer.array("type", "u8", graph.type);
  await packer.array("confidence", "f32", graph.confidence);
  await packer.array("sites", "u32", graph.moreLines());
  await packer.array("members", "u32", Uint32Array.from(communities.flatMap(({ members }) => members)));
  await packer.array("steps", "u32", Uint32Array.from(processes.flatMap(({ steps }) => steps)));

  await packer.begin("search");
  await packer.array("index", "u8", search);

  await packer.begin("texts");
  const sizes: number[] = [];
  await packer.array("texts", "u8", slowly(files, ({ text }) => text, sizes));
  await packer.array("sizes", "u32", Uint32Array.from(sizes));

  await packer.begin("facts");
  const index = new Map(files.map(({ path }, i) => [path, i]));
  const all = Object.values(relations).flatMap((kept) => kept.relations);
  await packer.array("ends", "u32", Uint32Array.from(all.flatMap(({ from, to }) => [index.get(from.path)!, from.symbol + 1, index.get(to.path)!, to.symbol + 1])));
  await packer.array("types", "u8", Uint8Array.from(all, ({ type }) => RESOLVED_EDGE_TYPES.indexOf(type)));
  await packer.array("confidences", "f64", Float64Array.from(all, ({ confidence }) => confidence));
  await packer.array("lines", "u32", Uint32Array.from(all, ({ line }) => line));
  await packer.array("more", "u32", Uint32Array.from(all, ({ moreLines }) => moreLines?.length ?? 0));
  await packer.array("moreLines", "u32", Uint32Array.from(all.flatMap(({ moreLines = [] }) => moreLines)));
  const asked = new Map(Object.values(relations).flatMap((kept) => [...kept.asked]));
  await packer.array("asked", "u32", Uint32Array.from(files.flatMap(({ path }) => [...asked.get(path) ?? []])));
  await packer.array("asked sizes", "u32", Uint32Array.from(files, ({ path }) => asked.get(path)?.length ?? 0));
  const parsed = files.flatMap(({ facts }) => facts ?? []);
  for (const part of ["symbols", "data"] as const) {
    const sizes: number[] = [];
    await packer.array(part, "u8", slowly(parsed, (facts) => JSON.stringify(facts[part] ?? null), sizes));
    await packer.array(`${part} sizes`, "u32", Uint32Array.from(sizes));
  }

  const head: Head = {
    name: codebase.name, bytes: codebase.bytes, indexedAt: codebase.indexedAt, versions, skipped, allSkipped: codebase.skipped, syntaxErrors: codebase.syntaxErrors,
    files: files.map(({ path, bytes, facts, reason }) => ({
      path, bytes, ...(reason === undefined ? {} : { reason }),
      ...(facts ? { facts: { syntaxErrors: facts.syntaxErrors, ...(facts.generated === undefined ? {} : { generated: facts.generated }), ...(facts.mounts ? { mounts: facts.mounts } : {}) } } : {}),
    })),
    relations: Object.fromEntries(Object.entries(relations).map(([language, { relations: own, read, failures }]) => [language, { read, count: own.length, failures }])),
    communities: communities.map(({ label, cohesion, node, members }) => ({ label, cohesion, node, size: members.length })),
    processes: processes.map(({ label, crossCommunity, node, steps }) => ({ label, crossCommunity, node, size: steps.length })),
  };
  await packer.end({ ...label, ...head });
}

/** The texts of some things, and their sizes in bytes. */
async function* slowly<T>(things: readonly T[], textOf: (thing: T) => string, sizes: number[]): AsyncGenerator<Uint8Array> {
  for (const [i, thing] of things.entries()) {
    const bytes = encoder.encode(textOf(thing));
    sizes.push(bytes.length);
    yield bytes;
    if (i % FILES_A_TURN === FILES_A_TURN - 1) await new Promise((resolve) => setTimeout(resolve));
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
      files: new KeptFiles(head.files.map(({ path }) => path), new Pieces(textArrays.get("texts", "u8"), textArrays.get("sizes", "u32"))),
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
  const [ends, types, confidences] = [arrays.get("ends", "u32"), arrays.get("types", "u8"), arrays.get("confidences", "f64")];
  const [lines, more, moreLines] = [arrays.get("lines", "u32"), arrays.get("more", "u32"), arrays.get("moreLines", "u32")];
  let at = 0;
  let further = 0;
  const relations = Object.fromEntries(Object.entries(head.relations).map(([language, { count, ...kept }]) => [language, {
    ...kept,
    relations: Array.from({ length: count }, (): KeptRelation => {
      const i = at++;
      const lines0 = [...moreLines.subarray(further, further += more[i]!)];
      return {
        type: RESOLVED_EDGE_TYPES[types[i]!]!, from: ends[4 * i]!, symbol: ends[4 * i + 1]! - 1, to: ends[4 * i + 2]!, other: ends[4 * i + 3]! - 1,
        confidence: confidences[i]!, line: lines[i]!, ...(lines0.length > 0 ? { moreLines: lines0 } : {}),
      };
    }),
  }]));
  const [asked, sizes] = [arrays.get("asked", "u32"), arrays.get("asked sizes", "u32")];
  const starts = new Uint32Array(sizes.length + 1);
  for (let i = 0; i < sizes.length; i++) starts[i + 1] = starts[i]! + sizes[i]!;
  if (starts.at(-1) !== asked.length) throw new DamagedError("something asked is missing");
  return {
    relations,
    asked: (file) => asked.slice(starts[file], starts[file + 1]),
    facts: (file) => {
      const at = parsed.get(file);
      return at === undefined ? undefined : new LazyFacts(head.files[file]!.facts!, symbols.text(at), () => data.text(at));
    },
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
  private read: (() => string) | undefined;
  private known: unknown;

  constructor({ syntaxErrors, generated, mounts }: Omit<FileFacts, "symbols" | "data">, symbols: string, data: () => string) {
    this.symbols = JSON.parse(symbols) as FileFacts["symbols"];
    this.syntaxErrors = syntaxErrors;
    if (generated !== undefined) this.generated = generated;
    if (mounts) this.mounts = mounts;
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
