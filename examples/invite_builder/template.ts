/**
 * Fills in `index.html`, for the build and for the demo.
 *
 * @module
 */

import { type Html, html } from "../shared/html.ts";
import { brand as usualBrand } from "../shared/page.ts";
import { style as sharedStyle } from "../shared/style.ts";

/** The settings of a site that serves the page. */
export interface InviteBuilderOptions {
  /** The authorize page of the links. @default {Discord's} */
  readonly authorizeUrl?: string | undefined;
  /** The client ID at the start. @default {none} */
  readonly clientId?: string | undefined;
  /** The left of the header. @default {the name of this library} */
  readonly brand?: Html | undefined;
}

/** The elements with the style and the script of the page. */
export interface Assets {
  /** Replaces the link to `style.css`. */
  readonly style: Html;
  /** Replaces the script `main.ts`. */
  readonly script: Html;
}

/** Fills the settings and assets into the text of `index.html`. */
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

/** Returns the style of the page: the shared style of all examples, then the text of `style.css`. */
export function wholeStyle(ownStyle: string): string {
  return sharedStyle + ownStyle;
}

/** Returns an empty `meta` element of the template, and the same element with a value. */
function metaElement(name: string, content: string): [from: string, to: string] {
  const element = (value: string): string => String(html`<meta name="${name}" content="${value}">`);
  return [element(""), element(content)];
}

/** Replaces a text that must occur once. Uses a function, because `replace` would interpret a `$&` in a minified script. */
export function replaceOnce(text: string, from: string, to: string): string {
  if (text.split(from).length !== 2) throw Error(`index.html must have "${from}" exactly once`);
  return text.replace(from, () => to);
}
