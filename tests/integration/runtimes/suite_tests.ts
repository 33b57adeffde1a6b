/**
 * Runs tests of the source on other runtimes, with the packages in Deno's `node_modules`.
 *
 * @module
 */

import { filesBelow } from "../../../scripts/files.ts";
import type { RuntimeTest } from "./report.ts";
import { binaryOf, type Runtime, versionOf } from "./tools.ts";
import { runVitest } from "./vitest.ts";

/**
 * The tests with a part of the runtime under them, and that part. Every gate runs them on each runtime. The other tests compare texts
 * and objects of the language: `deno task test` runs them in each gate, and the weekly workflow runs them on the other runtimes.
 */
export const dependingOnRuntime: Readonly<Record<string, string>> = {
  "tests/api/": "requests, responses, abort signals",
  "tests/command/": "processes, signals, servers, files",
  "tests/core/": "timers, the printed form of objects, errors",
  "tests/http/": "fetch, streams, abort signals, timers, SHA-256",
  "tests/integration/demo.test.ts": "a server with requests, responses, cookies and forms",
  "tests/integration/oauth_server.test.ts": "fetch over a connection",
  "tests/integration/secrets.test.ts": "the printed form of objects, errors",
  "tests/links/": "URL, URLSearchParams, random values, SHA-256",
  "tests/login/attacks.test.ts": "URL, headers, cookies, AES",
  "tests/login/site/cookies.test.ts": "headers, cookies",
  "tests/login/callback/finish_login.test.ts": "requests, responses, cookies",
  "tests/login/fixtures.test.ts": "AES, HKDF",
  "tests/login/site/frontends.test.ts": "requests, headers",
  "tests/login/handle.test.ts": "requests, responses, URL, AES",
  "tests/login/login.test.ts": "requests, responses, the printed form of objects",
  "tests/login/pages/responses.test.ts": "responses, headers",
  "tests/login/site/page_after_login.test.ts": "URL",
  "tests/login/sessions/open_session.test.ts": "the printed form of objects",
  "tests/login/sessions.test.ts": "AES, cookies, timers",
  "tests/login/site/site_address.test.ts": "URL, headers",
  "tests/login/slow_store.test.ts": "timers",
  "tests/mod.test.ts": "the modules as the runtime loads them",
  "tests/node.test.ts": "Node's HTTP server, streams",
  "tests/openid/": "RSA, ECDSA, fetch, timers",
  "tests/resources/reading.test.ts": "the depth of the stack, structured clones",
  "tests/resources/token.test.ts": "the printed form of objects",
  "tests/stores/": "AES, SHA-256, timers",
  "tests/testing/endpoints/authorize_request.test.ts": "URL, forms",
  "tests/testing/endpoints/oauth.test.ts": "requests, forms, URLSearchParams",
  "tests/testing/endpoints/openid.test.ts": "RSA",
  "tests/testing/faults/": "streams, abort signals, timers",
  "tests/testing/http/": "streams",
  "tests/testing/node_listener.test.ts": "Node's HTTP server, streams",
  "tests/testing/person/": "requests, cookies, forms",
  "tests/testing/server.test.ts": "Node's HTTP server",
  "tests/testing/webhook_events.test.ts": "Ed25519",
  "tests/tokens/token_source.test.ts": "timers, abort signals, the order of promises",
  "tests/webhook_events/": "Ed25519, requests, streams",
};

/** The tests with the same outcome on every runtime. Other runtimes never run them. */
export const sameOnEveryRuntime: readonly string[] = [
  // The compiler responds, not the library.
  "tests/mod_in_editor.test.ts",
  "tests/login/editor.test.ts",
  "tests/resources/token_in_editor.test.ts",
  "tests/integration/permission_code.test.ts",
  // The texts of files are compared.
  "tests/integration/comparison.test.ts",
  "tests/integration/docs_site.test.ts",
  "tests/integration/drift.test.ts",
  "tests/integration/drift_workflow.test.ts",
  "tests/integration/frameworks_guide.test.ts",
  "tests/integration/lock_files.test.ts",
  "tests/integration/release.test.ts",
  "tests/integration/release_channel.test.ts",
  "tests/integration/runtimes/report.test.ts",
  "tests/integration/runtimes/suite_tests.test.ts",
  "tests/integration/sentences.test.ts",
  "tests/integration/update_bot.test.ts",
  "tests/integration/workflows.test.ts",
  "tests/integration/workflow_commands.test.ts",
  "tests/support/doc_assertions.test.ts",
  // Every field with every wrong value goes through the reader that `reading.test.ts` tests.
  "tests/resources/fields.test.ts",
];

/** Lists the tests that are not the same on every runtime. Vitest's option `--exclude` does not change what a project includes. */
function differingTests(): string[] {
  return filesBelow(new URL("../../", import.meta.url)).map((path) => `tests/${path}`)
    .filter((path) => path.endsWith(".test.ts") && !sameOnEveryRuntime.includes(path));
}

/** The time limit of a test, also of a search, which takes longer on some runtimes than in Deno. */
const timeout = "--testTimeout=120000";

/** Creates the tests. They run the whole suite if `isWhole` is true, and otherwise the part that depends on the runtime. */
export function suiteTests(isWhole: boolean): RuntimeTest[] {
  return [suiteOn("node24", "Node 24", isWhole), suiteOn("bun", "Bun", isWhole, "--bun")];
}

function suiteOn(
  runtime: Runtime,
  name: string,
  isWhole: boolean,
  ...flags: string[]
): RuntimeTest {
  return {
    runtime: name,
    title: isWhole ? "the test suite" : "the tests that depend on the runtime",
    async run() {
      const command = [binaryOf(runtime), ...flags, "node_modules/vitest/vitest.mjs"] as const;
      const chosen = isWhole
        ? ["--project=searches", ...differingTests()]
        : Object.keys(dependingOnRuntime);
      // Neither the types nor a simulated page depend on the runtime around them.
      const projects = ["--project=server", "--project=own modules"];
      const { passed, skipped } = await runVitest(command, ...projects, timeout, ...chosen);
      return [await versionOf(runtime), passed, skipped.map((test) => `skipped: ${test}`)];
    },
  };
}
