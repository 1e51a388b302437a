/** Memory of the tab, in bytes. Browsers tell a page nothing of its Workers, so this is by the source (docs/engine.md has the measure). */

const A_BYTE_OF_SOURCE = 16;
/** What browsers give a tab at most. */
const TAB = 4_000_000_000;

export function memoryNeeded(source: number): number {
  return A_BYTE_OF_SOURCE * source;
}

/** At most half of what the machine has, where the browser tells: the rest is in use. */
export function memoryThere(device = (navigator as { deviceMemory?: number }).deviceMemory): number {
  return device === undefined ? TAB : Math.min(TAB, device * 500_000_000);
}
