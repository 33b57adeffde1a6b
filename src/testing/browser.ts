/**
 * The authorize page over HTTP: who is asked, showing the page, and taking the answer.
 *
 * @module
 */

import type { AuthorizeRequest } from "./authorize.ts";
import {
  choosableGuilds,
  denyRequest,
  grantRequest,
  hasConsented,
  readRequest,
} from "./authorize.ts";
import type { Call, Routes } from "./http.ts";
import { hasType } from "./http.ts";
import { authorizedPage, consentPage, errorPage } from "./pages.ts";
import type { User, World } from "./world.ts";

export const browserRoutes: Routes = {
  "/oauth2/authorize": { GET: showConsent, POST: takeDecision },
  "/oauth2/authorized": { GET: authorizedPage },
};

function showConsent(call: Call): Response {
  const reading = readRequest(call.world, call.url.searchParams);
  if (reading.kind === "page") return errorPage(reading.message, 400);
  if (reading.kind === "redirect") return redirect(reading.location);
  const { request } = reading;
  const user = askedUser(call);
  if (user === null) return errorPage("This platform has no such user.", 400);
  if (request.prompt === "none" && hasConsented(call.world, request, user)) {
    return finish(call.world, request, { user, guildId: null, permissions: null });
  }
  return consentPage({
    request,
    url: call.url,
    user,
    users: [...call.world.users.values()],
    guilds: choosableGuilds(call.world, request, user),
  });
}

function takeDecision(call: Call): Response {
  const reading = readRequest(call.world, call.url.searchParams);
  if (reading.kind === "page") return errorPage(reading.message, 400);
  if (reading.kind === "redirect") return redirect(reading.location);
  const { request } = reading;
  const isForm = hasType(call.headers, "application/x-www-form-urlencoded");
  const form = new URLSearchParams(isForm ? call.body : "");
  const action = form.get("action");
  if (action === "cancel") {
    const location = denyRequest(call.world, request);
    return location === null
      ? errorPage("You cancelled. Nothing was added.", 200)
      : redirect(location);
  }
  const user = call.world.users.get(form.get("user") ?? "");
  if (action !== "authorize" || user === undefined) {
    return errorPage("The form of the consent page was not filled in.", 400);
  }
  return finish(call.world, request, { user, guildId: form.get("guild_id"), permissions: null });
}

function finish(
  world: World,
  request: AuthorizeRequest,
  decision: Parameters<typeof grantRequest>[2],
): Response {
  try {
    const response = redirect(grantRequest(world, request, decision));
    // Who consents stays signed in: `prompt=none` is about the same person coming again.
    response.headers.set(
      "set-cookie",
      `${COOKIE}=${decision.user.payload.id}; Path=/oauth2/authorize; HttpOnly; SameSite=Lax`,
    );
    return response;
  } catch (error) {
    return errorPage(`${error instanceof Error ? error.message : error}.`, 400);
  }
}

const COOKIE = "fake_platform_user";

/** Who is chosen on the page, or is signed in, or comes first; `null` when someone unknown is chosen. */
function askedUser(call: Call): User | null {
  const { users } = call.world;
  const chosen = call.url.searchParams.get("as");
  if (chosen !== null) return users.get(chosen) ?? null;
  const cookies = call.headers.get("cookie") ?? "";
  const [, signedIn = ""] = new RegExp(`(?:^|; )${COOKIE}=(\\d+)`).exec(cookies) ?? [];
  return users.get(signedIn) ?? users.values().next().value ?? null;
}

function redirect(location: string): Response {
  return new Response(null, {
    status: 302,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  });
}
