import { beforeAll, describe, expect, test } from "vitest";
import { buildNext, startNext } from "./support/next.ts";
import {
  buildProject,
  type Project,
  runInProject,
  type Start,
  startProject,
} from "./support/project.ts";
import { maxBuildMs, typescript } from "./support/project_tests.ts";
import { Browser, type Site } from "./support/site.ts";

const paths = {
  login: "/discord/login",
  callback: "/discord/callback",
  logout: "/discord/logout",
  members: "/",
};
const recipes = { "beside/login.ts": "login.ts" };
const servers: Project = { edition: "others", name: "beside", paths };
const next: Project = { edition: "others", name: "beside_next", recipes, build: buildNext, paths };

/** Another login in the same application: how a person logs in and out, and what the page shows. */
interface Other {
  readonly project: Project;
  readonly start: Start;
  logIn(browser: Browser, site: Site): Promise<Response>;
  logOut(browser: Browser, site: Site): Promise<Response>;
}

/** Posts a form of the application. */
function post(browser: Browser, { origin }: Site, path: string, fields: Record<string, string>) {
  const body = new URLSearchParams(fields);
  return browser.open(path, { method: "POST", body, headers: { origin } });
}

/** Posts JSON, as the client of Better Auth does. */
function postJson(browser: Browser, { origin }: Site, path: string, body: unknown) {
  return browser.open(path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { origin, "content-type": "application/json" },
  });
}

const form: Pick<Other, "logIn" | "logOut"> = {
  logIn: (browser, site) => post(browser, site, "/login", { name: "kim" }),
  logOut: (browser, site) => post(browser, site, "/logout", {}),
};

const account = { email: "kim@app.example", password: "a long password", name: "kim" };

/** Posts a form of NextAuth.js, with its token. */
async function postNextAuth(browser: Browser, site: Site, path: string, fields: object) {
  const { csrfToken } = await (await browser.open("/api/auth/csrf")).json();
  return await post(browser, site, `/api/auth/${path}`, { csrfToken, json: "true", ...fields });
}

const others = {
  "Passport and express-session": {
    project: servers,
    start: () => ["passport_app.ts"],
    ...form,
  },
  "@fastify/session": { project: servers, start: () => ["fastify_session_app.ts"], ...form },
  "Better Auth": {
    project: servers,
    start: () => ["better_auth_app.ts"],
    logIn: (browser, site) => postJson(browser, site, "/api/auth/sign-up/email", account),
    logOut: (browser, site) => postJson(browser, site, "/api/auth/sign-out", {}),
  },
  "NextAuth.js": {
    project: next,
    start: startNext,
    logIn: (browser, site) => postNextAuth(browser, site, "callback/credentials", { name: "kim" }),
    logOut: (browser, site) => postNextAuth(browser, site, "signout", {}),
  },
} satisfies Record<string, Other>;

/** Starts an application with another login. */
async function startBeside({ project, start }: Other): Promise<Site> {
  const secret = crypto.randomUUID();
  return await startProject(project, start, {
    env: { SESSION_SECRET: secret, NEXTAUTH_SECRET: secret },
  });
}

beforeAll(async () => {
  await buildProject(servers);
  await buildProject(next);
}, maxBuildMs);

test("The recipes beside other logins pass the type check", async () => {
  await runInProject(servers, [typescript, "--skipLibCheck", "true"]);
}, maxBuildMs);

describe.each(Object.entries<Other>(others))("A login beside %s", (_name, other) => {
  test("logs in and out, and keeps the session of the other login", async () => {
    await using site = await startBeside(other);
    const browser = new Browser(site);
    expect(await namesOn(browser)).toEqual([null, null]);
    await succeed(other.logIn(browser, site));
    expect(await namesOn(browser)).toEqual([null, "kim"]);
    await browser.logIn(paths.login);
    expect(await namesOn(browser)).toEqual(["ada", "kim"]);
    await succeed(browser.logOut());
    expect(await namesOn(browser)).toEqual([null, "kim"]);
  });

  test("keeps its session when the other login begins and ends one", async () => {
    await using site = await startBeside(other);
    const browser = new Browser(site);
    await browser.logIn(paths.login);
    await succeed(other.logIn(browser, site));
    expect(await namesOn(browser)).toEqual(["ada", "kim"]);
    await succeed(other.logOut(browser, site));
    expect(await namesOn(browser)).toEqual(["ada", null]);
  });
});

test.each(["Better Auth", "NextAuth.js"] as const)(
  "%s takes the requests to every path below /api/auth/, as the guide says",
  async (name) => {
    await using site = await startBeside(others[name]);
    const browser = new Browser(site);
    expect((await browser.open(paths.login)).status).toBe(302);
    const { status, headers } = await browser.open("/api/auth/login");
    expect([status, headers.get("location")]).toEqual([name === "Better Auth" ? 404 : 400, null]);
  },
);

async function succeed(response: Promise<Response>): Promise<void> {
  const { status } = await response;
  expect([200, 302, 303]).toContain(status);
}

/** Returns the names of the people who are logged in with Discord and by the other login. */
async function namesOn(browser: Browser): Promise<(string | null)[]> {
  const { discord, other } = JSON.parse(
    /\{[^<]*\}/.exec((await browser.read("/")).replaceAll("&quot;", '"'))?.[0] ?? "",
  );
  return [discord, other];
}
