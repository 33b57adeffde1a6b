/**
 * Applications of Express with a login behind middlewares of other people: one application for each version of Express and each
 * set of middlewares. The header `x-application` chooses one.
 *
 * @module
 */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { env } from "node:process";
import { sendResponse, toRequest } from "@guildpass/sdk/node";
import type express from "express";
import type { RequestHandler } from "express";
import { getLogin } from "./login.ts";

type Middlewares = readonly RequestHandler[];

const load = createRequire(import.meta.url);

const compression = (version: string): Middlewares => [
  load(`compression-${version}`)({ threshold: 0 }),
];
const session = (version: string): Middlewares => [
  load(`express-session-${version}`)({
    secret: "x",
    resave: true,
    saveUninitialized: true,
    // Otherwise, only the first response has a cookie.
    rolling: true,
  }),
];
const cookieSession = (version: string): Middlewares => [
  load(`cookie-session-${version}`)({ keys: ["x"] }),
  (req, _res, next) => {
    const { session } = Object(req);
    session.visits = (session.visits ?? 0) + 1;
    next();
  },
];
const morgan = (version: string): Middlewares => [
  load(`morgan-${version}`)("combined", { stream: { write() {} } }),
];
const helmet = (): Middlewares => [load("helmet")()];

/** The sets of middlewares. The older version of each has `on-headers` 1.0.2, the newer one 1.1. */
const sets: Readonly<Record<string, () => Middlewares>> = {
  "compression 1.7": () => compression("1.7"),
  "compression 1.8": () => compression("1.8"),
  "express-session 1.18": () => session("1.18"),
  "express-session 1.19": () => session("1.19"),
  "cookie-session 2.0": () => cookieSession("2.0"),
  "cookie-session 2.1": () => cookieSession("2.1"),
  "morgan 1.10.0": () => morgan("1.10.0"),
  "morgan 1.10": () => morgan("1.10"),
  "helmet": helmet,
  "all with on-headers 1.0.2": () => [
    ...compression("1.7"),
    ...session("1.18"),
    ...morgan("1.10.0"),
    ...helmet(),
  ],
  "all with on-headers 1.0.2 and cookie-session": () => [
    ...compression("1.7"),
    ...cookieSession("2.0"),
    ...morgan("1.10.0"),
    ...helmet(),
  ],
  "all with on-headers 1.1": () => [
    ...compression("1.8"),
    ...session("1.19"),
    ...morgan("1.10"),
    ...helmet(),
  ],
  "all with on-headers 1.1 and cookie-session": () => [
    ...compression("1.8"),
    ...cookieSession("2.1"),
    ...morgan("1.10"),
    ...helmet(),
  ],
};

/** An application like the recipe for Express, with middlewares before it. */
function createApplication(create: typeof express, middlewares: Middlewares): express.Express {
  const app = create();
  app.use((_req, res, next) => {
    res.append("set-cookie", "earlier=1; Path=/");
    res.append("vary", "x-earlier");
    next();
  });
  for (const middleware of middlewares) app.use(middleware);
  app.use(async (req, res, next) => {
    const response = await getLogin().handle(toRequest(req, res));
    return response ? await sendResponse(res, response) : next();
  });
  app.get("/bye", (_req, res) => void res.send("You are logged out"));
  app.get("/", async (req, res) => {
    const request = toRequest(req, res);
    const session = await getLogin().session(request);
    if (!session) return await sendResponse(res, await getLogin().start(request));
    res.set("cache-control", "no-store").type("text").send(`Hello, ${session.user.username}`);
  });
  return app;
}

const applications = new Map<
  string,
  (req: IncomingMessage, res: ServerResponse) => unknown
>();
for (const [version, name] of [["4", "express-4"], ["5", "express"]] as const) {
  for (const [set, middlewares] of Object.entries(sets)) {
    applications.set(
      `Express ${version} with ${set}`,
      createApplication(load(name), middlewares()),
    );
  }
}

const port = Number(env.PORT);
createServer((req, res) => {
  const name = `${req.headers["x-application"]}`;
  if (name === "list") res.end(JSON.stringify([...applications.keys()]));
  else applications.get(name)?.(req, res);
}).listen(port, () => console.log(`http://localhost:${port}`));
