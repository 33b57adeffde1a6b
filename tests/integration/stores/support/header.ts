import { readFileSync } from "node:fs";

/** Returns the statement in the header of an example that creates its table. */
export function createTableStatement(example: string): string {
  const text = readFileSync(
    new URL(`../../../../examples/stores/${example}`, import.meta.url),
    "utf8",
  );
  const [table] = text.replaceAll(/^ \* ?/gm, "").match(/create table [^;]*;/) ?? [];
  if (!table) throw new Error(`${example} has no table in its header`);
  return table;
}
