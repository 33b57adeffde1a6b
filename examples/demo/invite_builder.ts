/**
 * The invite builder as one of the demo's pages.
 *
 * The demo serves its modules one by one, without their types. A bundler would be a larger download than everything
 * else that the demo needs.
 *
 * @module
 */

import { readFile } from "node:fs/promises";
import * as nodeModule from "node:module";
import { fillTemplate, type InviteBuilderOptions, wholeStyle } from "../invite_builder/template.ts";
import { Html, html } from "../shared/html.ts";
import { brand } from "../shared/page.ts";

const root = new URL("../../", import.meta.url);
const main = "examples/invite_builder/main.ts";

/** Renders the page. Its links lead to the platform's authorize page and add the demo's own application. */
export async function inviteBuilderPage(
  options: Pick<InviteBuilderOptions, "authorizeUrl" | "clientId">,
): Promise<Response> {
  const nonce = crypto.randomUUID();
  const [template, style] = await Promise.all([
    read("examples/invite_builder/index.html"),
    read("examples/invite_builder/style.css"),
  ]);
  const header = html`<div class="actions">${brand("/", "demo")} <a href="/">← Start</a></div>`;
  const page = fillTemplate(template, { ...options, brand: header }, {
    style: html`<style nonce="${nonce}">${new Html(wholeStyle(style))}</style>`,
    script: html`<script type="module" src="/invite/${main}"></script>`,
  });
  return new Response(page, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; style-src 'nonce-${nonce}'; ` +
        "script-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; " +
        "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    },
  });
}

/** Answers with one of the page's modules, or returns `null` if there is none at the path. */
export async function serveInviteBuilderModule(pathname: string): Promise<Response | null> {
  const [, path] =
    /^\/invite\/((?:examples\/invite_builder|src(?:\/core|\/links|\/permissions)?)\/\w+\.ts)$/
      .exec(pathname) ?? [];
  const source = path && await read(path).catch(() => null);
  if (!source) return null;
  return new Response(nodeModule.stripTypeScriptTypes(source), {
    headers: {
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}

function read(path: string): Promise<string> {
  return readFile(new URL(path, root), "utf8");
}
