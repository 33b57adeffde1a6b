/**
 * The part of a page that shows what happened in a login, and what each step proves.
 *
 * @module
 */

import { type Html, html } from "../shared/html.ts";
import type { Step, StepKind } from "./steps.ts";

/** The title of each step, and what it proves. */
const texts: Readonly<Record<StepKind, readonly [title: string, text: string]>> = {
  authorization: [
    "The demo sent you to the consent page",
    "The state ties this login to your browser, because an encrypted cookie has the same state. The code challenge is a hash of the verifier. " +
    "Only the server can decrypt the cookie that has the verifier.",
  ],
  callback: [
    "You came back with a code",
    "The server compared the state with the one in your cookie, so another person's link can't log you in to their account.",
  ],
  exchange: [
    "The server exchanged the code for a token",
    "The client secret proves which application sent the request. The verifier proves that this application began the login. " +
    "The code only works once, so the server sends this request once.",
  ],
  user: [
    "The server asked who you are",
    "The token decides who is logged in, not your browser.",
  ],
  session: [
    "You got a session",
    "Your browser has a cookie that scripts can't read. The token stays on the server.",
  ],
  guilds: [
    "The server read your guilds",
    "The platform allows this because you granted the scope guilds, which only allows reading.",
  ],
  bot: [
    "The bot read a guild",
    "Only a bot in the guild can read its details. Your token can't.",
  ],
  refresh: [
    "The server got a new token",
    "The old one no longer worked. The refresh token replaced it without a visit to the consent page.",
  ],
  replay: [
    "A second browser tried your callback",
    "The server refused the login, because that browser didn't begin it. The code wasn't sent to the platform.",
  ],
  logout: [
    "You logged out",
    "The server deleted the session, so a copy of your cookie is now worthless too.",
  ],
};

/** Renders the steps, folded. Renders nothing before the first one. */
export function stepsPart(
  steps: readonly Step[],
  { isOpen = false, canReplay = false }: {
    readonly isOpen?: boolean;
    readonly canReplay?: boolean;
  },
): Html {
  if (steps.length === 0) return html``;
  const replay = html`
    <form method="post" action="/replay">
      <button class="button quiet small">Try my callback in a second browser</button>
    </form>
  `;
  return html`
    <details class="card" id="steps" ${isOpen ? "open" : ""}>
      <summary>What just happened, step by step <span class="count">${steps.length}</span></summary>
      <ol class="steps">${steps.map(stepItem)}</ol>
      ${canReplay ? replay : ""}
    </details>
  `;
}

function stepItem({ kind, request, fields, status }: Step): Html {
  const [title, text] = texts[kind];
  return html`
    <li>
      <details>
        <summary>${title}</summary>
        <p><code>${request}</code> <span class="muted">status ${status}</span></p>
        <ul>${fields.map((field) => html`<li><code>${field}</code></li>`)}</ul>
        <p class="muted">${text}</p>
      </details>
    </li>
  `;
}
