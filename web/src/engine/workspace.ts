import type { Codebase, Community, Process, SkippedFile } from "./codebase.ts";
import { SlotTable, type AnchoredSlot } from "./collector.ts";
import { ClassFilters } from "./class-filters.ts";
import { clusterInput, type FindClusters } from "./clusters.ts";
import type { SymbolFact } from "./facts.ts";
import { TextFiles } from "./files.ts";
import { GraphBuilder } from "./graph-builder.ts";
import { addDefinitions, spliced, type ChangedFile, type PlacedFile, type Spliced } from "./graph-splice.ts";
import { EdgeColumns, GoneNode } from "./graph.ts";
import type { Language } from "./language.ts";
import { languageOf, languages } from "./languages/index.ts";
import { configuredMounts, contextPath } from "./languages/routes/configuration.ts";
import { mountedRoutes } from "./mounts.ts";
import { outdated, parsedWith, type PresentFiles } from "./parse-again.ts";
import type { Parse, ParseResult } from "./pipeline.ts";
import { anchored, GONE, Relations, type Anchor, type ParsedFile } from "./relations.ts";
import type { KeptAnchor, KeptSlot, KeptWorkspace, Snapshot } from "./snapshot.ts";
import { addStructure, structureOf, type FileNodes, type FileStructure } from "./structure.ts";
import { Turns } from "./turns.ts";

/** A file of the repository as it is now. */
interface Held {
  text: string;
  bytes: number;
  lines: number;
  language: Language | undefined;
  parsed?: ParsedFile;
  /** Its nodes, made when they are first wanted. */
  structure?: FileStructure;
  /** Where its nodes are in the newest graph. */
  at?: FileNodes;
  /** Why it was not parsed. */
  reason?: string;
}

/** What is different in a repository. */
export interface Delta {
  /** Files that are new or hold something else now. */
  files: readonly { path: string; text: string; bytes: number }[];
  removed: readonly string[];
  /** All that is left out of the repository now, and why; undefined when that is as it was. */
  skipped?: readonly SkippedFile[];
}

/**
 * A repository's files with what is known of each, and the relations between them: what a codebase is made from, and
 * after a change made again from, redoing only what the change touches. The result is that of an index from the start.
 */
export class Workspace {
  /** The newest codebase. */
  codebase: Codebase | undefined;
  private readonly held = new Map<string, Held>();
  private readonly relations = new Map(languages.map((language) => [language, new Relations(language)]));
  private skipped: readonly SkippedFile[] = [];
  private order: Sorted | undefined;
  /** What is not read yet of a workspace that was kept. */
  private kept: KeptWorkspace | undefined;
  private unfolding: Promise<void> | undefined;
  /** All paths, sorted. */
  private names: string[] | undefined;
  /** Room for the edges of one graph after the other while it is made: tens of thousands, and memory that is new is slow. */
  private readonly room = new EdgeColumns();
  private readonly loadedAt = Date.now();
  /** What changed since the load, as it was then. */
  private readonly originals = new Map<string, { text: string; symbols: readonly SymbolFact[] } | undefined>();

  /** `followed`: its changes will be told by `update`. */
  constructor(readonly name: string, private followed = false) {}

  /** From here on its changes will be told. */
  follow(): void {
    this.followed = true;
    if (this.codebase) this.codebase = { ...this.codebase, baseline: { at: this.loadedAt, files: new Map() } };
  }

  /** A workspace as it was kept: its codebase answers. What changes need is read when there is one, or by `whole`. */
  static restore(kept: KeptWorkspace): Workspace {
    const workspace = new Workspace(kept.codebase.name);
    workspace.codebase = kept.codebase;
    workspace.skipped = kept.skipped;
    workspace.kept = kept;
    return workspace;
  }

  /**
   * After `restore`: reads the rest of what was kept, a few files at a time. Rejects with DamagedError when that is not
   * what was written: then the workspace cannot change any more.
   */
  async whole(): Promise<void> {
    if (this.kept) await (this.unfolding ??= this.unfold(this.kept));
  }

