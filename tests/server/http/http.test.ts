import { describe, expect, test } from "vitest";
import { PayloadError } from "../../../mod.ts";
import { answering, saying, thrownBy } from "../../support/answers.ts";
import { exchange, read } from "../../support/calls.ts";

describe("a success", () => {
  test.each([
    ["HTML", " <!doctype html>", "expected JSON, received HTML"],
    ["nothing", "", "expected JSON, received nothing"],
    ["white space", "\r\n", "expected JSON, received nothing"],
    ["half of an answer", '{"id": "1", "user', "expected JSON, received something else"],
  ])("that says %s is none", async (_what, body, message) => {
    for (const call of [read, exchange]) {
      const error = await thrownBy(() => call(answering(saying(body))));
      expect(error).toBeInstanceOf(PayloadError);
      expect(error).toMatchObject({ code: "invalid_payload", issues: [{ path: "", message }] });
    }
  });

  test("may have any status from 200 to 299", async () => {
    const answer = saying({ id: "1", username: "ada" }, { status: 299 });
    expect(await read(answering(answer))).toMatchObject({ id: "1" });
  });
});
