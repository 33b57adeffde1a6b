/**
 * An application with a login in h3 1, which Nuxt has.
 *
 * @module
 */

import { createServer } from "node:http";
import { env } from "node:process";
import { createApp, eventHandler, setResponseHeader, toNodeListener, toWebRequest } from "h3-1";
import { getLogin } from "./login.ts";

const app = createApp();
app.use("/bye", eventHandler(() => "You are logged out"));
app.use(eventHandler(async (event) => await getLogin().handle(toWebRequest(event)) ?? undefined));
app.use(eventHandler(async (event) => {
  const request = toWebRequest(event);
  const session = await getLogin().session(request);
  if (!session) return await getLogin().start(request);
  setResponseHeader(event, "cache-control", "no-store");
  return `Hello, ${session.user.username}`;
}));
const port = Number(env.PORT);
createServer(toNodeListener(app)).listen(port, () => console.log(`http://localhost:${port}`));
