import { defineConfig } from "vitest/config";
import shared from "./vitest.config.ts";

/** The tests in real browsers. `scripts/install_browsers.ts` installs the browsers. */
export default defineConfig({
  resolve: shared.resolve ?? {},
  test: {
    include: ["tests/integration/browser/*.browser.ts"],
    environment: "node",
    // Two files at a time, since browsers wait much; not more, since a file opens all browsers.
    maxWorkers: 2,
    // WebKit's driver takes half a minute for the keys of a test, and twice as long on a busy machine.
    testTimeout: 120_000,
    // A hook builds the documentation site, which takes half a minute alone.
    hookTimeout: 300_000,
    // WebKit's driver sometimes stops responding. No other failure is tried again.
    retry: { count: 1, condition: /^The driver did not respond/ },
    expect: { poll: { timeout: 30_000 } },
  },
});
