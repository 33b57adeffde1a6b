import { createServer, request, type Server } from "node:http";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { runCommand } from "../../src/command/command.ts";
import { visitDemo } from "../support/demo_visit.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free_port.ts";

let printed: string[] = [];
let errors: string[] = [];
let stopped = new AbortController();
let servers: Server[] = [];

beforeEach(() => {
  [printed, errors, servers] = [[], [], []];
  stopped = new AbortController();
});

afterEach(() => {
  stopped.abort();
  for (const server of servers) server.close();
});

/** Runs `guildpass demo`. Returns the exit code. */
async function demo(
  args: readonly string[] = ["--port", "0"],
  environment?: Readonly<Record<string, string>>,
): Promise<number> {
  return await runCommand(["demo", ...args], {
    print: (line) => printed.push(line),
    printError: (line) => errors.push(line),
    signal: stopped.signal,
    ...(environment && { environment }),
  });
}

/** Returns the address that the demo asks to open. */
function origin(): string {
  return /^Open (http:\S+) /m.exec(printed.join("\n"))?.[1] ?? "";
}

async function occupy(port: number, host: string): Promise<void> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve, reject) =>
    server.once("error", reject).listen(port, host, resolve)
  );
}

/** Sends a request with a `Host` header. Returns the status. */
function statusFor(host: string, accept = "*/*"): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(origin());
    request({ host: "127.0.0.1", port, headers: { host, accept } })
      .on("error", reject)
      .on("response", (response) => response.resume().on("end", () => resolve(response.statusCode)))
      .end();
  });
}

