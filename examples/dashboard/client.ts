/** The script of the pages: after a logout in another tab, it leaves the pages of the person. @module */

import { SessionClient } from "../../src/browser/mod.ts";

const session = new SessionClient({ url: "/session" });
// Only the pages of a person have forms.
const isPersonal = document.querySelector("form") !== null;
session.subscribe(({ status }) => {
  if (status === "logged_out" && isPersonal) location.assign("/");
});