  private async unfold({ codebase, files, rest }: KeptWorkspace): Promise<void> {
    const turns = new Turns();
    const { facts, asked, resolved, languages: kept } = await rest();
    for (const [i, { path, bytes, reason }] of files.entries()) {
      this.put(path, codebase.files.text(path)!, bytes);
      const known = facts(i);
      if (known) this.took(path, { facts: known });
      else if (reason !== undefined) this.took(path, { reason });
      await turns.next();
    }
    const { paths, parsed } = this.sorted();
    const places = new Map(files.map(({ path }, i) => [path, i]));
    const anchor = ({ file, symbol }: KeptAnchor): Anchor => {
      const of = this.held.get(files[file]!.path)!.parsed!;
      return symbol < 0 ? of.self : of.symbols[symbol]!;
    };
    const slots = new SlotTable();
    const slot = ({ owner, name }: KeptSlot): AnchoredSlot => slots.get(owner && anchor(owner), name);
    for (const [language, own] of this.relations) {
      const parsedFiles = parsed.get(language.id) ?? [];
      own.restore(parsedFiles, paths, {
        ...kept[language.id]!,
        asked: new Map(parsedFiles.map(({ path }) => [path, asked(places.get(path)!)])),
        resolved: new Map(parsedFiles.map(({ path }) => {
          const { relations, puts, calls } = resolved(places.get(path)!);
          return [path, {
            relations: relations.map((relation) => ({ ...relation, from: anchor(relation.from), to: anchor(relation.to) })),
            puts: puts.map(({ into, what }) => ({ into: slot(into), what: "name" in what ? slot(what) : anchor(what) })),
            calls: calls.map(({ by, from, line, otherwise }) => ({ by: anchor(by), from: slot(from), line, otherwise: otherwise && slot(otherwise) })),
          }];
        })),
      });
      await turns.next();
    }
    this.kept = undefined;
  }

  /**
   * Does, a few files at a time, what the first edit would wait for: after `restore` the rest is read, and what languages want
   * to know of each file to tell what a change touches. Rejects as `whole` does.
   */
  async warm(): Promise<void> {
    await this.whole();
    const turns = new Turns();
    for (const [path, held] of [...this.held]) {
      if (!held.parsed) continue;
      const { facts } = held.parsed;
      this.structure(path, held);
      Reflect.get(facts, "data"); // which reads it
      held.language?.prepare?.(facts);
      await turns.next();
    }
    this.locate();
  }

  /** After `restore`: resolves once more what languages have to remember, or the first edit would. A language is at it without a rest. */
  async recall(): Promise<void> {
    await this.whole();
    const turns = new Turns();
    for (const [language, own] of this.relations) {
      const { paths, parsed } = this.sorted();
      own.recall(parsed.get(language.id) ?? [], paths, (path) => this.held.get(path)?.text);
      await turns.next();
    }
  }

  /** Finds where the files' nodes are in a graph that was kept. */
  private locate(): void {
    const { files } = this.sorted();
    if (!this.codebase || files.every(([, { at }]) => at)) return;
    const { graph: { nodes }, communities, processes } = this.codebase;
    const first = nodes.findIndex(({ kind }) => kind === "File");
    let symbols = first + files.length;
    const places = files.map(([path, held], i) => {
      const at = { file: first + i, symbols };
      symbols += this.structure(path, held).symbols.length;
      return nodes[at.file]?.id === `File:${path}` ? at : undefined;
    });
    if (symbols !== nodes.length - communities.length - processes.length || !places.every((at) => at !== undefined)) return;
    files.forEach(([, held], i) => {
      held.at = places[i]!;
    });
  }

