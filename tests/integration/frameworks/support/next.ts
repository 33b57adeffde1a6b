/**
 * The programs of Next.
 *
 * @module
 */

import type { NodeProgram } from "./project.ts";
import { modules } from "./project_tests.ts";

const next = `${modules}/next/dist/bin/next`;

/** Builds a project. It also checks the types, and fails on a mistake. */
export const buildNext = [next, "build"] as const;

/** Starts a project that was built. */
export function startNext(port: number): NodeProgram {
  return [next, "start", "-p", `${port}`, "-H", "localhost"];
}
