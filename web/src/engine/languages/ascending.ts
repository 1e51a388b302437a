/** The place of the last of ascending numbers that is not above one; 0 where all are, or there are none. */
export function lastUpTo(numbers: readonly number[], most: number): number {
  let low = 0;
  let high = numbers.length;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! <= most) low = middle;
    else high = middle;
  }
  return low;
}
