/**
 * The applications with Nuxt and Next.js, which `main.ts` installs and builds.
 *
 * @module
 */

/** An application that has to be built. */
export interface Project {
  /** The folder of the source files. */
  readonly source: URL;
  /** The folder in which the application is built. */
  readonly folder: URL;
  /** The program that builds it, in `node_modules/`. */
  readonly builder: string;
}

export const nuxt = project("nuxt", "nuxt/bin/nuxt.mjs");

export const nextAuth4 = project("next_auth_4", "next/dist/bin/next");

export const nextAuth5 = project("next_auth_5", "next/dist/bin/next");

export const projects: readonly Project[] = [nuxt, nextAuth4, nextAuth5];

function project(name: string, builder: string): Project {
  return {
    source: new URL(`${name}/`, import.meta.url),
    folder: new URL(`../../../../node_modules/.cache/comparisons_login/${name}/`, import.meta.url),
    builder,
  };
}
