/**
 * What every end-to-end test imports: Playwright's `test` and `expect`. `browser` is one Chromium for all tests of a
 * Playwright worker: what a file opens in it, it closes. A failed test leaves a trace in build/e2e.
 */
import { expect as original, test, type Browser } from "@playwright/test";

/** Playwright's, but `poll` asks often: its own steps of 100, 250, 500, 1000 ms are longer than most waits here. */
export const expect: typeof original = new Proxy(original, {
  get(target, property, receiver): unknown {
    if (property !== "poll") return Reflect.get(target, property, receiver);
    return (asked: () => unknown, options: { message?: string; timeout?: number } = {}) => target.poll(asked, { intervals: [20, 50], ...options });
  },
});

/** Closes all pages. */
export async function closePages(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}

export { test };
