import { chmod, cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import configuration from "../../../deno.json" with { type: "json" };
import {
  createFakePlatform,
  type FakePlatform,
  type FakePlatformOptions,
  sampleApplication,
} from "../../../src/testing/mod.ts";
import { decide } from "./support/browser.ts";
import { freePort } from "../../support/free_port.ts";
import { address, type RunningScript, runScript, visit } from "./support/deno_login.ts";

describe("The script", () => {
  test("logs in on a fake platform, prints your name and your guilds, and ends", async () => {
    await using script = await runScript();
    const link = await script.link();
    expect(link).toBe(`http://localhost:${script.port}/login`);
    const visitor = await visit(script);
    expect(new URL(visitor.consentUrl).searchParams.get("code_challenge_method")).toBe("S256");

    const response = await visitor.open(await decide(visitor.consentUrl, "authorize"));
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "cache-control": "no-store",
      "content-security-policy": expect.stringMatching(
        /^default-src 'none'; style-src 'nonce-[\w-]{36}'; .*frame-ancestors 'none'$/,
      ),
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
    });
    expect(await response.text()).toContain("<h1>Hello Ada Lovelace</h1>");
    expect(await script.ended).toBe(0);
    expect(script.printed).toBe(`Open this to log in:

${link}

You are Ada Lovelace (@ada, 1000000000000000001)
You are in 4 guilds:
- The Analytical Engine (you own it)
- Compiler Café (you manage it)
- Night Sky (you manage it)
- Knitting & <Yarn> (a member)
`);
    await expect(fetch(`http://localhost:${script.port}/`)).rejects.toThrow();
  });

  test("ends with an explanation if the person refuses", async () => {
    await using script = await runScript();
    const visitor = await visit(script);
    const response = await visitor.open(await decide(visitor.consentUrl, "cancel"));
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining("<h1>That did not work</h1>"),
    ]);
    expect(await script.ended).toBe(1);
    expect(script.printed).toContain("access_denied");
    expect(script.printed).toContain("offer to log in again");
  });

  test("refuses the callback of another login, and keeps waiting", async () => {
    await using script = await runScript();
    const visitor = await visit(script);
    const callback = new URL(await decide(visitor.consentUrl, "authorize", "grace"));
    const state = callback.searchParams.get("state") ?? "";
    for (const wrong of [state.slice(0, -1) + "~", "", null]) {
      const foreign = new URL(callback);
      if (wrong === null) foreign.searchParams.delete("state");
      else foreign.searchParams.set("state", wrong);
      const response = await visitor.open(foreign);
      expect([response.status, await response.text()]).toEqual([
        400,
        expect.stringContaining("<h1>This is another login</h1>"),
      ]);
    }
    const otherBrowser = await fetch(callback);
    expect([otherBrowser.status, await otherBrowser.text()]).toEqual([
      400,
      expect.stringContaining("<h1>This is another login</h1>"),
    ]);
    const forged = await visitor.open(
      `http://localhost:${script.port}/callback?error=x&error_description=hello`,
    );
    expect([forged.status, await forged.text()]).toEqual([
      400,
      expect.stringContaining("<h1>This is another login</h1>"),
    ]);
    const elsewhere = await fetch(`http://localhost:${script.port}/favicon.ico`);
    expect([elsewhere.status, await elsewhere.text()]).toEqual([
      404,
      expect.stringContaining("There is nothing here"),
    ]);
    expect((await visitor.open(callback, { method: "POST" })).status).toBe(405);
    // A logout leads to a page that begins no login.
    const site = `http://localhost:${script.port}`;
    const logout = { method: "POST", headers: { origin: site } };
    const end = (await visitor.open(`${site}/logout`, logout)).headers.get("location") ?? "";
    expect((await visitor.open(new URL(end, site))).status).toBe(404);

    expect((await visitor.open(callback)).status).toBe(200);
    expect(await script.ended).toBe(0);
    expect(script.printed).toContain("You are grace (@grace,");
    expect(script.printed).not.toContain("hello");
  });

  test("prints its options with --help", async () => {
    await using script = await runScript({ args: ["--help"] });
    expect(await script.ended).toBe(0);
    expect(script.printed).toMatch(/^Logs you in with Discord.*--timeout <seconds>/s);
  });

  test("ends if there is no login in time", async () => {
    await using script = await runScript({ args: ["--fake", "--timeout", "0.1"] });
    expect(await script.ended).toBe(1);
    expect(script.printed).toContain("There was no login within 0.1 seconds");
  });

  test.each([
    [
      "",
      "DISCORD_CLIENT_ID is not set. Set it and DISCORD_CLIENT_SECRET to those of your application,\n" +
      "or add --fake to see a login without an account\n",
    ],
    ["lantern", "DISCORD_CLIENT_ID is not a number\n"],
  ])("explains a client id of '%s'", async (id, told) => {
    const env = { DISCORD_CLIENT_ID: id };
    await using script = await runScript({ args: [], permissions: [environment], env });
    expect(await script.ended).toBe(1);
    expect(script.printed).toBe(told);
  });

  test.each([
    [["--port", "0"], "--port must be a number from 1 to 65534"],
    [["--timeout", "soon"], "--timeout must be a number of seconds"],
    [["--colour"], "--colour"],
  ])("prints its options after the wrong arguments %j", async (args, told) => {
    await using script = await runScript({ args });
    expect(await script.ended).toBe(1);
    expect(script.printed).toContain(told);
    expect(script.printed).toContain("--fake ");
  });

  test("reports a port that is taken", async () => {
    await using first = await runScript();
    await first.link();
    await using second = await runScript({
      args: ["--fake", "--port", `${first.port}`],
      hosts: [`localhost:${first.port}`, `127.0.0.1:${first.port + 1}`],
    });
    expect(await second.ended).toBe(1);
    expect(second.printed).toContain(`Port ${first.port + 1} is taken`);
  });

  test("opens the login in the browser on demand, and does not wait for the end of the browser", async () => {
    const folder = await mkdtemp(join(tmpdir(), "guildpass-browser-"));
    const opened = join(folder, "opened");
    for (const name of ["open", "xdg-open"]) {
      await writeFile(join(folder, name), `#!/bin/sh\necho "$$ $1" > "${opened}"\nexec sleep 60\n`);
      await chmod(join(folder, name), 0o755);
    }
    await using script = await runScript({
      args: ["--fake", "--open"],
      env: { PATH: `${folder}:${Deno.env.get("PATH")}` },
      permissions: ["--allow-run=open,xdg-open"],
    });
    const link = await script.link();
    await expect.poll(() => readFile(opened, "utf8").catch(() => "")).toContain(` ${link}\n`);
    try {
      const visitor = await visit(script);
      const callback = await decide(visitor.consentUrl, "authorize");
      expect((await visitor.open(callback)).status).toBe(200);
      expect(await script.ended).toBe(0);
    } finally {
      Deno.kill(parseInt(await readFile(opened, "utf8")));
      await rm(folder, { recursive: true });
    }
  });

  test("continues if it can't open a browser", async () => {
    await using script = await runScript({ args: ["--fake", "--open"] });
    const visitor = await visit(script);
    await expect.poll(() => script.printed).toContain("The browser could not be opened with");
    const callback = await decide(visitor.consentUrl, "authorize");
    expect((await visitor.open(callback)).status).toBe(200);
    expect(await script.ended).toBe(0);
  });
});

