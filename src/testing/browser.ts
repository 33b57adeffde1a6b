/**
 * The authorize page over HTTP: who is asked, showing the page, and taking the answer.
 *
 * @module
 */

import type { Outcome } from "./authorize.ts";
import {
  choosableGuilds,
  denyRequest,
  grantRequest,
  hasConsented,
  readRequest,
} from "./authorize.ts";
import type { Call, Routes } from "./http.ts";
import { hasType, redirect } from "./http.ts";
import { consentPage, errorPage, notePage } from "./pages.ts";
import type { User } from "./world.ts";

export const browserRoutes: Routes = {
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
  return consentPage({
    request,
    url,
    user,
    users: [...world.users.values()],
    guilds: choosableGuilds(world, request, user),
  });
}

function takeDecision(call: Call): Response {
  const { world, url, headers, body } = call;
  const reading = readRequest(world, url.searchParams);
  if (reading.kind !== "request") return show(reading);
  const isForm = hasType(headers, "application/x-www-form-urlencoded");
  const form = new URLSearchParams(isForm ? body : "");
  const action = form.get("action");
  if (action === "cancel") {
    const outcome = denyRequest(world, reading.request);
    return outcome.kind === "page" ? notePage("Cancelled", outcome.message) : show(outcome);
  }
  const user = world.users.get(form.get("user") ?? "");
  if (action !== "authorize" || user === undefined) {
    return errorPage("The form of the consent page was not filled in.", 400);
  }
  const guildId = form.get("guild_id");
  const response = show(grantRequest(world, reading.request, { user, guildId, permissions: null }));
  // Who consents stays signed in: `prompt=none` is about the same person coming again.
  response.headers.set(
    "set-cookie",
    `${COOKIE}=${user.payload.id}; Path=/oauth2/authorize; HttpOnly; SameSite=Lax`,
  );
  return response;
}

function show(outcome: Outcome): Response {
  if (outcome.kind === "page") return errorPage(outcome.message, 400);
  return redirect(outcome.location);
}

const COOKIE = "fake_platform_user";

/** Who is chosen on the page, or is signed in, or comes first; nobody when someone unknown is chosen. */
function askedUser(call: Call): User | undefined {
  const { users } = call.world;
  const chosen = call.url.searchParams.get("as");
  if (chosen !== null) return users.get(chosen);
  const cookies = call.headers.get("cookie") ?? "";
  const [, signedIn = ""] = new RegExp(`(?:^|; )${COOKIE}=(\\d+)`).exec(cookies) ?? [];
  return users.get(signedIn) ?? users.values().next().value;
}
