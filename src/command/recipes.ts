/**
 * The recipes that `guildpass init` copies: for each framework, its files and their places, its env file, and its redirect URI.
 *
 * @module
 */

import type { Recipe } from "./recipe.ts";

const usual = {
  envFile: ".env",
  callbackPath: "/callback",
  origin: "http://localhost:3000",
  firstPage: "/members",
  steps: ["Start the application: {run} dev"],
} as const;

const inOneRoute = { ...usual, callbackPath: "/api/auth/callback" } as const;

/** For frameworks that build with Vite. */
const withVite = {
  ...inOneRoute,
  origin: "http://localhost:5173",
  imports: { "@types/node": "the types of Node" },
  steps: [
    "Start the application with the variables:\n" +
    "   node --env-file=.env node_modules/vite/bin/vite.js dev",
  ],
} as const;

const onNode = { ...usual, isInSource: true, isRunByNode: true, firstPage: "/" } as const;

const nuxt = {
  ...usual,
  packages: ["nuxt"],
  steps: [
    "Add <NuxtPage /> to the template of app.vue, so that it shows the pages",
    ...usual.steps,
  ],
  guide: "nuxt.md",
} as const;

const nuxtServer = {
  "login.ts": "server/utils/login.ts",
  "nuxt/server/middleware/login.ts": "server/middleware/login.ts",
  "nuxt/server/api/me.get.ts": "server/api/me.get.ts",
} as const;

const escapeGoat = { "escape-goat": "the package that escapes names in pages" } as const;

const honoFiles = inPlace("login.ts", "hono_login.ts", "hono_pages.ts", "hono.ts");

/** Returns files of a recipe that have the same paths in the application. */
function inPlace(...paths: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(paths.map((path) => [path, path]));
}

/** Returns the step that starts a recipe with a command. */
function startWith(command: string): string {
  return `Start the recipe. When it works, move its code to your application:\n   ${command}`;
}

/** Returns what the recipes for Cloudflare Workers have in common. */
function inWorker(file: string) {
  return {
    ...usual,
    isInSource: true,
    envFile: ".dev.vars",
    firstPage: "/",
    steps: [
      `In wrangler.jsonc, set "main" to the file ${file}, and add "nodejs_compat" to\n` +
      '   "compatibility_flags"',
      "Start the application: npx wrangler dev --port 3000",
    ],
    guide: "cloudflare_workers.md",
  } as const;
}

