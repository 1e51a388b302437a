/**
 * Places discs inside a disc of radius 1. Everything follows from the ids, weights and relations, and each disc begins where
 * its own id says: the same children always stand the same, and one more moves the others little.
 */

export interface Disc {
  x: number;
  y: number;
  r: number;
}

export interface Child {
  id: string;
  /** Symbols in it. */
  weight: number;
}

/** Two children by index, and how much they have to do with each other. */
export type Tie = readonly [a: number, b: number, weight: number];

/** More than this would take too long to push apart; they stand in a spiral. */
const PUSHED = 320;
const STEPS = 60;
/** Part of the ground that discs cover before they are pushed apart. */
const DENSITY = 0.6;
/** How strongly a disc is held where its id says, beside a tie of 1. */
const HOME = 0.35;
/** Free space around a disc, as a share of its radius. */
const GAP = 0.12;
/** Discs smaller than this share of the largest find room in the gaps between the others. */
const SMALL = 0.3;
/** How much of the ground children may reach over. */
const INNER = 0.93;
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

export function pack(children: readonly Child[], ties: readonly Tie[]): Disc[] {
  if (children.length === 1) return [{ x: 0, y: 0, r: 0.9 }];
  const discs = children.map(({ weight }) => ({ x: 0, y: 0, r: radiusOf(weight) }));
  if (children.length > PUSHED) spiral(children, discs);
  else pushAndFill(children, discs, ties);
  return fitted(discs);
}

/** The large ones are pushed apart, the small ones placed between them. */
function pushAndFill(children: readonly Child[], discs: Disc[], ties: readonly Tie[]): void {
  const largest = Math.max(...discs.map(({ r }) => r));
  const order = children.map((_, i) => i).sort((a, b) => discs[b]!.r - discs[a]!.r || (children[a]!.id < children[b]!.id ? -1 : 1));
  const large = order.filter((i) => discs[i]!.r >= SMALL * largest);
  const at = new Map(large.map((i, n) => [i, n]));
  push(large.map((i) => children[i]!), large.map((i) => discs[i]!), ties.flatMap(([a, b, weight]) => (at.has(a) && at.has(b) ? [[at.get(a)!, at.get(b)!, weight] as const] : [])));
  const placed = large.map((i) => discs[i]!);
  const isPlaced = new Set(large);
  for (const i of order.slice(large.length)) {
    const wish = { x: 0, y: 0, weight: 0 };
    for (const [a, b, weight] of ties) {
      const other = a === i ? b : b === i ? a : -1;
      if (!isPlaced.has(other)) continue;
      wish.x += discs[other]!.x * weight;
      wish.y += discs[other]!.y * weight;
      wish.weight += weight;
    }
    const tied = wish.weight > 0 ? { x: wish.x / wish.weight, y: wish.y / wish.weight } : undefined;
    fill(discs[i]!, placed, tied, 2 * Math.PI * hash(children[i]!.id, 1));
    placed.push(discs[i]!);
    isPlaced.add(i);
  }
}

/** Directions in which there may be room beside a disc. */
const AROUND = 14;

/** Moves a disc to the free place that is nearest to what it is tied to and to the middle. */
function fill(disc: Disc, placed: readonly Disc[], tied: { x: number; y: number } | undefined, angle: number): void {
  const reach = placed.reduce((most, { x, y, r }) => Math.max(most, Math.hypot(x, y) + r), 0);
  const wish = tied ?? { x: 0.4 * reach * Math.cos(angle), y: 0.4 * reach * Math.sin(angle) };
  const places = placed.flatMap(({ x, y, r }) => {
    const toWish = Math.atan2(wish.y - y, wish.x - x);
    return Array.from({ length: AROUND }, (_, n) => {
      const way = toWish + (2 * Math.PI * n) / AROUND;
      const place = { x: x + (r + disc.r) * (1 + GAP) * 1.001 * Math.cos(way), y: y + (r + disc.r) * (1 + GAP) * 1.001 * Math.sin(way), cost: 0 };
      // Beyond what is there already is the last place to look at.
      place.cost = Math.hypot(place.x - wish.x, place.y - wish.y) * (tied ? 1 : 0.3) + 0.7 * Math.hypot(place.x, place.y) + 4 * Math.max(0, Math.hypot(place.x, place.y) + disc.r - reach);
      return place;
    });
  }).sort((a, b) => a.cost - b.cost);
  const free = places.find(({ x, y }) => placed.every((other) => Math.hypot(other.x - x, other.y - y) >= (other.r + disc.r) * (1 + GAP)));
  if (free) [disc.x, disc.y] = [free.x, free.y];
  else disc.x = reach + disc.r * 2;
}

