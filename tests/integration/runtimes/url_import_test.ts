/**
 * Runs the smoke suite in Deno against the source tree, imported by URL.
 *
 * @module
 */

import { run } from "../../../scripts/command.ts";
import { servePlatform } from "./platform_server.ts";
import type { RuntimeTest } from "./report.ts";
import { countChecks } from "./smoke.ts";
import { oldestDeno, oldestDenoEnvironment, oldestDenoVersion } from "./tools.ts";

/** Creates the tests, for this Deno and for the oldest one. */
export function urlImportTests(): RuntimeTest[] {
  const title = "smoke tests of the source, imported by URL";
  return [
    {
      runtime: "Deno",
      title,
      run: async () => [Deno.version.deno, await importByUrl([Deno.execPath()])],
    },
    {
      runtime: "Deno 2.0",
      title,
      run: async () => [
        await oldestDenoVersion(),
        await importByUrl(oldestDeno(), oldestDenoEnvironment),
      ],
    },
  ];
}

async function importByUrl(
  deno: readonly [string, ...string[]],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  await using source = serveSource();
  await using platform = await servePlatform();
  const command = [
    ...deno,
    "run",
    "--quiet",
    // Without the import map, the lock file and the node_modules of this repository.
    "--no-config",
    "--no-lock",
    `--reload=${source.origin}`,
    `--allow-import=${new URL(source.origin).host}`,
    "--allow-net=127.0.0.1",
    `${source.origin}/tests/integration/runtimes/starters/by_url.ts`,
    platform.origin,
  ] as const;
  const directory = await Deno.makeTempDir();
  try {
    const printed = await run(command, { cwd: directory, env: { ...env } });
    return `${countChecks(printed)} checks`;
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

function serveSource(): AsyncDisposable & { readonly origin: string } {
  const root = new URL("../../../", import.meta.url);
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const { pathname } = new URL(request.url);
    if (!pathname.endsWith(".ts")) return new Response(null, { status: 404 });
    return new Response(await Deno.readFile(new URL(`.${pathname}`, root)), {
      headers: { "content-type": "application/typescript" },
    });
  });
  return {
    origin: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
