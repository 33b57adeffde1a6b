import { expect, test } from "vitest";
import * as all from "../../mod.ts";
import * as client from "../../src/api/mod.ts";

test("the whole has everything that the server half has", () => {
  expect(all).toMatchObject(client);
});
