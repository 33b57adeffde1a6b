/**
 * The invite builder as one of the demo's pages.
 *
 * @module
 */

import { fillTemplate, type InviteBuilderOptions, wholeStyle } from "../invite_builder/template.ts";
import { Html, html } from "../shared/html.ts";
import { brand } from "../shared/page.ts";
import { moduleAddress, readRepositoryFile } from "./modules.ts";

const main = moduleAddress("examples/invite_builder/main");

/** Renders the page. Its links lead to the platform's authorize page and add the demo's own application. */
export async function inviteBuilderPage(
  options: Pick<InviteBuilderOptions, "authorizeUrl" | "clientId">,
): Promise<Response> {
  const nonce = crypto.randomUUID();
  const [template, style] = await Promise.all([
    readRepositoryFile("examples/invite_builder/index.html"),
    readRepositoryFile("examples/invite_builder/style.css"),
  ]);
  const header = html`<div class="actions">${brand("/", "demo")} <a href="/">← Start</a></div>`;
  const page = fillTemplate(template, { ...options, brand: header }, {
    style: html`<style nonce="${nonce}">${new Html(wholeStyle(style))}</style>`,
    script: html`<script type="module" src="${main}"></script>`,
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