  /** What `restore` needs, for as long as nothing changes. The workspace has to be whole and its codebase a refined one. */
  snapshot(versions: Record<string, string>): Snapshot {
    const codebase = this.codebase!;
    return {
      codebase, versions, skipped: this.skipped, current: () => this.codebase === codebase,
      files: this.sorted().files.map(([path, { text, bytes, parsed, reason }]) => (
        { path, text, bytes, ...(parsed ? { facts: parsed.facts } : {}), ...(reason === undefined ? {} : { reason }) }
      )),
      relations: Object.fromEntries([...this.relations].map(([language, relations]) => [language.id, relations.keep()])),
    };
  }

  has(path: string): boolean {
    return this.held.has(path);
  }

  /** Adds a file or takes another text for it. What was parsed stays until `took`. */
  put(path: string, text: string, bytes: number): void {
    const before = this.held.get(path);
    this.order = undefined;
    if (!before) this.names = undefined;
    this.held.set(path, { text, bytes, lines: lineCount(text), language: languageOf(path, text), ...(before?.parsed ? { parsed: before.parsed } : {}), ...(before?.at ? { at: before.at } : {}) });
  }

  /** Takes what parsing a file gave. */
  took(path: string, result: ParseResult): void {
    const held = this.held.get(path);
    if (!held) return;
    this.order = undefined;
    delete held.reason;
    delete held.structure;
    if ("facts" in result) {
      held.parsed = anchored(path, result.facts, held.parsed);
    } else {
      if (held.parsed) disown(held.parsed);
      delete held.parsed;
      held.reason = result.reason;
    }
  }

  /** Parses once more what is to be read with declarations of other files. */
  async parseAgain(parse: Parse): Promise<void> {
    await Promise.all(outdated(this.present()).map(async ({ path, text, context }) => {
      this.took(path, await parse(path, text, context));
    }));
  }

  /** What a file was read with beside its own text; see Language.contexts. */
  contextOf(path: string): unknown {
    const { language, parsed } = this.held.get(path) ?? {};
    return parsed && language?.contextOf?.(parsed.facts);
  }

  leaveOut(skipped: readonly SkippedFile[]): void {
    this.skipped = skipped;
  }

  /** Resolves everything anew. `tell` is called before each language and may rest. */
  async resolveAll(tell: (done: number, total: number, language: string) => Promise<void>): Promise<void> {
    const { paths, parsed } = this.sorted();
    for (const [done, language] of languages.entries()) {
      await tell(done, languages.length, language.id);
      this.relations.get(language)!.update(parsed.get(language.id) ?? [], paths, (path) => this.held.get(path)?.text);
    }
  }

  /** After `resolveAll`: the graph, which has clusters and processes after `refine`. */
  graphAlone(): Codebase {
    return this.assemble(undefined);
  }

  /**
   * Applies a change: parses what it brings, resolves again what it touches, and returns the codebase that results.
   * Clusters and processes are those from before, as far as their nodes are still there, until `refine`. The codebase
   * from before stays whole and answers until then.
   */
  async update(delta: Delta, parse: Parse): Promise<Codebase> {
    await this.whole();
    const files = await parsedWith(this.present(), delta, parse);
    // From here on without a rest: nobody sees a half.
    const came = new Set<string>();
    const changed = new Map<string, Held>();
    const went = new Map<string, Held>();
    const remove = (path: string, held: Held): void => {
      if (held.parsed) disown(held.parsed);
      this.held.delete(path);
      this.order = undefined;
      this.names = undefined;
      went.set(path, held);
    };
    for (const { path, text, bytes, result } of files) {
      const held = this.held.get(path);
      if (held?.text !== text) this.remember(path);
      const stays = held?.language === languageOf(path, text);
      if (held && stays) changed.set(path, held);
      else came.add(path);
      // A first line can make it a file of another language.
      if (held && !stays) remove(path, held);
      this.put(path, text, bytes);
      if (result) this.took(path, result);
    }
    for (const path of delta.removed) {
      const held = this.held.get(path);
      if (!held) continue;
      this.remember(path);
      remove(path, held);
    }
    if (delta.skipped) this.skipped = delta.skipped;

    const { paths, parsed } = this.sorted();
    const all = new Set([...came, ...changed.keys(), ...went.keys()]);
    for (const language of languages) {
      const own = new Set([...all].filter((path) => this.held.get(path)?.language === language || went.get(path)?.language === language));
      const others = (set: Iterable<string>): string[] => [...set].filter((path) => !own.has(path));
      this.relations.get(language)!.update(parsed.get(language.id) ?? [], paths, (path) => this.held.get(path)?.text, {
        own, paths: [...others(came), ...others(went.keys())], contents: others(changed.keys()),
      });
    }
    try {
      return this.assemble(this.codebase, came.size + went.size === 0 ? changed : undefined);
    } catch (error) {
      // A language forgot a file that a change touches. Rather slow than wrong.
      if (!(error instanceof GoneNode)) throw error;
      await this.resolveAll(() => Promise.resolve());
      return this.assemble(this.codebase);
    }
  }

