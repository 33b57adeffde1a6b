/**
 * The architecture: the allowed imports of each part of the source, the parts for pages, the folders for each package, and the lengths of
 * functions and files. The boundary check, the size check and the tests read it.
 *
 * @module
 */

/** A part of the source, and the parts it may import besides itself. */
export interface Part {
  /** Files, or folders with a trailing slash. */
  readonly paths: readonly string[];
  /** The parts that this part may import, types included. */
  readonly mayImport: readonly PartName[];
  /** The parts from which this part may import types only. */
  readonly mayImportTypes?: readonly PartName[];
}

/** The name of a part of the source. */
export type PartName =
  | "entry"
  | "core"
  | "permissions"
  | "links"
  | "images"
  | "flags"
  | "guilds"
  | "resources"
  | "limits"
  | "http"
  | "stores"
  | "tokens"
  | "api"
  | "openid"
  | "webhook_events"
  | "login_base"
  | "login_site"
  | "login_pages"
  | "login_sessions"
  | "login_callback"
  | "login"
  | "browser"
  | "node"
  | "testing"
  | "command"
  | "demo";

const belowLogin: readonly PartName[] = [
  "core",
  "links",
  "limits",
  "http",
  "resources",
  "stores",
  "tokens",
  "api",
];

/** The parts. Every module of the library belongs to exactly one. A part imports only parts before it, except for types. */
export const parts: Readonly<Record<PartName, Part>> = {
  core: { paths: ["src/core/"], mayImport: [] },
  permissions: { paths: ["src/permissions/"], mayImport: ["core"] },
  links: {
    paths: ["src/links/"],
    mayImport: ["core", "permissions"],
    // The implicit grant gives a page the same token that a server gets.
    mayImportTypes: ["resources"],
  },
  images: { paths: ["src/images/"], mayImport: ["core", "links"] },
  flags: { paths: ["src/flags.ts"], mayImport: ["core"] },
  guilds: { paths: ["src/guilds.ts"], mayImport: ["core", "permissions", "links"] },
  resources: { paths: ["src/resources/"], mayImport: ["core", "images"] },
  // What requests wait for. It knows what a request is, and not how one is sent.
  limits: {
    paths: ["src/http/limits/", "src/http/request.ts", "src/http/waits.ts"],
    mayImport: ["core"],
    mayImportTypes: ["http"],
  },
  http: { paths: ["src/http/"], mayImport: ["core", "links", "limits"] },
  stores: { paths: ["src/stores/"], mayImport: ["core"] },
  tokens: {
    paths: ["src/tokens/"],
    mayImport: ["core", "limits", "http", "resources", "stores"],
    mayImportTypes: ["links"],
  },
  api: {
    paths: ["src/api/"],
    mayImport: ["core", "links", "limits", "http", "resources", "tokens", "stores"],
  },
  openid: { paths: ["src/openid/"], mayImport: ["core", "links", "limits", "http", "resources"] },
  webhook_events: {
    paths: ["src/webhook_events/"],
    mayImport: ["core", "links", "limits", "http", "resources"],
  },
  // The wings of a login. Each may import those before it.
  login_base: {
    paths: ["src/login/base/"],
    mayImport: belowLogin,
    // A login passes the permissions of a bot on to the link.
    mayImportTypes: ["permissions"],
  },
  login_site: { paths: ["src/login/site/"], mayImport: [...belowLogin, "login_base"] },
  login_pages: {
    paths: ["src/login/pages/"],
    mayImport: [...belowLogin, "login_base", "login_site"],
  },
  login_sessions: {
    paths: ["src/login/sessions/"],
    mayImport: [...belowLogin, "login_base", "login_site", "login_pages"],
  },
  login_callback: {
    paths: ["src/login/callback/"],
    mayImport: [
      ...belowLogin,
      "openid",
      "login_base",
      "login_site",
      "login_pages",
      "login_sessions",
    ],
    mayImportTypes: ["permissions"],
  },
  login: {
    paths: ["src/login/"],
    mayImport: [
      ...belowLogin,
      "login_base",
      "login_site",
      "login_pages",
      "login_sessions",
      "login_callback",
    ],
  },
  // A page may show the type of the login on its server.
  browser: { paths: ["src/browser/"], mayImport: [], mayImportTypes: ["login"] },
  node: { paths: ["src/node.ts"], mayImport: [] },
  // The fake platform shares no knowledge of the platform with the rest, so that it finds mistakes there: core has none. It uses
  // the types `Platform` and `Store`.
  testing: {
    paths: ["src/testing/"],
    mayImport: ["core", "node"],
    mayImportTypes: ["links", "stores"],
  },
  // An example, whose own imports are not checked. The program serves it, and no other part may import it.
  demo: { paths: ["examples/demo/"], mayImport: [] },
  command: { paths: ["src/command/"], mayImport: ["core", "testing", "demo"] },
  entry: {
    paths: ["mod.ts"],
    mayImport: [
      "core",
      "permissions",
      "links",
      "images",
      "flags",
      "guilds",
      "resources",
      "limits",
      "http",
      "stores",
      "tokens",
      "api",
      "openid",
      "webhook_events",
      "login_base",
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
  "flags",
  "guilds",
];

/** The files, and the folders with a trailing slash, that may import each package. */
export const packageFolders: Readonly<Record<string, readonly string[]>> = {
  jose: ["src/openid/"],
  ky: ["src/http/"],
  valibot: ["src/resources/"],
};

/** The only folder that may import Node's own modules: everything else runs on any runtime. */
const nodeFolder = "src/command/";

/** The entry points for pages. */
export const pageEntryPoints = [
  "./auth-url",
  "./permissions",
  "./permission-info",
  "./images",
  "./flags",
  "./guilds",
] as const;

/** The largest number of lines of a function, from its name to its last brace. */
export const longestFunction = 60;

/** The largest number of lines of a file, with its documentation. */
export const longestFile = 400;

/** The files that may be longer, with the reason. */
export const longFiles: Readonly<Record<string, string>> = {
  "src/api/user.ts":
    "one class with a short method for each operation; most lines document them, and a second class would hide half of the operations",
  "src/browser/session_client.ts":
    "one class whose methods share a state; half of its lines document them",
  "src/login/base/options.ts": "the options of one class; most lines document them",
  "src/login/login.ts": "one class with a short method for each step; most lines document them",
};

/** Returns true if a module is the file at a path, or in the folder at a path with a trailing slash. */
function isAt(path: string, module: string): boolean {
  return path.endsWith("/") ? module.startsWith(path) : module === path;
}

/** Returns the part of a module: the one with the longest path that matches. */
export function partOf(module: string): PartName | undefined {
  const candidates = Object.entries(parts).flatMap(([name, { paths }]) =>
    paths
      .filter((path) => isAt(path, module))
      .map((path) => ({ name: name as PartName, length: path.length }))
  );
  return candidates.sort((a, b) => b.length - a.length)[0]?.name;
}

/** Returns true if a page may import a module. */
export function isPageSafe(module: string): boolean {
  const part = partOf(module);
  return part !== undefined && pageSafeParts.includes(part);
}

/** Returns true if a module may import a package, such as `npm:ky@^2.1.0`, `ky` or `node:http`. */
export function mayImportPackage(module: string, specifier: string): boolean {
  if (specifier.startsWith("node:")) return module.startsWith(nodeFolder);
  // Only packages of npm are allowed, as `npm:ky` or, in tests, as `ky`.
  if (/^(?!npm:)\w+:/.test(specifier)) return false;
  const name = specifier.replace(/^npm:/, "").replace(/(?<=.)@.*/, "");
  return packageFolders[name]?.some((path) => isAt(path, module)) ?? false;
}
