/**
 * The application with Nuxt, which `main.ts` installs and builds.
 *
 * @module
 */

/** Its sources. */
export const nuxtProject = new URL("nuxt/", import.meta.url);

/** The sources that somebody writes to have a login. */
export const nuxtSources: readonly URL[] = [
  "nuxt.config.ts",
  "server/routes/auth/discord.get.ts",
  "app/app.vue",
].map((path) => new URL(path, nuxtProject));

/** Where it is built. */
export const nuxtFolder = new URL(
  "../../../node_modules/.cache/comparisons_login/",
  import.meta.url,
);
