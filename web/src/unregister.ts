/** The first import of the page: runs before its Workers are started. */
import { removeServiceWorkers } from "./service-workers.ts";

await removeServiceWorkers((navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker, () => location.reload());
