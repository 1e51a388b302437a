/** The walks through the code: what was looked at, in order, with a note each. Kept in this browser, and exported as Markdown. */
import { fragmentOf, type Place } from "./address.ts";
import type { Sealed } from "./sealed.ts";
import type { NodeRef } from "./state.ts";
import type { Store } from "./store.ts";
import { strings } from "./strings.ts";

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

/** Whether it is a walk that was kept. */
export function isWalk(value: unknown): value is Walk {
  const { id, repo, at, saved, note, steps } = (value ?? {}) as Record<keyof Walk, unknown>;
  return typeof id === "string" && typeof repo === "string" && typeof at === "number" && typeof saved === "boolean" && typeof note === "string"
    && Array.isArray(steps) && steps.every((step: Partial<WalkStep> | null) => typeof step?.fragment === "string" && typeof step.view === "string" && typeof step.node?.id === "string");
}

/** Records the steps from now on in `walks`. Returns what ends it. */
export function keepTrail(store: Store, walks: Sealed<readonly Walk[]>, now: () => number = Date.now): () => void {
  let before = store.state.steps;
  return store.subscribe(() => {
    const { steps, loaded, walk, place } = store.state;
    const further = steps > before;
    before = steps;
    // Back leads to a step that is in the walk.
    if (!further || !loaded) return;
    const { repo } = loaded.context;
    const at = now();
    const kept = walks.value;
    if (stepped(kept, walk, repo, place, at) === kept) return;
    walks.change((value) => stepped(value, walk, repo, place, at));
    store.dispatch({ type: "walk", id: walks.value[0]!.id });
  });
}

/** What a walk is called: where it began and where it has come to. */
export function titleOf({ steps }: Walk): string {
  const [from, to] = [steps[0]?.node.name ?? "", steps.at(-1)?.node.name ?? ""];
  return from === to ? from : strings.trail.fromTo(from, to);
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
