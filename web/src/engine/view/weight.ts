/** How much of a tab's memory a code base takes, and which folders most of it. */
import type { Tool } from "../tools.ts";

export interface WeightAnswer {
  /** Characters of source. */
  source: number;
  /** The heaviest folders, none inside another and none with most of the source. */
  folders: { path: string; source: number; files: number }[];
}

const FOLDERS = 4;

export const viewWeight: Tool = (_, { codebase: { files } }): WeightAnswer => {
  const folders = new Map<string, { path: string; source: number; files: number }>();
  let source = 0;
  for (const path of files.paths) {
    const size = files.text(path)?.length ?? 0;
    source += size;
    for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) {
      const folder = path.slice(0, end);
      let sum = folders.get(folder);
      if (!sum) folders.set(folder, (sum = { path: folder, source: 0, files: 0 }));
      sum.source += size;
      sum.files++;
    }
  }
  const chosen: WeightAnswer["folders"] = [];
  for (const folder of [...folders.values()].sort((a, b) => b.source - a.source || a.path.length - b.path.length)) {
    if (chosen.length === FOLDERS) break;
    if (2 * folder.source > source || chosen.some(({ path }) => folder.path.startsWith(`${path}/`))) continue;
    chosen.push(folder);
  }
  return { source, folders: chosen };
};
