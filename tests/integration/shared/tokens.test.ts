import { expect, test } from "vitest";
import { tokens } from "../../../examples/shared/tokens.ts";
import { pageResponse } from "../../../src/login/pages/message_page.ts";

/** The custom properties of a style, in light and in dark. */
function propertiesOf(style: string): Record<string, string>[] {
  return style.split("@media (prefers-color-scheme: dark)").map((part) =>
    Object.fromEntries(
      [...part.matchAll(/(--[\w-]+): ([^;}]+?)\s*[;}]/g)].map(([, name, value]) => [name, value]),
    )
  );
}

test("The pages of Login have the colors of the examples", async () => {
  const message = { status: 400, code: "any", title: "Any", text: "Any", actions: [] };
  const page = await pageResponse(message, new Request("https://app.example/callback")).text();
  const found = propertiesOf(page);
  const names = found.map((properties) => Object.keys(properties));
  expect(names[0]).toContain("--accent");
  expect(names[1]).toEqual(names[0]);
  expect(propertiesOf(tokens)).toEqual(
    found.map((properties) => expect.objectContaining(properties)),
  );
});
