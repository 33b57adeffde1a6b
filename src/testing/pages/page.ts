/**
 * Builds the frame and the style that every page has, and the pages with one message.
 *
 * @module
 */

import { randomToken } from "../world/tokens.ts";

/** The appearance and the status of a page. */
export interface PageOptions {
  /** @default {200} */
  readonly status?: number;
  /** True for a page with long lines. @default {false} */
  readonly isWide?: boolean;
}

/**
 * Creates a page.
 *
 * @param content The HTML. All variable text in it must be escaped.
 */
export function htmlPage(
  title: string,
  content: string,
  { status = 200, isWide = false }: PageOptions = {},
): Response {
  const nonce = randomToken("nonce");
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}">
<style nonce="${nonce}">${pageStyle}</style>
</head>
<body>
<main${isWide ? ` class="wide"` : ""}>
${content}
</main>
</body>
</html>
`;
  return new Response(html, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      // Without form-action: browsers apply it to every redirect after the form, and an application may redirect anywhere
      // after its callback.
      "content-security-policy": "default-src 'none'; img-src 'self' data:; " +
        `style-src 'nonce-${nonce}'; base-uri 'none'; frame-ancestors 'none'`,
      // With "no-referrer", browsers would hide the origin of this page's own forms.
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    },
  });
}

/** Creates a page with one message. */
export function notePage(title: string, message: string, status = 200): Response {
  const role = status < 400 ? "status" : "alert";
  return htmlPage(
    title,
    `<header><h1>${escapeHtml(title)}</h1></header>
<p role="${role}">${escapeHtml(message)}</p>`,
    { status },
  );
}

/** Creates an error page. */
export function errorPage(message: string, status: number): Response {
  return notePage("Something went wrong", message, status);
}

/** Creates the page for an unknown path. */
export function notFoundPage(): Response {
  return htmlPage(
    "Not found",
    `<header><h1>Not found</h1></header>
<p role="alert">There is no such page on this platform.</p>
<p><a href="/">Go to the start page</a></p>`,
    { status: 404 },
  );
}

/** Creates the error page of the edge in front of the platform. */
export function edgePage(status: number): Response {
  const messages: Readonly<Record<number, string>> = {
    403: "The edge blocked this client. Error code 1020.",
    429: "The edge limits this address: it sent too many requests. Error code 1015.",
  };
  const message = messages[status] ?? `The platform can't be reached. Error code ${status}.`;
  return notePage(status < 500 ? "Access denied" : "Out of reach", message, status);
}

/** Escapes a text for HTML content and for attributes in double quotes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** The icon, in the page itself: otherwise, browsers request one, and the platform records the request. */
const icon =
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#4752c4"/><path d="M9 17l5 5 9-11" fill="none" stroke="#fff" stroke-width="3"/></svg>`;

const pageStyle = `
:root { color-scheme: light dark; --card: #fff; --page: #e9ebf3; --text: #1d2030; --dim: #555a70;
  --main: #4752c4; --link: #4752c4; --chip: #eef0f8 }
@media (prefers-color-scheme: dark) { :root { --card: #26283a; --page: #15161f; --text: #f1f2f8;
  --dim: #b0b4c8; --main: #5865f2; --link: #b3bbff; --chip: #34374e } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; grid-template-columns: minmax(0, 1fr);
  place-items: center; padding: 1rem; overflow-wrap: anywhere;
  background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif }
main { width: min(30rem, 100%); padding: clamp(1.25rem, 6vw, 1.75rem); border-radius: .75rem; background: var(--card);
  box-shadow: 0 .5rem 2rem #0003 }
main.wide { width: min(56rem, 100%) }
header { text-align: center }
header .tile { width: 4.5rem; height: 4.5rem; font-size: 2rem }
h1 { margin: .5rem 0; font-size: 1.4rem; line-height: 1.3 }
h1 span { display: block; font-size: .95rem; font-weight: 400; color: var(--dim) }
h2 { margin: 1.25rem 0 .5rem; font-size: .8rem; letter-spacing: .03em; text-transform: uppercase;
  color: var(--dim) }
ul { margin: 0; padding: 0; list-style: none }
.tile { flex: none; display: inline-grid; place-items: center; width: 2rem; height: 2rem; border-radius: 30%;
  background: var(--main); color: #fff; font-weight: 600 }
.ticks li { padding: .35rem 0 .35rem 1.9rem; position: relative }
.ticks li::before { content: "✓"; position: absolute; left: .2rem; font-weight: 700; color: #2b9a57 }
.accounts { display: grid; grid-template-columns: minmax(0, 1fr); gap: .4rem }
.accounts a { display: flex; align-items: center; gap: .7rem; padding: .5rem .7rem; color: inherit;
  text-decoration: none; border: 1px solid var(--dim); border-radius: .5rem }
.accounts a[aria-current] { border-color: var(--main); box-shadow: inset 0 0 0 1px var(--main) }
.name { min-width: 0 }
.name small { color: var(--dim) }
.chips { display: flex; flex-wrap: wrap; gap: .35rem }
.chips li { padding: .1rem .6rem; border-radius: 1rem; background: var(--chip); font-size: .85rem }
label { display: block; font-weight: 600 }
select, input:not([type=hidden]) { width: 100%; margin-top: .3rem; padding: .6rem; font: inherit; color: inherit;
  background: var(--card); border: 1px solid var(--dim); border-radius: .5rem }
footer { display: flex; gap: .75rem; margin-top: 1.5rem }
button { flex: 1; padding: .7rem; font: inherit; font-weight: 600; color: inherit; cursor: pointer;
  background: transparent; border: 1px solid var(--dim); border-radius: .5rem }
button.main { color: #fff; background: var(--main); border-color: var(--main) }
button:disabled { opacity: .5; cursor: not-allowed }
:focus-visible { outline: 3px solid var(--main); outline-offset: 2px }
code, bdi { text-transform: none }
[role=status] { text-align: center }
[role=alert] { padding: .75rem; border-radius: .5rem; background: #c0392b22; border: 1px solid #c0392b88 }
.wide section + section { margin-top: 2rem }
.wide p { margin: .75rem 0 .4rem }
.title, .people li { display: flex; align-items: center; gap: .7rem }
.people { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(16rem, 100%), 1fr)); gap: .7rem }
h3 { margin: 0; font-size: 1.1rem; min-width: 0 }
pre { margin: 0; padding: .75rem 1rem; border-radius: .5rem; background: var(--chip); font-size: .85rem;
  white-space: pre-wrap; user-select: all }
table { width: 100%; border-collapse: collapse; font-size: .9rem }
th, td { padding: .3rem .6rem .3rem 0; text-align: left; vertical-align: top }
th { color: var(--dim); font-weight: 600 }
button, th, td:not(.path) { overflow-wrap: normal }
.path { width: 100% }
a { color: var(--link) }
.small { margin: 1.25rem 0 0; font-size: .85rem; color: var(--dim); text-align: center }
`;
