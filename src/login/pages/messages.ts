/**
 * The messages of the built-in pages, in words for people without knowledge of OAuth.
 *
 * @module
 */

import { GuildpassError, OAuthError } from "../../core/errors.ts";
import { maxStatedSeconds } from "../../http/waits.ts";
import { type ErrorKind, errorKindOf, pageSummary } from "../base/error_kind.ts";
import { LoginError } from "../base/login_error.ts";
import type { Action, Message } from "./message_page.ts";

/** The links of a page. */
export interface PageLinks {
  readonly loginPath: string;
  readonly logoutPath: string;
  /** The origin of the login. */
  readonly origin?: string;
  /** The button that repeats the failed request, if a retry may help. */
  readonly retry?: Action | undefined;
  /** True if the URL of the callback has a guild id: Discord may have added a bot even if the login failed. */
  readonly namesGuild?: boolean | undefined;
  /** The page to go back to after a refused consent for additional scopes. */
  readonly backPath?: string | undefined;
  /** True if the application runs on localhost: the visitor is then the developer, and pages may show hints. */
  readonly isLocal: boolean;
}

/** A message about a kind of errors. */
interface ErrorMessage {
  readonly title: string;
  /** `{wait}` stands for the remaining time of a rate limit or a block, `{message}` for the message of the error. */
  readonly text: string;
  /** The first button. `"retry"` becomes a new login if the request can't be repeated. */
  readonly button: "log in" | "log in here" | "log out" | "retry" | "none";
}

const somethingWrong = {
  title: "Something went wrong",
  text: "This isn't your fault. Please try again, and let us know if it keeps happening.",
} as const;

/** The message for a person with a session who refused additional scopes. */
const canceledConsent: Message = {
  status: 403,
  code: "access_denied",
  title: "Nothing has changed",
  text: "You canceled on Discord's page, so nothing was shared. Your login here stays the same.",
  actions: [],
};

const errorMessages: Readonly<Record<ErrorKind, ErrorMessage>> = {
  refused_consent: {
    title: "You canceled the login",
    text: "Nothing was shared with this site. You can log in whenever you like.",
    button: "log in",
  },
  // The cookie of the login is missing. Its absence does not tell the cause, and on phones, the first one is the most common.
  unknown_login: {
    title: "This login can't be finished here",
    text:
      "You probably began it in another browser or app. Go back there and try again, or log in here. " +
      "You also see this page if the login expired or your browser blocks cookies.",
    button: "log in here",
  },
  ended_login: {
    title: "This login has expired",
    text: "It took too long, or this page was already opened. Please log in again.",
    button: "log in",
  },
  bad_callback: {
    title: "This link doesn't work",
    text: "It isn't from Discord, or part of it is missing. Please log in again.",
    button: "log in",
  },
  // A browser does not send the session cookie with such a request, so the login can't know if the visitor is logged in.
  cross_site: {
    title: "You weren't logged out",
    text: "Another site tried to log you out of this one. If you want to log out, do it here.",
    button: "log out",
  },
  wrong_address: {
    title: "The address is wrong",
    text: "Please open this site at its own address.",
    button: "none",
  },
  lost_callback: {
    title: "The address is wrong",
    text: "{message}. This isn't your fault. Please let us know.",
    button: "log in",
  },
  refused_token: {
    title: "Discord won't accept your login",
    text:
      "Discord gave this site access to your account, then took it back. To fix this, open Discord and go to " +
      "User Settings > Authorized Apps. Remove this application there, then come back and log in again.",
    button: "log in",
  },
  not_a_member: {
    title: "This site is for members",
    text:
      "Your Discord account isn't a member of the server that this site belongs to, or doesn't have the role it needs. " +
      "Once that has changed, log in again.",
    button: "log in",
  },
  other_person: {
    title: "That was a different login",
    text:
      "You chose a different account on Discord's page, or you were logged out here in the meantime. Nothing has changed. " +
      "Log in with the account you want to use, and try again.",
    button: "log in",
  },
  blocked: {
    title: "Discord is blocking this site",
    text:
      "Discord has blocked this site for a while. This isn't your fault. Please try again {wait}.",
    button: "retry",
  },
  limit_of_person: {
    title: "Please wait a moment",
    text:
      "Discord allows only a few requests per person in a short time, and you've used up yours. " +
      "Please try again {wait}.",
    button: "retry",
  },
  too_many_failures: {
    title: "Too many failed logins",
    text: "They came from your network, but perhaps not from you. Please try again {wait}.",
    button: "retry",
  },
  limit: {
    title: "Discord is busy",
    text: "Too many people are logging in right now. Please try again {wait}.",
    button: "retry",
  },
  slow_store: {
    title: "This site is slow right now",
    text: "The site couldn't load its data in time. Please try again in a moment.",
    button: "retry",
  },
  no_response: {
    title: "Discord isn't responding",
    text: "Discord didn't respond as expected, so your login isn't complete. Please try again.",
    button: "retry",
  },
  unverified: {
    title: "Verify your Discord account",
    text: "Verify your email address or phone number on Discord first. Then log in here again.",
    button: "retry",
  },
  refused: {
    title: "Discord refused your login",
    text: "Please log in again, and let us know if it keeps happening.",
    button: "retry",
  },
  // A retry would use the same token.
  wrong_token: { ...somethingWrong, button: "log in" },
  other: { ...somethingWrong, button: "retry" },
};

