// Runs the suite in a page of the platform that it logs in to
import * as sdk from "@guildpass/sdk";
import * as login from "@guildpass/sdk/login";
import * as openid from "@guildpass/sdk/openid";
import * as testing from "@guildpass/sdk/testing";
import * as webhookEvents from "@guildpass/sdk/webhook-events";
import { run } from "../smoke.ts";

run({ sdk, login, openid, webhookEvents, testing, origin: location.origin }).then(
  (names) => send("/-/passed", JSON.stringify(names)),
  (error) => send("/-/failed", String(error)),
);

function send(path: string, body: string): Promise<Response> {
  return fetch(path, { method: "POST", body });
}
