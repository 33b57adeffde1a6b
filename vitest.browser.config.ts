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
    // A page on a busy machine takes seconds to load, and WebKit's driver takes seconds for a few keys.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // WebKit's driver sometimes stops responding. No other failure is tried again.
    retry: { count: 1, condition: /^The driver did not respond/ },
    expect: { poll: { timeout: 60_000 } },
  },
});