const home: Action = { label: "Go to the home page", href: "/" };

/** Returns the message about an error. */
export function messageAbout(error: unknown, links: PageLinks): Message {
  const kind = errorKindOf(error);
  const isRefused = kind === "refused_consent";
  if (links.backPath !== undefined && isRefused) {
    return { ...canceledConsent, actions: [{ label: "Go back", href: links.backPath }, home] };
  }
  if (links.namesGuild && (kind === "unknown_login" || kind === "ended_login")) {
    return { ...botMessage, hint: hintFor(error, links) };
  }
  const { title, text, button } = errorMessages[kind];
  const logIn: Action = { label: "Log in", href: links.loginPath };
  const buttons = {
    "log in": logIn,
    "log in here": { ...logIn, label: "Log in here" },
    "log out": logOutAction(links),
    retry: links.retry ?? logIn,
  };
  const message = error instanceof LoginError ? error.message : "";
  const isElsewhere = error instanceof LoginError && error.reason === "other_origin";
  const logInThere = { label: `Log in at ${links.origin}`, href: links.origin + links.loginPath };
  const retryAfter = error instanceof GuildpassError ? error.retryAfter : null;
  return {
    ...pageSummary(error),
    title,
    text: text.replace("{wait}", waitInWords(retryAfter)).replace("{message}", () => message),
    // A page at the same address would end in the same way.
    actions: isElsewhere ? [logInThere] : button === "none" ? [] : [buttons[button], home],
    // A developer can't fix a canceled consent.
    hint: isRefused ? undefined : hintFor(error, links),
    retryAfter: retryAfter && Math.min(retryAfter, maxStatedSeconds),
  };
}

/**
 * Returns the error and its hint if the application runs on localhost. Leaves out the message of an error of the application, since it may
 * have a secret, and the text of a callback, since any visitor can write it.
 */
function hintFor(error: unknown, { isLocal }: PageLinks): string | undefined {
  if (!isLocal) return undefined;
  if (!(error instanceof GuildpassError)) {
    return "The server's terminal shows the error, or onError received it";
  }
  const { code, message, hint } = error;
  if (error instanceof OAuthError && error.httpStatus === null) return hint;
  return `${code}: ${message}${hint ? `. ${hint}` : ""}`;
}

/** Returns the message that asks a visitor to confirm a logout after following a link. Another site can have such a link too. */
export function logoutQuestion(links: PageLinks): Message {
  const { logoutPath, isLocal } = links;
  return {
    status: 405,
    code: "method_not_allowed",
    title: "Do you want to log out?",
    text: "This logs you out in this browser.",
    actions: [logOutAction(links), home],
    hint: isLocal
      ? `On your pages, log out with a form: <form method="post" action="${logoutPath}"><button>Log out</button></form>`
      : undefined,
  };
}

/**
 * The message if a login has ended and its callback has a guild id. The message does not name the guild, because any visitor can write a
 * guild id into a link.
 */
export const botMessage: Message = {
  status: 400,
  code: "state_mismatch",
  title: "Was the bot added?",
  text:
    "This page was opened twice, or too late. Check your server on Discord. If the bot isn't there, add it again.",
  actions: [home],
};

/** The message about an invalid `Host` header. Without links: the browser would repeat the header. */
export const wrongAddress: Message = {
  status: 400,
  code: "invalid_request",
  title: "The address is wrong",
  text: "Please check the address, and try again.",
  actions: [],
};

function logOutAction({ logoutPath }: PageLinks): Action {
  return { label: "Log out", href: logoutPath, isPost: true };
}

/** Returns a wait in words, as in "in 5 seconds". */
function waitInWords(seconds: number | null): string {
  if (seconds === null) return "in a moment";
  // No wait of Discord is longer, but onLogin may throw an error with any number.
  if (seconds > maxStatedSeconds) return "tomorrow";
  const [count, unit] = seconds <= 90
    ? [Math.max(1, Math.ceil(seconds)), "second"]
    : seconds <= 90 * 60
    // A wait of five minutes may be a second longer, so that not all clients send at the same moment.
    ? [Math.ceil(seconds / 60 - 0.1), "minute"]
    : [Math.ceil(seconds / 3600 - 0.1), "hour"];
  return `in ${count} ${unit}${count === 1 ? "" : "s"}`;
}
