import { readFileSync } from "node:fs";

/** The table that the header of an example says to make. */
export function tableOf(example: string): string {
  const text = readFileSync(
    new URL(`../../../../examples/stores/${example}`, import.meta.url),
    "utf8",
  );
  const [table] = text.replaceAll(/^ \* ?/gm, "").match(/create table [^;]*;/) ?? [];
  if (!table) throw new Error(`${example} has no table in its header`);
  return table;
}
