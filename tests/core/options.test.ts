import { describe, expect, test } from "vitest";
import { checkOptionNames } from "../../src/core/options.ts";
import { thrownBy } from "../support/responders.ts";

const known = ["timeout", "maxBytes"];

describe("checkOptionNames()", () => {
  test.each([[null], [undefined], [{}], [{ timeout: 1 }], [{
    maxBytes: null,
    timeout: undefined,
  }]])(
    "accepts %o",
    (options) => {
      expect(() => checkOptionNames("options", options, known)).not.toThrow();
    },
  );

  test("accepts the names that an object lists itself, and refuses others beside them", () => {
    const fake = { advance: 1, [Symbol.for("@guildpass/sdk names")]: ["advance"] };
    expect(() => checkOptionNames("options", { ...fake, timeout: 1 }, known)).not.toThrow();
    expect(() => checkOptionNames("options", { ...fake, timout: 1 }, known))
      .toThrow("options.timout is unknown: did you mean timeout?");
  });

  test.each<[object, string]>([
    [{ timeout: 1, timout: 1 }, "options.timout is unknown: did you mean timeout?"],
    [{ max_bytes: 1 }, "options.max_bytes is unknown: did you mean maxBytes?"],
    [{ retries: undefined }, "options.retries is unknown: known names: timeout, maxBytes"],
    [{ hasOwnProperty: 1 }, "options.hasOwnProperty is unknown: known names: timeout, maxBytes"],
    [
      { "s3cret.token": 1 },
      "options has an unknown name of length 12: known names: timeout, maxBytes",
    ],
    [
      { ["x".repeat(25)]: 1 },
      "options has an unknown name of length 25: known names: timeout, maxBytes",
    ],
  ])("refuses %o", async (options, message) => {
    const error = await thrownBy(() => checkOptionNames("options", options, known));
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({ message });
  });

  test.each<[unknown, string]>([
    [true, "options must be an object like { timeout }, received boolean"],
    [300, "options must be an object like { timeout }, received number"],
    ["/page", "options must be an object like { timeout }, received a string of length 5"],
    [["a"], "options must be an object like { timeout }, received a list of 1"],
    [() => {}, "options must be an object like { timeout }, received function"],
  ])("refuses %o, which is not an object", (options, message) => {
    expect(() => checkOptionNames("options", options as object, known))
      .toThrow(new TypeError(message));
  });
});
