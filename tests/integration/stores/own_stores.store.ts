/**
 * Compiles the code of docs/stores.md with the package `mongodb`, and runs its store on a collection in memory.
 *
 * @module
 */

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Filter, MongoServerError } from "mongodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Store } from "../../../mod.ts";
import { checkStore } from "../../../src/testing/mod.ts";
import { docBlocks } from "../../support/doc_blocks.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const blocks = docBlocks("docs/stores.md").filter(({ file }) => /\/mongo_\w+\.ts$/.test(file));

let folder: string;
beforeAll(async () => {
  // The folder is below the tests, so that the code finds packages.
  await mkdir(here(".blocks/"), { recursive: true });
  folder = await mkdtemp(here(".blocks/"));
  for (const { file, code } of blocks) {
    await writeFile(`${folder}/${file.split("/").at(-1)}`, code);
  }
});
afterAll(() => rm(folder, { recursive: true }));

test("The code of docs/stores.md compiles", async () => {
  expect(blocks).toHaveLength(2);
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["check", "--quiet", folder],
    cwd: here("."),
  }).output();
  expect(success, new TextDecoder().decode(stderr)).toBe(true);
});

test("The store of docs/stores.md keeps the contract of a store on a collection in memory", async () => {
  const { mongoStore }: { mongoStore(entries: unknown): Store } = await import(
    /* @vite-ignore */ pathToFileURL(`${folder}/mongo_store.ts`).href
  );
  await checkStore(mongoStore(collectionInMemory()));
});

interface Entry {
  readonly _id: string;
  readonly [field: string]: unknown;
}

/** The methods that the store calls, as MongoDB documents them. Each works in one step. */
function collectionInMemory() {
  const entries = new Map<string, Entry>();
  const find = (filter: Filter<Entry>) =>
    [...entries.values()].find((entry) => matches(entry, filter)) ?? null;
  return {
    findOne: (filter: Filter<Entry>) => Promise.resolve(find(filter)),
    deleteOne(filter: Filter<Entry>) {
      entries.delete(find(filter)?._id ?? "");
      return Promise.resolve();
    },
    async replaceOne(filter: Filter<Entry>, entry: object, { upsert = false } = {}) {
      await Promise.resolve(); // Other calls come before this one.
      const found = find(filter);
      const _id = String(filter._id);
      if (found || upsert) {
        if (!found && entries.has(_id)) {
          throw new MongoServerError({ message: "E11000 duplicate key error", code: 11000 });
        }
        entries.set(_id, { ...entry, _id });
      }
      return { matchedCount: found ? 1 : 0 };
    },
  };
}

function matches(entry: Entry, filter: Filter<Entry>): boolean {
  return Object.entries(filter).every(([field, condition]) => {
    if (field === "$or") {
      return (condition as Filter<Entry>[]).some((one) => matches(entry, one));
    }
    const value = entry[field];
    if (condition === null || typeof condition !== "object") return value === condition;
    if (!(value instanceof Date)) return false; // A comparison finds only values of the same type.
    const { $gt = new Date(NaN), $lte = new Date(NaN) } = condition as Record<string, Date>;
    return value > $gt || value <= $lte;
  });
}
