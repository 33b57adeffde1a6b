/**
 * Compares ways to keep a person's token alive: many callers ask at once, after the access token has ended. The fake platform
 * accepts a refresh token once. Prints a table in Markdown.
 *
 * ```sh
 * deno task --cwd scripts/lab compare:refresh
 * ```
 *
 * It needs Redis, and installs it from Debian's packages if it is missing.
 *
 * @module
 */

import {
  createFakePlatform,
  nodeListener,
  sampleApplication,
} from "../../../../src/testing/mod.ts";
import { version } from "../../../../src/core/version.ts";
import { startRedis } from "../../../../tests/integration/stores/support/databases.ts";
import { startLineProcess } from "../../../../tests/support/line_process.ts";
import { serveListener } from "../../../../tests/support/node_server.ts";
import { installPackages } from "../../../debian_packages.ts";
import type { Contender } from "./contender.ts";
import { redirectFetch, redirectUris } from "./platform.ts";
import type { CallRequest, CallResult, Settings } from "./process.ts";

/** The modules in `contenders/` and their names in the table. */
const contenders = {
  guildpass: "`TokenSource`",
  better_auth: "`better-auth`",
  auth_core: "`@auth/core`",
  plain: "`if (expired) refresh()`",
} as const;

interface Scenario {
  readonly name: string;
  /** The number of callers in each process. */
  readonly callers: readonly number[];
  /** True if the platform performs the first refresh but its answer is lost. */
  readonly losesFirstResponse?: boolean;
}

const scenarios: readonly Scenario[] = [
  { name: "20", callers: [20] },
  { name: "200", callers: [200] },
  { name: "20 in two processes", callers: [10, 10] },
  { name: "20, the first response lost", callers: [20], losesFirstResponse: true },
];

const program = new URL("process.ts", import.meta.url);

/** The lifetime of an access token, in seconds. */
const tokenLifetime = 3600;

if (import.meta.main) {
  installPackages([{ name: "redis-server", program: "/usr/bin/redis-server" }]);
  const packages = ["better-auth", "@auth/core"].map((name) => `${name} ${versionOf(name)}`);
  const today = new Date().toISOString().slice(0, 10);
  console.log(`${today}, with @guildpass/sdk ${version}, ${packages.join(", ")}\n`);
  const columns = [
    "Callers",
    "With",
    "Refresh requests",
    "Got a token that works",
    "Got an error",
    "Logged in afterwards",
  ];
  console.log(row(columns));
  console.log(row(columns.map(() => "---")));
  for (const scenario of scenarios) {
    for (const [contender, name] of Object.entries(contenders)) {
      const { refreshCount, results, isLoggedIn } = await run(contender, scenario);
      const working = results.filter(({ status }) => status === 200).length;
      const errors = results.length - working;
      const afterwards = isLoggedIn ? "yes" : "no";
      console.log(row([scenario.name, name, refreshCount, working, errors, afterwards]));
    }
  }
  Deno.exit();
}

interface Result {
  /** The number of refresh requests that were sent while the callers waited. */
  readonly refreshCount: number;
  readonly results: readonly CallResult[];
  /** True if the next request of the person has a token that works. */
  readonly isLoggedIn: boolean;
}

async function run(contender: string, { callers, losesFirstResponse }: Scenario): Promise<Result> {
  await using opened = new AsyncDisposableStack();
  const redis = opened.use(await startRedis());
  const folder = await Deno.makeTempDir({ prefix: "guildpass-compare-" });
  opened.defer(() => Deno.remove(folder, { recursive: true }));
  const shared = { redisUrl: redis.url, file: `${folder}/database.sqlite` };
  const fake = createFakePlatform({
    origin: "https://discord.com",
    tokenLifetime,
    applications: [{ ...sampleApplication, redirectUris }],
  });
  const { origin: platformOrigin } = opened.use(await serveListener(nodeListener(fake.handler)));

  redirectFetch(platformOrigin);
  const module: { contender: Contender } = await import(`./contenders/${contender}.ts`);
  const browser = await module.contender.logIn(shared, (link) => fake.authorize(link));

  const clockShift = (tokenLifetime + 60) * 1000;
  fake.advance(clockShift);
  const processes = await Promise.all(callers.map(async () => {
    const settings: Settings = { contender, shared, platformOrigin, clockShift };
    return opened.use(await startLineProcess<CallRequest, CallResult[]>(program, settings));
  }));
  if (losesFirstResponse) fake.failNext({ path: /\/oauth2\/token$/, cut: "body" });
  const results = (await Promise.all(
    processes.map((process, i) => process.call({ callers: callers[i] ?? 0, browser })),
  )).flat();
  const refreshCount = fake.requests
    .filter(({ body }) => Object(body).grant_type === "refresh_token").length;

  // The browser keeps the cookies of the last answer.
  const last = results.toSorted((a, b) => a.at - b.at).at(-1)?.browser ?? browser;
  const later = await processes[0]?.call({ callers: 1, browser: last });
  return { refreshCount, results, isLoggedIn: later?.[0]?.status === 200 };
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.join(" | ")} |`;
}

function versionOf(name: string): string {
  const manifest = new URL(`../../node_modules/${name}/package.json`, import.meta.url);
  return JSON.parse(Deno.readTextFileSync(manifest)).version;
}
