/** Where the user is: one value that is the state's, the address's and the history's. Written and read here and nowhere else. */
import { nodeRef } from "./answers.ts";
import { isPairing } from "./pairing.ts";
import type { NodeRef } from "./state.ts";
import type { Store } from "./store.ts";

export const VIEWS = ["map", "read", "local", "impact", "path", "process", "call", "changes", "trail", "query", "activity"] as const;
export type ViewName = (typeof VIEWS)[number];

export interface Camera {
  x: number;
  y: number;
  /** Units of the picture across the shorter side of the stage. */
  span: number;
}

export interface Place {
  view: ViewName;
  /** The selected node; of a path where it begins. */
  node: NodeRef | null;
  /** Where a path ends, by id; "" for nowhere. */
  to: string;
  /** Tab of the reading view; "" for the first. */
  tab: string;
  /** Steps of the local graph and of the impact. */
  depth: number;
  /** Id of the agent's call that is shown. */
  call: string;
  /** A Cypher query. */
  query: string;
  /** The commit that changes are shown since; "" for the load. */
  base: string;
  by: "folder" | "cluster";
  /** Ids of the open groups; null for those that are open at first. */
  open: readonly string[] | null;
  /** null: everything is in view. */
  camera: Camera | null;
  hiddenKinds: ReadonlySet<string>;
  hiddenTypes: ReadonlySet<string>;
  minConfidence: number;
  tests: boolean;
  arrange: "near" | "layers" | "tree";
  /** Path of the folder that alone is shown; "" for all. */
  within: string;
  /** Only what was added or changed since the load is shown. */
  changed: boolean;
}

export const HOME: Place = {
  view: "map", node: null, to: "", tab: "", depth: 2, call: "", query: "", base: "", by: "folder", open: null, camera: null,
  hiddenKinds: new Set(), hiddenTypes: new Set(), minConfidence: 0.5, tests: true, arrange: "near", within: "", changed: false,
};

/** The fragment of the address that stands for a place, without its #; "" for the place where everybody begins. */
export function fragmentOf(place: Place): string {
  const words = new URLSearchParams();
  const put = (key: string, value: string, usual: string): void => {
    if (value !== usual) words.set(key, value);
  };
  put("view", place.view, HOME.view);
  put("node", place.node?.id ?? "", "");
  put("to", place.to, "");
  put("tab", place.tab, "");
  put("depth", String(place.depth), String(HOME.depth));
  put("call", place.call, "");
  put("query", place.query, "");
  put("base", place.base, "");
  put("by", place.by, HOME.by);
  if (place.open) words.set("open", place.open.join("\n"));
  if (place.camera) words.set("at", [place.camera.x, place.camera.y, place.camera.span].map(String).join(","));
  put("without", [...place.hiddenKinds].sort().join(","), "");
  put("unlinked", [...place.hiddenTypes].sort().join(","), "");
  put("sure", String(place.minConfidence), String(HOME.minConfidence));
  put("tests", place.tests ? "yes" : "no", "yes");
  put("arrange", place.arrange, HOME.arrange);
  put("within", place.within, "");
  put("changed", place.changed ? "yes" : "no", "no");
  return words.toString();
}

