import { expect, test } from "vitest";
import { unlessAborted } from "../../src/core/abort.ts";
import { thrownBy } from "../support/answers.ts";

test("A wait ends with what is waited for", async () => {
  const { signal } = new AbortController();
  expect(await unlessAborted(Promise.resolve(1), signal)).toBe(1);
  expect(await unlessAborted(Promise.resolve(1), null)).toBe(1);
  expect(await thrownBy(() => unlessAborted(Promise.reject("no"), signal))).toBe("no");
});

test("A wait ends with the reason of its signal, even if what is waited for never ends", async () => {
  const controller = new AbortController();
  const waiting = thrownBy(() => unlessAborted(new Promise(() => {}), controller.signal));
  controller.abort("enough");
  expect(await waiting).toBe("enough");
});
