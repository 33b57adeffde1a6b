// Responds to a request with the names of the checks: GET /?origin=<origin>
import * as sdk from "@guildpass/sdk";
import * as login from "@guildpass/sdk/login";
import * as openid from "@guildpass/sdk/openid";
import * as testing from "@guildpass/sdk/testing";
import * as webhookEvents from "@guildpass/sdk/webhook-events";
import { run } from "../smoke.ts";

export async function respond(request: Request): Promise<Response> {
  const origin = new URL(request.url).searchParams.get("origin") ?? "";
  try {
    return Response.json(await run({ sdk, login, openid, webhookEvents, testing, origin }));
  } catch (error) {
    return new Response(String(error), { status: 500 });
  }
}
