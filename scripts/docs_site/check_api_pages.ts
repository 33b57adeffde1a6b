/**
 * Builds the pages of the API reference, and throws them away. It takes seconds, so that a mistake shows before the site is built.
 *
 * @module
 */

import { pathToFileURL } from "node:url";
import { writeApiPages } from "./api_pages.ts";
import { readSections } from "./guides.ts";

const guides = readSections().flatMap(({ guides }) => guides);
const folder = await Deno.makeTempDir();
try {
  await writeApiPages(
    pathToFileURL(`${folder}/`),
    guides.filter(({ path }) => path.startsWith("docs/")),
  );
} finally {
  await Deno.remove(folder, { recursive: true });
}
