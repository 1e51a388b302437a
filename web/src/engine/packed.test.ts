import { expect, test } from "vitest";
import { storage, storageKey } from "../../test/storage.ts";
import { Cache, CACHE_FORMAT } from "./cache.ts";
import { DamagedError, Packed, Packer } from "./packed.ts";

const key = await storageKey();
const otherKey = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);

const CODE = "export function secretSauce() {}\n";
/** Some blocks of them. */
const numbers = Uint32Array.from({ length: 600_000 }, (_, i) => i);

/** A block in the file. */
const ENCRYPTED = 2 ** 20 + 16;

async function pack(name = "repo"): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const packer = new Packer((chunk) => Promise.resolve(void chunks.push(chunk.slice())), key, name);
  await packer.begin("code");
  await packer.array("texts", "u8", [CODE, CODE].map((text) => new TextEncoder().encode(text)));
  await packer.array("numbers", "u32", numbers);
  await packer.begin("more");
  await packer.array("few", "f64", Float64Array.of(0.5));
  await packer.end({ format: CACHE_FORMAT, build: "x", words: "secretSauce" });
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

const read = async (bytes: Uint8Array<ArrayBuffer>, with_ = key, name = "repo"): Promise<unknown> => {
  const packed = await Packed.open(new Blob([bytes]), with_, name);
  const [code, more] = [await packed.group("code"), await packed.group("more")];
  expect(new TextDecoder().decode(code.get("texts", "u8"))).toBe(CODE + CODE);
  expect(code.get("numbers", "u32")).toEqual(numbers);
  expect(more.get("few", "f64")).toEqual(Float64Array.of(0.5));
  return packed.head;
};

test("what was written is read", async () => {
  expect(await read(await pack())).toEqual({ format: CACHE_FORMAT, build: "x", words: "secretSauce" });
});

test("nothing of it lies open, and the same content never looks the same", async () => {
  const [a, b] = await Promise.all([pack(), pack()]);
  for (const word of ["secretSauce", "export", "texts", "numbers", "code"]) expect(Buffer.from(a).includes(word)).toBe(false);
  expect(a.filter((byte, i) => byte === b[i]).length).toBeLessThan(a.length / 100);
});

test("another key, another name, and a change anywhere are noticed", async () => {
  const bytes = await pack();
  await expect(read(bytes, otherKey)).rejects.toThrow(DamagedError);
  await expect(read(bytes, key, "another")).rejects.toThrow(DamagedError);
  for (const at of [0, 8, 1000, bytes.length - 200, bytes.length - 9, bytes.length - 8, bytes.length - 1]) {
    const changed = bytes.slice();
    changed[at]! ^= 1;
    await expect(read(changed)).rejects.toThrow(DamagedError);
  }
  const [first, second] = [bytes.slice(8, 8 + ENCRYPTED), bytes.slice(8 + ENCRYPTED, 8 + 2 * ENCRYPTED)];
  const swapped = bytes.slice();
  swapped.set(second, 8);
  swapped.set(first, 8 + ENCRYPTED);
  await expect(read(swapped)).rejects.toThrow(DamagedError);
  await expect(read(new Uint8Array([...bytes.slice(0, 8), ...bytes.slice(8 + ENCRYPTED)]))).rejects.toThrow(DamagedError);
  for (const length of [0, 7, 8, 100, bytes.length - 1]) await expect(read(bytes.slice(0, length))).rejects.toThrow(DamagedError);
});

test("a cache without its key has nothing", async () => {
  const inner = storage();
  inner.kept.set("repo", new Blob([await pack()]));
  expect(await new Cache(inner, "x", storageKey).find("repo")).toBeDefined();
  expect(await new Cache(inner, "x", () => Promise.resolve(otherKey)).find("repo")).toBeUndefined();
  expect(await new Cache(inner, "x", () => Promise.reject(new Error("no hub"))).find("repo")).toBeUndefined();
  inner.kept.set("another", inner.kept.get("repo")!);
  expect(await new Cache(inner, "x", storageKey).find("another")).toBeUndefined();
});
