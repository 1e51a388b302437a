/**
 * A font in which every character is the same box, so that text takes the same room on every machine: a TrueType file
 * with two glyphs, made here.
 */

const EM = 1000;
const WIDTH = 550;
/** What the app writes: Latin letters, punctuation, arrows, keys, triangles. */
const RANGES: readonly (readonly [from: number, to: number])[] = [[0x20, 0x17f], [0x2010, 0x2044], [0x2190, 0x21ff], [0x2300, 0x23ff], [0x25a0, 0x25ff]];

const u16 = (...values: number[]): number[] => values.flatMap((v) => [(v >> 8) & 255, v & 255]);
const u32 = (...values: number[]): number[] => values.flatMap((v) => [(v >>> 24) & 255, (v >> 16) & 255, (v >> 8) & 255, v & 255]);

const codes = (text: string): number[] => Array.from(text, (letter) => letter.charCodeAt(0));

/** One contour of four corners, each `x, y` relative to the one before. */
const box = [...u16(1, 50, 0, 500, 700, 3, 0), 1, 1, 1, 1, ...u16(50, 0, 450, 0), ...u16(0, 700, 0, -700)];

function cmap(): number[] {
  const groups = RANGES.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => u32(from + i, from + i, 1)));
  return [...u16(0, 1, 3, 10), ...u32(12), ...u16(12, 0), ...u32(16 + 12 * groups.length, 0, groups.length), ...groups.flat()];
}

function name(): number[] {
  const texts = [[1, "Box"], [2, "Regular"], [4, "Box"], [6, "Box"]] as const;
  const bytes = texts.map(([, text]) => codes(text).flatMap((code) => u16(code)));
  let at = 0;
  const records = texts.flatMap(([id], i) => {
    const record = u16(3, 1, 0x409, id, bytes[i]!.length, at);
    at += bytes[i]!.length;
    return record;
  });
  return [...u16(0, texts.length, 6 + records.length), ...records, ...bytes.flat()];
}

function tables(): [tag: string, bytes: number[]][] {
  const glyph = box.length % 2 === 0 ? box : [...box, 0];
  return [
    ["OS/2", [...u16(4, WIDTH, 400, 5, 0, 650, 700, 0, 140, 650, 700, 0, 480, 50, 300, 0), ...Array<number>(10).fill(0), ...u32(1, 0, 0, 0), ...codes("none"), ...u16(0x40, 0x20, 0xffff, 800, -200, 0, 800, 200), ...u32(1, 0), ...u16(500, 700, 0, 0x20, 1)]],
    ["cmap", cmap()],
    ["glyf", glyph],
    ["head", [...u32(0x10000, 0x10000, 0, 0x5f0f3cf5), ...u16(3, EM), ...u32(0, 0, 0, 0), ...u16(50, 0, 500, 700, 0, 8, 2, 0, 0)]],
    ["hhea", [...u32(0x10000), ...u16(800, -200, 0, WIDTH, 50, 50, 500, 1, 0, 0, 0, 0, 0, 0, 0, 1)]],
    ["hmtx", u16(WIDTH, 0, 50)],
    ["loca", u16(0, 0, glyph.length / 2)],
    ["maxp", [...u32(0x10000), ...u16(2, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)]],
    ["name", name()],
    ["post", u32(0x30000, 0, 0, 1, 0, 0, 0, 0)],
  ];
}

const sum = (bytes: readonly number[]): number => {
  let total = 0;
  for (let i = 0; i < bytes.length; i += 4) total = (total + (((bytes[i]! << 24) | ((bytes[i + 1] ?? 0) << 16) | ((bytes[i + 2] ?? 0) << 8) | (bytes[i + 3] ?? 0)) >>> 0)) >>> 0;
  return total;
};

/** The font in base64. */
export function boxFont(): string {
  const all = tables();
  let at = 12 + 16 * all.length;
  const directory: number[] = [];
  const bodies: number[] = [];
  for (const [tag, bytes] of all) {
    directory.push(...codes(tag), ...u32(sum(bytes), at, bytes.length));
    const padded = [...bytes, ...Array<number>((4 - (bytes.length % 4)) % 4).fill(0)];
    bodies.push(...padded);
    at += padded.length;
  }
  const power = 2 ** Math.floor(Math.log2(all.length));
  const font = [...u32(0x10000), ...u16(all.length, 16 * power, Math.log2(power), 16 * (all.length - power)), ...directory, ...bodies];
  return btoa(font.map((byte) => String.fromCharCode(byte)).join(""));
}
