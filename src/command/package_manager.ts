/**
 * Finds the package manager of an application, so that `init` prints its commands.
 *
 * @module
 */

import type { ProjectFolder } from "./project_folder.ts";

/** The commands of a package manager. */
export interface PackageManager {
  readonly name: string;
  readonly lockFiles: readonly string[];
  /** The command that installs packages. */
  readonly add: string;
  /** The command that installs packages for the development alone. */
  readonly addForDevelopment: string;
  /** The command that runs a script of `package.json`. */
  readonly run: string;
}

const npm: PackageManager = {
  name: "npm",
  lockFiles: ["package-lock.json"],
  add: "npm install",
  addForDevelopment: "npm install --save-dev",
  run: "npm run",
};

const managers: readonly PackageManager[] = [
  {
    name: "pnpm",
    lockFiles: ["pnpm-lock.yaml"],
    add: "pnpm add",
    addForDevelopment: "pnpm add --save-dev",
    run: "pnpm run",
  },
  {
    name: "yarn",
    lockFiles: ["yarn.lock"],
    add: "yarn add",
    addForDevelopment: "yarn add --dev",
    run: "yarn run",
  },
  {
    name: "bun",
    lockFiles: ["bun.lock", "bun.lockb"],
    add: "bun add",
    addForDevelopment: "bun add --dev",
    run: "bun run",
  },
  npm,
];

/**
 * Returns the package manager that `package.json` names, or else the one of the lock file. Without either, returns npm.
 *
 * @param named The field `packageManager`, such as `pnpm@10.1.0`.
 */
export async function findPackageManager(
  project: ProjectFolder,
  named = "",
): Promise<PackageManager> {
  const [name] = named.split("@");
  const found = managers.find((manager) => manager.name === name);
  if (found) return found;
  for (const manager of managers) {
    for (const file of manager.lockFiles) {
      if (await project.has(file)) return manager;
    }
  }
  return npm;
}
