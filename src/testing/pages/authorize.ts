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
import { image, nameHtml } from "./names.ts";
import { errorPage, escapeHtml, htmlPage, notePage } from "./page.ts";

export const authorizeRoutes: Routes = {
  "/oauth2/authorize": { GET: showConsentPage, POST: takeDecision },
  "/oauth2/authorized": { GET: () => notePage("Authorized", "You can close this window now.") },
};

function showConsentPage(call: Call): Response {
  const { world, url } = call;
  const parsed = readAuthorizeRequest(world, url.searchParams);
  if (parsed.kind === "page" && !world.applications.has(url.searchParams.get("client_id") ?? "")) {
    return unknownApplicationPage(call, parsed.message);
  }
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
    return result.kind === "page" ? notePage("Canceled", `${result.message}.`) : showResult(result);
  }
  if (action !== "authorize" || user === undefined) return incompleteFormPage();
  const response = showResult(grantRequest(world, request, { user, guildId, permissions: null }));
  response.headers.set("set-cookie", signInHeader(user));
  return response;
}

/** The number of applications on the page for an unknown client id. Each link repeats the request. */
const maxApplications = 20;

/** Creates the page for an unknown client id. It lists the first applications, each with the same request. */
function unknownApplicationPage({ world, url }: Call, message: string): Response {
  const applications = [...world.applications.values()];
  const links = applications.slice(0, maxApplications).map(({ id, icon, name }) => {
    const query = new URLSearchParams(url.searchParams);
    query.set("client_id", id);
    return `<li><a href="?${escapeHtml(query.toString())}">${
      image("app-icons", id, icon, name)
    }<span class="name">${nameHtml(name)} <small>${id}</small></span></a></li>`;
  });
  return htmlPage(
    "Unknown application",
    `<header><h1>Unknown application</h1></header>
<p role="alert">${escapeHtml(message)}.</p>
<h2>Known applications</h2>
<ul class="accounts">
${links.join("\n")}
</ul>${
      applications.length > links.length
        ? `\n<p>And ${applications.length - links.length} more.</p>`
        : ""
    }`,
    { status: 400 },
  );
}

function showResult(result: AuthorizeResult): Response {
  return result.kind === "redirect"
    ? redirect(result.location)
    : errorPage(`${result.message}.`, 400);
}
