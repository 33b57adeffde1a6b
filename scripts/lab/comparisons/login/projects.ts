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
  /** The source files that a developer writes for a login. */
  readonly sources: readonly URL[];
  /** The program that builds it, in `node_modules/`. */
  readonly builder: string;
}

export const nuxt = project("nuxt", "nuxt/bin/nuxt.mjs", [
  "nuxt.config.ts",
  "server/routes/auth/discord.get.ts",
  "app/app.vue",
]);

export const nextAuth4 = project("next_auth_4", "next/dist/bin/next", [
  "pages/api/auth/[...nextauth].js",
  "pages/_app.jsx",
  "pages/index.jsx",
]);

export const nextAuth5 = project("next_auth_5", "next/dist/bin/next", [
  "auth.js",
  "app/api/auth/[...nextauth]/route.js",
  "app/page.jsx",
]);

export const projects: readonly Project[] = [nuxt, nextAuth4, nextAuth5];

function project(name: string, builder: string, sources: readonly string[]): Project {
  const source = new URL(`${name}/`, import.meta.url);
  return {
    source,
    folder: new URL(`../../../../node_modules/.cache/comparisons_login/${name}/`, import.meta.url),
    sources: sources.map((path) => new URL(path, source)),
    builder,
  };
}
