import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import configuration from "../deno.json" with { type: "json" };
import { mayImportPackage, packageFolders } from "../scripts/architecture.ts";
import { version } from "../src/core/version.ts";

const ERRORS = [
  "ApiError",
  "GuildpassError",
  "LoginRequiredError",
  "MissingScopeError",
  "NetworkError",
  "OAuthError",
  "PayloadError",
  "PayloadTooLargeError",
  "RateLimitError",
  "StoreTimeoutError",
  "TimeoutError",
];

const IMAGES = [
  "applicationCoverUrl",
  "applicationIconUrl",
  "avatarDecorationUrl",
  "avatarUrl",
  "bannerUrl",
  "emojiUrl",
  "eventCoverUrl",
  "guildBannerUrl",
  "guildDiscoverySplashUrl",
  "guildIconUrl",
  "guildSplashUrl",
  "memberAvatarUrl",
  "memberBannerUrl",
  "nameplateUrl",
  "roleIconUrl",
  "stickerUrl",
  "tagBadgeUrl",
  "teamIconUrl",
];

const FLAGS = ["memberFlags", "userFlags"];

const GUILDS = ["canInstall", "createdAt", "missingPermissions", "permissionsIn", "reinviteUrl"];

/** The names that each entry point exports at run time. */
const EXPORTS: Readonly<Record<string, readonly string[]>> = {
  ".": [
    ...ERRORS,
    ...FLAGS,
    ...GUILDS,
    ...IMAGES,
    "AuthUrl",
    "Bot",
    "ClientCredentials",
    "IdTokenError",
    "Login",
    "LoginError",
    "MemoryStore",
    "Permissions",
    "PlatformApi",
    "StateMismatchError",
    "TokenSource",
    "User",
    "WebhookSignatureError",
    "approvalScopes",
    "codeChallenge",
    "discord",
    "generateCodeVerifier",
    "generateState",
    "installUrl",
    "knownScopes",
    "parseCallback",
    "parseFragment",
    "parseWebhookEvent",
    "permissionNames",
    "sealed",
    "verifyIdToken",
  ],
  "./auth-url": [
    "AuthUrl",
    "Bot",
    "GuildpassError",
    "OAuthError",
    "StateMismatchError",
    "approvalScopes",
    "codeChallenge",
    "generateCodeVerifier",
    "generateState",
    "installUrl",
    "knownScopes",
    "parseFragment",
  ],
  "./permissions": ["Permissions", "permissionNames"],
  "./permission-info": ["permissionInfo"],
  "./images": IMAGES,
  "./flags": FLAGS,
  "./guilds": GUILDS,
  "./openid": [
    "ApiError",
    "GuildpassError",
    "IdTokenError",
    "NetworkError",
    "PayloadError",
    "PayloadTooLargeError",
    "RateLimitError",
    "TimeoutError",
    "verifyIdToken",
  ],
  "./webhook-events": [
    "GuildpassError",
    "PayloadError",
    "WebhookSignatureError",
    "parseWebhookEvent",
  ],
  "./login": [
    "ApiError",
    "GuildpassError",
    "IdTokenError",
    "Login",
    "LoginError",
    "LoginRequiredError",
    "MemoryStore",
    "MissingScopeError",
    "NetworkError",
    "OAuthError",
    "PayloadError",
    "PayloadTooLargeError",
    "RateLimitError",
    "StateMismatchError",
    "StoreTimeoutError",
    "TimeoutError",
    "User",
  ],
  "./browser": ["SessionClient"],
  "./node": ["sendResponse", "toRequest"],
  "./stores/d1": ["d1Store", "d1Table"],
  "./stores/deno-kv": ["denoKvStore"],
  "./stores/durable-object": ["StoredEntry", "durableObjectStore"],
  "./stores/mysql": ["mysqlStore", "mysqlTable"],
  "./stores/postgres": ["postgresStore", "postgresTable"],
  "./stores/redis": ["redisStore"],
  "./stores/sqlite": ["sqliteStore", "sqliteTable"],
  "./testing": [
    "CookieJar",
    "checkStore",
    "createFakePlatform",
    "nodeListener",
    "sampleApplication",
    "sampleGuilds",
    "sampleUsers",
  ],
};

