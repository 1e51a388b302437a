/** Where the nodes of a picture stand. The same input has the same places. */

/** Rows for nodes whose columns are known, so that edges between neighbouring columns cross little. Rows count from 0 at the middle. */
export function placeColumns(columns: readonly number[], edges: readonly (readonly [from: number, to: number, calls: number])[]): { y: number }[] {
  const places = columns.map(() => ({ y: 0 }));
  const neighbours = columns.map((): number[] => []);
  for (const [from, to] of edges) {
    neighbours[from]!.push(to);
    neighbours[to]!.push(from);
  }
  const members = new Map<number, number[]>();
  columns.forEach((column, i) => members.set(column, [...(members.get(column) ?? []), i]));
  // Outwards from the column with the fewest nodes, then back.
  const order = [...members.keys()].sort((a, b) => a - b);
  for (const column of order) spread(members.get(column)!);
  const first = order.reduce((best, column) => (members.get(column)!.length < members.get(best)!.length ? column : best), order[0] ?? 0);
  const outwards = [...order.filter((column) => column > first), ...order.filter((column) => column < first).reverse()];
  for (const column of [...outwards, ...[...outwards].reverse(), ...outwards]) {
    const list = members.get(column)!;
    const wanted = new Map(list.map((i) => {
      const others = neighbours[i]!.filter((other) => columns[other] !== column);
      return [i, others.length === 0 ? places[i]!.y : others.reduce((sum, other) => sum + places[other]!.y, 0) / others.length];
    }));
    list.sort((a, b) => wanted.get(a)! - wanted.get(b)! || places[a]!.y - places[b]!.y || a - b);
    spread(list);
  }
  return places;

  function spread(list: readonly number[]): void {
    list.forEach((i, row) => (places[i]!.y = row - (list.length - 1) / 2));
  }
}

/** Between two circles, in radii of the smallest. */
const GAP = 1.1;
const TURNS = 400;

/** Circles by their sizes, those that call each other near each other, in a field that is wider than high. */
export function placeBubbles(sizes: readonly number[], edges: readonly number[]): { x: number; y: number; r: number }[] {
  const least = Math.max(1, Math.min(...sizes));
  const circles = sizes.map((size, i) => {
    const angle = i * Math.PI * (3 - Math.sqrt(5));
    const distance = 2 * Math.sqrt(i);
    return { x: 1.6 * distance * Math.cos(angle), y: distance * Math.sin(angle), r: Math.min(3, Math.sqrt(size / least)) };
  });
  let strongest = 1;
  for (let e = 2; e < edges.length; e += 3) strongest = Math.max(strongest, edges[e]!);
  for (let turn = 0; turn < TURNS; turn++) {
    const heat = 1 - turn / TURNS;
    for (let e = 0; e < edges.length; e += 3) {
      const [a, b] = [circles[edges[e]!]!, circles[edges[e + 1]!]!];
      const distance = Math.hypot(b.x - a.x, b.y - a.y) || 1;
      const pull = 0.06 * heat * Math.sqrt(edges[e + 2]! / strongest) * Math.max(0, distance - a.r - b.r - GAP) / distance;
      move(a, b, pull);
    }
    for (const circle of circles) {
      circle.x *= 1 - 0.004 * heat;
      circle.y *= 1 - 0.05 * heat;
    }
    // Apart again, sideways rather than up and down: there is more room.
    for (let i = 0; i < circles.length; i++) {
      for (let j = i + 1; j < circles.length; j++) {
        const [a, b] = [circles[i]!, circles[j]!];
        const distance = Math.hypot(b.x - a.x, b.y - a.y) || 1;
        const overlap = a.r + b.r + GAP - distance;
        if (overlap > 0) move(a, b, (-overlap / 2 / distance) * 0.9);
      }
    }
  }
  return circles.map(({ x, y, r }) => ({ x: round(x), y: round(y), r: round(r) }));

  function move(a: { x: number; y: number }, b: { x: number; y: number }, share: number): void {
    const [dx, dy] = [(b.x - a.x) * share, (b.y - a.y) * share];
    a.x += dx;
    a.y += dy;
    b.x -= dx;
    b.y -= dy;
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
