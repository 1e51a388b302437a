export const format = (n: number): string => `${round(n)} m2`;

function round(n: number): number {
  return Math.round(n);
}
