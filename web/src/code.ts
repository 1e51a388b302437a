/**
 * What runs in this page's Workers. The page loads all of it once (code-files.ts), checked against the hashes in index.html, and
 * each Worker that starts others or instantiates WebAssembly is sent it: nothing that runs is fetched after the load, when another
 * program may have the port.
 */
import type { GrammarName } from "./engine/language.ts";

export type WorkerName = "arrange" | "clusters" | "cypher" | "engine" | "grep" | "link" | "paint" | "parser";
export type WasmName = GrammarName | "kuzu" | "runtime";

/** Addresses stand for files where there is no build: under the development server. */
export interface Code {
  /** Changes with every build; undefined where builds have no names. */
  build: string | undefined;
  workers: Partial<Record<WorkerName, Blob | string>>;
  /** Packed by gzip, as they are stored. */
  wasm: Partial<Record<WasmName, Blob | string>>;
}

interface TrustedTypes {
  createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => { createScriptURL: (url: string) => string };
}

// The page's policy allows this one policy, so that Workers are made here and nowhere else. Browsers without Trusted Types need none.
const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy("workers", { createScriptURL: (url) => url });

/** The Workers that are sent the code as their first message. */
const RECEIVERS: ReadonlySet<WorkerName> = new Set(["cypher", "engine", "parser"]);

let code: Code | undefined;
const addresses = new Map<WorkerName, string>();

/** Called once in a thread, before anything else here. */
export function setCode(loaded: Code): void {
  code = loaded;
}

/** In a Worker of RECEIVERS: calls `begin` when the code is there, and what that returns with each further message. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- names what comes as messages
export function receiveCode<Message>(begin: () => (message: Message) => void): void {
  self.onmessage = ({ data }: MessageEvent<Code>) => {
    setCode(data);
    const handle = begin();
    self.onmessage = ({ data: message }: MessageEvent<Message>) => handle(message);
  };
}

export function buildName(): string | undefined {
  return code?.build;
}

export function startWorker(name: WorkerName): Worker {
  let address = addresses.get(name);
  if (address === undefined) {
    const script = code?.workers[name];
    if (script === undefined) throw new Error(`the script of the Worker "${name}" is not part of the app`);
    address = typeof script === "string" ? script : URL.createObjectURL(script);
    addresses.set(name, address);
  }
  const worker = new Worker(policy?.createScriptURL(address) ?? address, { type: "module", name });
  if (RECEIVERS.has(name)) worker.postMessage(code);
  return worker;
}

/** A WebAssembly program, as `WebAssembly.compileStreaming` takes it. */
export async function wasm(name: WasmName): Promise<Response> {
  const file = code?.wasm[name];
  if (file === undefined) throw new Error("it is not part of the app");
  if (typeof file === "string") return fetch(file);
  return new Response(file.stream().pipeThrough(new DecompressionStream("gzip")), { headers: { "content-type": "application/wasm" } });
}
