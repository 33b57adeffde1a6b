import { expect, test } from "vitest";
import { loadTokenCode } from "../../src/tokens/load_token_code.ts";

test("The code is loaded once, and later calls get it without waiting for a load", async () => {
  const code = await loadTokenCode();
  let isLoaded = false;
  loadTokenCode().then((same) => isLoaded = same === code);
  for (let turn = 0; turn < 3; turn++) await null;
  expect(isLoaded).toBe(true);
});
