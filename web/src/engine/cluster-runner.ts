import { buffersOf, type ClusterInput, type Clusters } from "./clusters.ts";

/** The parts of a Worker that are used. */
export interface ClusterWorker {
  postMessage(input: ClusterInput, transfer: Transferable[]): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<Clusters>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/**
 * Finds clusters in a Worker of its own, which is ended afterwards, and when the signal fires. Rejects with the signal's
 * reason, or when the Worker dies.
 */
export async function findClustersIn(start: () => ClusterWorker, input: ClusterInput, signal: AbortSignal): Promise<Clusters> {
  signal.throwIfAborted();
  const worker = start();
  let stop: () => void = () => undefined;
  try {
    return await new Promise<Clusters>((resolve, reject) => {
      stop = () => reject(signal.reason as Error);
      signal.addEventListener("abort", stop, { once: true });
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = (event) => {
        event.preventDefault();
        reject(new Error(`The Worker that finds clusters died: ${event.message || "its script could not be loaded"}.`));
      };
      worker.postMessage(input, buffersOf(input));
    });
  } finally {
    signal.removeEventListener("abort", stop);
    worker.terminate();
  }
}
