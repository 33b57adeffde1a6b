import { expect, test } from "vitest";
import { parts } from "../../scripts/architecture.ts";

test("A part of the source may import only parts before it, except for types", () => {
  const names = Object.keys(parts);
  for (const [name, { mayImport }] of Object.entries(parts)) {
    const before = names.slice(0, names.indexOf(name));
    expect(before, name).toEqual(expect.arrayContaining([...mayImport]));
  }
});
