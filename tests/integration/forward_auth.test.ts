import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { CookieJar, nodeListener } from "../../src/testing/mod.ts";
import { documentOf, removeBlocks } from "../support/doc_blocks.ts";
import { freePort } from "../support/free_port.ts";
import { serveListener } from "../support/node_server.ts";
import { fake } from "../support/sdk_on_fake_platform.ts";

const { blockWith, onFake } = documentOf("docs/hosts.md");
const [, guide = ""] = readFileSync(new URL("../../docs/hosts.md", import.meta.url), "utf8")
  .split("## A login in front of any service");

afterAll(removeBlocks);

/** A proxy of Debian's packages. */
interface Proxy {
  readonly program: string;
  /** Asks for the version, to see if the program is installed. */
  readonly version: string;
  /** The whole configuration around that of the guide. */
  configure(code: string, port: number, folder: string): string;
  run(file: string): string[];
}

const proxies: readonly Proxy[] = [
  {
    program: "nginx",
    version: "-v",
    configure: (code, port, folder) =>
      `pid ${folder}/pid; error_log ${folder}/error.log; events {}
http { access_log off; server { listen 127.0.0.1:${port}; ${code} } }`,
    run: (file) => ["-c", file, "-g", "daemon off;"],
  },
  {
    program: "caddy",
    version: "version",
    configure: (code, port) =>
      `{\n admin off\n auto_https off\n}\nhttp://localhost:${port} {\n${code}\n}`,
    run: (file) => ["run", "--adapter", "caddyfile", "--config", file],
  },
];

const installed = new Set<string>();
for (const { program, version } of proxies) {
  const child = spawn(program, [version], { stdio: "ignore" });
  const end = await Promise.race([once(child, "close"), once(child, "error")]).catch(() => [1]);
  if (end[0] === 0) installed.add(program);
}

for (const { program, configure, run } of proxies) {
  // A machine without the program can't run this: `apt-get install nginx caddy` on Debian.
  test.skipIf(!installed.has(program))(
    `${program} lets only people through who have logged in`,
    async () => {
      const port = await freePort();
      const site = `http://localhost:${port}`;
      const block = blockWith("// auth.ts");
      const code = block.code.replace("https://app.example", site);
      const { default: app } = await onFake<{ default: { fetch(r: Request): Promise<Response> } }>(
        { ...block, file: block.file.replace("auth.ts", `${program}.ts`), code },
      );
      await using auth = await serveListener(nodeListener((request) => app.fetch(request)));
      await using service = await serveListener(
        nodeListener((request) =>
          Promise.resolve(new Response(`Hello, ${request.headers.get("remote-user")}`))
        ),
      );
      const start = guide.indexOf("```" + program) + 3;
      const given = guide.slice(guide.indexOf("\n", start), guide.indexOf("```", start));
      const folder = mkdtempSync(join(tmpdir(), "guildpass-proxy-"));
      const file = join(folder, "configuration");
      const own = given.replaceAll("127.0.0.1:3000", new URL(auth.origin).host)
        .replaceAll("127.0.0.1:8080", new URL(service.origin).host);
      writeFileSync(file, configure(own, port, folder));
      const child = spawn(program, run(file), { stdio: "ignore" });
      onTestFinished(async () => {
        child.kill();
        await once(child, "close");
        rmSync(folder, { recursive: true });
      });

      const jar = new CookieJar();
      const open = async (address: string, init: RequestInit = {}) => {
        const url = new URL(address, site);
        const { headers } = jar.request(url);
        for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
        const response = await fetch(url, { ...init, headers, redirect: "manual" });
        jar.store(response, url);
        return response;
      };
      const forged = { "remote-user": "1", "x-forwarded-uri": "https://evil.example" };
      await vi.waitUntil(() => fetch(site, { redirect: "manual" }).catch(() => null), {
        timeout: 20_000,
      });
      const page = "/wiki?a=1&b=2";
      const first = await open(page, { headers: forged });
      expect(first.status).toBe(302);
      const login = first.headers.get("location") ?? "";
      expect(login).toBe(`/login?returnTo=${encodeURIComponent(page)}`);
      const begun = await open(login);
      const end = await open(
        await fake.authorize(begun.headers.get("location") ?? "", { as: "ada" }),
      );
      expect(end.headers.get("location")).toBe(site + page);
      expect(await (await open(page, { headers: forged })).text())
        .toBe("Hello, 1000000000000000001");
      await open("/logout", { method: "POST", headers: { origin: site } });
      expect((await open(page)).status).toBe(302);
    },
    60_000,
  );
}
