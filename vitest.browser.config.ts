import { defineConfig } from "vitest/config";
import shared from "./vitest.config.ts";

/** Tests that drive real browsers: `scripts/install_browsers.ts` installs them. */
export default defineConfig({
  resolve: shared.resolve ?? {},
  test: {
    include: ["tests/integration/browser/*.browser.ts"],
    environment: "node",
    // Three browsers at once are more than a small machine has room for.
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
