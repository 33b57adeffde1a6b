/**
 * A page of an example, for examples whose pages a server makes: the header, the look, and headers that keep scripts,
 * frames and requests to other sites out.
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
 *     <h1>A whole login, on your machine</h1>
 *     <p class="actions"><a class="button" href="/login">Log in with Discord</a></p>
 *   `,
 * });
 * ```
 *
 * `style.ts` lists the classes.
 *
 * @module
 */

import { Html, html } from "./html.ts";
import { style } from "./style.ts";

/** What is on a page. */
export interface Page {
  /** Which example it is, in a word or two. It stands beside the name. */
  readonly example: string;
  /** What the window is called. */
  readonly title: string;
  /** What is below the header. The parts have a gap between them. */
  readonly content: Html;
  /** Links and buttons on the right of the header. */
  readonly links?: Html;
  /** Where the name in the header leads, or `null` when there is no start page. @default {"/"} */
  readonly home?: string | null;
  /** For a page with little on it. @default {false} */
  readonly isNarrow?: boolean;
  /** The status of the response. @default {200} */
  readonly status?: number;
  /** The origin of the images, or `'self'`. By default there are none. */
  readonly images?: string;
}

/** The page as a response. */
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
        <title>${title} · guildpass</title>
        <link rel="icon" href="${icon}">
        <style nonce="${nonce}">${new Html(style)}</style>
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
        `img-src data: ${images}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      "cache-control": "no-store",
      // The address of a callback has a code in it.
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
    },
  });
}

/** What a page says that says one thing. */
export interface Message extends Pick<Page, "example" | "home" | "status" | "title"> {
  readonly text: string;
  /** The ways on, as links or buttons. */
  readonly actions?: Html;
}

/** A page that says one thing: what happened, and how to go on. */
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

/** Whose page it is. */
export interface Owner {
  /** For screen readers: what the ticket is about. */
  readonly label: string;
  readonly picture: Html;
  readonly name: string;
  /** What is below the name. */
  readonly text: string;
  /** What can be done. It is on the part that tears off. */
  readonly actions: Html;
}

/** The ticket at the head of a page about a person or a guild. */
export function ownersTicket({ label, picture, name, text, actions }: Owner): Html {
  return html`
    <section class="ticket wide" aria-label="${label}">
      <div class="stub">
        <div class="entry">
          ${picture}
          <div>
            <h1>${name}</h1>
            <p class="muted">${text}</p>
          </div>
        </div>
      </div>
      <div class="tear" aria-hidden="true"></div>
      <div class="stub actions">${actions}</div>
    </section>
  `;
}

/** A person or a guild; initials where there is no image. Hidden from screen readers, because the name is beside it. */
export function picture(
  url: string | null,
  name: string,
  kind: "" | "large" | "large round" = "",
): Html {
  const initials = name.split(/\s+/, 2).map((word) => [...word][0]).join("");
  return url
    ? html`<img class="picture ${kind}" src="${url}" alt="" width="64" height="64">`
    : html`<span class="picture ${kind}" aria-hidden="true">${initials}</span>`;
}

/** The ticket, the name, and which example this is: the left of the header. */
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

/** In the page itself: browsers would ask every server for one. */
const icon = "data:image/svg+xml," + encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#473bb8" d="M5 7h22a2 2 0 0 1 2 2v4a3 3 0 0 0 0 6v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4a3 3 0 0 0 0-6V9a2 2 0 0 1 2-2z"/><path stroke="#fff" stroke-width="2" stroke-dasharray="2 2.6" d="M20 8v16"/></svg>`,
);
