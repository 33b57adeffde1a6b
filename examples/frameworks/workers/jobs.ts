/**
 * A Worker with a job, which refreshes tokens and removes ended sessions. Its work goes on after a visitor has left.
 *
 * @module
 */

import { env, waitUntil } from "cloudflare:workers";
import { d1Store } from "@guildpass/sdk/stores/d1";
import { getLogin } from "./login.ts";
import { nextPeople } from "./people.ts";
import worker from "./worker.ts";

export default {
  fetch(request: Request): Promise<Response> {
    const response = worker.fetch(request);
    waitUntil(response);
    return response;
  },
  async scheduled(): Promise<void> {
    await d1Store(env.DB).removeExpired();
    for (const id of await nextPeople()) {
      await getLogin().tokensOf(id).token().catch(console.error);
    }
  },
};