/** The packages that each entry point loads. All others load none. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  ".": ["jose", "ky", "valibot"],
  "./login": ["jose", "ky", "valibot"],
  "./openid": ["jose", "ky", "valibot"],
  "./webhook-events": ["valibot"],
};

const root = new URL("../", import.meta.url);

/** Every import of a package or of a module of Node in the files that users download. */
const externalImports = [
  "mod.ts",
  ...readdirSync(new URL("src/", root), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => `src/${path.replaceAll("\\", "/")}`),
].flatMap((module) => {
  const code = readFileSync(new URL(module, root), "utf8").replace(/^ *(?:\*|\/\*|\/\/).*/gm, "");
  return [...code.matchAll(/\b(?:from|import)\s*\(?\s*"([^".\n][^"\n]*)"/g)]
    .map(([, specifier = ""]) => ({ module, specifier }));
});
const packageImports = externalImports.filter(({ specifier }) => !specifier.startsWith("node:"));

describe("The entry points", () => {
  test("are those of deno.json", () => {
    expect(Object.keys(configuration.exports).sort()).toEqual(Object.keys(EXPORTS).sort());
  });

  test.each(Object.entries(configuration.exports))(
    "%s exports the listed names",
    async (name, path) => {
      const entry = await import(/* @vite-ignore */ new URL(path, root).href);
      expect(Object.keys(entry).sort()).toEqual([...EXPORTS[name] ?? []].sort());
    },
  );

  test("export the same values as the main entry point", async () => {
    const whole: Record<string, unknown> = await import("../mod.ts");
    for (
      const entry of [
        await import("../src/links/mod.ts"),
        await import("../src/login/mod.ts"),
        await import("../src/openid/mod.ts"),
        await import("../src/permissions/permissions.ts"),
        await import("../src/webhook_events/mod.ts"),
      ]
    ) {
      for (const [name, value] of Object.entries(entry)) {
        if (name in whole) expect(value, name).toBe(whole[name]);
      }
    }
  });
});

describe("The version", () => {
  test("in the source equals the one in deno.json", () => {
    expect(version).toBe(configuration.version);
  });
});

describe("The packages that the source imports", () => {
  test("have the range in deno.json", () => {
    const imports: Readonly<Record<string, string>> = configuration.imports;
    for (const { module, specifier } of packageImports) {
      expect(withoutPath(specifier), module).toBe(imports[nameIn(specifier)]);
    }
  });

  test("are imported only in the folders that may import them", () => {
    const strays = externalImports.filter(({ module, specifier }) =>
      !mayImportPackage(module, specifier)
    );
    expect(strays).toEqual([]);
    expect([...new Set(packageImports.map(({ specifier }) => nameIn(specifier)))].sort())
      .toEqual(Object.keys(packageFolders).sort());
  });

  test.each(Object.entries(configuration.exports))(
    "are loaded by %s only if its code needs them",
    (name, path) => {
      const loaded = [...modulesLoadedWith(path.replace("./", ""))].flatMap(importsOf);
      const packages = loaded.filter((specifier) => /^(?!\.|node:)/.test(specifier)).map(nameIn);
      expect([...new Set(packages)].sort()).toEqual(PACKAGES[name] ?? []);
    },
  );
});

describe("The entry point ./login", () => {
  test("loads no device login, which only PlatformApi has", () => {
    const loaded = modulesLoadedWith("src/login/mod.ts");
    expect(loaded).toContain("src/api/token_client.ts");
    expect(loaded).not.toContain("src/api/device_login.ts");
  });
});

/** Returns the modules that are loaded together with an entry point. */
function modulesLoadedWith(entry: string): ReadonlySet<string> {
  const modules = new Set([entry]);
  for (const module of modules) {
    for (const specifier of importsOf(module).filter((imported) => imported.startsWith("."))) {
      modules.add(new URL(specifier, new URL(module, root)).href.replace(root.href, ""));
    }
  }
  return modules;
}

/** Returns the modules and packages that a module imports, without types. */
function importsOf(module: string): readonly string[] {
  const code = readFileSync(new URL(module, root), "utf8");
  return [...code.matchAll(/^(?:import|export) (?!type\b)[^;"]*?from "([^"]+)";/gm)]
    .map(([, specifier = ""]) => specifier);
}

/** Returns `npm:jose@^6.0.0` of `npm:jose@^6.0.0/jwt/verify`. */
function withoutPath(specifier: string): string {
  return specifier.replace(/(?<=.@[^/]+)\/.*/, "");
}

/** Returns `ky` of `npm:ky@^2.1.0`. */
function nameIn(specifier: string): string {
  return specifier.replace(/^\w+:/, "").replace(/(?!^)@.*$/, "");
}
