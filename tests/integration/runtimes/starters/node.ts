// Runs the suite against the installed package on Node and Bun: node node.ts <origin>
import * as sdk from "@guildpass/sdk";
import * as login from "@guildpass/sdk/login";
import * as openid from "@guildpass/sdk/openid";
import * as testing from "@guildpass/sdk/testing";
import * as webhookEvents from "@guildpass/sdk/webhook-events";
import process from "node:process";
import { inspect } from "node:util";
import { run } from "../smoke.ts";

const names = await run({
  sdk,
  login,
  openid,
  webhookEvents,
  testing,
  origin: process.argv[2] ?? "",
  inspect: (value) => inspect(value, { showHidden: true, depth: Infinity, getters: true }),
});
console.log(JSON.stringify(names));
