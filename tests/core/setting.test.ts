import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkSetting } from "../../src/core/setting.ts";

const secret = "Zk3w-9QfLr7x_B2yHnVt5mPd8sUc1aEg";

/** The message about a value, or nothing if it is accepted. */
function refusal(value: unknown): string | undefined {
  try {
    checkSetting("secret", value);
    return undefined;
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}

describe("checkSetting()", () => {
  test.each<[string, string, string]>([
    ["a line break at the end", `${secret}\n`, "U+000a as character 33 of 33"],
    ["a line break of Windows", `${secret}\r\n`, "U+000a as character 34 of 34"],
    ["a carriage return", `${secret}\r`, "U+000d as character 33 of 33"],
    ["a space at the end", `${secret} `, "U+0020 as character 33 of 33"],
    ["a space before it", ` ${secret}`, "U+0020 as character 1 of 33"],
    ["a tab", `${secret}\t`, "U+0009 as character 33 of 33"],
    ["a no-break space", `${secret}\xa0`, "U+00a0 as character 33 of 33"],
    [
      "a byte order mark",
      `\ufeff${secret}`,
      "U+feff as character 1 of 33",
    ],
    ["a zero-width space", `ab\u200bcd`, "U+200b as character 3 of 5"],
    ["a word joiner", `ab\u2060cd`, "U+2060 as character 3 of 5"],
    ["a soft hyphen", `ab\xadcd`, "U+00ad as character 3 of 5"],
    ["a direction mark", `ab\u200e`, "U+200e as character 3 of 3"],
    ["an invisible letter", `ab\u3164cd`, "U+3164 as character 3 of 5"],
    ["a tag", `ab\u{e0041}cd`, "U+e0041 as character 3 of 6"],
    ["double quotes", `"${secret}"`, '" as character 1 of 34'],
    ["single quotes", `'${secret}'`, "' as character 1 of 34"],
    ["backticks", `\`${secret}\``, "` as character 1 of 34"],
    ["quotes around lines", `"${secret}\n${secret}"`, '" as character 1 of 67'],
    ["a variable", "${CLIENT_SECRET}", "${ as character 1 of 16"],
    ["a variable with a default", "${SECRET:-abc}", "${ as character 1 of 14"],
    ["a variable in an address", "https://${HOST}/a", "${ as character 9 of 17"],
    ["a variable without braces", "$CLIENT_SECRET", "$ as character 1 of 14"],
    ["a variable of Windows", "%CLIENT_SECRET%", "% as character 1 of 15"],
    ["a command", "$(cat /run/secrets/a)", "$( as character 1 of 21"],
    ["a comment", `${secret} # production`, "# as character 33 of 45"],
  ])("refuses %s", (_what, value, unwanted) => {
    expect(refusal(value)).toBe(`secret must be the value alone, received ${unwanted}`);
  });

  test.each<[string, unknown]>([
    ["a random secret", secret],
    ["base64", "4Vn+/w=="],
    ["a text of several words", "correct horse battery staple, four words"],
    ["special characters", `a"b'c$d%e#f{g}\\h`],
    ["a quote at one end", `"${secret}`],
    ["a letter beyond ASCII", "tökén"],
    ["an address", "https://app.example/callback?a=b#c"],
    ["empty text", ""],
    ["a number", 5],
    ["no value", undefined],
  ])("accepts %s", (_what, value) => {
    expect(refusal(value)).toBeUndefined();
  });

  test("never shows the text", () => {
    fc.assert(fc.property(fc.string({ minLength: 20, unit: "binary" }), (text) => {
      expect(refusal(`${text}\n`)).not.toContain(text);
      expect(refusal(`"${text}"`)).not.toContain(text);
    }));
  });
});
