import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCommand } from "../../src/command/command.ts";
import { AuthUrl, parseCallback, PlatformApi } from "../../mod.ts";
import { parseWebhookEvent } from "../../src/webhook_events/mod.ts";
import {
  createFakePlatform,
  nodeListener,
  sampleApplication,
  sampleUsers,
} from "../../src/testing/mod.ts";
import { eventually } from "../support/eventually.ts";

const agent = { "user-agent": "DiscordBot (https://app.example, 1.0)" };
let folder = "";
let printed: string[] = [];
let errors: string[] = [];
let stopped = new AbortController();
let servers: Server[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "guildpass-fake-"));
  [printed, errors, servers] = [[], [], []];
  stopped = new AbortController();
});

afterEach(async () => {
  stopped.abort();
  for (const server of servers) server.close();
  await rm(folder, { recursive: true });
});

/** Runs `guildpass fake`. Returns the exit code. */
async function fake(...args: string[]): Promise<number> {
  return await runCommand(["fake", ...args], {
    print: (line) => printed.push(line),
    printError: (line) => errors.push(line),
    signal: stopped.signal,
  });
}

/** Returns the origin in the first line. */
function origin(): string {
  return /^Fake platform on (http:\S+)$/m.exec(printed.join("\n"))?.[1] ?? "";
}

async function config(options: unknown): Promise<string> {
  const path = join(folder, "fake.json");
  await writeFile(path, JSON.stringify(options));
  return path;
}

async function occupy(port: number): Promise<number> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve, reject) =>
    server.once("error", reject).listen(port, "127.0.0.1", resolve)
  );
  return (server.address() as AddressInfo).port;
}

