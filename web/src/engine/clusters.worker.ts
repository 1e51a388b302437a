/** Finds the clusters of one graph. It is ended after that: what it took is given back at once. */
import type { ClusterInput } from "./clusters.ts";
import { findClusters } from "./find-clusters.ts";

self.onmessage = ({ data }: MessageEvent<ClusterInput>) => self.postMessage(findClusters(data));
