import { expect, test } from "vitest";
import { sha256 } from "../../src/http/sha256.ts";

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
