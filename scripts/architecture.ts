/**
 * The architecture, stated once: who may import whom, what a page may import, and which module wraps which package.
 * The boundary check, the tests and the size check read it from here.
 *
 * @module
 */

/** A part of the source, and the parts it may import besides itself. */
export interface Part {
  /** Files, or folders with a trailing slash. */
  readonly paths: readonly string[];
  /** The parts whose modules its own may import, types included. */
  readonly mayImport: readonly PartName[];
  /** The parts of which it may import types alone, which are gone at run time. */
  readonly mayImportTypes?: readonly PartName[];
}

/** The name of a part of the source. */
export type PartName =
  | "entry"
  | "core"
  | "permissions"
  | "links"
  | "images"
  | "guilds"
  | "resources"
  | "http"
  | "stores"
  | "tokens"
  | "api"
  | "openid"
  | "webhook_events"
  | "login"
  | "testing"
  | "command";

/** Every module of the library belongs to exactly one of these, and a part only imports parts above it. */
export const parts: Readonly<Record<PartName, Part>> = {
  core: { paths: ["src/core/"], mayImport: [] },
  permissions: { paths: ["src/permissions/"], mayImport: ["core"] },
  links: {
    paths: ["src/links/"],
    mayImport: ["core", "permissions"],
    // The implicit grant gives a page the same token that a server gets.
    mayImportTypes: ["resources"],
  },
  images: { paths: ["src/images.ts"], mayImport: ["core", "links"] },
  guilds: { paths: ["src/guilds.ts"], mayImport: ["core", "permissions", "links"] },
  resources: { paths: ["src/resources/"], mayImport: ["core", "images"] },
  http: { paths: ["src/http/"], mayImport: ["core", "links"] },
  stores: { paths: ["src/stores/"], mayImport: ["core"] },
  tokens: {
    paths: ["src/tokens/"],
    mayImport: ["core", "http", "resources", "stores"],
    mayImportTypes: ["links"],
  },
  api: {
    paths: ["src/api/"],
    mayImport: ["core", "links", "http", "resources", "tokens", "stores"],
  },
  openid: { paths: ["src/openid/"], mayImport: ["core", "links", "http", "resources"] },
  webhook_events: {
    paths: ["src/webhook_events/"],
    mayImport: ["core", "links", "http", "resources"],
  },
  login: {
    paths: ["src/login/"],
    mayImport: ["core", "links", "http", "resources", "stores", "tokens", "api", "openid"],
    // What a bot may do is handed on to the link.
    mayImportTypes: ["permissions"],
  },
  // It shares no code with the rest, so that it can judge it; `Platform` is the type of what it gives.
  testing: { paths: ["src/testing/"], mayImport: ["links"] },
  command: { paths: ["src/command/"], mayImport: ["testing"] },
  entry: {
    paths: ["mod.ts"],
    mayImport: [
      "core",
      "permissions",
      "links",
      "images",
      "guilds",
      "resources",
      "http",
      "stores",
      "tokens",
      "api",
      "openid",
      "webhook_events",
      "login",
    ],
  },
};

/** The parts that a page may import: they reach neither network code nor a package. */
export const pageSafeParts: readonly PartName[] = [
  "core",
  "permissions",
  "links",
  "images",
  "guilds",
];

/** The folders, with a trailing slash, and files that may import each package. */
export const packageFolders: Readonly<Record<string, readonly string[]>> = {
  jose: ["src/openid/", "src/stores/"],
  ky: ["src/http/"],
  valibot: ["src/resources/"],
};

/** The folder whose modules may import what only Node has, and what imitates it: the rest runs on any runtime. */
export const nodeFolder = "src/command/";

/** The entry points that are made for pages. */
export const pageEntryPoints = [
  "./auth-url",
  "./permissions",
  "./permission-info",
  "./images",
  "./guilds",
] as const;

/** Whether a module is a file, or in a folder, which has a trailing slash. */
function isIn(path: string, module: string): boolean {
  return path.endsWith("/") ? module.startsWith(path) : module === path;
}

/** The part a module belongs to: the one with the longest path that it starts with. */
export function partOf(module: string): PartName | undefined {
  const candidates = Object.entries(parts).flatMap(([name, { paths }]) =>
    paths
      .filter((path) => isIn(path, module))
      .map((path) => ({ name: name as PartName, length: path.length }))
  );
  return candidates.sort((a, b) => b.length - a.length)[0]?.name;
}

/** Whether a page may import a module. */
export function isPageSafe(module: string): boolean {
  const part = partOf(module);
  return part !== undefined && pageSafeParts.includes(part);
}

/** Whether a module may import a package, given as `npm:ky@^2.1.0`, as `ky` or as `node:http`. */
export function mayImportPackage(module: string, specifier: string): boolean {
  if (specifier.startsWith("node:")) return module.startsWith(nodeFolder);
  // Only npm's packages, by `npm:` or, in the tests, by their bare name.
  if (/^(?!npm:)\w+:/.test(specifier)) return false;
  const name = specifier.replace(/^npm:/, "").replace(/(?<=.)@.*/, "");
  return packageFolders[name]?.some((path) => isIn(path, module)) ?? false;
}