  private remember(path: string): void {
    if (!this.followed || this.originals.has(path)) return;
    const held = this.held.get(path);
    this.originals.set(path, held && { text: held.text, symbols: held.parsed?.facts.symbols ?? [] });
  }

  /**
   * Finds clusters and processes anew. Undefined when the graph has become another one meanwhile: what was found is then
   * of no use.
   */
  async refine(find: FindClusters): Promise<Codebase | undefined> {
    await this.whole();
    const before = this.codebase!;
    const found = await find(clusterInput(before));
    if (this.codebase !== before) return undefined;
    const builder = GraphBuilder.of(before.graph, before.graph.nodes.length - before.communities.length - before.processes.length, this.room);
    const communities = found.communities.map(({ label, members, cohesion }, i) => addCommunity(builder, i, label, members, cohesion));
    const processes = found.processes.map(({ label, steps, crossCommunity }, i) => addProcess(builder, i, label, steps, crossCommunity));
    return this.finish(builder, communities, processes);
  }

  /** A codebase with the clusters and processes of an older one; `changed` are the files that differ, as they were, when all others are the same. */
  private assemble(before: Codebase | undefined, changed?: ReadonlyMap<string, Held>): Codebase {
    const splice = before && changed && this.spliced(before, changed);
    const builder = splice?.builder ?? this.graph();
    if (!before) return (this.codebase = { ...this.finish(builder, [], []), clustering: true });
    const nodesOf = (old: readonly number[]): number[] => {
      const now: number[] = [];
      for (const node of old) {
        const found = splice ? splice.now[node]! : builder.find(before.graph.nodes[node]!.id) ?? -1;
        if (found >= 0) now.push(found);
      }
      return now;
    };
    const communities = before.communities.map(({ label, members, cohesion }, i) => addCommunity(builder, i, label, nodesOf(members), cohesion));
    const processes = before.processes
      .map((process) => ({ ...process, steps: nodesOf(process.steps), length: process.steps.length }))
      .filter(({ steps, length }) => steps.length === length)
      .map(({ label, steps, crossCommunity }, i) => addProcess(builder, i, label, steps, crossCommunity));
    return this.finish(builder, communities, processes);
  }

