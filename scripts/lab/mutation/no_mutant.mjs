/**
 * Turns the mutant of the last run off before a test file is loaded. Stryker turns the next one on when the tests begin.
 *
 * @module
 */

import { inject } from "vitest";

if (inject("mode") === "mutant" && inject("mutantActivation") !== "static") {
  const stryker = globalThis[inject("globalNamespace")];
  if (stryker) stryker.activeMutant = undefined;
}