describe("guildpass fake", () => {
  test("prints its address first, then the credentials", async () => {
    expect(await fake("--port", "0")).toBe(0);
    const { id, secret, botToken } = sampleApplication;
    expect(origin()).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(printed[0]).toContain(`${origin()}/oauth2/authorize\n`);
    expect(printed[0]).toContain(`${origin()}/api/v10\n`);
    expect(printed[0]).toContain(`${origin()}/cdn\n`);
    expect(printed[0]).toContain(
      `\nDISCORD_CLIENT_ID=${id}\nDISCORD_CLIENT_SECRET=${secret}\nDISCORD_BOT_TOKEN=${botToken}\n`,
    );
    expect(printed[0]).toMatch(/\nLOGIN_SECRET=[\w-]{43}\n/);
    const publicKey = await createFakePlatform().webhookPublicKey();
    expect(printed[0]).toContain(`\nDISCORD_PUBLIC_KEY=${publicKey}\n`);
    const platform = /^DISCORD_PLATFORM='(.*)'$/m.exec(printed[0] ?? "")?.[1];
    expect(JSON.parse(platform ?? "")).toEqual(createFakePlatform({ origin: origin() }).platform);
    const { href } = new AuthUrl(id, ["identify"], null, null, { platform });
    expect(href).toContain(`${origin()}/oauth2/authorize?`);
    expect(printed[0]).toContain(
      "every http redirect URI on localhost, 127.0.0.1 and\n[::1], and https://app.example/callback.",
    );
    expect(errors).toEqual([]);
  });

  test("logs a person in, and prints the requests without secrets", async () => {
    await fake("--port", "0");
    const { id, secret, redirectUris: [redirectUri = ""] } = sampleApplication;
    const link = `${origin()}/oauth2/authorize?` + new URLSearchParams({
      response_type: "code",
      client_id: id,
      scope: "identify",
      state: "s7ate",
      redirect_uri: redirectUri,
    });
    await (await fetch(link)).text();
    const decision = await fetch(link, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams({ action: "authorize", user: "1000000000000000001" }),
    });
    const callback = new URL(decision.headers.get("location") ?? "");
    const code = callback.searchParams.get("code") ?? "";
    const answer = await fetch(`${origin()}/api/v10/oauth2/token`, {
      method: "POST",
      headers: agent,
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code,
        redirect_uri: redirectUri,
        client_id: id,
        client_secret: secret,
      }),
    });
    const token = await answer.json();
    const me = await fetch(`${origin()}/api/v10/users/@me`, {
      headers: { ...agent, authorization: `Bearer ${token.access_token}` },
    });
    expect((await me.json()).username).toBe("ada");

    const lines = printed.slice(1);
    expect(lines).toEqual([
      expect.stringMatching(/^GET \/oauth2\/authorize 200 \d+ ms$/),
      expect.stringMatching(/^POST \/oauth2\/authorize 302 \d+ ms$/),
      expect.stringMatching(/^POST \/api\/v10\/oauth2\/token 200 \d+ ms$/),
      expect.stringMatching(/^GET \/api\/v10\/users\/@me 200 \d+ ms$/),
    ]);
    for (const hidden of [code, secret, token.access_token, token.refresh_token, "s7ate"]) {
      expect(lines.join("\n")).not.toContain(hidden);
    }
  });

  test("uses the given port", async () => {
    const port = await occupy(0);
    await new Promise((resolve) => servers[0]?.close(resolve));
    await fake("--port", String(port));
    expect(origin()).toBe(`http://127.0.0.1:${port}`);
  });

  test("refuses a port that is in use", async () => {
    const port = await occupy(0);
    expect(await fake("--port", String(port))).toBe(2);
    expect(printed).toEqual([]);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(/^Port \d+ is taken: use the next free one with --port \d+$/);
  });

  test("uses the next free port by default", async () => {
    // This test or another program uses the port: both will do.
    await occupy(8788).catch(() => {});
    expect(await fake()).toBe(0);
    const port = Number(new URL(origin()).port);
    expect(printed[0]).toBe(`Port 8788 is taken, so the server uses ${port}`);
    expect(port).toBeGreaterThan(8788);
    expect(port).toBeLessThanOrEqual(8888);
  });

  test("serves the applications, users and guilds of a file", async () => {
    const path = await config({
      applications: [
        { id: "100", secret: "hunter2hunter2", redirectUris: ["http://localhost:3000/cb"] },
        { id: "200", secret: null },
      ],
      users: [{ id: "1", username: "grete" }],
      tokenLifetime: 60,
    });
    expect(await fake("--port", "0", "--config", path)).toBe(0);
    const [first, second] = [/ID=100\nDISCORD_PUBLIC_KEY=(.*)/, /ID=200\nDISCORD_PUBLIC_KEY=(.*)/]
      .map((pattern) => pattern.exec(printed[0] ?? "")?.[1]);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(second).not.toBe(first);
    expect(printed[0]).toContain(
      `DISCORD_CLIENT_ID=100\nDISCORD_PUBLIC_KEY=${first}\n` +
        `DISCORD_CLIENT_ID=200\nDISCORD_PUBLIC_KEY=${second}\n` +
        `# The client secrets and bot tokens are in ${path}\n`,
    );
    expect(printed[0]).not.toContain("hunter2");
    const answer = await fetch(`${origin()}/api/v10/oauth2/token`, {
      method: "POST",
      headers: agent,
      body: new URLSearchParams({
        grant_type: "client_credentials",
        scope: "identify",
        client_id: "100",
        client_secret: "hunter2hunter2",
      }),
    });
    expect(await answer.json()).toMatchObject({ expires_in: 60 });
    await fetch(`${origin()}/hunter2hunter2`);
    expect(printed.at(-1)).toMatch(/^GET \/… 404 /);
  });

  test("has the sample application if the file has no application", async () => {
    const path = await config({ users: [{ id: "1", username: "grete" }] });
    await fake("--port", "0", "--config", path);
    expect(printed[0]).toContain(`DISCORD_CLIENT_ID=${sampleApplication.id}\n`);
  });

  test("stops with the name of the file and of the wrong field", async () => {
    const path = await config({ applications: [{ id: "Lantern", secret: null }] });
    expect(await fake("--port", "0", "--config", path)).toBe(2);
    expect(printed).toEqual([]);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(`${path}: applications[0].id must be a snowflake`);
  });

  /** Logs a person in as an application does, and revokes the token. Returns the id of the person. */
  async function logInAndRevoke(): Promise<string> {
    const { id, secret, redirectUris: [redirectUri = ""] } = sampleApplication;
    const platform = {
      authorizeUrl: `${origin()}/oauth2/authorize`,
      apiUrl: `${origin()}/api/v10`,
      cdnUrl: `${origin()}/cdn`,
    };
    const api = new PlatformApi(id, secret, ["identify"], redirectUri, { platform });
    const url = await new AuthUrl(id, ["identify"], redirectUri, null, { platform })
      .makeUrl({ state: "s7ate" });
    const [{ id: user }] = sampleUsers;
    const form = new URLSearchParams({ action: "authorize", user });
    const answer = await fetch(url, { method: "POST", body: form, redirect: "manual" });
    const { code } = parseCallback(answer.headers.get("location") ?? "", { state: "s7ate" });
    await api.revoke(await api.accessToken(code));
    return user;
  }

  test("prints that an event was not delivered", async () => {
    const address = `http://127.0.0.1:${await occupy(0)}/events`;
    await new Promise((resolve) => servers[0]?.close(resolve));
    await fake("--port", "0", "--webhook-url", address);
    await logInAndRevoke();
    await eventually(() => expect(printed).toContain(`Event to ${address}: not delivered`));
  });

  test("sends an event to the address when a token is revoked, and prints the key that verifies it", async () => {
    const events: unknown[] = [];
    const publicKey = () => /DISCORD_PUBLIC_KEY=([0-9a-f]{64})/.exec(printed.join("\n"))?.[1] ?? "";
    const server = createServer(nodeListener(async (request) => {
      events.push(await parseWebhookEvent(request, publicKey()));
      return new Response(null, { status: 204, headers: { "content-type": "text/plain" } });
    }));
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
    expect(await fake("--port", "0", "--webhook-url", address)).toBe(0);

    const user = await logInAndRevoke();
    await eventually(() => expect(printed).toContain(`Event to ${address}: status 204`));
    expect(events).toMatchObject([{
      type: "APPLICATION_DEAUTHORIZED",
      data: { user: { id: user } },
    }]);
  });

  test.each([
    ["localhost:3000/events", 'must be an http address, received "localhost:3000/events"'],
    ["", 'must be an http address, received ""'],
  ])("refuses %j as an address for events", async (address, found) => {
    expect(await fake("--port", "0", "--webhook-url", address)).toBe(2);
    expect(errors).toEqual([`--webhook-url ${found}`]);
  });

  test("refuses an address for events together with a config file", async () => {
    const path = await config({});
    expect(await fake("--config", path, "--webhook-url", "http://x.example/")).toBe(2);
    expect(errors[0]).toContain(`set "webhookEvents" of an application in ${path}`);
  });

  /** Sends a request with node:http, which sends all headers as they are. Returns the status. */
  function statusOf(
    path: string,
    method: string,
    headers: Record<string, string>,
  ): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const sent = httpRequest(origin() + path, { method, headers });
      sent.on("error", reject).on("response", (response) => {
        response.resume().on("end", () => resolve(response.statusCode));
      });
      sent.end();
    });
  }

  test("serves this machine only, and says so in the log", async () => {
    await fake("--port", "0");
    expect(await statusOf("/oauth2/authorized", "GET", { host: "attacker.example" })).toBe(403);
    expect(printed.slice(1)).toEqual([
      "403: the host attacker.example is not this machine; to serve it, start with --host attacker.example",
    ]);
    for (const host of ["localhost", "app.localhost:80", "127.0.0.1", "[::1]"]) {
      expect(await statusOf("/oauth2/authorized", "GET", { host }), host).toBe(200);
    }
  });

  test("suggests --host for the name of a host only", async () => {
    await fake("--port", "0");
    const target = { host: "127.0.0.1", port: new URL(origin()).port, path: "http://$(id)/" };
    await new Promise((resolve) =>
      httpRequest(target, (response) => response.resume().on("end", resolve)).end()
    );
    expect(printed.slice(1)).toEqual(["403: the host $(id) is not this machine"]);
  });

  test("serves the hosts of --host too", async () => {
    await fake("--port", "0", "--host", "one.example", "--host", "Two.example");
    for (const host of ["one.example", "two.example:8788"]) {
      expect(await statusOf("/oauth2/authorized", "GET", { host }), host).toBe(200);
    }
    expect(await statusOf("/oauth2/authorized", "GET", { host: "three.example" })).toBe(403);
  });

  test("prints the reason of a refused token request, without its description", async () => {
    await fake("--port", "0");
    const { id, secret } = sampleApplication;
    const form = { grant_type: "hunter2", client_id: id, client_secret: secret };
    const body = new URLSearchParams(form);
    const response = await fetch(`${origin()}/api/v10/oauth2/token`, {
      method: "POST",
      headers: agent,
      body,
    });
    expect(await response.text()).toContain("hunter2");
    expect(printed.at(-1)).toMatch(
      /^POST \/api\/v10\/oauth2\/token 400 \d+ ms: unsupported_grant_type$/,
    );
  });

  test("prints the reason of each 403", async () => {
    await fake("--port", "0");
    const foreign = { origin: "https://attacker.example" };
    expect(await statusOf("/oauth2/authorize", "POST", foreign)).toBe(403);
    expect(await statusOf("/api/v10/users/@me", "GET", {})).toBe(403);
    await eventually(() => expect(printed).toHaveLength(3));
    expect(printed.slice(1)).toEqual([
      expect.stringMatching(
        /^POST \/oauth2\/authorize 403 \d+ ms: A page of "https:\/\/attacker\.example" sent the form. Only pages of this platform may send it$/,
      ),
      expect.stringMatching(
        /^GET \/api\/v10\/users\/@me 403 \d+ ms: internal network error \(40333\), since the request has no User-Agent header$/,
      ),
    ]);
  });

  test("stops at once, even with an open connection", async () => {
    await fake("--port", "0");
    await (await fetch(`${origin()}/oauth2/authorized`)).text();
    stopped.abort();
    await eventually(() => expect(fetch(origin())).rejects.toThrow());
  });
});
