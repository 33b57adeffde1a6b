/**
 * What the built-in pages say about an error, in words for people who know nothing of OAuth.
 *
 * @module
 */

import {
  ApiError,
  GuildpassError,
  IdTokenError,
  NetworkError,
  OAuthError,
  PayloadError,
  RateLimitError,
  StateMismatchError,
  StoreTimeoutError,
} from "../core/errors.ts";
import { LoginError } from "./login_error.ts";
import type { Action, Message } from "./message_page.ts";

/** Where a message can lead. */
export interface PageLinks {
  readonly loginPath: string;
  readonly logoutPath: string;
  /** What to do again when something has failed that may work the next time; a new login otherwise. */
  readonly again?: Action | undefined;
  /** Whether the application runs on this machine, where its visitor is its developer. */
  readonly isLocal: boolean;
}

/** Whether an error says that something is wrong with the application or the platform, and not with what a visitor did. */
export function isWorthLogging(error: unknown): boolean {
  if (error instanceof LoginError) return error.reason !== "used" && error.reason !== "cross_site";
  return !(error instanceof StateMismatchError || isRefusedConsent(error));
}

/** The message about an error. */
export function messageAbout(error: unknown, links: PageLinks): Message {
  const logIn: Action = { label: "Log in", href: links.loginPath };
  const home: Action = { label: "Go to the home page", href: "/" };
  const shared = {
    code: error instanceof GuildpassError ? error.code : "internal_error",
    actions: [logIn, home],
    hint: links.isLocal && error instanceof GuildpassError ? error.hint : undefined,
  };
  if (isRefusedConsent(error)) {
    return {
      ...shared,
      // The code of the error is the same for everything that the platform refuses.
      code: "access_denied",
      status: 403,
      title: "You did not log in",
      text:
        "You canceled on Discord's page, so nothing was shared. You can log in whenever you like.",
      // The person said no, so there is nothing for the developer to fix.
      hint: undefined,
    };
  }
  if (error instanceof StateMismatchError || isUsedCode(error) || isUsedCallback(error)) {
    return {
      ...shared,
      status: 400,
      title: "This login has ended",
      text:
        "A login must be finished within ten minutes, in the browser in which it began, which must accept cookies. " +
        "Please log in again.",
    };
  }
  if (error instanceof LoginError && error.reason === "cross_site") {
    return {
      ...shared,
      status: 403,
      title: "You are still logged in",
      text: "Another site tried to log you out. If you want to log out, do it here.",
      actions: [{ label: "Log out", href: links.logoutPath, isPost: true }, home],
    };
  }
  // A token that the platform refuses, or that is not for this login, will not do the next time either.
  const isAboutToken = error instanceof IdTokenError ||
    (error instanceof ApiError && error.httpStatus === 401);
  const actions = [isAboutToken ? logIn : links.again ?? logIn, home];
  if (error instanceof RateLimitError) {
    const { retryAfter } = error;
    return {
      ...shared,
      actions,
      status: 503,
      title: "Discord is busy",
      text: `Too many people are logging in right now. Please try again ${timeUntil(retryAfter)}.`,
      retryAfter: retryAfter && Math.min(retryAfter, longestWait),
    };
  }
  if (error instanceof StoreTimeoutError) {
    return {
      ...shared,
      actions,
      status: 503,
      title: "This site is slow right now",
      text: "It could not look up what it needs to know. Please try again in a moment.",
    };
  }
  const isTrouble = error instanceof NetworkError || error instanceof PayloadError ||
    (error instanceof ApiError && error.httpStatus >= 500);
  if (isTrouble) {
    return {
      ...shared,
      actions,
      status: 502,
      title: "Discord does not answer",
      text:
        "Your login could not be finished, since Discord did not answer as it should. Please try again.",
    };
  }
  return {
    ...shared,
    actions,
    status: 500,
    title: "Something went wrong",
    text: "This is not your fault. Please try again, and tell us if it happens again.",
  };
}

/** For somebody who has followed a link to the logout: another site can have such a link too. */
export function logoutQuestion({ logoutPath, isLocal }: PageLinks): Message {
  return {
    status: 405,
    code: "method_not_allowed",
    title: "Do you want to log out?",
    text: "Press the button, and your session in this browser ends.",
    actions: [
      { label: "Log out", href: logoutPath, isPost: true },
      { label: "Go to the home page", href: "/" },
    ],
    hint: isLocal
      ? `Log out with a form and not with a link: <form method="post" action="${logoutPath}"><button>Log out</button></form>`
      : undefined,
  };
}

/** The longest time that somebody is told to wait, in seconds. */
const longestWait = 86_400;

/** As in "in 5 seconds"; the time is in seconds. */
function timeUntil(seconds: number | null): string {
  if (seconds === null) return "in a moment";
  // Nobody waits that long, and a number that the platform made up may have three hundred digits.
  if (seconds > longestWait) return "tomorrow";
  const [count, unit] = seconds <= 90
    ? [Math.max(1, Math.ceil(seconds)), "second"]
    : seconds <= 90 * 60
    ? [Math.ceil(seconds / 60), "minute"]
    : [Math.ceil(seconds / 3600), "hour"];
  return `in ${count} ${unit}${count === 1 ? "" : "s"}`;
}

function isRefusedConsent(error: unknown): boolean {
  return error instanceof OAuthError && error.error === "access_denied";
}

function isUsedCode(error: unknown): boolean {
  return error instanceof OAuthError && error.error === "invalid_grant";
}

function isUsedCallback(error: unknown): boolean {
  return error instanceof LoginError && error.reason === "used";
}
