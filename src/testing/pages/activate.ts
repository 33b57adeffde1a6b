/**
 * Serves the activation page: the user enters the code of a device, and then consents.
 *
 * @module
 */

import { allowDevice, denyDevice, findDeviceLogin } from "../endpoints/device.ts";
import type { Call, Routes } from "../http/call.ts";
import { consentPage, incompleteFormPage, readConsentForm } from "./consent_page.ts";
import { findCurrentUser, unknownUserPage } from "./current_user.ts";
import { escapeHtml, htmlPage, notePage } from "./page.ts";

export const activateRoutes: Routes = {
  "/activate": { GET: showActivatePage, POST: takeDecision },
};

function showActivatePage(call: Call): Response {
  const { world, url } = call;
  const typed = url.searchParams.get("user_code");
  if (typed === null) return userCodePage(null);
  const login = findDeviceLogin(world, typed);
  if (login === null) return userCodePage(typed);
  const user = findCurrentUser(call);
  if (user === undefined) return unknownUserPage();
  const { application, scopes, userCode } = login;
  return consentPage(call, user, {
    application,
    scopes,
    permissions: "0",
    redirectUri: null,
    guildChoice: null,
    userCode,
  });
}

function takeDecision(call: Call): Response {
  const { world, url } = call;
  const typed = url.searchParams.get("user_code") ?? "";
  const login = findDeviceLogin(world, typed);
  if (login === null) return userCodePage(typed);
  const { action, user } = readConsentForm(call);
  if (action === "cancel") {
    denyDevice(login);
    return notePage("Canceled", "The device wasn't connected. You can close this window now.");
  }
  if (action !== "authorize" || user === undefined) return incompleteFormPage();
  allowDevice(world, login, user);
  return notePage("Device connected", "Go back to your device now. You can close this window.");
}

/**
 * Creates the page with the input for the user code of a device.
 *
 * @param rejected The entered code if it is unknown; `null` at first.
 */
function userCodePage(rejected: string | null): Response {
  const alert = rejected === null
    ? ""
    : `<p role="alert" id="rejected">No device is waiting for this code. Check your device. It may show a new code now.</p>`;
  return htmlPage(
    "Connect a device",
    `<header><h1>Connect a device</h1></header>
${alert}
<form>
<p><label for="code">Code on your device</label>
<input id="code" name="user_code" required autocomplete="off" autocapitalize="characters" spellcheck="false" value="${
      escapeHtml(rejected ?? "")
    }"${rejected === null ? "" : ` aria-invalid="true" aria-describedby="rejected"`}></p>
<footer><button class="main">Continue</button></footer>
</form>
<p class="small">This is a fake platform, so no real account is involved.</p>`,
    { status: rejected === null ? 200 : 400 },
  );
}
