/**
 * Builds a page with Parcel, with the setting of the guide, and runs the built script.
 *
 * @module
 */

import { run } from "../../../scripts/command.ts";
import type { Project } from "./project.ts";
import type { RuntimeTest } from "./report.ts";
import { binaryOf, installed } from "./tools.ts";

const page = `<!doctype html>
<a id="invite">Add the bot</a>
<script type="module" src="./page.js"></script>
`;

const script = `import { Bot } from "@guildpass/sdk/auth-url";
document.querySelector("#invite").href = new Bot("1024000000000000000", ["view_channel"]).href;
`;

const link =
  "https://discord.com/oauth2/authorize?client_id=1024000000000000000&scope=bot&permissions=1024";

/** Creates the test for a project with the package in it. */
export function parcelTest(project: Project): RuntimeTest {
  return {
    runtime: "Parcel",
    title: "a page with the setting of the guide",
    async run() {
      const built = await buildPage(project);
      const printed = await run([
        binaryOf("node24"),
        "--input-type=module",
        "--eval",
        runPage,
        built,
      ]);
      if (printed.trim() !== link) throw new Error(`The page has the link ${printed}`);
      const { size } = await Deno.stat(built);
      const manifest = await Deno.readTextFile(installed("parcel/package.json"));
      return [JSON.parse(manifest).version, `a script of ${size} bytes`];
    },
  };
}

/** Returns the path of the built script. */
async function buildPage({ directory }: Project): Promise<string> {
  const folder = await Deno.makeTempDir({ dir: directory, prefix: "parcel-" });
  const files = {
    "package.json": await settingOfGuide(),
    // Parcel looks for the setting where the lock file is.
    "package-lock.json": "{}",
    "index.html": page,
    "page.js": script,
  };
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(`${folder}/${name}`, text);
  }
  const options = ["--no-cache", "--no-source-maps", "--dist-dir", "dist"];
  const parcel = [installed("parcel/lib/bin.js"), "build", "index.html", ...options];
  await run([binaryOf("node24"), ...parcel], { cwd: folder });
  const [built] = [...Deno.readDirSync(`${folder}/dist`)].filter(({ name }) =>
    name.endsWith(".js")
  );
  if (!built) throw new Error("Parcel wrote no script");
  return `${folder}/dist/${built.name}`;
}

async function settingOfGuide(): Promise<string> {
  const guide = await Deno.readTextFile(new URL("../../../docs/features.md", import.meta.url));
  return /^```json\n(.*?packageExports.*?)^```$/ms.exec(guide)?.[1] ?? "";
}

/** Runs a script in a page with one link, and prints the link. */
const runPage = `
  const link = { href: "" };
  globalThis.document = { querySelector: () => link };
  await import(process.argv[1]);
  console.log(link.href);
`;
