// A Worker that measures responses that are endless or too large: GET /?origin=<origin>
import * as sdk from "@guildpass/sdk";
import { measureBadResponses } from "../bad_responses.ts";

export default {
  async fetch(request: Request): Promise<Response> {
    const origin = new URL(request.url).searchParams.get("origin");
    // The first request only starts the Worker.
    return Response.json(origin ? await measureBadResponses(sdk, origin) : []);
  },
};
