import { describe, expect, test } from "vitest";
import { channelOf } from "../../scripts/release_channel.ts";

describe("The dist-tag of a release", () => {
  test.each([
    ["v0.1.0", [], "latest"],
    ["v0.1.0-rc.1", [], "next"],
    ["v1.2.3", ["v1.2.2", "v0.9.0", "v2.0.0-rc.1"], "latest"],
    ["v1.10.0", ["v1.9.0"], "latest"],
    ["v2.0.0", ["v1.9.0", "v2.0.0-rc.1", "v2.0.0-rc.10"], "latest"],
    ["v2.0.0-rc.10", ["v1.9.0", "v2.0.0-rc.9"], "next"],
    ["v1.9.1", ["v1.9.0", "v2.0.0"], "v1-lts"],
    ["v1.8.1", ["v1.8.0", "v1.9.0", "v2.0.0"], "v1.8-lts"],
    ["v1.8.1", ["v1.8.0", "v1.9.0"], "v1.8-lts"],
    ["v0.1.9", ["v0.1.8", "v0.2.0"], "v0.1-lts"],
    ["v0.2.9", ["v0.1.8", "v0.2.0", "v1.0.0"], "v0-lts"],
    ["v1.9.1-rc.1", ["v1.9.0", "v2.0.0"], "v1-next"],
    ["v1.9.1-rc.1", ["v1.9.0", "v2.0.0-rc.1"], "v1-next"],
  ])("of %s beside %j is %s", (tag, others, distTag) => {
    expect(channelOf(tag, [...others, tag])).toEqual({
      distTag,
      isLatest: distTag === "latest",
      isCandidate: tag.includes("-rc."),
    });
  });

  test("is missing for a version that is older than another one of its minor version", () => {
    expect(() => channelOf("v1.2.3", ["v1.2.3", "v1.2.4"])).toThrow(
      "older than another one of 1.2",
    );
    expect(() => channelOf("v1.2.3-rc.1", ["v1.2.3-rc.1", "v1.2.3"])).toThrow("older than another");
  });

  test("is missing without a list that has the tag, since each release would be the latest one", () => {
    expect(() => channelOf("v1.2.3", [])).toThrow("not one of the tags");
    expect(() => channelOf("v1.2", ["v1.2"])).toThrow("not one of the tags");
    expect(() => channelOf("v1.2.3-beta", ["v1.2.3-beta"])).toThrow("not one of the tags");
  });
});
