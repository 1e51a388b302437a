/**
 * The app has no service worker. One that is registered here comes from another program that served this port before, and
 * could answer for the hub at every later visit. A page that a service worker controls is loaded again without it.
 */

/** What of `navigator.serviceWorker` is used. */
export interface ServiceWorkers {
  readonly controller: unknown;
  getRegistrations(): Promise<readonly { unregister(): Promise<boolean> }[]>;
}

/** Resolves when the page may go on: at once where no service worker controls it, never where it is loaded again. */
export async function removeServiceWorkers(workers: ServiceWorkers | undefined, reload: () => void): Promise<void> {
  // Some browsers have none in private windows.
  if (!workers) return;
  const removed = workers.getRegistrations().then((all) => Promise.all(all.map((registration) => registration.unregister())));
  if (workers.controller === null) {
    // Storage may be forbidden, and with it service workers.
    removed.catch(() => undefined);
    return;
  }
  await removed;
  reload();
  await new Promise<never>(() => undefined);
}
