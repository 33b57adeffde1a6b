/**
 * Fills `index.html` in, for whoever builds or serves the page.
 *
 * @module
 */

import { type Html, html } from "../shared/html.ts";
import { tokens } from "../shared/tokens.ts";

/** What a site can set that has the page among its own. */
export interface InviteBuilderOptions {
  /** The authorize page that the links lead to. @default {Discord's} */
  readonly authorizeUrl?: string | undefined;
  /** The client ID that the page starts with. @default {none} */
  readonly clientId?: string | undefined;
  /** In place of the line above the heading with the name of this library. */
  readonly brand?: Html | undefined;
}

/** How the page gets its style and its script. */
export interface Assets {
  /** In place of the link to `style.css`. */
  readonly style: Html;
  /** In place of the script `main.ts`. */
  readonly script: Html;
}

/** The text of `index.html` with everything that it lacks. */
export function fillTemplate(
  template: string,
  { authorizeUrl = "", clientId = "", brand }: InviteBuilderOptions,
  { style, script }: Assets,
): string {
  const [ownBrand = ""] = /(<p class="brand">.*?<\/p>)/s.exec(template) ?? [];
  return [
    metaElement("authorize-url", authorizeUrl),
    metaElement("client-id", clientId),
    [ownBrand, String(brand ?? ownBrand)],
    [`<link rel="stylesheet" href="style.css">`, String(style)],
    [`<script src="main.ts"></script>`, String(script)],
  ].reduce((page, [from = "", to = ""]) => replaceOnce(page, from, to), template);
}

/** The style of the page: what all examples share, then the text of `style.css`. */
export function wholeStyle(ownStyle: string): string {
  return tokens + ownStyle;
}

/** An empty `meta` element of the template, and the same with a value. */
function metaElement(name: string, content: string): [from: string, to: string] {
  const element = (value: string): string => String(html`<meta name="${name}" content="${value}">`);
  return [element(""), element(content)];
}

/** Replaces by a function, because `replace` would give a `$&` in a minified script a meaning. */
export function replaceOnce(text: string, from: string, to: string): string {
  if (text.split(from).length !== 2) throw Error(`index.html must have "${from}" exactly once`);
  return text.replace(from, () => to);
}
