import { expect, test, vi } from "vitest";
import { Digests, sha256 } from "../../src/http/sha256.ts";

test("sha256() is the SHA-256 of Web Crypto for texts of every length up to four blocks", async () => {
  for (let length = 0; length <= 256; length++) {
    const text = Array.from(
      { length },
      (_, index) => "aZ9 .-_é"[(index * length + index) % 8],
    ).join("");
    const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
    const expected = [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0"));
    expect(sha256(text), text).toBe(expected.join(""));
  }
});

test("Digests computes a digest again only if the text is another one", () => {
  const encode = vi.spyOn(TextEncoder.prototype, "encode");
  const digests = new Digests();
  const found = ["a", "a", "b", "b", "a"].map((text) => digests.of(text));
  expect(encode.mock.calls).toEqual([["a"], ["b"], ["a"]]);
  encode.mockRestore();
  expect(found).toEqual(["a", "a", "b", "b", "a"].map(sha256));
});
