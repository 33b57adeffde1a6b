/**
 * The pages over HTTP: who is asked, showing a page, and taking the person's decision.
 *
 * @module
 */

import type { Outcome } from "../endpoints/authorize_request.ts";
import {
  choosableGuilds,
  denyRequest,
  grantRequest,
  hasConsented,
  readRequest,
} from "../endpoints/authorize_request.ts";
import { allowDevice, denyDevice, findDeviceLogin } from "../endpoints/device.ts";
import type { Call, Routes } from "../http/responses.ts";
import { hasType, redirect } from "../http/responses.ts";
import type { User } from "../world/user.ts";
import { consentPage, errorPage, notePage, userCodePage } from "./consent_page.ts";

export const browserRoutes: Routes = {
  "/activate": { GET: showDevice, POST: takeDeviceDecision },
  "/oauth2/authorize": { GET: showConsent, POST: takeDecision },
  "/oauth2/authorized": { GET: () => notePage("Authorized", "You may close this window now.") },
};

function showConsent(call: Call): Response {
  const { world, url } = call;
  const reading = readRequest(world, url.searchParams);
  if (reading.kind !== "request") return show(reading);
  const { request } = reading;
  const user = askedUser(call);
  if (user === undefined) return errorPage("This platform has no such user.", 400);
  if (request.prompt === "none" && hasConsented(world, request, user)) {
    return show(grantRequest(world, request, { user, guildId: null, permissions: null }));
  }
  const { application, scopes, permissions, redirectUri, guildId } = request;
  return consentPage({
    application,
    scopes,
    permissions,
    redirectUri,
    guildChoice: request.needsGuild
      ? { guilds: choosableGuilds(world, request, user), selected: guildId }
      : null,
    userCode: null,
    url,
    user,
    users: [...world.users.values()],
  });
}

/** Where a person types in the code of a device, and then consents. */
function showDevice(call: Call): Response {
  const { world, url } = call;
  const typed = url.searchParams.get("user_code");
  if (typed === null) return userCodePage(null);
  const login = findDeviceLogin(world, typed);
  if (login === null) return userCodePage(typed);
  const user = askedUser(call);
  if (user === undefined) return errorPage("This platform has no such user.", 400);
  return consentPage({
    application: login.application,
    scopes: login.scopes,
    permissions: "0",
    redirectUri: null,
    guildChoice: null,
    userCode: login.userCode,
    url,
    user,
    users: [...world.users.values()],
  });
}

function takeDeviceDecision(call: Call): Response {
  const { world, url } = call;
  const typed = url.searchParams.get("user_code") ?? "";
  const login = findDeviceLogin(world, typed);
  if (login === null) return userCodePage(typed);
  const { action, user } = readDecision(call);
  if (action === "cancel") {
    denyDevice(login);
    return notePage("Cancelled", "The device was not let in. You may close this window now.");
  }
  if (action !== "authorize" || user === undefined) return unfilledForm();
  allowDevice(world, login, user);
  return notePage("Device connected", "Go back to your device now. You may close this window.");
}

function takeDecision(call: Call): Response {
  const { world, url } = call;
  const reading = readRequest(world, url.searchParams);
  if (reading.kind !== "request") return show(reading);
  const { action, user, guildId } = readDecision(call);
  if (action === "cancel") {
    const outcome = denyRequest(world, reading.request);
    return outcome.kind === "page" ? notePage("Cancelled", outcome.message) : show(outcome);
  }
  if (action !== "authorize" || user === undefined) return unfilledForm();
  const response = show(grantRequest(world, reading.request, { user, guildId, permissions: null }));
  // Stays signed in after consent, since `prompt=none` only works for the same person.
  response.headers.set(
    "set-cookie",
    `${cookieName}=${user.payload.id}; Path=/oauth2/authorize; HttpOnly; SameSite=Lax`,
  );
  return response;
}

function show(outcome: Outcome): Response {
  if (outcome.kind === "page") return errorPage(outcome.message, 400);
  return redirect(outcome.location);
}

/** What the form of the consent page says. */
function readDecision({ world, headers, body }: Call): {
  readonly action: string | null;
  readonly user: User | undefined;
  readonly guildId: string | null;
} {
  const isForm = hasType(headers, "application/x-www-form-urlencoded");
  const form = new URLSearchParams(isForm ? body : "");
  return {
    action: form.get("action"),
    user: world.users.get(form.get("user") ?? ""),
    guildId: form.get("guild_id"),
  };
}

function unfilledForm(): Response {
  return errorPage("The form of the consent page was not filled in.", 400);
}

const cookieName = "fake_platform_user";

/** The user chosen on the page, or else the one who is signed in, or else the first. Unknown choices give none. */
function askedUser(call: Call): User | undefined {
  const { users } = call.world;
  const chosen = call.url.searchParams.get("as");
  if (chosen !== null) return users.get(chosen);
  const cookies = call.headers.get("cookie") ?? "";
  const [, signedIn = ""] = new RegExp(`(?:^|; )${cookieName}=(\\d+)`).exec(cookies) ?? [];
  return users.get(signedIn) ?? users.values().next().value;
}
