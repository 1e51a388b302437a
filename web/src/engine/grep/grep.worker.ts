/**
 * Searches batches of files. A regular expression can take for ever and nothing stops it from inside, so it runs
 * where it can be ended from outside.
 */
import type { GrepRequest } from "./runner.ts";
import { compile, scan, type ScanResult } from "./scan.ts";

interface WorkerScope {
  onmessage: ((event: MessageEvent<GrepRequest>) => void) | null;
  postMessage(message: ScanResult): void;
}

const scope = self as unknown as WorkerScope;

scope.onmessage = ({ data: { pattern, caseSensitive, files, room } }) => {
  scope.postMessage(scan(files, compile(pattern, caseSensitive), room));
};
