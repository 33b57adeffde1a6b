/**
 * The built-in pages of a login: each has a message and buttons.
 *
 * @module
 */

import { generateState } from "../../links/pkce.ts";

/** A button or a link of a page. */
export interface Action {
  readonly label: string;
  /** A path of this site, or the target of a login that ends elsewhere. An empty text means the URL of the page itself. */
  readonly href: string;
  /** True for an action that changes data. Such an action needs a form. */
  readonly isPost?: boolean;
}

/** The content of a page. */
export interface Message {
  readonly status: number;
  /** The `error` of the JSON response. */
  readonly code: string;
  /** The `code` of a JSON response to an app, which is more exact. */
  readonly reason?: string | undefined;
  readonly title: string;
  readonly text: string;
  readonly actions: readonly Action[];
  /** A hint for the developer, shown only on localhost. */
  readonly hint?: string | undefined;
  /** The time to wait before a retry, in seconds. */
  readonly retryAfter?: number | null;
}

/** Returns a response with a message: a page, or JSON for a client that asks for JSON. */
export function pageResponse(message: Message, request: Request): Response {
  const accept = request.headers.get("accept") ?? "";
  if (/\bapplication\/json\b/.test(accept) && !/\btext\/html\b/.test(accept)) {
    return jsonResponse(message, new Headers({ "cache-control": "no-store", vary: "accept" }));
  }
  return htmlResponse(message, "same-origin");
}

/** Returns a page with a message. */
export function htmlResponse(
  message: Message,
  referrerPolicy: "same-origin" | "no-referrer",
): Response {
  const nonce = generateState();
  const headers = pageHeaders(nonce, referrerPolicy);
  setRetryAfter(headers, message);
  return new Response(pageHtml(message, nonce), { status: message.status, headers });
}

/** Returns a response with a message as JSON. */
export function jsonResponse(message: Message, headers: Headers): Response {
  const { status, code, reason, title, text } = message;
  setRetryAfter(headers, message);
  const content = { error: code, code: reason, message: `${title}. ${text}` };
  return Response.json(content, { status, headers });
}

/**
 * Returns headers that keep a page out of caches and frames, and let it load nothing.
 *
 * @param nonce The nonce of the page's style.
 */
function pageHeaders(nonce: string, referrerPolicy: string): Headers {
  return new Headers({
    "cache-control": "no-store",
    vary: "accept",
    "content-type": "text/html; charset=utf-8",
    // There is no form-action, since Chromium applies it to redirects too, and a logout may redirect to the consent page.
    "content-security-policy":
      `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; frame-ancestors 'none'`,
    "referrer-policy": referrerPolicy,
    "x-content-type-options": "nosniff",
  });
}

function setRetryAfter(headers: Headers, { retryAfter }: Message): void {
  if (retryAfter) headers.set("retry-after", String(Math.ceil(retryAfter)));
}

function pageHtml({ title, text, actions, hint }: Message, nonce: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${
    hint === undefined
      ? ""
      : `<p class="hint"><strong>For you as the developer:</strong> ${escapeHtml(hint)}</p>\n`
  }<div class="actions">${actions.map(actionHtml).join("\n")}</div>
</main>
</body>
</html>
`;
}

function actionHtml({ label, href, isPost }: Action): string {
  const address = escapeHtml(href);
  return isPost
    ? `<form method="post" action="${address}"><button>${escapeHtml(label)}</button></form>`
    : `<a href="${address}">${escapeHtml(label)}</a>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

// The colors are those of the examples.
const style = `
:root { color-scheme: light dark; --page: #f3f0e9; --card: #fffdf9; --text: #231f2e; --border: #e3ddd0; --accent: #473bb8; --on-accent: #fffdf9; --accent-border: #c9c3f0 }
@media (prefers-color-scheme: dark) {
  :root { --page: #15141a; --card: #1d1b24; --text: #eeebf5; --border: #32303c; --accent: #b3a8ff; --on-accent: #1d1b24; --accent-border: #4d4780 }
}
body { box-sizing: border-box; margin: 0; min-height: 100vh; padding: 1rem; display: grid; place-items: center; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif }
main { box-sizing: border-box; width: min(34rem, 100%); padding: 1.75rem; background: var(--card); border: 1px solid var(--border); border-radius: 18px }
h1 { margin: 0 0 .5rem; font-size: 1.75rem; line-height: 1.15; letter-spacing: -.03em }
p { margin: 0 0 1rem }
.hint { padding: .75rem 1rem; border: 1px solid var(--border); border-radius: 12px; overflow-wrap: anywhere }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.5rem 0 0 }
a, button { padding: .625rem 1.25rem; border: 1px solid var(--accent-border); border-radius: 11px; color: var(--accent); background: none; font: inherit; font-weight: 600; text-decoration: none; cursor: pointer }
a:first-child, button { border-color: var(--accent); background: var(--accent); color: var(--on-accent) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
form { margin: 0 }
`;
