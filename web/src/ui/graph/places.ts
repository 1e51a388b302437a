/** Where what is in the map's groups stands, and who works that out. What has a place keeps it, whatever is opened, folded or edited. */
import { boundsOf, type Scene } from "./scene.ts";
import type { Child, Disc } from "./pack.ts";
import { strings } from "../strings.ts";

/** `near`: what has to do with each other stands together; `layers`: what calls stands at the left of what it calls. */
export type Arrangement = "near" | "layers";

/** One group whose children have to be placed. */
export interface Task {
  group: string;
  arrangement: Arrangement;
  children: Child[];
  /** Three numbers a tie: the child that calls, the one that it calls, by index, and how often. To be copied to a Worker, arrays of three take three times as long. */
  ties: number[];
  /** Places that are known; undefined for new children. */
  kept: (Disc | undefined)[];
}

type Box = Scene["bounds"];

const NONE: ReadonlyMap<string, Disc> = new Map();

/** Places of children by group, in units of the group's radius. One for each page. */
export class Places {
  private readonly groups = new Map<string, Map<string, Disc>>();
  private readonly boxes = new Map<string, Box>();

  /** Moves a child to where the user has dragged it, in units of its group's radius. */
  drag(group: string, id: string, x: number, y: number): void {
    const disc = this.groups.get(group)?.get(id);
    if (!disc) return;
    disc.x = x;
    disc.y = y;
  }

  /** The children of a group that have a place, by id. */
  of(group: string): ReadonlyMap<string, Disc> {
    return this.groups.get(group) ?? NONE;
  }

  /** What the children of a group reached over when they were last placed all anew: neither an edit nor a drag changes it. */
  box(group: string, scale: number): Box {
    const { x, y, width, height } = this.boxes.get(group) ?? { x: -1, y: -1, width: 2, height: 2 };
    return { x: x * scale, y: y * scale, width: width * scale, height: height * scale };
  }

  set({ group, children, kept }: Task, discs: readonly Disc[]): void {
    if (kept.every((disc) => !disc) || !this.boxes.has(group)) this.boxes.set(group, boundsOf(discs, 0.02));
    this.groups.set(group, new Map(children.map(({ id }, i) => [id, discs[i]!])));
  }
}

/** Where tasks are worked on. */
export type Arranger = (tasks: Task[]) => Promise<Disc[][]>;

/** The parts of a Worker that are used. */
export interface ArrangeWorker {
  postMessage(message: { id: number; tasks: Task[] }): void;
  onmessage: ((event: MessageEvent<{ id: number; discs: Disc[][] }>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** Has a Worker arrange. Rejects once that has died. */
export function arrangerOf(worker: ArrangeWorker): Arranger {
  const waiting = new Map<number, { resolve: (discs: Disc[][]) => void; reject: (why: Error) => void }>();
  let next = 1;
  let died: Error | undefined;
  worker.onmessage = ({ data: { id, discs } }) => {
    waiting.get(id)?.resolve(discs);
    waiting.delete(id);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    died = new Error(strings.map.cannotBeArranged);
    for (const { reject } of waiting.values()) reject(died);
    waiting.clear();
  };
  return (tasks) => new Promise((resolve, reject) => {
    if (died) {
      reject(died);
      return;
    }
    const id = next++;
    waiting.set(id, { resolve, reject });
    worker.postMessage({ id, tasks });
  });
}
