/**
 * Reads the configurations that the guide to Workers shows.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import { d1Table } from "../../../../src/stores/d1.ts";

const root = new URL("../../../../", import.meta.url);

/** The blocks of the guide. A block begins with a property that no other one has. */
export interface WorkerGuide {
  /** The configuration of every Worker. */
  readonly usual: Readonly<Record<string, unknown>>;
  /** The lines for a Worker with static files in front. */
  readonly assets: { readonly assets: Readonly<Record<string, unknown>> };
  /** The lines for a Worker with jobs. */
  readonly jobs: Readonly<Record<string, unknown>>;
  /** The statements that create the tables of the jobs and of the store. */
  readonly tables: readonly string[];
}

/** Reads the guide, and the definition of the store's table. */
export function readGuide(): WorkerGuide {
  const guide = read("docs/cloudflare_workers.md");
  const blocks = [...guide.matchAll(/^```json\n(.*?)^```$/gms)]
    .map(([, json = ""]) => JSON.parse(json));
  const withKey = (key: string) => blocks.find((block) => key in block);
  return {
    usual: withKey("compatibility_date"),
    assets: withKey("assets"),
    jobs: withKey("triggers"),
    tables: [statementIn(guide), statementIn(d1Table())],
  };
}

function statementIn(text: string): string {
  const [statement = ""] = /^ *create table .*?;$/ms.exec(text) ?? [];
  return statement.replaceAll(/\s+/g, " ");
}

function read(path: string): string {
  return readFileSync(new URL(path, root), "utf8");
}
