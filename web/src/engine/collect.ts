/** As much as a browser's memory for arrays of bytes can ever be: it can give less, but not this. */
const TOO_MUCH = 2 ** 34;

/**
 * Has the browser collect this thread's garbage now. By itself it does so when the thread needs memory or has long been idle, and looks at
 * no other thread's need; a load leaves more garbage than it makes graph. Chromium collects all that it can before it refuses an
 * array, which takes as long as what lives is large: some 40 ms for 30 MB. Another browser refuses at once, and nothing is lost.
 */
export function collectGarbage(): void {
  try {
    Reflect.construct(ArrayBuffer, [TOO_MUCH]); // which no compiler leaves out
  } catch {
    // as expected
  }
}