  /** What `graph` makes, from the graph before: only what the change touches is put in anew. Undefined where that is most of it. */
  private spliced(before: Codebase, were: ReadonlyMap<string, Held>): Spliced | undefined {
    const { files, parsed } = this.sorted();
    const paths = new Set(were.keys());
    for (const [language, { redonePaths }] of this.relations) {
      if (!redonePaths && parsed.has(language.id)) return undefined;
      for (const path of redonePaths ?? []) paths.add(path);
    }
    // Ids of two files may be alike only where there is a colon in a path.
    if (paths.size > files.length / 4 || files.some(([path]) => path.includes(":"))) return undefined;
    const folders = new Map<string, PlacedFile[]>();
    const changed: ChangedFile[] = [];
    const owning = new Set<string>();
    for (const [path, held] of files) {
      const was = were.get(path);
      const structure = this.structure(path, held);
      if (!held.at || (was && !was.structure)) return undefined;
      const placed = { path, at: held.at, structure };
      if (was) changed.push({ ...placed, before: was.structure!, now: (was.parsed?.symbols ?? []).map(({ symbol }) => symbol) });
      if (structure.methods.length > 0 || (was && was.structure!.methods.length > 0)) owning.add(structure.folder);
      const inFolder = folders.get(structure.folder);
      if (inFolder) inFolder.push(placed);
      else folders.set(structure.folder, [placed]);
    }
    // A type's methods may stand in another file of its folder.
    const touched = new Set(changed.map(({ structure }) => structure.folder).filter((folder) => owning.has(folder)));
    const open = [...folders.values()].flat().filter(({ path, structure }) => paths.has(path) || touched.has(structure.folder));
    const splice = spliced(before.graph, before.graph.nodes.length - before.communities.length - before.processes.length, changed, open, this.room);
    this.shift(changed);
    addDefinitions(splice.builder, open, folders);
    for (const [, relations] of this.relations) {
      for (const { path } of open) this.relate(splice.builder, path, relations, ({ path: of, symbol }) => {
        const { file, symbols } = this.held.get(of)!.at!;
        return symbol < 0 ? file : symbols + symbol;
      });
    }
    return splice;
  }

  /** The places of all files after these have more or fewer symbols. */
  private shift(changed: readonly ChangedFile[]): void {
    let by = 0;
    let next = 0;
    for (const [path, { at }] of this.sorted().files) {
      at!.symbols += by;
      const file = changed[next];
      if (file?.path !== path) continue;
      by += file.structure.symbols.length - file.before.symbols.length;
      next++;
    }
  }

  private relate(builder: GraphBuilder, path: string, relations: Relations, nodeOf: (anchor: Anchor) => number): void {
    for (const { type, from, to, confidence, line, moreLines } of relations.of(path)) {
      if (from.symbol === GONE || to.symbol === GONE) throw new GoneNode(`${type} from ${path} to what is gone from ${to.path}`);
      builder.edge(nodeOf(from), nodeOf(to), type, confidence, line, moreLines);
    }
  }

  /** Folders, files, symbols, and how they are related. */
  private graph(): GraphBuilder {
    const builder = new GraphBuilder(this.room.clear());
    const { files } = this.sorted();
    const nodes = addStructure(builder, this.name, files.map(([path, held]) => this.structure(path, held)));
    files.forEach(([, held], i) => {
      const { file, symbols } = (held.at = nodes[i]!);
      if (!held.parsed) return;
      held.parsed.self.node = file;
      held.parsed.symbols.forEach((anchor, k) => {
        anchor.node = symbols + k;
      });
    });
    for (const [, relations] of this.relations) for (const [path] of files) this.relate(builder, path, relations, ({ node }) => node);
    return builder;
  }

  private structure(path: string, held: Held): FileStructure {
    const { language } = held;
    const facts = held.parsed?.facts;
    const name = language?.dialect?.(path, facts, this.sorted().names) ?? language?.id ?? "";
    if (held.structure?.file.language !== name) delete held.structure;
    return held.structure ??= structureOf({ path, lines: held.lines, language: name, ...(facts ? { facts } : {}) });
  }

  private finish(builder: GraphBuilder, communities: readonly Community[], processes: readonly Process[]): Codebase {
    const { files } = this.sorted();
    const skipped = [...this.skipped];
    for (const [path, { reason }] of files) if (reason !== undefined) skipped.push({ path, reason });
    for (const [language, { failures }] of this.relations) {
      for (const { path = `*${language.extensions[0] ?? ""}`, reason } of failures) skipped.push({ path, reason, unresolved: true });
    }
    this.nameRoutes(builder);
    skipped.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
    this.codebase = {
      name: this.name, graph: builder.build(), communities, processes, skipped,
      files: new TextFiles(new Map(files.map(([path, { text }]) => [path, text]))),
      syntaxErrors: files.flatMap(([path, { parsed }]) => (parsed && parsed.facts.syntaxErrors > 0 ? [{ path, count: parsed.facts.syntaxErrors }] : [])),
      indexedAt: Date.now(), phases: [], bytes: files.reduce((sum, [, { bytes }]) => sum + bytes, 0),
      ...(this.followed ? { baseline: { at: this.loadedAt, files: new Map(this.originals) } } : {}),
    };
    return this.codebase;
  }

