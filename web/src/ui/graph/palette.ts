/** Colours for what is drawn by script. They are defined in tokens.css, the only place where a colour is named. */

/** Plain values: a Worker can be sent them. */
export interface Inks {
  stage: string;
  text: string;
  muted: string;
  surface: string;
  line: string;
  accent: string;
  edge: string;
  point: string;
  /** Of an open group. */
  ground: string;
  groundLine: string;
  labelFont: string;
}

export interface Palette extends Inks {
  inks: Inks;
  kind(kind: string): string;
  cluster(rank: number): string;
}

export const CLUSTER_COLOURS = 12;

/** Every kind of node that has a colour of its own. */
export const KINDS = [
  "Folder", "File", "Class", "Interface", "Struct", "Enum", "TypeAlias", "Function", "Method", "Variable", "Field", "Route", "Community", "Process",
] as const;

export function readPalette(root: HTMLElement): Palette {
  const style = getComputedStyle(root);
  const font = style.getPropertyValue("--sans").trim();
  // Names of system colours, as high contrast has them, mean nothing to a saved picture.
  const probe = root.appendChild(document.createElement("span"));
  probe.style.setProperty("forced-color-adjust", "none");
  const colour = (name: string): string => {
    const value = style.getPropertyValue(`--${name}`).trim();
    if (value.startsWith("#")) return value;
    probe.style.color = value;
    return getComputedStyle(probe).color;
  };
  const kinds = new Map<string, string>(KINDS.map((kind) => [kind, colour(kindToken(kind))]));
  const clusters = Array.from({ length: CLUSTER_COLOURS }, (_, i) => colour(`cluster-${i}`));
  const other = colour("kind-file");
  const inks: Inks = {
    stage: colour("stage"), text: colour("text"), muted: colour("muted"), surface: colour("raised"), line: colour("line-strong"),
    accent: colour("accent"), edge: colour("edge"), point: colour("point"), ground: colour("ground"), groundLine: colour("ground-line"), labelFont: font,
  };
  probe.remove();
  return { ...inks, inks, kind: (kind) => kinds.get(kind) ?? other, cluster: (rank) => (rank < 0 ? other : clusters[rank % CLUSTER_COLOURS]!) };
}

/** The custom property of a kind's colour, without its dashes. */
export function kindToken(kind: string): string {
  return `kind-${(KINDS as readonly string[]).includes(kind) ? kind.toLowerCase() : "file"}`;
}

/** Knows every CSS colour; made for the first one. */
let colours: CanvasRenderingContext2D | null | undefined;

/** Any CSS colour as `#rrggbb`; the fallback for what is none. */
export function normalColour(text: string, fallback: string): string {
  if (text === "" || !CSS.supports("color", text)) return fallback;
  const context = (colours ??= document.createElement("canvas").getContext("2d"));
  if (!context) return fallback;
  context.fillStyle = text;
  return /^#[0-9a-f]{6}$/i.test(context.fillStyle) ? context.fillStyle : fallback;
}
