/**
 * Finds the login of a callback in the browser's cookies, and reads the callback's parameters.
 *
 * @module
 */

import { codeForm } from "../../api/token_client.ts";
import { isSecret } from "../../core/arguments.ts";
import type { GuildpassError } from "../../core/errors.ts";
import { invalidResponseError } from "../../links/authorization_response.ts";
import { parseCallback } from "../../links/parse_callback.ts";
import { discord } from "../../links/platform.ts";
import type { LoginParts } from "./login_parts.ts";
import { reportLoginFailure } from "../base/events.ts";
import { noPendingLoginError, otherLoginError } from "../base/login_error.ts";
import type { CheckedLoginOptions } from "../site/checked_options.ts";
import type { AddedBot, PendingLogin } from "../base/pending_login.ts";
import { type SiteAddress, siteAddressOf } from "../site/site_address.ts";

/** A callback of a login that began in this browser. */
export interface Callback {
  readonly request: Request;
  readonly site: SiteAddress;
  readonly pending: PendingLogin;
}

/** Returns the address of the application and the pending login of a callback. The login is `null` if this browser did not begin it. */
export async function findPending(
  { options, pendingLogins, report }: LoginParts,
  request: Request,
): Promise<{ readonly site: SiteAddress; readonly pending: PendingLogin | null }> {
  try {
    const site = siteAddressOf(request, options);
    const state = new URL(request.url).searchParams.get("state");
    return { site, pending: await pendingLogins.find(request, site, state) };
  } catch (error) {
    reportLoginFailure(report, error);
    throw error;
  }
}

/** Returns the error for a callback without a pending login in this browser. */
export function strayCallbackError(
  { pendingLogins }: LoginParts,
  request: Request,
  site: SiteAddress,
): GuildpassError {
  const { searchParams } = new URL(request.url);
  const state = searchParams.get("state");
  if (state !== null && pendingLogins.isOfOtherLogin(request, site, state)) {
    return otherLoginError();
  }
  return noPendingLoginError(state, searchParams.has("guild_id"));
}

/**
 * Reads the code and the added bot from the URL of a callback.
 *
 * @throws {OAuthError} If the callback has an error, or does not have exactly one valid code.
 */
export function readCallback(
  { platform }: CheckedLoginOptions,
  { request, pending }: Callback,
): { readonly code: string; readonly bot: AddedBot } {
  const { searchParams } = new URL(request.url);
  const { issuer } = platform ?? discord;
  const { code, guildId, permissions } = parseCallback(searchParams, {
    state: pending.state,
    // Not every platform sends its issuer (RFC 9207).
    issuer: searchParams.has("iss") ? issuer : null,
  });
  if (!isSecret(code) || !codeForm.test(code)) {
    throw invalidResponseError("The callback has no valid code");
  }
  return { code, bot: { guildId, permissions } };
}
