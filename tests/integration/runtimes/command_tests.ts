/**
 * Runs the program of the packed package as a user in an empty project does.
 *
 * @module
 */

import { dirname } from "node:path";
import process from "node:process";
import { run } from "../../../scripts/command.ts";
import { sampleApplication } from "../../../src/testing/mod.ts";
import { visitDemo } from "../../support/demo_visit.ts";
import type { Project } from "./project.ts";
import type { RuntimeTest } from "./report.ts";
import { useProgram } from "./serving_program.ts";
import { binaryOf, versionOf } from "./tools.ts";

/** Creates the tests for a project with the package in it. */
export function commandTests(project: Project): RuntimeTest[] {
  const uses: Readonly<Record<string, (path: string) => Promise<string>>> = {
    "demo, with a login": (path) => runServer(project, path, "demo"),
    "fake, with a login": (path) => runServer(project, path, "fake"),
    "init, with the recipe of Express": (path) => copyRecipe(project, path),
    "secret, and prints nothing else": (path) => readSecret(project, path),
  };
  return (["node22", "node26"] as const).flatMap((runtime) =>
    Object.entries(uses).map(([use, runWith]) => ({
      runtime: runtime.replace("node", "Node "),
      title: `npx @guildpass/sdk ${use}`,
      run: async () => [
        await versionOf(runtime),
        await runWith(`${dirname(binaryOf(runtime))}:${process.env["PATH"]}`),
      ],
    }))
  );
}

/** Copies a recipe into an application, and compares a file with its source. */
async function copyRecipe({ directory }: Project, PATH: string): Promise<string> {
  const cwd = await Deno.makeTempDir({ prefix: "guildpass-init-" });
  try {
    await Deno.writeTextFile(`${cwd}/package.json`, '{"dependencies":{"express":"^5.0.0"}}');
    const printed = await run([`${directory}/node_modules/.bin/guildpass`, "init"], {
      cwd,
      env: { PATH },
    });
    throwIfMissing(["wrote express.ts", "http://localhost:3000/callback"], printed);
    const source = new URL("../../../examples/frameworks/express.ts", import.meta.url);
    const copy = await Deno.readTextFile(`${cwd}/express.ts`);
    if (copy !== await Deno.readTextFile(source)) throw new Error("The copy is not the recipe");
    return "the recipe, as in the repository";
  } finally {
    await Deno.remove(cwd, { recursive: true });
  }
}

async function readSecret({ directory }: Project, PATH: string): Promise<string> {
  const printed = await run(["npx", "@guildpass/sdk", "secret"], { cwd: directory, env: { PATH } });
  if (!/^[\w-]{43}\n$/.test(printed)) throw new Error(`This is not a secret: ${printed}`);
  return "43 characters in one line";
}

/** Uses the server of a running command, and returns a function that checks all printed lines. */
type Check = (origin: string) => Promise<(lines: readonly string[]) => void>;

const checks: Readonly<Record<"demo" | "fake", Check>> = {
  async demo(origin) {
    const { guilds, inviteScript, filterScript } = await visitDemo(origin);
    throwIfMissing(["<h1><bdi>Ada Lovelace</bdi></h1>", "The Analytical Engine"], guilds);
    // Scripts without an import, which a browser runs as they are.
    for (const script of [inviteScript, filterScript]) {
      throwIfMissing(["(()=>{"], script);
      if (/^import /m.test(script)) throw new Error(`A script has an import: ${script}`);
    }
    return (lines) => throwIfMissing(["Press Ctrl+C to stop it"], lines.join("\n"));
  },
  async fake(origin) {
    const username = await logIn(origin);
    if (username !== "ada") throw new Error(`${username} was logged in instead of ada`);
    return (lines) =>
      throwIfMissing([
        "\nDISCORD_CLIENT_ID=",
        "\nPOST /api/v10/oauth2/token 200",
        "\nGET /api/v10/users/@me 200",
      ], lines.join("\n"));
  },
};

/** Starts a command on any free port, checks it, and stops it as Ctrl+C does. */
async function runServer(
  { directory }: Project,
  PATH: string,
  command: "demo" | "fake",
): Promise<string> {
  const { result: checkLines, lines, stoppedAfter } = await useProgram({
    command: ["npx", "@guildpass/sdk", command, "--port", "0"],
    cwd: directory,
    env: { PATH },
  }, checks[command]);
  checkLines(lines);
  return `logged in; stopped in ${stoppedAfter.toFixed(0)} ms`;
}

function throwIfMissing(parts: readonly string[], text: string): void {
  const missing = parts.filter((part) => !text.includes(part));
  if (missing.length) throw new Error(`${missing} is not in\n${text}`);
}

async function logIn(origin: string): Promise<string> {
  const { id, secret, redirectUris: [redirectUri = ""] } = sampleApplication;
  const link = `${origin}/oauth2/authorize?` + new URLSearchParams({
    response_type: "code",
    client_id: id,
    scope: "identify",
    redirect_uri: redirectUri,
  });
  const decision = await fetch(link, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ action: "authorize", user: "1000000000000000001" }),
  });
  await decision.body?.cancel();
  const code = new URL(decision.headers.get("location") ?? "").searchParams.get("code") ?? "";
  const headers = { "user-agent": "DiscordBot (https://app.example, 1.0)" };
  const response = await fetch(`${origin}/api/v10/oauth2/token`, {
    method: "POST",
    headers,
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      client_id: id,
      client_secret: secret,
    }),
  });
  const { access_token } = await response.json();
  const me = await fetch(`${origin}/api/v10/users/@me`, {
    headers: { ...headers, authorization: `Bearer ${access_token}` },
  });
  return (await me.json()).username;
}
