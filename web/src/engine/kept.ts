import type { Source } from "../messages.ts";
import type { Cache } from "./cache.ts";
import type { Codebase } from "./codebase.ts";
import { deltaOf } from "./follower.ts";
import type { Parse } from "./pipeline.ts";
import { readSnapshot, versionsIn, type Snapshot } from "./snapshot.ts";
import type { Origin, Repository } from "./source.ts";
import { Workspace } from "./workspace.ts";

/** Snapshots of folders, and what a folder's is kept under; undefined for what cannot be kept. */
export interface KeptFolders {
  of: Cache;
  key(source: Source, signal: AbortSignal): Promise<string | undefined>;
}

/** What of the engine's parts opens a folder that was kept. */
export interface KeptParts {
  open(source: Source, signal: AbortSignal, have?: Record<string, string>): Promise<Repository>;
  packSearch(codebase: Codebase): Iterable<Uint8Array> | undefined;
  unpackSearch(codebase: Codebase, index: Uint8Array): void;
}

/** A folder that was kept, brought up to date; without an origin a copy as it was. */
export interface Kept {
  workspace: Workspace;
  origin?: Origin;
  /** Its clusters and processes are older than its graph. */
  coarse: boolean;
}

/**
 * A folder as it was kept, brought up to date: only what has changed since is parsed. Clusters and processes are
 * then coarse, those from before. Undefined when nothing was kept, or nothing that can be used.
 */
export async function openKept(folders: KeptFolders, source: Source, parse: Parse, parts: KeptParts, signal: AbortSignal): Promise<Kept | undefined> {
  const key = await folders.key(source, signal);
  const packed = key === undefined ? undefined : await folders.of.find(key);
  if (!packed) return undefined;
  if (source.kind === "kept") {
    const snapshot = await readSnapshot(packed, false);
    const workspace = Workspace.restore(snapshot);
    if (snapshot.search) parts.unpackSearch(workspace.codebase!, snapshot.search);
    return { workspace, coarse: false };
  }
  const versions = { ...versionsIn(packed) };
  const unused = new AbortController();
  // The server looks what differs while the graph is read.
  const asked = parts.open(source, AbortSignal.any([signal, unused.signal]), versions);
  asked.catch(() => undefined);
  try {
    const snapshot = await readSnapshot(packed);
    const workspace = Workspace.restore(snapshot);
    const repository = await asked;
    const { origin } = repository;
    if (origin?.id !== key) throw new Error("another folder");
    const delta = await deltaOf(repository);
    const coarse = delta.files.length > 0 || delta.removed.length > 0;
    if (coarse) await workspace.update(delta, parse);
    workspace.follow();
    if (!coarse && snapshot.search) parts.unpackSearch(workspace.codebase!, snapshot.search);
    for (const path of origin!.removed) Reflect.deleteProperty(versions, path);
    return { workspace, origin: { id: origin!.id, versions: { ...versions, ...origin!.versions }, removed: [] }, coarse };
  } catch {
    unused.abort();
    return undefined; // damaged, or not to be had
  }
}

/** What is kept of a folder whose files have these versions. */
export function snapshotOf(workspace: Workspace, versions: Record<string, string>, parts: KeptParts): Snapshot {
  const search = parts.packSearch(workspace.codebase!);
  return { ...workspace.snapshot(versions), ...(search ? { search } : {}) };
}
