/**
 * Bundles the invite builder into one HTML file that loads nothing. It contains the script and the style, and its content
 * security policy allows only these two, by their hashes.
 *
 * `--serve` also serves it on `http://localhost:8788`; `PORT` sets another port.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import process from "node:process";
import { fileURLToPath } from "node:url";
import {
  fillTemplate,
  type InviteBuilderOptions,
  replaceOnce,
  wholeStyle,
} from "../examples/invite_builder/template.ts";
import { Html } from "../examples/shared/html.ts";
import { choosePort } from "../examples/shared/port.ts";
import { bundleScript, minifyStyle } from "./page_bundle.ts";

const source = new URL("../examples/invite_builder/", import.meta.url);

if (import.meta.main) await main();

/** Builds the page as one self-contained HTML document. */
export async function buildInviteBuilder(options: InviteBuilderOptions = {}): Promise<string> {
  const script = await bundleScript(new URL("main.ts", source));
  const style = await minifyStyle(wholeStyle(await readFile(new URL("style.css", source), "utf8")));
  const policy = [
    "default-src 'none'",
    `script-src ${hashSource(script)}`,
    `style-src ${hashSource(style)}`,
    // The page contains its icon, because browsers would otherwise request one from the server.
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    // Browsers with this feature refuse to turn a string into HTML or code, as `innerHTML` does.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
  const template = await readFile(new URL("index.html", source), "utf8");
  const page = fillTemplate(template, options, {
    style: new Html(`<style>${style}</style>`),
    script: new Html(`<script>${script}</script>`),
  });
  return replaceOnce(
    page,
    `<meta charset="utf-8">`,
    `<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${policy}">`,
  );
}

async function main(): Promise<void> {
  const port = process.argv.includes("--serve") ? choosePort(8788) : null;
  const page = await buildInviteBuilder();
  const folder = new URL("dist/", source);
  await mkdir(folder, { recursive: true });
  const file = new URL("index.html", folder);
  await writeFile(file, page);
  console.log(`Built ${fileURLToPath(file)} (${page.length} characters)`);
  if (port !== null) serve(page, port);
}

function serve(page: string, port: number): void {
  const server = createServer((request, response) => {
    const isPage = request.url === "/" || request.url?.startsWith("/?");
    response.writeHead(isPage ? 200 : 404, { "content-type": "text/html; charset=utf-8" });
    response.end(isPage ? page : "Not found");
  });
  server.listen(port, "127.0.0.1", () => {
    console.log(`The invite builder is at http://localhost:${port}/ (Press Ctrl+C to stop it)`);
  });
}

function hashSource(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
