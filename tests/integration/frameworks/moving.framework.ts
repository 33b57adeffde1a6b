/**
 * Moves an application from NextAuth.js 5 to `Login`, with the code of docs/moving.md.
 *
 * @module
 */

import { beforeAll, expect, test } from "vitest";
import { buildNext, startNext } from "./support/next.ts";
import { buildProject, type Project, startProject } from "./support/project.ts";
import { maxBuildMs } from "./support/project_tests.ts";
import { Browser } from "./support/site.ts";

const origin = "https://app.example";
const project: Project = {
  edition: "others",
  name: "moving_next",
  // The tests of the clients compare this module with the guide.
  recipes: {
    "beside/login.ts": "login.ts",
    "../../tests/integration/clients/moving/either.ts": "either.ts",
  },
  build: buildNext,
  paths: {
    login: "/discord/login",
    callback: "/discord/callback",
    logout: "/discord/logout",
    members: "/",
  },
};

beforeAll(() => buildProject(project), maxBuildMs);

test("An application with Next accepts both sessions, and ends both at a logout", async () => {
  const env = { AUTH_SECRET: crypto.randomUUID() };
  await using site = await startProject(project, startNext, { origin, env });
  const browser = new Browser(site);
  const shown = async () => {
    const [, json = ""] = /<p>([^<]*)<\/p>/.exec(await browser.read("/")) ?? [];
    return JSON.parse(json.replaceAll("&quot;", '"'));
  };
  const oldCookies = () =>
    browser.jar.cookies.map(({ name }) => name).filter((name) => name.includes("session-token"));
  expect(await shown()).toEqual([null, null]);

  const { csrfToken } = await (await browser.open("/api/auth/csrf")).json();
  const body = new URLSearchParams({ csrfToken, name: "kim" });
  await browser.open("/api/auth/callback/credentials", { method: "POST", body });
  expect(await shown()).toEqual(["the id of kim", "kim"]);
  const name = "__Secure-authjs.session-token";
  expect(oldCookies()).toEqual([`${name}.0`, `${name}.1`]);

  await browser.logIn("/discord/login");
  expect(await shown()).toEqual(["1000000000000000001", "kim"]);
  expect((await browser.logOut()).status).toBe(303);
  expect(oldCookies()).toEqual([]);
  expect(await shown()).toEqual([null, null]);
});
