import { expect, test } from "vitest";
import * as all from "../mod.ts";
import * as client from "../src/client.ts";

test("the server half has PlatformApi and User, the very same as the whole library has", () => {
  expect(Object.keys(client).sort()).toEqual(["PlatformApi", "User"]);
  expect(client.PlatformApi).toBe(all.PlatformApi);
  expect(client.User).toBe(all.User);
});
