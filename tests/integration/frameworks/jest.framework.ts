import { beforeAll, describe, expect, test } from "vitest";
import { buildProject, type NodeProgram, type Project, runInProject } from "./support/project.ts";
import { modules, testEditions } from "./support/project_tests.ts";

const jest = `../${modules}/jest/bin/jest.js`;
const flag = "--experimental-vm-modules";

testEditions((edition) => {
  const project: Project = { edition, name: "jest" };
  const run = (folder: string, ...program: NodeProgram) => runInProject(project, program, folder);
  beforeAll(() => buildProject(project));

  describe(`Jest ${edition === "newest" ? 30 : 29}`, () => {
    test.each([
      ["ts-jest", "ts_jest"],
      ["Babel", "babel"],
      ["next/jest", "next"],
    ])("runs a login with %s and the lines of the guide", async (_name, folder) => {
      await run(folder, jest);
    });

    test("runs a login in a test that is an ES module, with a flag of Node", async () => {
      await run("esm", flag, jest);
    });

    test("fails without these lines, as the guide says", async () => {
      await expect(run("ts_jest", jest, "--config", "plain.config.js")).rejects.toThrow(
        edition === "newest"
          ? "Must use import to load ES Module"
          : "Cannot use import statement outside a module",
      );
    });

    // Jest 29 has no `require` for ES modules.
    test.runIf(edition === "newest")(
      "runs a login with the configuration of Nest's starter, with a flag of Node",
      async () => {
        await run("ts_jest", flag, jest, "--config", "plain.config.js");
      },
    );
  });
});
