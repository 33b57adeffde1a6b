import { createServer, type Server } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { freePort } from "../../support/free_port.ts";
import { runScript, visit } from "./support/deno_login.ts";
import { startProgram } from "./support/program.ts";

const servers: Server[] = [];

/** A taken port, whose successor is free. */
let taken: number;

beforeEach(async () => {
  taken = await freePort();
  await listen(taken);
});

afterEach(async () => {
  await Promise.all(servers.splice(0).map(close));
});

describe.each([
  ["the dashboard", ["examples/dashboard/main.ts"], "<h1>Greet new members</h1>"],
  [
    "the single-page application",
    ["examples/single_page_app/main.ts"],
    "<h1><bdi>Hello</bdi></h1>",
  ],
  ["the Activity", ["examples/activity/main.ts"], '<dialog id="consent"'],
  [
    "the invite builder",
    ["scripts/build_invite_builder.ts", "--serve"],
    "<title>Invite builder",
  ],
  // This one builds the package first.
  ["the Worker's demo", ["scripts/demo_worker.ts"], "<h1>Which guilds are you in?</h1>"],
])("%s", (_name, args, shown) => {
  test(
    "uses the next free port, and says so before anything else",
    async () => {
      await using program = startProgram(args, { PORT: `${taken}` });
      const page = await openWhenReady(`http://localhost:${taken + 1}/`);
      expect(page).toContain(shown);
      expect(program.printed).toMatch(
        new RegExp(`^Port ${taken} is taken, so the server uses ${taken + 1}\n`),
      );
      expect(program.printed).toContain(`http://localhost:${taken + 1}`);
    },
  );

  test.each(["soon", "0", "65536", "80.5"])("refuses the port %s", async (port) => {
    await using program = startProgram(args, { PORT: port });
    expect(await program.ended).toBe(1);
    expect(program.printed).toBe(
      `PORT must be a number from 1 to 65535, received "${port}"\n`,
    );
  });
});

test("A port counts as taken if a server listens only at ::1", async () => {
  const [first] = servers.splice(0);
  if (first) await close(first);
  await listen(taken, "::1");
  await using program = startProgram(["scripts/build_invite_builder.ts", "--serve"], {
    PORT: `${taken}`,
  });
  await openWhenReady(`http://127.0.0.1:${taken + 1}/`);
  expect(program.printed).toContain(`Port ${taken} is taken`);
});

describe("The Deno script with --fake", () => {
  const usual = 8787;

  // Another program may have taken the usual port, which is just as good.
  beforeEach(() => listen(usual).catch(() => {}));

  test("uses the next free ports, and says so first", async () => {
    await using script = await runScript({ port: null, hosts: ["localhost", "127.0.0.1"] });
    const link = await script.link();
    const consentUrl = new URL((await visit(script)).consentUrl);
    const [said, port, next] = /^Port 8787 or 8788 is taken, so this uses (\d+) and (\d+)\n/
      .exec(script.printed) ?? [];
    expect(said).toBeDefined();
    expect(link).toBe(`http://localhost:${port}/login`);
    expect(consentUrl.port).toBe(next);
    expect(consentUrl.searchParams.get("redirect_uri")).toBe(`http://localhost:${port}/callback`);
  });

  test("gives instructions if it may not use other ports", async () => {
    await using script = await runScript({
      port: null,
      hosts: [`localhost:${usual}`, `127.0.0.1:${usual + 1}`],
    });
    expect(await script.ended).toBe(1);
    expect(script.printed).toBe(
      "Port 8787 or 8788 is taken: choose others with --port=8788 and " +
        "--allow-net=localhost:8788,127.0.0.1:8789\n",
    );
  });
});

test("The Deno script uses only the port of the application's redirect URI", async () => {
  await listen(8787).catch(() => {});
  await using script = await runScript({
    port: null,
    args: [],
    env: { DISCORD_CLIENT_ID: "1" },
    permissions: ["--allow-env=DISCORD_CLIENT_ID,DISCORD_CLIENT_SECRET"],
    hosts: ["localhost", "127.0.0.1"],
  });
  expect(await script.ended).toBe(1);
  expect(script.printed).toBe("Port 8787 is taken: choose another one with --port\n");
});

/** Listens until the end of the test. */
function listen(port: number, host = "127.0.0.1"): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(port, host, () => {
      servers.push(server);
      resolve();
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

async function openWhenReady(url: string): Promise<string> {
  let page = "";
  await expect.poll(async () => {
    const response = await fetch(url).catch(() => null);
    page = await response?.text() ?? "";
    return response?.status;
  }, { interval: 250 }).toBe(200);
  return page;
}
