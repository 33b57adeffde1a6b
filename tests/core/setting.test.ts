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
    ["a line break at the end", `${secret}\n`, "a line break (0xa) as character 33 of 33"],
    ["a line break of Windows", `${secret}\r\n`, "a line break (0xa) as character 34 of 34"],
    ["a carriage return", `${secret}\r`, "a line break (0xd) as character 33 of 33"],
    ["a space at the end", `${secret} `, "an invisible character (0x20) as character 33 of 33"],
    ["a space before it", ` ${secret}`, "an invisible character (0x20) as character 1 of 33"],
    ["a tab", `${secret}\t`, "an invisible character (0x9) as character 33 of 33"],
    ["a no-break space", `${secret}\xa0`, "an invisible character (0xa0) as character 33 of 33"],
    ["a null byte", `${secret}\0`, "an invisible character (0x0) as character 33 of 33"],
    [
      "a byte order mark",
      `\ufeff${secret}`,
      "an invisible character (0xfeff) as character 1 of 33",
    ],
    ["a zero-width space", `ab\u200bcd`, "an invisible character (0x200b) as character 3 of 5"],
    ["a word joiner", `ab\u2060cd`, "an invisible character (0x2060) as character 3 of 5"],
    ["a soft hyphen", `ab\xadcd`, "an invisible character (0xad) as character 3 of 5"],
    ["a direction mark", `ab\u200e`, "an invisible character (0x200e) as character 3 of 3"],
    ["an invisible letter", `ab\u3164cd`, "an invisible character (0x3164) as character 3 of 5"],
    ["a tag", `ab\u{e0041}cd`, "an invisible character (0xe0041) as character 3 of 6"],
    ["double quotes", `"${secret}"`, "quotes around it"],
    ["single quotes", `'${secret}'`, "quotes around it"],
    ["backticks", `\`${secret}\``, "quotes around it"],
    ["quotes of a word processor", `“${secret}”`, "quotes around it"],
    ["quotes around lines", `"${secret}\n${secret}"`, "quotes around it"],
    ["a variable", "${CLIENT_SECRET}", "a variable in it that is not filled in"],
    ["a variable with a default", "${SECRET:-abc}", "a variable in it that is not filled in"],
    ["a variable in an address", "https://${HOST}/a", "a variable in it that is not filled in"],
    ["a variable without braces", "$CLIENT_SECRET", "a variable in it that is not filled in"],
    ["a variable of Windows", "%CLIENT_SECRET%", "a variable in it that is not filled in"],
    ["a command", "$(cat /run/secrets/a)", "a variable in it that is not filled in"],
    ["a comment", `${secret} # production`, "a comment behind it"],
  ])("refuses %s", (_what, value, flaw) => {
    expect(refusal(value)).toBe(`secret has ${flaw}: correct it where it is set`);
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