describe("The script, with an application from the environment", () => {
  test("logs in at another platform", async () => {
    await using login = await runAtPlatform();
    const { fake, script } = login;
    const visitor = await visit(script);
    expect((await visitor.open(await fake.authorize(visitor.consentUrl))).status).toBe(200);
    expect(await script.ended).toBe(0);
    expect(script.printed).toContain("You are Ada Lovelace");
    expect(fake.requests.find(({ path }) => path.endsWith("/token"))?.body).toMatchObject({
      code_verifier: expect.any(String),
    });
  });

  test("needs no secret for a public client", async () => {
    await using login = await runAtPlatform({ secret: null });
    const visitor = await visit(login.script);
    expect((await visitor.open(await login.fake.authorize(visitor.consentUrl))).status).toBe(200);
    expect(await login.script.ended).toBe(0);
  });

  test("exchanges a code once, even if the browser comes back twice", async () => {
    await using login = await runAtPlatform();
    const { fake, script } = login;
    const visitor = await visit(script);
    const callback = await fake.authorize(visitor.consentUrl);
    // The second request comes while the first is still running.
    fake.failNext({ path: "/oauth2/token", delay: 500 });
    const responses = await Promise.all([visitor.open(callback), visitor.open(callback)]);
    for (const response of responses) {
      expect([response.status, await response.text()]).toEqual([
        200,
        expect.stringContaining("<h1>Hello Ada Lovelace</h1>"),
      ]);
    }
    expect(await script.ended).toBe(0);
    expect(fake.requests.filter(({ path }) => path.endsWith("/token"))).toHaveLength(1);
  });

  test("escapes names on the page and in the terminal", async () => {
    const name = `<b>\x1b[2J\u202e"&`;
    await using login = await runAtPlatform({
      platform: {
        users: [{ id: "1", username: "ada", global_name: name }],
        guilds: [{ id: "7", name: `${name}\n- forged`, members: { "1": {} } }],
      },
    });
    const { fake, script } = login;
    const visitor = await visit(script);
    const response = await visitor.open(await fake.authorize(visitor.consentUrl));
    expect(await response.text()).toContain("<h1>Hello &#60;b&#62;");
    expect(await script.ended).toBe(0);
    expect(script.printed).toContain('You are <b>�[2J�"& (@ada, 1)\nYou are in 1 guild:\n');
    expect(script.printed).toMatch(/^- <b>�\[2J�"&�- forged \(a member\)$/m);
  });

  test.each([
    ["the code was refused", "/oauth2/token", 400, { error: "invalid_grant" }, "invalid_grant"],
    ["the secret is wrong", "/oauth2/token", 401, { error: "invalid_client" }, "invalid_client"],
    ["every token is refused", "/users/@me", 401, {}, "Authorized Apps"],
    ["it is limited", "/users/@me/guilds", 429, { retry_after: 60 }, "Wait 60 s"],
    ["the platform is in trouble", "/oauth2/token", 500, {}, "returned 500"],
  ])("reports that %s, and shows no secret", async (_, path, status, body, told) => {
    await using login = await runAtPlatform();
    const { fake, script } = login;
    const visitor = await visit(script);
    const callback = await fake.authorize(visitor.consentUrl);
    fake.failNext({ path, status, body });
    const response = await visitor.open(callback);
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining("That did not work"),
    ]);
    expect(await script.ended).toBe(1);
    expect(script.printed).toContain(told);
    const { code_verifier: verifier } = Object(
      fake.requests.find(({ path }) => path.endsWith("/token"))?.body,
    );
    for (
      const secret of [
        verifier,
        sampleApplication.secret,
        new URL(callback).searchParams.get("code"),
      ]
    ) {
      expect(script.printed).not.toContain(secret);
    }
  });
});