/** The place that a fragment stands for. What is not understood is as at the beginning. */
export function placeOf(fragment: string): Place {
  const words = new URLSearchParams(fragment.replace(/^#/, ""));
  const text = (key: string): string => words.get(key) ?? "";
  const list = (key: string): string[] => text(key).split(",").filter((part) => part !== "");
  const numbers = text("at").split(",").map(Number);
  const depth = Number(words.get("depth") ?? HOME.depth);
  const sure = Number(words.get("sure") ?? HOME.minConfidence);
  return {
    view: VIEWS.find((view) => view === text("view")) ?? HOME.view,
    node: nodeRef(text("node")) ?? null,
    to: text("to"), tab: text("tab"), call: text("call"), query: text("query"), base: text("base"),
    depth: Number.isInteger(depth) && depth >= 1 && depth <= 10 ? depth : HOME.depth,
    by: text("by") === "cluster" ? "cluster" : "folder",
    open: words.has("open") ? text("open").split("\n").filter((id) => id !== "") : null,
    camera: numbers.length === 3 && numbers.every(Number.isFinite) && numbers[2]! > 0 ? { x: numbers[0]!, y: numbers[1]!, span: numbers[2]! } : null,
    hiddenKinds: new Set(list("without")), hiddenTypes: new Set(list("unlinked")),
    minConfidence: sure >= 0 && sure <= 1 ? sure : HOME.minConfidence,
    tests: text("tests") !== "no",
    arrange: (["layers", "tree"] as const).find((each) => each === text("arrange")) ?? "near",
    within: text("within"), changed: text("changed") === "yes",
  };
}

/** What of `window` the address bar touches. */
export interface AddressHost {
  location: { hash: string; pathname: string; search: string };
  history: { state: unknown; pushState(data: unknown, unused: string, url: string): void; replaceState(data: unknown, unused: string, url: string): void; back(): void };
  addEventListener(type: "popstate", listener: () => void): void;
  removeEventListener(type: "popstate", listener: () => void): void;
}

/** A step in the history is one that the user would take back; the camera and the open groups belong to the step they were moved in. */
function isStep(a: Place, b: Place): boolean {
  // An agent that is followed asks more than anybody wants to go back through.
  if (a.view === "call" && b.view === "call") return false;
  return a.view !== b.view || a.node?.id !== b.node?.id || a.to !== b.to || a.tab !== b.tab || a.call !== b.call || a.base !== b.base || a.by !== b.by;
}

/**
 * Keeps the address and the state's place the same: a change of the state is written into the address, at once for a step and
 * soon for the rest; back, forward and an edited address become the state's place. Each step remembers the tab of the page in which
 * it was made: one of another tab is handed to `elsewhere`, which says whether that tab is there. Returns what ends it.
 */
export function followAddress(store: Store, host: AddressHost, tab = 0, elsewhere: (tab: number, went: { place: Place; steps: number }) => boolean = () => false): () => void {
  let written = fragmentOf(store.state.place);
  let before = store.state.place;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const url = (fragment: string): string => `${host.location.pathname}${host.location.search}${fragment === "" ? "" : `#${fragment}`}`;
  const write = (step: boolean): void => {
    clearTimeout(timer);
    const fragment = fragmentOf(store.state.place);
    if (fragment === written) return;
    written = fragment;
    if (step) host.history.pushState({ steps: store.state.steps, tab }, "", url(fragment));
    else host.history.replaceState({ steps: store.state.steps, tab }, "", url(fragment));
  };
  const ended = store.subscribe(() => {
    const { place } = store.state;
    if (place === before) return;
    const step = isStep(before, place);
    if (step && timer !== undefined) {
      // The camera of the step that is left belongs to it.
      clearTimeout(timer);
      timer = undefined;
      const left = fragmentOf(before);
      if (left !== written) host.history.replaceState(host.history.state, "", url(left));
      written = left;
    }
    before = place;
    if (step) write(true);
    else {
      clearTimeout(timer);
      // Browsers refuse more than some writes a second.
      timer = setTimeout(() => {
        timer = undefined;
        write(false);
      }, 250);
    }
  });
  const onPop = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (isPairing(host.location.hash)) return;
    const place = placeOf(host.location.hash);
    const { steps = 0, tab: of = tab } = (host.history.state ?? {}) as { steps?: number; tab?: number };
    if (of !== tab && elsewhere(of, { place, steps })) return;
    written = fragmentOf(place);
    before = place;
    store.dispatch({ type: "went", place, steps });
  };
  host.addEventListener("popstate", onPop);
  return () => {
    clearTimeout(timer);
    ended();
    host.removeEventListener("popstate", onPop);
  };
}

/** True when a change of place is one that back takes back. */
export const isStepFrom = isStep;
