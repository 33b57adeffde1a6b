/**
 * An application with a login in h3 2.
 *
 * @module
 */

import { createServer } from "node:http";
import { env } from "node:process";
import { H3, toNodeHandler } from "h3";
import { getLogin, loginPaths } from "./login.ts";

const app = new H3();
for (const path of loginPaths) {
  app.use(path, async ({ req }, next) => await getLogin().handle(req) ?? await next());
}
app.get("/bye", () => "You are logged out");
app.get("/**", async ({ req, res }) => {
  const session = await getLogin().session(req);
  if (!session) return await getLogin().start(req);
  res.headers.set("cache-control", "no-store");
  return `Hello, ${session.user.username}`;
});
const port = Number(env.PORT);
createServer(toNodeHandler(app)).listen(port, () => console.log(`http://localhost:${port}`));