/** Area grows with the weight, a little less than in proportion, so that the small can be seen beside the large. */
export function radiusOf(weight: number): number {
  return stepped(weight) ** 0.46;
}

/** A size in steps of a half more, so that some symbols more or less change no picture. */
function stepped(weight: number): number {
  return 2 ** (Math.round(2 * Math.log2(Math.max(1, weight))) / 2);
}

/**
 * First each stands between where its id says and what it has to do with, which has one solution and changes little with its
 * input; then they spread over the ground by their distance from the middle; then they grow and push each other apart. One more disc
 * moves the others little, which drawing them together afterwards would undo.
 */
function push(children: readonly Child[], discs: Disc[], ties: readonly Tie[]): void {
  const n = discs.length;
  const homes = children.map(({ id }) => {
    const angle = 2 * Math.PI * hash(id, 1);
    const far = Math.sqrt(hash(id, 2));
    return { x: far * Math.cos(angle), y: far * Math.sin(angle) };
  });
  const strongest = ties.reduce((most, [, , weight]) => Math.max(most, stepped(weight)), 1);
  for (let step = 0; step < STEPS; step++) {
    const sums = homes.map(({ x, y }) => ({ x: x * HOME, y: y * HOME, weight: HOME }));
    for (const [a, b, weight] of ties) {
      const pull = Math.sqrt(stepped(weight) / strongest);
      for (const [self, other] of [[a, b], [b, a]] as const) {
        sums[self]!.x += discs[other]!.x * pull;
        sums[self]!.y += discs[other]!.y * pull;
        sums[self]!.weight += pull;
      }
    }
    discs.forEach((disc, i) => {
      const sum = sums[i]!;
      disc.x = sum.x / sum.weight;
      disc.y = sum.y / sum.weight;
    });
  }
  const room = Math.sqrt(discs.reduce((sum, { r }) => sum + r * r, 0) / DENSITY);
  const outwards = discs.map((_, i) => i).sort((a, b) => Math.hypot(discs[a]!.x, discs[a]!.y) - Math.hypot(discs[b]!.x, discs[b]!.y) || a - b);
  let area = 0;
  const whole = discs.reduce((sum, { r }) => sum + r * r, 0);
  for (const i of outwards) {
    const disc = discs[i]!;
    const far = Math.hypot(disc.x, disc.y);
    const angle = far === 0 ? 2 * Math.PI * hash(children[i]!.id, 1) : Math.atan2(disc.y, disc.x);
    const to = room * Math.sqrt((area + (disc.r * disc.r) / 2) / whole) * (n === 1 ? 0 : 0.9);
    area += disc.r * disc.r;
    disc.x = to * Math.cos(angle);
    disc.y = to * Math.sin(angle);
  }
  // They grow while they are pushed apart: they slide past each other less than if they all stood in each other's way at first.
  const radii = discs.map(({ r }) => r);
  for (let step = 1; step <= STEPS; step++) {
    discs.forEach((disc, i) => (disc.r = radii[i]! * (step / STEPS)));
    separate(discs);
    separate(discs);
  }
  for (let step = 0; step < 300 && separate(discs); step++);
}

/** Pushes discs apart that overlap; whether any did. */
function separate(discs: Disc[]): boolean {
  let any = false;
  for (let i = 0; i < discs.length; i++) {
    const a = discs[i]!;
    for (let j = i + 1; j < discs.length; j++) {
      const b = discs[j]!;
      const apart = (a.r + b.r) * (1 + GAP);
      let dx = b.x - a.x;
      let dy = b.y - a.y;
      let distance = dx * dx + dy * dy;
      if (distance >= apart * apart) continue;
      any = true;
      if (distance === 0) {
        dx = Math.cos(i * GOLDEN_ANGLE);
        dy = Math.sin(i * GOLDEN_ANGLE);
        distance = 1;
      }
      distance = Math.sqrt(distance);
      const way = (apart - distance) / distance;
      const share = (b.r * b.r) / (a.r * a.r + b.r * b.r);
      a.x -= dx * way * share;
      a.y -= dy * way * share;
      b.x += dx * way * (1 - share);
      b.y += dy * way * (1 - share);
    }
  }
  return any;
}

