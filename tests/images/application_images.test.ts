import { expect, test } from "vitest";
import { applicationCoverUrl, applicationIconUrl, teamIconUrl } from "../../src/images/mod.ts";
import { BAD_ID } from "./samples.ts";

test.each<[string, () => unknown]>([
  ["application.id", () => applicationIconUrl({ id: BAD_ID })],
  ["application.id", () => applicationIconUrl(null as never)],
  ["application.id", () => applicationCoverUrl({ id: BAD_ID })],
  ["application.id", () => applicationCoverUrl(null as never)],
  ["team.id", () => teamIconUrl({ id: BAD_ID })],
  ["team.id", () => teamIconUrl(null as never)],
])("A wrong id is refused by its name %s", (name, call) => {
  expect(call).toThrow(new RegExp(`^${name} must be digits`));
});
