/**
 * The tests of a project with a framework.
 *
 * @module
 */

import { env } from "node:process";
import { beforeAll, describe, test } from "vitest";
import { testLogin, testWithoutSecrets } from "./login_tests.ts";
import {
  buildProject,
  type Edition,
  type Project,
  runInProject,
  type Start,
  startProject,
} from "./project.ts";

/** The folder of the installed packages, seen from a project. */
export const modules = "../node_modules";

/** The program of the TypeScript compiler. */
export const typescript = `${modules}/typescript/bin/tsc`;

/** The paths of a login whose route is `/api/auth/[...path]`. */
export const apiPaths = {
  login: "/api/auth/login",
  callback: "/api/auth/callback",
  logout: "/api/auth/logout",
  members: "/",
};

/** The time limit of a build and of a type check. The slowest takes less than a minute. */
export const maxBuildMs = 300_000;

const editions = (env["FRAMEWORK_EDITIONS"] ?? "newest").split(",") as Edition[];

/** Runs tests with each edition that `main.ts` has installed. */
export function testEditions(testEdition: (edition: Edition) => void): void {
  describe.each(editions)("With the %s versions,", testEdition);
}

/** Builds a project once, checks its types, and visits it on this machine and behind a proxy. */
export function testProject(
  project: Project,
  starts: Readonly<Record<string, Start>>,
  query?: string,
): void {
  beforeAll(() => buildProject(project), maxBuildMs);

  if (project.check) {
    const { check } = project;
    test("passes the type check", async () => {
      if (project.typegen) await runInProject(project, project.typegen);
      await runInProject(project, check);
    }, maxBuildMs);
  }

  const origin = "https://app.example";
  for (const [name, start] of Object.entries(starts)) {
    testWithoutSecrets(name, (options) => startProject(project, start, options));
    testLogin(`${name} on this machine`, () => startProject(project, start), query);
    testLogin(
      `${name} behind a proxy that speaks HTTPS`,
      () => startProject(project, start, { origin }),
      query,
    );
  }
}