  /** Routes have the names that other files' mounts give them; their ids stay. */
  private nameRoutes({ nodes }: GraphBuilder): void {
    const read = (path: string): string | undefined => this.held.get(path)?.text;
    for (const [language, relations] of this.relations) {
      const parsed = this.sorted().parsed.get(language.id) ?? [];
      const routed = parsed.filter(({ facts: { symbols } }) => symbols.at(-1)?.kind === "Route");
      if (routed.length === 0) continue;
      const configuration = { mounts: configuredMounts(language.id, parsed, this.sorted().names, read), contextPath: (path: string) => contextPath(path, read) };
      const named = mountedRoutes(parsed, (path) => relations.of(path), configuration);
      const byPath = new Map(parsed.map((file) => [file.path, file]));
      const filters = new ClassFilters((path) => byPath.get(path), (path) => relations.of(path));
      for (const file of routed) {
        const { path, facts: { symbols } } = file;
        const first = this.held.get(path)?.at?.symbols;
        if (first === undefined) continue;
        const mounted = named.get(path);
        const filtered = filters.signatures(file, (i) => mounted?.get(i)?.signature ?? symbols[i]!.signature ?? "");
        symbols.forEach(({ kind, name, signature = "" }, i) => {
          if (kind !== "Route") return;
          const node = nodes[first + i]!;
          const own = mounted?.get(i);
          const now = { name: own?.name ?? name, signature: filtered.get(i) ?? own?.signature ?? signature };
          if (node.name !== now.name || node.signature !== now.signature) nodes[first + i] = { ...node, name: now.name, signature: now.signature };
        });
      }
    }
  }

  private present(): PresentFiles {
    return { ...this.sorted(), get: (path) => this.held.get(path) };
  }

  /** The files by path, and the parsed ones of each language; made anew after a change. */
  private sorted(): Sorted {
    return (this.order ??= this.sort());
  }

  private sort(): Sorted {
    this.names ??= [...this.held.keys()].sort();
    const files = this.names.map((path): [string, Held] => [path, this.held.get(path)!]);
    const parsed = new Map<string, ParsedFile[]>();
    for (const [, held] of files) {
      if (!held.parsed) continue;
      const { id } = held.language!;
      const list = parsed.get(id);
      if (list) list.push(held.parsed);
      else parsed.set(id, [held.parsed]);
    }
    return { files, names: this.names, paths: new Set(files.map(([path]) => path)), parsed };
  }
}

interface Sorted {
  files: [string, Held][];
  names: readonly string[];
  paths: Set<string>;
  parsed: Map<string, ParsedFile[]>;
}

function disown({ self, symbols }: ParsedFile): void {
  self.symbol = GONE;
  for (const anchor of symbols) anchor.symbol = GONE;
}

function addCommunity(builder: GraphBuilder, i: number, label: string, members: readonly number[], cohesion: number): Community {
  const node = builder.node({ id: `Community:${i}`, kind: "Community", name: label });
  for (const member of members) builder.edge(member, node, "MEMBER_OF");
  return { node, label, members, cohesion };
}

function addProcess(builder: GraphBuilder, i: number, label: string, steps: readonly number[], crossCommunity: boolean): Process {
  const node = builder.node({ id: `Process:${i}`, kind: "Process", name: label });
  steps.forEach((step, at) => builder.edge(step, node, "STEP_IN_PROCESS", 1, at + 1));
  return { node, label, steps, crossCommunity };
}

function lineCount(text: string): number {
  if (text === "") return 0;
  let lines = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

