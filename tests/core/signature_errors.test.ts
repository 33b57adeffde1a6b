import { describe, expect, test } from "vitest";
import { IdTokenError } from "../../src/core/signature_errors.ts";

describe("IdTokenError", () => {
  test("has the claim that is wrong, or null", () => {
    expect(new IdTokenError("found", { reason: "algorithm" }).claim).toBeNull();
    expect(new IdTokenError("found", { reason: "claim", claim: "aud" }).claim).toBe("aud");
  });
});
