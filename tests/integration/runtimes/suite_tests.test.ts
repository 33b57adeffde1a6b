import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { dependingOnRuntime, sameOnEveryRuntime } from "./suite_tests.ts";

// Vitest would leave a missing one out without a word.
test.each([...Object.keys(dependingOnRuntime), ...sameOnEveryRuntime])("%s exists", (path) => {
  expect(existsSync(new URL(`../../../${path}`, import.meta.url))).toBe(true);
});
