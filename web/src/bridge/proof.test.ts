import { expect, test } from "vitest";
import { fakeMac } from "../../test/fake-hub.ts";
import { hubProof, newNonce, pageProof, webMac } from "./proof.ts";

const TOKEN = "0123456789abcdef0123456789abcdef";

// The same figures stand in wsbridge/proof_test.go and challenge_test.go.
test("the proofs are those of the hub", async () => {
  for (const mac of [webMac, fakeMac]) {
    expect(await hubProof(mac, TOKEN, "54319", "0123456789abcdef")).toBe("9ca92d8f5dc21bdecb7101aab9a44fe2ba6ca3d1f0111a084e0a0c04b05badc8");
    expect(await pageProof(mac, TOKEN, "54319", "0123456789abcdef", "fedcba9876543210")).toBe(
      "gitnexus.proof.page.0123456789abcdef.fedcba9876543210.da1dee2b23325544cafca34447212725c383a01321dace0fe4a920f30a0edd4d");
  }
});

test("a nonce is of 128 bits that are not the same twice", () => {
  expect(newNonce()).toMatch(/^[0-9a-f]{32}$/);
  expect(newNonce()).not.toBe(newNonce());
});
