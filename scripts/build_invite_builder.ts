/**
 * Bundles the invite builder into one HTML file that loads nothing: script and style stand in the page, and a
 * content security policy allows these two by their hashes and nothing else.
 *
 * `--serve` also serves it on loopback; `--port=8788` says where.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const source = new URL("../examples/invite_builder/", import.meta.url);

if (import.meta.main) await main();

/** The page as one self-contained HTML document. */
export async function buildInviteBuilder(): Promise<string> {
  const script = await bundle("main.ts");
  const style = await bundle("style.css");
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    // The icon stands in the page, too; without one, browsers ask the server for it.
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    // No string becomes markup or code: browsers that know this refuse `innerHTML` and the like.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
  const template = await readFile(new URL("index.html", source), "utf8");
  return [
    [
      `<meta charset="utf-8">`,
      `<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    ],
    [`<link rel="stylesheet" href="style.css">`, `<style>${style}</style>`],
    [`<script src="main.ts"></script>`, `<script>${script}</script>`],
  ].reduce((page, [from = "", to = ""]) => replaceOnce(page, from, to), template);
}

async function main(): Promise<void> {
  const page = await buildInviteBuilder();
  const folder = new URL("dist/", source);
  await mkdir(folder, { recursive: true });
  const file = new URL("index.html", folder);
  await writeFile(file, page);
  console.log(`Built ${fileURLToPath(file)} (${page.length} characters)`);
  if (process.argv.includes("--serve")) serve(page);
}

function serve(page: string): void {
  const port = Number(/--port=(\d+)/.exec(process.argv.join(" "))?.[1] ?? 8788);
  const server = createServer((request, response) => {
    const isPage = request.url === "/" || request.url?.startsWith("/?");
    response.writeHead(isPage ? 200 : 404, { "content-type": "text/html; charset=utf-8" });
    response.end(isPage ? page : "Not found");
  });
  server.on("error", (error) => {
    console.error(`Could not listen on port ${port}: ${error.message}; try --port=8789`);
    process.exitCode = 1;
  });
  server.listen(port, "127.0.0.1", () => {
    console.log(`The invite builder is at http://localhost:${port}/ (Ctrl+C stops it)`);
  });
}

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(entry, source))],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: ["chrome111", "firefox115", "safari16.4"],
    legalComments: "none",
    logLevel: "error",
  });
  return outputFiles[0]?.text.trim() ?? "";
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** By a function, so that a `$&` in a minified script is left as it is. */
function replaceOnce(text: string, from: string, to: string): string {
  if (text.split(from).length !== 2) throw Error(`index.html must have "${from}" exactly once`);
  return text.replace(from, () => to);
}
