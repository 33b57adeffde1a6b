/**
 * Measures the bytes that a page and a server import, minified and gzipped, beside the alternatives. Fails if a bundle
 * exceeds its budget, or if a bundle for a page contains server code.
 *
 * `deno task size` installs the alternatives and measures everything; `deno task size --own` measures only ours.
 * `scripts/comparisons/speed/entries/` has the imports of each row.
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
 * The most bytes that each bundle may have. A budget leaves about 3 % for fixes, which is too little for a package or server
 * code that is imported by accident. The two pages have less room, because people download them.
 */
const budgets = {
  invite: 2300,
  authorize: 2765,
  server: 22500,
  login: 47400,
  openid: 10500,
  events: 6190,
  node: 1115,
};

/** The packages, which do not count in the bundles of a server. */
const packages = Object.keys(packageFolders);

/** A replacement for the module that reads permissions in every form, to measure the cost of that module. */
const numbersOnly = "export const permissionValue = (value) => BigInt(value);";

/** Texts that only server code contains, also after minification. */
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

/** Compares our own bundles to their budgets, and searches the bundles for pages for server code. */
async function measureOwn(): Promise<void> {
  const invite = await bundle(`${entries}link/guildpass_invite.ts`);
  const authorize = await bundle(`${entries}link/guildpass_authorize.ts`);
  const numbers = await bundle(`${entries}link/guildpass_authorize.ts`, [replacePermissions()]);
  const server = await bundle(`${entries}login/guildpass.ts`, [], packages);
  const openid = await bundle(`${root}${configuration.exports["./openid"]}`, [], packages);
  const login = await bundle(`${root}${configuration.exports["./login"]}`, [], packages);
  const events = await bundle(`${root}${configuration.exports["./webhook-events"]}`, [], packages);
  const node = await bundle(`${root}${configuration.exports["./node"]}`, [], packages);
  console.log("This library");
  console.table([
    weigh("Bot, Permissions", invite, budgets.invite),
    weigh("AuthUrl", authorize, budgets.authorize),
    weigh("AuthUrl, if it took permissions as numbers only", numbers),
    weigh("PlatformApi, User; without the packages", server, budgets.server),
    weigh("verifyIdToken; without the packages", openid, budgets.openid),
    weigh("Login; without the packages", login, budgets.login),
    weigh("parseWebhookEvent; without the packages", events, budgets.events),
    weigh("toRequest, sendResponse", node, budgets.node),
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
    failures.push("the server bundle contains no word of serverWords, so they guard nothing");
  }
}

function weigh(imports: string, code: string, budget = Infinity): Record<string, unknown> {
  const bytes = gzippedSize(code);
  if (bytes > budget) failures.push(`${imports}: ${bytes} bytes, and the budget is ${budget}`);
  return { imports, bytes, ...(budget < Infinity && { budget }) };
}

/** Installs the alternatives. Their folder has a lock file of its own, so that no other task installs them. */
async function installAlternatives(): Promise<void> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["install", "--quiet", "--frozen"],
    cwd: `${root}scripts/comparisons/speed`,
  });
  const { success } = await command.spawn().status;
  if (!success) throw new Error("Could not install the alternatives");
}

/** Prints the size of every entry in a folder, the smallest first. The first line of an entry describes it. */
async function compare(title: string, folder: string): Promise<void> {
  const rows = [];
  for (const { name } of Deno.readDirSync(entries + folder)) {
    const path = `${entries}${folder}/${name}`;
    const [comment = ""] = Deno.readTextFileSync(path).split("\n");
    rows.push({
      entry: name.replace(".ts", ""),
      bytes: gzippedSize(await bundle(path)),
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
    // Node's own modules, which discord.js imports, do not count.
    external: [...external, ...builtinModules, "node:*"],
    plugins: [npmSpecifiers(), ...plugins],
    write: false,
    logLevel: "error",
  });
  if (!output) throw new Error(`Could not bundle ${path}`);
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
      onLoad({ filter: /permissions.permission_input\.ts$/ }, () => ({ contents: numbersOnly }));
    },
  };
}

/** Returns the bytes of a text after `gzip -9`. */
function gzippedSize(code: string): number {
  return gzipSync(code, { level: 9 }).length;
}
