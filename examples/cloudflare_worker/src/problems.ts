/**
 * What people are told when something goes wrong.
 *
 * @module
 */

import {
  ApiError,
  NetworkError,
  OAuthError,
  PayloadError,
  RateLimitError,
  StateMismatchError,
  TimeoutError,
} from "@guildpass/sdk";
import { wantsJson } from "./http.ts";
import { problemPage } from "./pages.ts";

/** Something that went wrong, for people. */
export interface Problem {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  /** A link to what to do next. It is never a redirect: a login that fails at once would repeat without end. */
  readonly next: { readonly href: string; readonly label: string };
  /** Seconds to wait first, or `null` when that is not known. */
  readonly retryAfter: number | null;
}

/** Nobody is logged in, or the session has ended. */
export const loggedOut: Problem = {
  status: 401,
  title: "You are not logged in",
  text: "You have not logged in yet, or your last login was too long ago.",
  next: { href: "/login", label: "Log in" },
  retryAfter: null,
};

/**
 * Explains an error to the person who visits. Errors that the operator has to know about are logged; the messages of
 * `@guildpass/sdk` have no secrets in them.
 *
 * @param retry The address to try again.
 */
export function explain(error: unknown, retry: "/login" | "/me"): Problem {
  const retryAfter = error instanceof RateLimitError ? error.retryAfter : null;
  const problem = { ...describe(error), retryAfter, next: { href: retry, label: "Try again" } };
  if (problem.status >= 500) console.error(String(error));
  return problem;
}

function describe(error: unknown): Description {
  if (error instanceof StateMismatchError) {
    return {
      status: 400,
      title: "This login can't be finished",
      text: error.reason === "no_expected_state"
        ? "It took too long, was finished before, or this browser blocks cookies."
        : "It was started in another browser.",
    };
  }
  if (error instanceof OAuthError) return describeRefusal(error);
  if (error instanceof RateLimitError) {
    return {
      status: 503,
      title: "Discord is busy",
      text: "It has asked this site to wait a moment.",
    };
  }
  if (error instanceof TimeoutError) {
    return { status: 504, title: "Discord took too long", text: "It may be busy. Wait a little." };
  }
  if (
    error instanceof ApiError || error instanceof NetworkError ||
    error instanceof PayloadError
  ) {
    return {
      status: 502,
      title: "Discord did not answer as expected",
      text: "It may have a problem. Wait a little.",
    };
  }
  return {
    status: 500,
    title: "Something is wrong with this site",
    text: "It is not your fault. Whoever runs this site finds the reason in its log.",
  };
}

type Description = Pick<Problem, "status" | "title" | "text">;

function describeRefusal({ error }: OAuthError): Description {
  switch (error) {
    case "access_denied":
      return {
        status: 403,
        title: "You said no",
        text: "That is fine: nothing was shared. This site can't log you in without your consent.",
      };
    case "invalid_request":
      return {
        status: 400,
        title: "This login can't be finished",
        text: "Something in the address you came back with is missing or changed.",
      };
    case "invalid_grant":
      return {
        status: 400,
        title: "This login can't be finished",
        text: "Discord says that it was used before, or is too old.",
      };
    case "server_error":
    case "temporarily_unavailable":
      return { status: 502, title: "Discord has a problem", text: "Wait a little." };
    default:
      return {
        status: 500,
        title: "This site is not set up right",
        text: "It is not your fault. Whoever runs this site finds the reason in its log.",
      };
  }
}

/** A problem as a page, or as JSON (RFC 9457) for a program that asks for it. */
export function problemResponse(
  request: Request,
  problem: Problem,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const { status, title, text, retryAfter } = problem;
  const response = wantsJson(request)
    ? Response.json({ status, title, detail: text }, {
      status,
      headers: { "content-type": "application/problem+json" },
    })
    : problemPage(problem);
  for (const [name, value] of Object.entries(headers)) {
    response.headers.set(name, value);
  }
  if (retryAfter !== null) response.headers.set("retry-after", `${Math.ceil(retryAfter)}`);
  response.headers.set("vary", "accept");
  return response;
}
