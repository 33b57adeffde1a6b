/**
 * The pages of the examples with a server: a header, the look, and response headers against frames, requests to other sites, and
 * all scripts except the page's own.
 *
 * ```ts
 * import { html } from "./html.ts";
 * import { page } from "./page.ts";
 *
 * page({
 *   example: "demo",
 *   title: "Log in",
 *   isNarrow: true,
 *   content: html`
 *     <h1>A whole login on your machine</h1>
 *     <p class="actions"><a class="button" href="/login">Log in with Discord</a></p>
 *   `,
 * });
 * ```
 *
 * `style.ts` lists the classes.
 *
 * @module
 */

import { Html, html, type HtmlValue } from "./html.ts";
import { style } from "./style.ts";

/** The content of a page. */
export interface Page {
  /** The name of the example, in a word or two. It stands beside the name of the library. */
  readonly example: string;
  /** The title of the window. */
  readonly title: string;
  /** The parts below the header, with a gap between them. */
  readonly content: Html;
  /** Links and buttons on the right of the header. */
  readonly links?: Html;
  /** The target of the name in the header, or `null` if there is no start page. @default {"/"} */
  readonly home?: string | null;
  /** True for a page with little content. @default {false} */
  readonly isNarrow?: boolean;
  /** The status of the response. @default {200} */
  readonly status?: number;
  /** The origin of the images, or `'self'`. By default, the page may load no images. */
  readonly images?: string;
  /** The address of a module that the page runs. By default, the page may run no script. */
  readonly script?: string;
  /** The origin to which the script may send requests. By default, there is none. */
  readonly connect?: string;
  /** The origin of the frames in the page. By default, it may have none. */
  readonly frames?: string;
  /** The origin that may show the page in a frame. By default, there is none. */
  readonly framedBy?: string;
}

/** Renders a page. */
export function page(
  {
    example,
    title,
    content,
    links = html``,
    home = "/",
    isNarrow = false,
    status = 200,
    images = "",
    script,
    connect,
    frames,
    framedBy = "'none'",
  }: Page,
): Response {
  const nonce = crypto.randomUUID();
  const document = html`
    <!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>&#x2068;${title}&#x2069; · guildpass</title>
        <link rel="icon" href="${icon}">
        <style nonce="${nonce}">${new Html(style)}</style>
        ${script === undefined ? "" : html`
          <script type="module" nonce="${nonce}" src="${script}"></script>
        `}
      </head>
      <body class="${isNarrow ? "narrow" : ""}">
        <header class="masthead">
          ${brand(home, example)}
          <div class="actions">${links}</div>
        </header>
        <main class="page stack">
          ${content}
        </main>
      </body>
    </html>
  `;
  return new Response(document.toString().trim(), {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; style-src 'nonce-${nonce}'; ` +
        `img-src data: ${images}; form-action 'self'; base-uri 'none'; frame-ancestors ${framedBy}` +
        (script === undefined ? "" : scriptPolicy(nonce)) +
        (connect === undefined ? "" : `; connect-src ${connect}`) +
        (frames === undefined ? "" : `; frame-src ${frames}`),
      "cache-control": "no-store",
      // The address of a callback contains a code.
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
    },
  });
}

/** Allows the scripts with the nonce and the modules that they import, none of which can parse HTML. */
function scriptPolicy(nonce: string): string {
  return `; script-src 'nonce-${nonce}'; require-trusted-types-for 'script'; trusted-types 'none'`;
}

/** The content of {@link messagePage}. */
export interface Message
  extends Pick<Page, "connect" | "example" | "home" | "script" | "status" | "title"> {
  readonly text: string;
  /** Links or buttons that lead on. */
  readonly actions?: Html;
}

/** Renders a page that says what happened and offers ways to go on. */
export function messagePage({ text, actions, ...rest }: Message): Response {
  const role = (rest.status ?? 200) < 400 ? "status" : "alert";
  return page({
    ...rest,
    isNarrow: true,
    content: html`
      <section class="card stack">
        <h1>${rest.title}</h1>
        <p class="lead" role="${role}">${text}</p>
        ${actions ? html`<div class="actions">${actions}</div>` : ""}
      </section>
    `,
  });
}

/** The content of {@link ownersTicket}: the owner of the page. */
export interface Owner {
  /** The label of the ticket for screen readers. */
  readonly label: string;
  readonly picture: Html;
  readonly name: string;
  /** The text below the name. */
  readonly text: HtmlValue;
  /** Links or buttons on the part that tears off. */
  readonly actions: Html;
}

/** Renders the ticket at the top of a page about a person or a guild. */
export function ownersTicket({ label, picture, name, text, actions }: Owner): Html {
  return html`
    <section class="ticket wide" aria-label="${label}">
      <div class="stub">
        <div class="entry">
          ${picture}
          <div>
            <h1>${nameHtml(name)}</h1>
            <p class="muted">${text}</p>
          </div>
        </div>
      </div>
      <div class="tear" aria-hidden="true"></div>
      <div class="stub actions">${actions}</div>
    </section>
  `;
}

/** Renders a name. A right-to-left name does not change the order of the text around it. */
export function nameHtml(name: string): Html {
  return html`<bdi>${visibleName(name)}</bdi>`;
}

/** Returns a name, or a replacement for a name without a visible character. */
export function visibleName(name: string): string {
  return isVisible(name) ? name : "(no name)";
}

/** Returns true if a text has a letter, a number, a punctuation mark or a symbol, except fillers and the blank of Braille. */
function isVisible(text: string): boolean {
  return /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u.test(text);
}

/** Renders the image of a person or a guild, or their initials. Screen readers skip it, because the name is beside it. */
export function picture(
  url: string | null,
  name: string,
  kind: "" | "large" | "large round" = "",
): Html {
  const initials = name.split(/\s+/, 2).map((word) => [...word].find(isVisible) ?? "").join("");
  return url
    ? html`<img class="picture ${kind}" src="${url}" alt="" width="64" height="64">`
    : html`<span class="picture ${kind}" aria-hidden="true">${initials}</span>`;
}

/** Renders the left of the header: the logo, the name of the library, and the name of the example. */
export function brand(home: string | null, example: string): Html {
  const name = html`
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path
        d="M4 5.5h16A1.5 1.5 0 0 1 21.5 7v3a2 2 0 0 0 0 4v3a1.5 1.5 0 0 1-1.5 1.5H4A1.5 1.5 0 0 1 2.5 17v-3a2 2 0 0 0 0-4V7A1.5 1.5 0 0 1 4 5.5z" />
      <path d="M15 6v12" stroke-dasharray="1.8 2.2" />
    </svg>guildpass
  `;
  return html`<p class="brand">${
    home === null ? name : html`<a href="${home}">${name}</a>`
  } <span class="muted">${example}</span></p>`;
}

/** The icon, in the page itself, because browsers would otherwise request it from every server. */
const icon = "data:image/svg+xml," + encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#473bb8" d="M5 7h22a2 2 0 0 1 2 2v4a3 3 0 0 0 0 6v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4a3 3 0 0 0 0-6V9a2 2 0 0 1 2-2z"/><path stroke="#fff" stroke-width="2" stroke-dasharray="2 2.6" d="M20 8v16"/></svg>`,
);
