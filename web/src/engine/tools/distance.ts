/**
 * The edit distance of two words (insert, delete, replace, swap neighbours), or `max + 1` as soon as it is
 * certain to be more than `max`.
 */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    let best = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let cost = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1)) {
        cost = Math.min(cost, before[j - 2]! + 1);
      }
      current.push(cost);
      if (cost < best) best = cost;
    }
    if (best > max) return max + 1;
    before = previous;
    previous = current;
  }
  return Math.min(previous[b.length]!, max + 1);
}

/** The names nearest to `wanted`: those that begin with it or hold it first, then by edit distance, a third of it at most; at most `limit`. */
export function nearest(wanted: string, names: Iterable<string>, limit: number): string[] {
  const target = wanted.toLowerCase();
  const max = Math.min(3, Math.max(1, Math.floor(target.length / 3)));
  const found: { name: string; distance: number }[] = [];
  for (const name of names) {
    const lower = name.toLowerCase();
    let distance = editDistance(lower, target, max);
    if (target.length >= 3 && distance > 1 && lower.includes(target)) distance = lower.startsWith(target) ? 0.5 : 1.5;
    if (distance <= max) found.push({ name, distance });
  }
  return found
    .sort((a, b) => a.distance - b.distance || a.name.length - b.name.length || (a.name < b.name ? -1 : 1))
    .slice(0, limit)
    .map(({ name }) => name);
}
