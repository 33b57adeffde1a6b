/**
 * Tests in workerd that page views share the responses of the platform, although no request there can wait for another one's work.
 *
 * @module
 */

import { run } from "../../../scripts/command.ts";
import type { Project } from "./project.ts";
import type { RuntimeTest } from "./report.ts";
import { binaryOf, installed } from "./tools.ts";

/** The number of views, their different texts, and the statuses from the platform. */
const expected = JSON.stringify({
  atOnce: { views: 15, pages: ["ada 4"], statuses: [200, 200] },
  inARow: { views: 20, pages: ["ada 4"], statuses: [200, 200] },
  afterOneThatWasLeft: { views: 3, pages: ["left", "ada 4"], statuses: [200, 200] },
});

/** Creates the test for a project with the package in it. */
export function pageViewTest(project: Project): RuntimeTest {
  return {
    runtime: "workerd",
    title: "page views share responses",
    async run() {
      const script = `${project.directory}/page_views.bundle.mjs`;
      await Deno.writeTextFile(script, await project.bundle("page_views_worker.ts", "esm"));
      const host = "starters/page_views_in_workerd.ts";
      const miniflare = installed("miniflare/dist/src/index.js");
      const output = await run([binaryOf("node24"), host, miniflare, script], {
        cwd: project.directory,
      });
      if (output.trim() !== expected) throw new Error(`expected ${expected}, found ${output}`);
      const manifest = await Deno.readTextFile(installed("miniflare/package.json"));
      return [JSON.parse(manifest).version, "38 views"];
    },
  };
}
