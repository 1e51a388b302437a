import { createDecipheriv } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { HubKeys, openHub, readFrames } from "./source-hub.ts";
import { DeniedError, type SourceEntry } from "./source.ts";

const encoder = new TextEncoder();

function frame(path: string | Uint8Array, content: string | Uint8Array): Uint8Array {
  const name = typeof path === "string" ? encoder.encode(path) : path;
  const bytes = typeof content === "string" ? encoder.encode(content) : content;
  const out = new Uint8Array(8 + name.length + bytes.length);
  const view = new DataView(out.buffer);
  view.setUint32(0, name.length, true);
  view.setUint32(4, bytes.length, true);
  out.set(name, 8);
  out.set(bytes, 8 + name.length);
  return out;
}

function trailer(files: number, skipped: { path: string; reason: string }[] = [], more: object = {}): Uint8Array {
  return frame("", JSON.stringify({ files, bytes: 0, skipped, ...more }));
}

function join(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}

/** The bytes in pieces of a length. */
function stream(bytes: Uint8Array, piece: number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.subarray(at, (at += piece)));
    },
  });
}

async function collect(entries: AsyncIterable<SourceEntry>): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of entries) found.push("reason" in entry ? `${entry.path} skipped: ${entry.reason}` : `${entry.path}=${new TextDecoder().decode(entry.bytes)}`);
  return found;
}

const SAMPLE = join(frame("a.ts", "let a;"), frame("b/empty.go", ""), frame("ü/ñ.py", "x = 'é'\n"), trailer(3, [{ path: "c.png", reason: "binary" }]));
const EXPECTED = ["a.ts=let a;", "b/empty.go=", "ü/ñ.py=x = 'é'\n", "c.png skipped: binary"];

test.each([1, 2, 3, 7, 8, 9, 64, 100_000])("frames arrive whole in pieces of %i bytes", async (piece) => {
  expect(await collect(readFrames(stream(SAMPLE, piece)))).toEqual(EXPECTED);
});

test("a stream that ends at any byte before its end is cut off", async () => {
  for (let length = 0; length < SAMPLE.length; length++) {
    await expect(collect(readFrames(stream(SAMPLE.subarray(0, length), 16)))).rejects.toThrow(/cut off after [0-3] files/);
  }
});

test("a trailer that counts other files than arrived is an error", async () => {
  await expect(collect(readFrames(stream(join(frame("a.ts", ""), trailer(2)), 16)))).rejects.toThrow("sent 2 files, but 1 arrived");
});

test("a frame of an impossible size is refused before anything is kept for it", async () => {
  const head = new Uint8Array(8).fill(0xff);
  await expect(collect(readFrames(stream(head, 8)))).rejects.toThrow(/stream is broken after 0 files/);
});

test("a path out of the root is named and not delivered; bytes that are no UTF-8 do no harm", async () => {
  const bytes = join(frame("../etc/passwd", "x"), frame(Uint8Array.of(0x61, 0xff, 0x62), "y"), trailer(2));
  expect(await collect(readFrames(stream(bytes, 16)))).toEqual([
    "../etc/passwd skipped: a path that leads out of the repository", "a�b=y",
  ]);
});

test("a reader that stops early ends the request", async () => {
  let cancelled = false;
  const source = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(frame("a.ts", "")),
    cancel: () => { cancelled = true; },
  });
  for await (const entry of readFrames(source)) {
    expect(entry.path).toBe("a.ts");
    break;
  }
  expect(cancelled).toBe(true);
});

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

