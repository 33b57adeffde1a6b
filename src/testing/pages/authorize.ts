/**
 * The authorize page: shows the consent page, and carries out the user's decision.
 *
 * @module
 */

import { type AuthorizeResult, readAuthorizeRequest } from "../endpoints/authorize_request.ts";
import { choosableGuilds, denyRequest, grantRequest, hasConsented } from "../endpoints/consent.ts";
import type { Call, Routes } from "../http/call.ts";
import { redirect } from "../http/responses.ts";
import { consentPage, incompleteFormPage, readConsentForm } from "./consent_page.ts";
import { findCurrentUser, signInHeader, unknownUserPage } from "./current_user.ts";
import { errorPage, notePage } from "./page.ts";

export const authorizeRoutes: Routes = {
  "/oauth2/authorize": { GET: showConsentPage, POST: takeDecision },
  "/oauth2/authorized": { GET: () => notePage("Authorized", "You may close this window now.") },
};

function showConsentPage(call: Call): Response {
  const { world, url } = call;
  const parsed = readAuthorizeRequest(world, url.searchParams);
  if (parsed.kind !== "request") return showResult(parsed);
  const { request } = parsed;
  const user = findCurrentUser(call);
  if (user === undefined) return unknownUserPage();
  if (request.prompt === "none" && hasConsented(world, request, user)) {
    return showResult(grantRequest(world, request, { user, guildId: null, permissions: null }));
  }
  const guildChoice = request.needsGuild
    ? { guilds: choosableGuilds(world, request, user), selected: request.guildId }
    : null;
  return consentPage(call, user, { ...request, guildChoice, userCode: null });
}

function takeDecision(call: Call): Response {
  const { world, url } = call;
  const parsed = readAuthorizeRequest(world, url.searchParams);
  if (parsed.kind !== "request") return showResult(parsed);
  const { request } = parsed;
  const { action, user, guildId } = readConsentForm(call);
  if (action === "cancel") {
    const result = denyRequest(world, request);
    return result.kind === "page"
      ? notePage("Cancelled", `${result.message}.`)
      : showResult(result);
  }
  if (action !== "authorize" || user === undefined) return incompleteFormPage();
  const response = showResult(grantRequest(world, request, { user, guildId, permissions: null }));
  response.headers.set("set-cookie", signInHeader(user));
  return response;
}

function showResult(result: AuthorizeResult): Response {
  return result.kind === "redirect"
    ? redirect(result.location)
    : errorPage(`${result.message}.`, 400);
}
