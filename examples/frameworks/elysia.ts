/**
 * An Elysia application with a login. Bun serves it.
 *
 * @module
 */

import { Elysia } from "elysia";
import { showHome, showMe, showMembers } from "./elysia_pages.ts";
import { getLogin, loginPaths } from "./login.ts";
import { errorPage } from "./pages.ts";

const app = new Elysia().onError(({ code, error }) => {
  if (
    code === "NOT_FOUND" || code === "PARSE" || code === "VALIDATION"
  ) return;
  console.error(error);
  return new Response(errorPage, {
    status: 500,
    headers: { "content-type": "text/html" },
  });
});
app.get("/", showHome).get("/members", showMembers).get(
  "/api/me",
  showMe,
);
app.get("/bye", () => "You are logged out");

for (const path of loginPaths) {
  app.all(path, ({ request }) => getLogin().handle(request), {
    parse: "none",
  });
}

export default { fetch: app.fetch };