test("The script imports the current version of the library", async () => {
  const source = await readFile(new URL("examples/deno_login.ts", root), "utf8");
  const found = source.match(/https:\/\/raw\.githubusercontent\.com\/guildpass\/sdk\/[^/]*\//g);
  expect(found?.length).toBeGreaterThan(3);
  expect(new Set(found)).toEqual(new Set([address]));
  expect(Object.keys(configuration.imports)).toContain(address);
});

test("The script runs in a clone without installed packages, as the guide says", async () => {
  const guide = await readFile(new URL("docs/features.md", root), "utf8");
  const written = guide.replace(/ \\\n */g, " ");
  const [, command = ""] = /^deno (run .*examples\/deno_login\.ts --fake)$/m.exec(written) ?? [];
  const clone = await mkdtemp(join(tmpdir(), "guildpass-clone-"));
  try {
    for (const path of ["deno.json", "deno.lock", "mod.ts", "src", "examples"]) {
      await cp(new URL(path, root), join(clone, path), { recursive: true });
    }
    const { stderr } = await new Deno.Command(Deno.execPath(), {
      args: [...command.split(" "), "--timeout=0.1", `--port=${await freePort()}`],
      cwd: clone,
      env: { NO_COLOR: "1" },
    }).output();
    expect(new TextDecoder().decode(stderr)).toContain("There was no login within 0.1 seconds");
  } finally {
    await rm(clone, { recursive: true });
  }
});

const root = new URL("../../../", import.meta.url);

const environment = "--allow-env=DISCORD_CLIENT_ID,DISCORD_CLIENT_SECRET";

interface LoginAtPlatform extends AsyncDisposable {
  readonly fake: FakePlatform;
  readonly script: RunningScript;
}

/** Runs the script on a platform that the test controls. */
async function runAtPlatform(
  { secret = sampleApplication.secret, platform = {} }: {
    secret?: string | null;
    platform?: FakePlatformOptions;
  } = {},
): Promise<LoginAtPlatform> {
  let fake = createFakePlatform();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request) => fake.fetch(request),
  );
  const host = `127.0.0.1:${server.addr.port}`;
  const script = await runScript({
    args: ["--platform", `http://${host}`],
    env: {
      DISCORD_CLIENT_ID: sampleApplication.id,
      ...(secret && { DISCORD_CLIENT_SECRET: secret }),
    },
    permissions: [environment],
    hosts: [host],
  });
  fake = createFakePlatform({
    ...platform,
    origin: `http://${host}`,
    applications: [{
      ...sampleApplication,
      secret,
      redirectUris: [`http://localhost:${script.port}/callback`],
    }],
  });
  return {
    fake,
    script,
    async [Symbol.asyncDispose]() {
      await script[Symbol.asyncDispose]();
      await server.shutdown();
    },
  };
}
