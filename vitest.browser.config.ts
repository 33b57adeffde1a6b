import { defineConfig } from "vitest/config";
import shared from "./vitest.config.ts";

/** The tests in real browsers. `scripts/install_browsers.ts` installs the browsers. */
export default defineConfig({
  resolve: shared.resolve ?? {},
  test: {
    include: ["tests/integration/browser/*.browser.ts"],
    environment: "node",
    // A small machine has no room for three browsers at once.
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A page on a busy machine takes seconds to load.
    expect: { poll: { timeout: 30_000 } },
  },
});
