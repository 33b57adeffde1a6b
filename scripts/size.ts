/**
 * Minified and gzipped bytes of what a page and a server import, beside the alternatives. Fails when a budget is
 * exceeded, or when code of the server half has got into a bundle for a page.
 *
 * `deno task size` measures everything, and installs the alternatives first; `deno task size --own` measures only ours.
 * scripts/comparisons/speed/entries/ has what each row imports.
 *
 * @module
 */

import { build, type Plugin, stop } from "esbuild";
import { builtinModules } from "node:module";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import configuration from "../deno.json" with { type: "json" };
import { packageFolders, pageEntryPoints } from "./architecture.ts";

/**
 * The most bytes that each bundle may have. A budget is about 3 % above what the bundle had when it was set, so that a
 * fix fits in, and a package or the server half imported by accident does not. Those of the two pages have less room: no
 * page may become more than 15 % heavier for what its errors say.
 */
const budgets = {
  invite: 2170,
  authorize: 2440,
  server: 18700,
  login: 34700,
  openid: 8860,
  events: 5810,
};

/** The packages, which are not counted in what a server imports. */
const packages = Object.keys(packageFolders);

/** A module that replaces the one which reads permissions in every form, to measure what that one adds. */
const numbersOnly = "export const permissionValue = (value) => BigInt(value);";

/** Texts that only the server half has, and that are still there when it is minified. */
const serverWords = [
  "fetch(",
  ".fetch",
  "client_secret",
  "Authorization",
  "authorization:",
  "Basic ",
];

const root = fileURLToPath(new URL("..", import.meta.url));
const entries = `${root}scripts/comparisons/speed/entries/`;
const failures: string[] = [];

await measureOwn();
if (!Deno.args.includes("--own")) {
  await installAlternatives();
  await compare("A page that builds a link", "link");
  await compare("A server that exchanges a code and reads the user", "login");
}
await stop();
for (const failure of failures) console.error(`FAILED: ${failure}`);
Deno.exit(failures.length ? 1 : 0);

/** Compares our own bundles to their budgets, and looks for the server half in those that are for pages. */
async function measureOwn(): Promise<void> {
  const invite = await bundle(`${entries}link/guildpass_invite.ts`);
  const authorize = await bundle(`${entries}link/guildpass_authorize.ts`);
  const numbers = await bundle(`${entries}link/guildpass_authorize.ts`, [replacePermissions()]);
  const server = await bundle(`${entries}login/guildpass.ts`, [], packages);
  const openid = await bundle(`${root}${configuration.exports["./openid"]}`, [], packages);
  const login = await bundle(`${root}${configuration.exports["./login"]}`, [], packages);
  const events = await bundle(`${root}${configuration.exports["./webhook-events"]}`, [], packages);
  console.log("Ours");
  console.table([
    weigh("Bot, Permissions", invite, budgets.invite),
    weigh("AuthUrl", authorize, budgets.authorize),
    weigh("AuthUrl, if it took permissions as numbers only", numbers),
    weigh("PlatformApi, User; without the packages", server, budgets.server),
    weigh("verifyIdToken; without the packages", openid, budgets.openid),
    weigh("Login; without the packages", login, budgets.login),
    weigh("parseWebhookEvent; without the packages", events, budgets.events),
  ]);

  const pages = new Map([["Bot and Permissions", invite], ["AuthUrl", authorize]]);
  for (const name of pageEntryPoints) {
    pages.set(name, await bundle(`${root}${configuration.exports[name]}`));
  }
  for (const [name, code] of pages) {
    for (const word of serverWords) {
      if (code.includes(word)) failures.push(`the bundle of ${name} contains "${word}"`);
    }
  }
  if (!serverWords.some((word) => server.includes(word))) {
    failures.push("no word in serverWords is in the server half, so they guard nothing");
  }
}

function weigh(imports: string, code: string, budget = Infinity): Record<string, unknown> {
  const bytes = gzipped(code);
  if (bytes > budget) failures.push(`${imports}: ${bytes} bytes, and the budget is ${budget}`);
  return { imports, bytes, ...(budget < Infinity && { budget }) };
}

/** The alternatives have a folder and a lock file of their own, so that no other task installs them. */
async function installAlternatives(): Promise<void> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["install", "--quiet", "--frozen"],
    cwd: `${root}scripts/comparisons/speed`,
  });
  const { success } = await command.spawn().status;
  if (!success) throw new Error("The alternatives could not be installed");
}

/** Prints the size of every entry of a folder, the smallest first. The first line of an entry says what it does. */
async function compare(title: string, folder: string): Promise<void> {
  const rows = [];
  for (const { name } of Deno.readDirSync(entries + folder)) {
    const path = `${entries}${folder}/${name}`;
    const [comment = ""] = Deno.readTextFileSync(path).split("\n");
    rows.push({
      entry: name.replace(".ts", ""),
      bytes: gzipped(await bundle(path)),
      contains: comment.replace("// ", ""),
    });
  }
  console.log(`${title} (scripts/comparisons/speed/entries/${folder}/)`);
  console.table(rows.sort((a, b) => a.bytes - b.bytes));
}

async function bundle(
  path: string,
  plugins: Plugin[] = [],
  external: readonly string[] = [],
): Promise<string> {
  const { outputFiles: [output] } = await build({
    entryPoints: [path],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    platform: "browser",
    // discord.js imports Node's own modules, which are not part of its size.
    external: [...external, ...builtinModules, "node:*"],
    plugins: [npmSpecifiers(), ...plugins],
    write: false,
    logLevel: "error",
  });
  if (!output) throw new Error(`${path} could not be bundled`);
  return output.text;
}

/** Resolves `npm:ky@^2.1.0` as `ky`. */
function npmSpecifiers(): Plugin {
  return {
    name: "npm: specifiers",
    setup({ onResolve, resolve }): void {
      onResolve({ filter: /^npm:/ }, ({ path, resolveDir, importer, kind }) => {
        const name = path.replace(/^npm:((?:@[^/]+\/)?[^/@]+)(?:@[^/]+)?/, "$1");
        return resolve(name, { resolveDir, importer, kind });
      });
    },
  };
}

function replacePermissions(): Plugin {
  return {
    name: "numbers only",
    setup({ onLoad }): void {
      onLoad({ filter: /permissions.value\.ts$/ }, () => ({ contents: numbersOnly }));
    },
  };
}

/** As `gzip -9` does. */
function gzipped(code: string): number {
  return gzipSync(code, { level: 9 }).length;
}