describe("guildpass demo", () => {
  test("says what to open, and how to stop it", async () => {
    expect(await demo()).toBe(0);
    expect(origin()).toMatch(/^http:\/\/localhost:\d+$/);
    expect(printed).toEqual([
      `Open ${origin()} and log in (on a fake platform, so you don't need an account)\nPress Ctrl+C to stop it`,
    ]);
    expect(errors).toEqual([]);
  });

  // Bun has no function that strips the types of the scripts.
  test.skipIf("Bun" in globalThis)("logs a person in and shows their guilds", async () => {
    await demo();
    const { start, consent, guilds, invite, inviteScript, filterScript } = await visitDemo(
      origin(),
    );
    expect(start).toContain("<h1>A whole login on your machine</h1>");
    expect(consent).toContain("Lantern");
    expect(guilds).toContain("<h1><bdi>Ada Lovelace</bdi></h1>");
    expect(guilds).toContain("The Analytical Engine");
    expect(invite).toContain("<h1>Invite builder</h1>");
    expect(inviteScript).toContain("setUpCopyButton");
    expect(filterScript).toContain("describeMatches");
    expect(errors).toEqual([]);
  });

  test("uses the given port, and refuses one that is in use", async () => {
    const port = await freePort();
    expect(await demo(["--port", String(port)])).toBe(0);
    expect(origin()).toBe(`http://localhost:${port}`);
    expect(await demo(["--port", String(port)])).toBe(2);
    expect(errors).toEqual([
      `Port ${port} is taken: use the next free one with --port ${port + 1}`,
    ]);
  });

  test.each(["127.0.0.1", "::1"])(
    "uses the port after PORT, and says so first, if a program listens at %s",
    async (host) => {
      const port = await freePort();
      await occupy(port, host);
      expect(await demo([], { PORT: `${port}` })).toBe(0);
      expect(printed[0]).toBe(`Port ${port} is taken, so the server uses ${port + 1}`);
      expect(origin()).toBe(`http://localhost:${port + 1}`);
    },
  );

  test("refuses a given port if a program listens at [::1], which a browser may open", async () => {
    const port = await freePort();
    await occupy(port, "::1");
    expect(await demo(["--port", `${port}`])).toBe(2);
    expect(errors).toEqual([
      `Port ${port} is taken: use the next free one with --port ${port + 1}`,
    ]);
  });

  test("tries no port after the last one", async () => {
    // Another program may use it, which will do as well.
    await occupy(65535, "127.0.0.1").catch(() => {});
    expect(await demo([], { PORT: "65535" })).toBe(2);
    expect(errors).toEqual(["Port 65535 is taken: choose another one with --port"]);
  });

  test("uses port 8787 or a later one by default", async () => {
    expect(await demo([])).toBe(0);
    const { port } = new URL(origin());
    expect(Number(port)).toBeGreaterThanOrEqual(8787);
    expect(Number(port)).toBeLessThanOrEqual(8887);
  });

  test.each(["soon", "0", "65536", "80.5"])("refuses %j in PORT", async (port) => {
    expect(await demo([], { PORT: port })).toBe(2);
    expect(printed).toEqual([]);
    expect(errors).toEqual([
      `PORT must be a number from 1 to 65535, received a string of length ${port.length}`,
    ]);
  });

  test("runs on the real platform with the credentials in the environment", async () => {
    const environment = { DISCORD_CLIENT_ID: "1024000000000000000", DISCORD_CLIENT_SECRET: "s" };
    await demo(["--port", "0"], environment);
    expect(printed).toEqual([
      `Open ${origin()} and log in (on the real platform)\n` +
      `The application must have the redirect URI ${origin()}/callback\nPress Ctrl+C to stop it`,
    ]);
    const login = await fetch(`${origin()}/login`, { redirect: "manual" });
    expect(login.headers.get("location"))
      .toMatch(/^https:\/\/discord\.com\/oauth2\/authorize\?.*client_id=1024000000000000000/);
  });

  test.each([
    { DISCORD_CLIENT_ID: "1024000000000000000" },
    { DISCORD_CLIENT_SECRET: "s3cret" },
  ])("refuses one of the credentials without the other: %j", async (environment) => {
    expect(await demo(["--port", "0"], environment)).toBe(2);
    expect(printed).toEqual([]);
    expect(errors).toEqual([
      "Set both DISCORD_CLIENT_ID and DISCORD_CLIENT_SECRET, or neither for the fake platform",
    ]);
  });

  test("prints an error that no visitor has caused, without secrets", async () => {
    // The real platform is out of reach in a test, so the answer to the token request is an error.
    const real = globalThis.fetch;
    await demo(["--port", "0"], {
      DISCORD_CLIENT_ID: "1024000000000000000",
      DISCORD_CLIENT_SECRET: "s3cret",
    });
    const login = await fetch(`${origin()}/login`, { redirect: "manual" });
    const state = new URL(login.headers.get("location") ?? "").searchParams.get("state") ?? "";
    const cookie = login.headers.getSetCookie().map((line) => line.split(";")[0]).join("; ");
    const query = new URLSearchParams({ code: "c0de", state });
    const failing: typeof fetch = () => Promise.resolve(new Response("broken", { status: 500 }));
    const spy = vi.spyOn(globalThis, "fetch").mockImplementation(failing);
    try {
      const answer = await real(`${origin()}/callback?${query}`, { headers: { cookie } });
      expect(answer.status).toBe(502);
    } finally {
      spy.mockRestore();
    }
    expect(errors).toEqual([expect.stringContaining("500")]);
    expect(errors[0]).not.toMatch(/s3cret|c0de/);
  });

  test("prints each request, without secrets", async () => {
    const environment = {
      DISCORD_CLIENT_ID: "1024000000000000000",
      DISCORD_CLIENT_SECRET: "hunter2",
      DISCORD_BOT_TOKEN: "",
    };
    await demo(["--port", "0"], environment);
    for (const path of ["/login", "/callback?code=c0de&state=s7ate", "/hunter2"]) {
      await (await fetch(origin() + path, { redirect: "manual" })).text();
    }
    expect(printed.slice(1)).toEqual([
      expect.stringMatching(/^GET \/login 302 \d+ ms$/),
      expect.stringMatching(/^GET \/callback 400 \d+ ms$/),
      expect.stringMatching(/^GET \/… 404 \d+ ms$/),
    ]);
  });

  test("serves this machine only, and says so", async () => {
    await demo();
    expect(await statusFor("attacker.example")).toBe(403);
    expect(printed.slice(1)).toEqual([
      `403: the host attacker.example is refused; open ${origin()}`,
    ]);
    // The status of the demo's own page.
    expect(await statusFor("attacker.example", "text/html")).toBe(421);
    expect(await statusFor(new URL(origin()).host)).toBe(200);
    expect(await statusFor(`127.0.0.1:${new URL(origin()).port}`)).toBe(302);
  });

  test("stops at once, even with an open connection", async () => {
    await demo();
    await (await fetch(origin())).text();
    stopped.abort();
    await eventually(() => expect(fetch(origin())).rejects.toThrow());
  });
});