/** The recipes. If an application has the packages of several recipes, the first one is used. */
export const recipes: readonly Recipe[] = [
  {
    ...inOneRoute,
    name: "next-pages",
    title: "Next with the Pages Router",
    packages: ["next"],
    folder: "pages",
    isInSource: true,
    files: {
      "api_login.ts": "login.ts",
      "next_pages/pages/api/auth/[...path].ts": "pages/api/auth/[...path].ts",
      "next_pages/pages/bye.tsx": "pages/bye.tsx",
    },
    homePage: { "next_pages/pages/index.tsx": "pages/index.tsx" },
    envFile: ".env.local",
    firstPage: "/api/auth/login",
    guide: "next.md",
  },
  {
    ...inOneRoute,
    name: "next",
    title: "Next",
    packages: ["next"],
    isInSource: true,
    files: {
      "api_login.ts": "login.ts",
      "next/app/api/auth/[...path]/route.ts": "app/api/auth/[...path]/route.ts",
      "next/app/bye/page.tsx": "app/bye/page.tsx",
      "next/app/members/page.tsx": "app/members/page.tsx",
      "next/app/api/me/route.ts": "app/api/me/route.ts",
      "next/app/error.tsx": "app/error.tsx",
    },
    homePage: { "next/app/page.tsx": "app/page.tsx" },
    envFile: ".env.local",
    steps: [
      "If next.config.ts doesn't set cacheComponents, remove the lines with `instant`",
      "Start the application: {run} dev",
    ],
    guide: "next.md",
  },
  {
    ...usual,
    name: "react-router",
    title: "React Router",
    packages: ["@react-router/dev"],
    files: {
      "login.ts": "app/login.server.ts",
      "react_router/app/routes/login.ts": "app/routes/login.ts",
      "react_router/app/routes/bye.tsx": "app/routes/bye.tsx",
      "react_router/app/routes/me.ts": "app/routes/me.ts",
      "react_router/app/routes/members.tsx": "app/routes/members.tsx",
    },
    homePage: { "react_router/app/routes/home.tsx": "app/routes/home.tsx" },
    merged: { "react_router/app/routes.ts": "app/routes.ts" },
    origin: "http://localhost:5173",
    guide: "react_router.md",
  },
  {
    ...nuxt,
    name: "nuxt",
    title: "Nuxt",
    folder: "app",
    files: {
      ...nuxtServer,
      "nuxt/app/error.vue": "app/error.vue",
      "nuxt/app/pages/bye.vue": "app/pages/bye.vue",
      "nuxt/app/pages/members.vue": "app/pages/members.vue",
    },
    homePage: { "nuxt/app/pages/index.vue": "app/pages/index.vue" },
  },
  {
    ...nuxt,
    name: "nuxt-3",
    title: "Nuxt 3",
    files: {
      ...nuxtServer,
      "nuxt/app/error.vue": "error.vue",
      "nuxt/app/pages/bye.vue": "pages/bye.vue",
      "nuxt/app/pages/members.vue": "pages/members.vue",
    },
    homePage: { "nuxt/app/pages/index.vue": "pages/index.vue" },
  },
  {
    ...withVite,
    name: "sveltekit",
    title: "SvelteKit",
    packages: ["@sveltejs/kit"],
    files: {
      "api_login.ts": "src/login.server.ts",
      "sveltekit/src/routes/api/auth/[...path]/+server.ts":
        "src/routes/api/auth/[...path]/+server.ts",
      "sveltekit/src/routes/bye/+page.svelte": "src/routes/bye/+page.svelte",
      "sveltekit/src/routes/members/+page.server.ts": "src/routes/members/+page.server.ts",
      "sveltekit/src/routes/members/+page.svelte": "src/routes/members/+page.svelte",
      "sveltekit/src/routes/api/me/+server.ts": "src/routes/api/me/+server.ts",
      "sveltekit/src/routes/+error.svelte": "src/routes/+error.svelte",
    },
    homePage: {
      "sveltekit/src/routes/+page.server.ts": "src/routes/+page.server.ts",
      "sveltekit/src/routes/+page.svelte": "src/routes/+page.svelte",
    },
    guide: "sveltekit.md",
  },
  {
    ...inOneRoute,
    name: "tanstack-start",
    title: "TanStack Start",
    packages: ["@tanstack/react-start"],
    files: {
      "api_login.ts": "src/login.server.ts",
      "tanstack_start/src/user.ts": "src/user.ts",
      "tanstack_start/src/routes/api/auth/$.ts": "src/routes/api/auth/$.ts",
      "tanstack_start/src/routes/api/me.ts": "src/routes/api/me.ts",
      "tanstack_start/src/routes/bye.tsx": "src/routes/bye.tsx",
      "tanstack_start/src/routes/members.tsx": "src/routes/members.tsx",
    },
    homePage: { "tanstack_start/src/routes/index.tsx": "src/routes/index.tsx" },
    steps: ["Start the application on port 3000: {run} dev"],
    guide: "tanstack_start.md",
  },
  {
    ...withVite,
    name: "solid-start",
    title: "SolidStart",
    packages: ["@solidjs/start"],
    files: {
      "api_login.ts": "src/login.server.ts",
      "solid_start/src/user.ts": "src/user.ts",
      "solid_start/src/routes/api/auth/[...path].ts": "src/routes/api/auth/[...path].ts",
      "solid_start/src/routes/api/me.ts": "src/routes/api/me.ts",
      "solid_start/src/routes/bye.tsx": "src/routes/bye.tsx",
      "solid_start/src/routes/members.tsx": "src/routes/members.tsx",
    },
    homePage: { "solid_start/src/routes/index.tsx": "src/routes/index.tsx" },
    guide: "solid_start.md",
  },
  {
    ...usual,
    name: "astro",
    title: "Astro",
    packages: ["astro"],
    files: {
      "astro/src/login.ts": "src/login.ts",
      "astro/src/pages/bye.astro": "src/pages/bye.astro",
      "astro/src/pages/members.astro": "src/pages/members.astro",
      "astro/src/pages/api/me.ts": "src/pages/api/me.ts",
      "astro/src/pages/500.astro": "src/pages/500.astro",
    },
    homePage: { "astro/src/pages/index.astro": "src/pages/index.astro" },
    merged: { "astro/src/middleware.ts": "src/middleware.ts" },
    origin: "http://localhost:4321",
    steps: [
      'Render pages on the server: npx astro add node, and output: "server" in astro.config.mjs',
      "Start the application: {run} dev",
    ],
    guide: "astro.md",
  },
  {
    ...usual,
    name: "nest",
    title: "Nest",
    packages: ["@nestjs/core"],
    files: {
      "login.ts": "src/login.ts",
      "nest/src/adapter.ts": "src/adapter.ts",
      "nest/src/login.controller.ts": "src/login.controller.ts",
      "nest/src/session.decorator.ts": "src/session.decorator.ts",
      "nest/src/members.guard.ts": "src/members.guard.ts",
      "nest/src/pages.filter.ts": "src/pages.filter.ts",
      "nest/src/pages.ts": "src/pages.ts",
      "nest/src/home.controller.ts": "src/home.controller.ts",
      "nest/src/members.controller.ts": "src/members.controller.ts",
    },
    merged: { "nest/src/app.module.ts": "src/app.module.ts" },
    steps: ["Start the application: npx nest start --env-file .env"],
    guide: "nest.md",
  },
  {
    ...inWorker("hono.ts"),
    name: "hono-worker",
    title: "Hono in a Worker",
    packages: ["hono", "wrangler"],
    files: honoFiles,
  },
  {
    ...onNode,
    name: "hono",
    title: "Hono",
    packages: ["hono"],
    files: { ...honoFiles, ...inPlace("hono_node.ts") },
    imports: { "@hono/node-server": "the server for Node" },
    steps: [startWith("node --env-file=.env {src}hono_node.ts")],
    guide: "hono.md",
  },
  {
    ...onNode,
    name: "fastify",
    title: "Fastify",
    packages: ["fastify"],
    files: inPlace("login.ts", "pages.ts", "fastify_login.ts", "fastify_pages.ts", "fastify.ts"),
    imports: escapeGoat,
    steps: [startWith("node --env-file=.env {src}fastify.ts")],
    guide: "express.md#fastify",
  },
  {
    ...onNode,
    name: "elysia",
    title: "Elysia",
    packages: ["elysia"],
    files: inPlace("login.ts", "pages.ts", "elysia_pages.ts", "elysia.ts", "elysia_node.ts"),
    imports: escapeGoat,
    steps: [startWith("bun {src}elysia.ts, or node --env-file=.env {src}elysia_node.ts")],
    guide: "elysia.md",
  },
  {
    ...onNode,
    name: "koa",
    title: "Koa",
    packages: ["koa"],
    files: inPlace(
      "login.ts",
      "pages.ts",
      "koa_login.ts",
      "koa_pages.ts",
      "koa_members.ts",
      "koa.ts",
    ),
    imports: escapeGoat,
    steps: [startWith("node --env-file=.env {src}koa.ts")],
    guide: "express.md",
  },
  {
    ...onNode,
    name: "express",
    title: "Express",
    packages: ["express"],
    files: inPlace("login.ts", "express.ts", "express_members.ts"),
    steps: [startWith("node --env-file=.env {src}express.ts")],
    guide: "express.md",
  },
  {
    ...inWorker("worker.ts"),
    name: "worker",
    title: "Cloudflare Workers",
    packages: ["wrangler"],
    files: inPlace("login.ts", "worker.ts"),
  },
];

/** The paths of all files that the recipes have, from the root of the repository. */
export const recipeFiles: readonly string[] = [
  ...new Set(
    recipes.flatMap(({ files, homePage, merged }) =>
      Object.keys({ ...files, ...homePage, ...merged })
    ),
  ),
].map((path) => `examples/frameworks/${path}`);
