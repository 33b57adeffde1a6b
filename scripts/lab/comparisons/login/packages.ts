/**
 * Reads the versions and licenses of the compared libraries, and measures their bytes.
 *
 * @module
 */

import { stop } from "esbuild";
import { readFileSync } from "node:fs";
import configuration from "../../../../deno.json" with { type: "json" };
import { bundleSize } from "./bundle_size.ts";
import { type Column, columns, libraries } from "./columns.ts";
import { guildpass, type Library } from "./libraries.ts";
import type { Package } from "./tables.ts";

/** The parts of a `package.json` that the table of libraries has. */
interface Manifest {
  readonly version: string;
  readonly license: string;
}

/** Reads and measures all libraries. */
export async function readPackages(): Promise<ReadonlyMap<Library, Package>> {
  const packages = new Map<Library, Package>();
  for (const library of libraries) {
    const manifests = columnsOf(library).map(manifestOf);
    const versions = new Set(manifests.map(({ version }) => version));
    packages.set(library, {
      version: [...versions].join(" and "),
      license: manifests[0]?.license ?? "",
      bytes: await bytesOf(library),
    });
  }
  await stop();
  return packages;
}

function columnsOf(library: Library): readonly Column[] {
  return columns.filter((column) => column.library === library);
}

/** Returns the bytes of a library's bundle, or of each of its major versions. */
async function bytesOf(library: Library): Promise<string> {
  const sizes = new Set<string>();
  for (const { imports, folder } of columnsOf(library)) {
    sizes.add(imports ? (await bundleSize(imports, folder)).toLocaleString("en") : "part of Nuxt");
  }
  return [...sizes].join(" and ");
}

function manifestOf({ library, folder }: Column): Manifest {
  if (library === guildpass) return configuration;
  const path = new URL(`node_modules/${library.package}/package.json`, folder);
  return JSON.parse(readFileSync(path, "utf8"));
}
