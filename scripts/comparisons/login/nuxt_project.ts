/**
 * The application with Nuxt, which `main.ts` installs and builds.
 *
 * @module
 */

/** The folder of the source files. */
export const nuxtProject = new URL("nuxt/", import.meta.url);

/** The source files that a developer writes for a login. */
export const nuxtSources: readonly URL[] = [
  "nuxt.config.ts",
  "server/routes/auth/discord.get.ts",
  "app/app.vue",
].map((path) => new URL(path, nuxtProject));

/** The folder in which the application is built. */
export const nuxtFolder = new URL(
  "../../../node_modules/.cache/comparisons_login/",
  import.meta.url,
);
