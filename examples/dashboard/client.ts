/** The script of the pages: shows local times, and leaves the pages of a person after a logout in another tab. @module */

import { SessionClient } from "../../src/browser/mod.ts";
import { showLocalTimes } from "../shared/local_times.ts";

showLocalTimes();
const session = new SessionClient({ url: "/session" });
// Only the pages of a person have forms.
const isPersonal = document.querySelector("form") !== null;
session.subscribe(({ status }) => {
  if (status === "logged_out" && isPersonal) location.assign("/");
});
