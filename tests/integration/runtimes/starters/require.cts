// Runs the suite against the installed package from a CommonJS module: node require.cts <origin>
const { inspect } = require("node:util");
const process = require("node:process");
const { run } = require("../smoke.ts");

run({
  sdk: require("@guildpass/sdk"),
  login: require("@guildpass/sdk/login"),
  openid: require("@guildpass/sdk/openid"),
  webhookEvents: require("@guildpass/sdk/webhook-events"),
  testing: require("@guildpass/sdk/testing"),
  origin: process.argv[2],
  inspect: (value: unknown) => inspect(value, { showHidden: true, depth: Infinity, getters: true }),
}).then((names: string[]) => console.log(JSON.stringify(names)));