async function serve(listener: RequestListener): Promise<string> {
  const started = createServer(listener);
  server = started;
  await new Promise<void>((resolve) => started.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}/api/repo`;
}

const STORAGE_KEY = "c3RvcmFnZSBrZXkgb2YgMzIgYnl0ZXMuLi4uLi4uLi4";

/** The keys of a page that a hub has let in. */
function admitted(key: string): HubKeys {
  const keys = new HubKeys();
  keys.set(key, STORAGE_KEY);
  return keys;
}

test("asks with the token, and takes name and count from the headers", async () => {
  const url = await serve((request, response) => {
    expect(request.headers.authorization).toBe("Bearer t0ken");
    response.writeHead(200, { "gitnexus-name": "caf%C3%A9", "gitnexus-files": "3", "gitnexus-bytes": "14" });
    response.end(SAMPLE);
  });
  const repository = await openHub(url, admitted("t0ken"), new AbortController().signal);
  expect(repository).toMatchObject({ name: "café", expected: 3 });
  expect(await collect(repository.entries)).toEqual(EXPECTED);
});

test("asks for what differs from what it has, and learns the versions", async () => {
  const asked: Buffer[] = [];
  const url = await serve((request, response) => {
    request.on("data", (part: Buffer) => asked.push(part)).on("end", () => {
      response.writeHead(200, { "gitnexus-id": "f1" });
      response.end(join(frame("a.ts", "let b;"), trailer(1, [], { versions: { "a.ts": "v2" }, removed: ["gone.ts"] })));
    });
  });
  const repository = await openHub(url, admitted("t"), new AbortController().signal, { "a.ts": "v1", "gone.ts": "v1" });
  expect(await collect(repository.entries)).toEqual(["a.ts=let b;"]);
  // Another program could have taken the port: it cannot read which files there are.
  const sealed = Buffer.concat(asked);
  expect(sealed.toString("latin1")).not.toContain("a.ts");
  const opened = createDecipheriv("aes-256-gcm", Buffer.from(STORAGE_KEY, "base64url"), sealed.subarray(0, 12)).setAuthTag(sealed.subarray(-16));
  expect(JSON.parse(Buffer.concat([opened.update(sealed.subarray(12, -16)), opened.final()]).toString())).toEqual({ have: { "a.ts": "v1", "gone.ts": "v1" } });
  expect(repository.origin).toEqual({ id: "f1", versions: { "a.ts": "v2" }, removed: ["gone.ts"] });
});

test("a refusal is told in the hub's words", async () => {
  const url = await serve((_, response) => response.writeHead(404).end('{"error":"no folder was given with --repo"}'));
  await expect(openHub(url, admitted("t"), new AbortController().signal)).rejects.toThrow("no folder was given with --repo");
});

test("a folder that may not be read is told from a page that the hub does not know", async () => {
  const folder = await serve((_, response) => response.writeHead(403).end('{"error":"The folder shop cannot be read: permission denied"}'));
  await expect(openHub(folder, admitted("t"), new AbortController().signal)).rejects.toThrow(DeniedError);
  const session = await serve((_, response) => response.writeHead(403).end('{"error":"Missing or ended session key","reason":"session"}'));
  await expect(openHub(session, admitted("t"), new AbortController().signal)).rejects.not.toThrow(DeniedError);
});

test("a connection that breaks in the middle is an error in words", async () => {
  const url = await serve((_, response) => {
    response.writeHead(200, { "content-length": "1000" });
    response.write(SAMPLE.subarray(0, 20), () => response.destroy());
  });
  const repository = await openHub(url, admitted("t"), new AbortController().signal);
  await expect(collect(repository.entries)).rejects.toThrow(/connection to the server broke/);
});

test("a server that is not there is said so", async () => {
  await expect(openHub("http://127.0.0.1:9/api/repo", admitted("t"), new AbortController().signal)).rejects.toThrow(/cannot be reached.*still running/);
});

test("the key is waited for, renewed, and no longer waited for when the load ends", async () => {
  const key = new HubKeys();
  const first = key.get(new AbortController().signal);
  const ended = new AbortController();
  const second = key.get(ended.signal);
  ended.abort(new Error("over"));
  await expect(second).rejects.toThrow("over");
  key.set("one", "AAAA");
  expect(await first).toBe("one");
  key.set("two", "AAAA");
  expect(await key.get(new AbortController().signal)).toBe("two");
  // The connection ends, and with it what its key is good for.
  key.end();
  key.end();
  const third = key.get(new AbortController().signal);
  key.set("three", "AAAA");
  expect(await third).toBe("three");
});
