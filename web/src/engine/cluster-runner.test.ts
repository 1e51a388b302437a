import { expect, test } from "vitest";
import { codebaseOf } from "../../test/codebase.ts";
import { findClustersIn, type ClusterWorker } from "./cluster-runner.ts";
import { clusterInput, type ClusterInput, type Clusters } from "./clusters.ts";
import { findClusters } from "./find-clusters.ts";

/** A Worker in this thread, to which things are handed as to a real one; it answers when it is told to. */
function workerOf(): ClusterWorker & { answer: () => void; ended: number; given: ClusterInput | undefined } {
  const worker = {
    onmessage: null, onerror: null, ended: 0, given: undefined,
    postMessage: (input, transfer) => { worker.given = structuredClone(input, { transfer }); },
    terminate: () => { worker.ended++; },
    answer: () => worker.onmessage?.({ data: structuredClone(findClusters(worker.given!)) } as MessageEvent<Clusters>),
  } as ReturnType<typeof workerOf>;
  return worker;
}

const codebase = await codebaseOf({
  "src/main.ts": 'import { parse } from "./parse.ts";\nimport { store } from "./store.ts";\nexport function main() { const read = parse(); store(read); }',
  "src/parse.ts": "export function parse() { return token(); }\nfunction token() { return next(); }\nfunction next() { return 1; }",
  "src/store.ts": "export function store(x) { return put(x); }\nfunction put(x) { return flush(x); }\nfunction flush(x) { return x; }",
});

test("a Worker finds what is found here, and is ended; the graph stays whole", async () => {
  const worker = workerOf();
  const found = findClustersIn(() => worker, clusterInput(codebase), new AbortController().signal);
  worker.answer();
  const { communities, processes } = await found;
  expect(communities.map(({ label, members, cohesion }) => ({ label, members, cohesion })))
    .toEqual(codebase.communities.map(({ label, members, cohesion }) => ({ label, members, cohesion })));
  expect(processes.map(({ label, steps }) => ({ label, steps }))).toEqual(codebase.processes.map(({ label, steps }) => ({ label, steps })));
  expect(communities.length).toBeGreaterThan(0);
  expect(processes.length).toBeGreaterThan(0);
  expect(worker.ended).toBe(1);
  expect(codebase.graph.from.length).toBeGreaterThan(0);
});

test("what is not wanted any more is ended, and a Worker that dies says so", async () => {
  const worker = workerOf();
  const unwanted = new AbortController();
  const given = findClustersIn(() => worker, clusterInput(codebase), unwanted.signal);
  unwanted.abort(new Error("the graph is another one"));
  await expect(given).rejects.toThrow("the graph is another one");
  expect(worker.ended).toBe(1);

  const dying = workerOf();
  const lost = findClustersIn(() => dying, clusterInput(codebase), new AbortController().signal);
  dying.onerror?.({ preventDefault: () => undefined, message: "out of memory" } as ErrorEvent);
  await expect(lost).rejects.toThrow("out of memory");
  expect(dying.ended).toBe(1);
});
