/**
 * An application in a process of its own, behind a server.
 *
 * @module
 */

import { type ChildProcess, fork } from "node:child_process";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { nodeListener } from "../../../../src/testing/mod.ts";
import { redirectTls } from "../../../../tests/integration/clients/support/redirect.ts";
import { endedStatus, type Handler } from "./browser.ts";
import type { Contender, Shared } from "./contender.ts";
import { forwardTo, serve } from "./loopback.ts";
import { type PlatformServer, site } from "./platform.ts";

/** The settings of a process. */
export interface Settings {
  /** The name of a module in `contenders/`. */
  readonly contender: string;
  readonly shared: Shared;
  readonly platform: PlatformServer;
}

/** A running process. Disposing of it ends the process. */
export interface ApplicationProcess extends AsyncDisposable {
  readonly app: Handler;
}

/** Starts an application in a process and waits until it is ready. */
export async function startProcess(settings: Settings): Promise<ApplicationProcess> {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(settings)], { silent: true });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    app: respondWhileRunning(ended, forwardTo(await portOf(child))),
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
    },
  };
}

/** Returns an application that says so if its process has ended. */
function respondWhileRunning(ended: Promise<void>, app: Handler): Handler {
  return async (request) => {
    try {
      return await app(request);
    } catch (error) {
      // The connection may break a moment before the process has ended.
      const hasEnded = await Promise.race([ended.then(() => true), setTimeout(1000, false)]);
      if (!hasEnded) throw error;
      return new Response(null, { status: endedStatus });
    }
  };
}

async function portOf(child: ChildProcess): Promise<number> {
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk) => printed += chunk);
  }
  return await new Promise((resolve, reject) => {
    child.once("message", (port) => resolve(Number(port)));
    child.once("exit", () => reject(new Error(`An application has ended:\n${printed}`)));
  });
}

if (import.meta.main) await main(JSON.parse(process.argv[2] ?? "{}"));

async function main({ contender: name, shared, platform }: Settings): Promise<void> {
  // Ends this process with the comparison.
  process.once("disconnect", () => process.exit());
  redirectTls(platform.port, platform.certificate);
  // No template in the import: `deno check` at the root would then follow it to packages that are not installed there.
  const { href } = new URL(`contenders/${name}.ts`, import.meta.url);
  const module: { contender: Contender } = await import(href);
  const { createApp, createSharedApp } = module.contender;
  const app = createSharedApp ? await createSharedApp(shared) : await createApp();
  process.send?.(await serve(nodeListener(app, { origin: site })));
}
