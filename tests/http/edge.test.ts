import { expect, test } from "vitest";
import { isEdgeBlock } from "../../src/http/edge.ts";

test.each<[string, number, unknown, boolean]>([
  ["HTML with 403", 403, undefined, true],
  ["a string with 429", 429, "slow down", true],
  ["null with 403", 403, null, true],
  ["code 40333", 401, { code: 40333 }, true],
  ["an object with 403", 403, { code: 50001 }, false],
  ["HTML with 404", 404, undefined, false],
])("Whether the edge has refused shows in its answer: %s", (_what, status, json, isByEdge) => {
  expect(isEdgeBlock(status, json)).toBe(isByEdge);
});
