import { Miniflare, type Request as WorkerRequest } from "miniflare";
import { expect, test } from "vitest";
import { bundleWorker } from "./support/bundle.ts";
import { exampleFolder, readConfiguration } from "./support/worker.ts";

test.each(["8787", "9123"])("The Worker's demo logs somebody in on port %s", async (port) => {
  const { main, compatibility_date: compatibilityDate, vars } = readConfiguration(
    "demo/wrangler.jsonc",
  );
  const miniflare: Miniflare = new Miniflare({
    modules: true,
    script: await bundleWorker(new URL(`demo/${main}`, exampleFolder)),
    compatibilityDate,
    kvNamespaces: ["SESSIONS"],
    bindings: vars,
    // What it asks of the platform comes back to itself, as it does on the port that wrangler listens at.
    outboundService: (request: WorkerRequest) => miniflare.dispatchFetch(request.url, request),
  });
  const open = async (url: string, init = {}) =>
    await miniflare.dispatchFetch(url, { redirect: "manual", ...init });
  try {
    const printed = await open(`http://127.0.0.1:${port}/`);
    expect(printed.headers.get("location")).toBe(`http://localhost:${port}/`);

    const login = await open(`http://localhost:${port}/login`);
    const consent = login.headers.get("location") ?? "";
    expect(consent).toContain(`http://127.0.0.1:${port}/oauth2/authorize?`);
    const [, user = ""] = /name="user" value="(\d+)"/.exec(await (await open(consent)).text()) ??
      [];
    const decision = await open(consent, {
      method: "POST",
      body: `action=authorize&user=${user}`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    const callback = await open(decision.headers.get("location") ?? "", {
      headers: { cookie: cookieOf(login.headers.getSetCookie()) },
    });
    expect(callback.status).toBe(303);
    const me = await open(`http://localhost:${port}/me`, {
      headers: { cookie: cookieOf(callback.headers.getSetCookie()) },
    });
    expect(await me.text()).toContain("<h1>Ada Lovelace</h1>");
  } finally {
    await miniflare.dispose();
  }
});

function cookieOf([setCookie = ""]: readonly string[]): string {
  return setCookie.replace(/;.*/, "");
}
