import { expect, test } from "vitest";
import { bytesOf, fakeCrypt } from "../../test/fake-hub.ts";
import { hubProof, newNonce, pageKey, proofProtocol, webCrypt } from "./proof.ts";

const secret = (letter: string): string => Buffer.from(letter.repeat(32)).toString("base64url");

// The same figures stand in wsbridge/proof_test.go, challenge_test.go and pairing_test.go.
test("the proofs and keys are those of the hub", async () => {
  for (const crypt of [webCrypt, fakeCrypt]) {
    const who = { role: "page", id: "0123456789abcdef", key: await crypt.read(secret("k")) } as const;
    expect(await hubProof(crypt, who, "54319", "0123456789abcdef")).toBe("77ef6961beb4cbfd27023e4a24f3384c25166f61ac24b1c9db4d81e66ce9cf54");
    expect(await proofProtocol(crypt, who, "54319", "0123456789abcdef", "fedcba9876543210")).toBe(
      "gitnexus.proof.page.0123456789abcdef.0123456789abcdef.fedcba9876543210.79f6f63445316e777d9a2ed46a00451d0f1bfb894d693d89fcf59d8237f2748f");
    const key = await pageKey(crypt, await crypt.read(secret("t")), "54319", "0123456789abcdef", "fedcba9876543210");
    const want = Buffer.from("eaea6cecf599e92f03c3a21fdfa8dc4ed5e7eedf24c62c339403a04597a85aa6", "hex");
    expect(await crypt.mac(key, "x")).toBe(await fakeCrypt.mac(want as unknown as CryptoKey, "x"));
    if (crypt === fakeCrypt) expect(bytesOf(key)).toEqual(want);
    else expect(key).toMatchObject({ extractable: false, usages: ["sign"] });
  }
});

test("what is no secret is no key", async () => {
  await expect(webCrypt.read("not base64url!")).rejects.toThrow();
});

test("a nonce is of 128 bits that are not the same twice", () => {
  expect(newNonce()).toMatch(/^[0-9a-f]{32}$/);
  expect(newNonce()).not.toBe(newNonce());
});
