/** Arranges groups of the map beside the page's thread, so that a large one does not hold it up. */
import { arrange } from "./arrange.ts";
import type { Task } from "./places.ts";

self.onmessage = ({ data: { id, tasks } }: MessageEvent<{ id: number; tasks: Task[] }>) => self.postMessage({ id, discs: tasks.map(arrange) });