function spiral(children: readonly Child[], discs: Disc[]): void {
  let area = 0;
  children.map((_, i) => i)
    .sort((a, b) => discs[b]!.r - discs[a]!.r || (children[a]!.id < children[b]!.id ? -1 : 1))
    .forEach((i, rank) => {
      const disc = discs[i]!;
      const cell = (disc.r * (1 + GAP)) ** 2 / 0.62;
      const far = Math.sqrt(area + cell / 2);
      area += cell;
      disc.x = far * Math.cos(rank * GOLDEN_ANGLE);
      disc.y = far * Math.sin(rank * GOLDEN_ANGLE);
    });
}

/** Moved to the middle of the ground, and scaled into it. */
export function fitted(discs: readonly Disc[]): Disc[] {
  // Towards what reaches farthest, by less and less: this comes to the middle of the smallest circle around all.
  let middle = { x: 0, y: 0 };
  const beyond = ({ x, y, r }: Disc): number => Math.hypot(x - middle.x, y - middle.y) + r;
  for (let step = 1; step <= 300; step++) {
    const far = discs.reduce((most, disc) => (beyond(disc) > beyond(most) ? disc : most));
    middle = { x: middle.x + (far.x - middle.x) / (step + 1), y: middle.y + (far.y - middle.y) / (step + 1) };
  }
  const scale = INNER / discs.reduce((most, disc) => Math.max(most, beyond(disc)), 0);
  return discs.map(({ x, y, r }) => ({ x: (x - middle.x) * scale, y: (y - middle.y) * scale, r: r * scale }));
}

/**
 * Finds places for new children among those that keep theirs: beside what they have to do with, where there is room; smaller
 * where there is little. `kept` has undefined for the new ones.
 */
export function join(children: readonly Child[], kept: readonly (Disc | undefined)[], ties: readonly Tie[]): Disc[] {
  const known = kept.flatMap((disc, i) => (disc ? [disc.r / radiusOf(children[i]!.weight)] : []));
  const scale = known.reduce((sum, ratio) => sum + ratio, 0) / known.length;
  const placed = [...kept];
  children.forEach(({ id, weight }, i) => {
    if (placed[i]) return;
    let [x, y, n] = [0, 0, 0];
    for (const [a, b] of ties) {
      const other = a === i ? placed[b] : b === i ? placed[a] : undefined;
      if (!other) continue;
      x += other.x;
      y += other.y;
      n++;
    }
    const from = n > 0 ? { x: x / n, y: y / n } : { x: 0, y: 0 };
    placed[i] = free(placed, from, Math.min(0.3, radiusOf(weight) * scale), 2 * Math.PI * hash(id, 1));
  });
  return placed as Disc[];
}

function free(placed: readonly (Disc | undefined)[], from: { x: number; y: number }, wanted: number, angle: number): Disc {
  for (let r = wanted; ; r *= 0.75) {
    for (let turn = 0; turn < 400; turn++) {
      const far = r * 0.6 * Math.sqrt(turn);
      const x = from.x + far * Math.cos(angle + turn * GOLDEN_ANGLE);
      const y = from.y + far * Math.sin(angle + turn * GOLDEN_ANGLE);
      if (Math.hypot(x, y) + r > 0.98) continue;
      if (placed.every((disc) => !disc || Math.hypot(disc.x - x, disc.y - y) >= (disc.r + r) * 1.05)) return { x, y, r };
    }
    if (r < wanted / 30) return { ...from, r };
  }
}

/** A number in 0..1 that a text and a seed stand for. */
export function hash(text: string, seed: number): number {
  let h = 2166136261 ^ seed;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  h ^= h >>> 15;
  h = Math.imul(h, 2246822507);
  h ^= h >>> 13;
  return (h >>> 0) / 2 ** 32;
}
