import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { Digests, halfSipHash, keyedDigest } from "../../src/http/keyed_digest.ts";

/** `vectors_hsip64` of the reference: the digests of the bytes 0, 1, 2 and so on, of each length from 0 to 63. */
const vectors = `
  218d1f59b9b83cc8 be552412f8387315 064f39ef7c50eb57 ce0f1a45f7060679
  d5e78a175be52ea1 cb9d7c3f2f3db580 ce3e91358aa2bc25 ff202728b07bc684
  edfee820bce4858c 5b51cccc13888307 95b0469f06a6f2ee ae26333994ddcd48
  7bc71f9faef5c799 5a2352d75a0c3744 3bb1a870eae8e658 217d0bcb4e81c902
  7336aad25f7bf3b5 37adc0641c4c4f6a c9b2db2b9a3e42f9 f910e48020ab363c
  1bf52b0a6feea7db 00741dc269e8b3ef e20103fa1ba776ef 4c2210e54b681d73
  70741045ae3fa6f1 0c86403739714038 0d899ed8112923f0 226bf5fab81ee1b8
  2d925ffb1e0016b5 361958d52cee10f1 291aaf864898179d 863c7f155c34117c
  28709d46d811626c 248477681d28f89c 8324e4d7528f9830 f9efd4e13aea6bd8
  86d67a40ec4276dc 3f6292eccca97e35 cbd92ee724d42109 368df6808d403d79
  5b38c81c67c8ae4c 95ab7189d439acb3 a91a52c025327024 5b0087c69528acea
  1e30f3ad27dcb15a 697f5c9a90324ed4 495c0f995557dc38 9427202a3c29f94d
  a9eaa8c04ba93e3e eea4c1737d011218 912d568fd8f65a49 56919596b0ff5c97
  02445a7998f550e1 86ec466ce71d1fb2 359569e7d289e3bc 871b05ca62bb7c96
  a1a492f942f15f1d 12ec267ff6095b6e 5d1b5ea1b231d89d d8cfb4453f92ee54
  d6762890bf26e460 313563a4b7ed5cf3 f90b3ab572d46693 2ea63c71bf326087
`.trim().split(/\s+/);

test("halfSipHash() returns the digests of the reference for texts of every length up to 63 bytes", () => {
  const bytes = Uint8Array.from({ length: 64 }, (_, index) => index);
  const found = vectors.map((_, length) => {
    const output = halfSipHash(bytes.subarray(0, length), 0x03020100, 0x07060504);
    const [first, second] = output.split(" ").map(Number) as [number, number];
    const view = new DataView(new ArrayBuffer(8));
    view.setInt32(0, first, true);
    view.setInt32(4, second, true);
    return [...new Uint8Array(view.buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join(
      "",
    );
  });
  expect(found).toEqual(vectors);
});

test("keyedDigest() returns one digest for each text, with four words of it", () => {
  const digests = new Map<string, string>();
  fc.assert(fc.property(fc.string(), (text) => {
    const digest = keyedDigest(text);
    expect(digest).toMatch(/^(-?\d{1,10} ){3}-?\d{1,10}$/);
    expect(new Set(digest.split(" ")).size).toBe(4);
    expect(digests.get(digest) ?? text).toBe(text);
    digests.set(digest, text);
    expect(keyedDigest(text)).toBe(digest);
  }));
});

test("keyedDigest() depends on a key of the process, so that no other one knows its digests", async () => {
  const other = `../../src/http/keyed_digest.ts?other`;
  const copy: { readonly keyedDigest: typeof keyedDigest } = await import(other);
  expect(copy.keyedDigest("Bearer t0ken")).not.toBe(keyedDigest("Bearer t0ken"));
});

test("Digests computes a digest again only if the text is another one", () => {
  const encode = vi.spyOn(TextEncoder.prototype, "encode");
  const digests = new Digests();
  const found = ["a", "a", "b", "b", "a"].map((text) => digests.of(text));
  expect(encode.mock.calls).toEqual([["a"], ["b"], ["a"]]);
  encode.mockRestore();
  expect(found).toEqual(["a", "a", "b", "b", "a"].map(keyedDigest));
});
