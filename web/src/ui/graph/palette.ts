/** Colours for what is drawn by script. They are defined in tokens.css, the only place where a colour is named. */

export interface Palette {
  stage: string;
  text: string;
  muted: string;
  surface: string;
  line: string;
  accent: string;
  edge: string;
  point: string;
  labelFont: string;
  kind(kind: string): string;
  cluster(rank: number): string;
}

export const CLUSTER_COLOURS = 12;

/** Every kind of node that has a colour of its own. */
export const KINDS = [
  "Folder", "File", "Class", "Interface", "Struct", "Enum", "TypeAlias", "Function", "Method", "Variable", "Community", "Process",
] as const;

export function readPalette(root: HTMLElement): Palette {
  const style = getComputedStyle(root);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const kinds = new Map<string, string>(KINDS.map((kind) => [kind, colour(kindToken(kind))]));
  const clusters = Array.from({ length: CLUSTER_COLOURS }, (_, i) => colour(`cluster-${i}`));
  const other = colour("kind-file");
  return {
    stage: colour("stage"), text: colour("text"), muted: colour("muted"), surface: colour("raised"), line: colour("line-strong"),
    accent: colour("accent"), edge: colour("edge"), point: colour("point"), labelFont: colour("sans"),
    kind: (kind) => kinds.get(kind) ?? other,
    cluster: (rank) => (rank < 0 ? other : clusters[rank % CLUSTER_COLOURS]!),
  };
}

/** The custom property of a kind's colour, without its dashes. */
export function kindToken(kind: string): string {
  return `kind-${(KINDS as readonly string[]).includes(kind) ? kind.toLowerCase() : "file"}`;
}

/** Asked for each node and edge of each frame that changes a look; there are a few dozen of them. */
const FADED = new Map<string, string>();

/** `#rrggbb` at an opacity, multiplied beforehand: what the WebGL programs blend by. */
export function faded(hex: string, opacity: number): string {
  const key = `${hex} ${opacity}`;
  const known = FADED.get(key);
  if (known !== undefined) return known;
  const channels = [1, 3, 5].map((at) => Math.round(Number.parseInt(hex.slice(at, at + 2), 16) * opacity));
  const made = `#${[...channels, Math.round(opacity * 255)].map((c) => c.toString(16).padStart(2, "0")).join("")}`;
  FADED.set(key, made);
  return made;
}

/** Any CSS colour as `#rrggbb`; the fallback for what is none. */
export function normalColour(text: string, fallback: string): string {
  const context = document.createElement("canvas").getContext("2d");
  if (!context || !CSS.supports("color", text)) return fallback;
  context.fillStyle = text;
  return /^#[0-9a-f]{6}$/i.test(context.fillStyle) ? context.fillStyle : fallback;
}

/** Ranks communities by how many drawn nodes they have: the largest ones get colours that differ most. */
export function clusterRanks(nodes: readonly { community: number }[]): Map<number, number> {
  const sizes = new Map<number, number>();
  for (const { community } of nodes) if (community >= 0) sizes.set(community, (sizes.get(community) ?? 0) + 1);
  return new Map([...sizes].sort(([a, na], [b, nb]) => nb - na || a - b).map(([id], rank) => [id, rank]));
}
