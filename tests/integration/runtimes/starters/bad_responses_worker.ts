// A Worker that measures answers that are too long: GET /?origin=<origin>
import * as sdk from "@guildpass/sdk";
import { measureBodies } from "../bad_responses.ts";

export default {
  async fetch(request: Request): Promise<Response> {
    const origin = new URL(request.url).searchParams.get("origin");
    // The first request only starts the Worker.
    return Response.json(origin ? await measureBodies(sdk, origin) : []);
  },
};
