import { Miniflare, type Request as WorkerRequest } from "miniflare";
import { expect, test } from "vitest";
import { CookieJar } from "../../../src/testing/mod.ts";
import { bundleWorker } from "./support/bundle.ts";
import { exampleFolder, readConfiguration } from "./support/worker.ts";

test.each(["8787", "9123"])(
  "The Worker's demo logs a person in on port %s",
  async (port) => {
    const { main, vars, ...options } = readConfiguration("demo/wrangler.jsonc");
    const miniflare: Miniflare = new Miniflare({
      modules: true,
      script: await bundleWorker(new URL(`demo/${main}`, exampleFolder)),
      ...options,
      bindings: vars,
      // Its requests to the platform come back to itself, as on the port of wrangler.
      outboundService: async (request: WorkerRequest) => {
        const { url, method, headers } = request;
        const text = await request.text();
        // Without the settings of the cache: Miniflare adds its own, and workerd refuses both together.
        return await miniflare.dispatchFetch(url, {
          method,
          headers,
          ...(text !== "" && { body: text }),
        });
      },
    });
    const open = async (url: string, init = {}) =>
      await miniflare.dispatchFetch(url, { redirect: "manual", ...init });
    const jar = new CookieJar();
    const visit = async (url: string): Promise<Response> => {
      const { headers } = jar.request(url);
      const served = await open(url, { headers: Object.fromEntries(headers) });
      // Miniflare has its own type of responses.
      const { status } = served;
      const body = status === 200 ? await served.text() : null;
      const response = new Response(body, { status, headers: new Headers([...served.headers]) });
      jar.store(response, url);
      return response;
    };
    try {
      const printed = await open(`http://127.0.0.1:${port}/`);
      expect(printed.headers.get("location")).toBe(`http://localhost:${port}/`);

      const start = await visit(`http://localhost:${port}/guilds`);
      const consent = start.headers.get("location") ?? "";
      expect(consent).toContain(`http://127.0.0.1:${port}/oauth2/authorize?`);
      const [, user = ""] = /name="user" value="(\d+)"/.exec(await (await open(consent)).text()) ??
        [];
      const decision = await open(consent, {
        method: "POST",
        body: `action=authorize&user=${user}`,
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
      const callback = await visit(decision.headers.get("location") ?? "");
      expect(callback.headers.get("location")).toBe(`http://localhost:${port}/guilds`);
      const guilds = await visit(`http://localhost:${port}/guilds`);
      expect(await guilds.text()).toContain("<h1><bdi>Ada Lovelace</bdi></h1>");
    } finally {
      await miniflare.dispose();
    }
  },
);
