// Runs the suite against the source tree, all of it imported by URL: deno run <URL of this module> <origin>
import * as sdk from "../../../../mod.ts";
import * as login from "../../../../src/login/mod.ts";
import * as openid from "../../../../src/openid/mod.ts";
import * as webhookEvents from "../../../../src/webhook_events/mod.ts";
import * as testing from "../../../../src/testing/mod.ts";
import { run } from "../smoke.ts";

const names = await run({
  sdk,
  login,
  openid,
  webhookEvents,
  testing,
  origin: Deno.args[0] ?? "",
  inspect: (value) => Deno.inspect(value, { showHidden: true, depth: Infinity, getters: true }),
});
console.log(JSON.stringify(names));
