/**
 * Fills `index.html` in, for whoever builds or serves the page.
 *
 * @module
 */

import { type Html, html } from "../shared/html.ts";
import { brand as usualBrand } from "../shared/page.ts";
import { style as sharedStyle } from "../shared/style.ts";

/** What a site can set that has the page among its own. */
export interface InviteBuilderOptions {
  /** The authorize page that the links lead to. @default {Discord's} */
  readonly authorizeUrl?: string | undefined;
  /** The client ID that the page starts with. @default {none} */
  readonly clientId?: string | undefined;
  /** What is on the left of the header. @default {the name of this library} */
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
  { authorizeUrl = "", clientId = "", brand = usualBrand(null, "invite builder") }:
    InviteBuilderOptions,
  { style, script }: Assets,
): string {
  return [
    metaElement("authorize-url", authorizeUrl),
    metaElement("client-id", clientId),
    [`<p class="brand"></p>`, String(brand)],
    [`<link rel="stylesheet" href="style.css">`, String(style)],
    [`<script src="main.ts"></script>`, String(script)],
  ].reduce((page, [from = "", to = ""]) => replaceOnce(page, from, to), template);
}

/** The style of the page: what all examples share, then the text of `style.css`. */
export function wholeStyle(ownStyle: string): string {
  return sharedStyle + ownStyle;
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
