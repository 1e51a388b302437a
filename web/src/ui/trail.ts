/** The walks through the code: what was looked at, in order, with a note each. Kept in this browser, and exported as Markdown. */
import { fragmentOf, type Place } from "./address.ts";
import type { NodeRef } from "./state.ts";
import type { Store } from "./store.ts";

export interface WalkStep {
  /** The address that leads there, without the camera. */
  fragment: string;
  view: Place["view"];
  node: NodeRef;
}

export interface Walk {
  id: string;
  repo: string;
  /** Milliseconds since the epoch, of the last step. */
  at: number;
  /** The user keeps it; other walks make room for newer ones. */
  saved: boolean;
  note: string;
  steps: readonly WalkStep[];
}

/** Views of a node. */
const ABOUT: ReadonlySet<Place["view"]> = new Set(["map", "read", "local", "impact", "path", "process"]);
const KEY = "gitnexus.walks";
/** Walks of one repository that nobody has saved. */
const RECENT = 10;
const STEPS = 100;
/** After such a pause in milliseconds another walk begins. */
const PAUSE = 30 * 60_000;

/** The walks after a step to a place, the newest first. `current`: id of the walk that goes on, unless it rested too long. */
export function stepped(walks: readonly Walk[], current: string, repo: string, place: Place, at: number): readonly Walk[] {
  if (!place.node || !ABOUT.has(place.view)) return walks;
  const step: WalkStep = { fragment: fragmentOf({ ...place, camera: null, open: null }), view: place.view, node: place.node };
  const before = walks.find(({ id }) => id === current);
  const goesOn = before !== undefined && before.repo === repo && at - before.at < PAUSE;
  if (goesOn && before.steps.at(-1)?.fragment === step.fragment) return walks;
  const walk: Walk = goesOn
    ? { ...before, at, steps: [...before.steps, step].slice(-STEPS) }
    : { id: `${at}`, repo, at, saved: false, note: "", steps: [step] };
  let room = RECENT;
  return [walk, ...walks.filter(({ id }) => id !== walk.id)].filter((each) => each.saved || each.repo !== repo || room-- > 0);
}

export function readWalks(storage: () => Pick<Storage, "getItem">): Walk[] {
  let kept: unknown;
  try {
    kept = JSON.parse(storage().getItem(KEY) ?? "[]");
  } catch {
    return [];
  }
  return Array.isArray(kept) ? kept.filter(isWalk) : [];
}

function isWalk(value: unknown): value is Walk {
  const { id, repo, at, saved, note, steps } = (value ?? {}) as Record<keyof Walk, unknown>;
  return typeof id === "string" && typeof repo === "string" && typeof at === "number" && typeof saved === "boolean" && typeof note === "string"
    && Array.isArray(steps) && steps.every((step: Partial<WalkStep> | null) => typeof step?.fragment === "string" && typeof step.view === "string" && typeof step.node?.id === "string");
}

/** Records the steps from now on, and keeps them. Returns what ends it. */
export function keepTrail(store: Store, storage: () => Pick<Storage, "getItem" | "setItem">, now: () => number = Date.now): () => void {
  store.dispatch({ type: "walks", walks: readWalks(storage), current: store.state.walk });
  let before = store.state;
  return store.subscribe(() => {
    const [last, state] = [before, store.state];
    before = state;
    if (state.walks !== last.walks) write(storage, last.walks, state.walks);
    // Back leads to a step that is in the walk.
    if (state.steps <= last.steps || !state.loaded) return;
    const walks = stepped(state.walks, state.walk, state.loaded.context.repo, state.place, now());
    if (walks !== state.walks) store.dispatch({ type: "walks", walks, current: walks[0]!.id });
  });
}

/** Other tabs write there, too: only what is different here is changed. */
function write(storage: () => Pick<Storage, "getItem" | "setItem">, before: readonly Walk[], after: readonly Walk[]): void {
  const changed = after.filter((walk) => !before.includes(walk));
  const touched = new Set([...before, ...changed].map(({ id }) => id).filter((id) => changed.some((walk) => walk.id === id) || !after.some((walk) => walk.id === id)));
  try {
    storage().setItem(KEY, JSON.stringify([...changed, ...readWalks(storage).filter(({ id }) => !touched.has(id))]));
  } catch {
    // Storage is full or forbidden: they last as long as the page.
  }
}

/** What a walk is called: where it began and where it has come to. */
export function titleOf({ steps }: Walk): string {
  const names = [steps[0]?.node.name ?? "", steps.at(-1)?.node.name ?? ""];
  return [...new Set(names)].join(" to ");
}

/** `lines`: where the nodes are now, by id; `views`: the names of the views; `url`: of the app. */
export function markdownOf(walk: Walk, lines: ReadonlyMap<string, { file: string; line: number }>, views: Readonly<Record<string, string>>, url: string): string {
  const items = walk.steps.map(({ node, view, fragment }, i) => {
    const { file, line } = lines.get(node.id) ?? node;
    const where = file === "" ? "" : ` \`${line > 0 ? `${file}:${line}` : file}\``;
    return `${i + 1}. [${node.name.replace(/[[\]\\]/gu, "\\$&")}](${url}#${fragment})${where}, ${views[view] ?? view}`;
  });
  const note = walk.note.trim();
  return [`# ${titleOf(walk)}`, `${walk.repo}, ${new Date(walk.at).toISOString().slice(0, 10)}`, ...(note === "" ? [] : [note]), items.join("\n")].join("\n\n") + "\n";
}
