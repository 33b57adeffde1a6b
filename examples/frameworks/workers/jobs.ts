/**
 * A Worker with a job, which refreshes tokens. Its work goes on after a visitor has left.
 *
 * @module
 */

import { waitUntil } from "cloudflare:workers";
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
    for (const id of await nextPeople()) {
      await getLogin().tokensOf(id).token().catch(console.error);
    }
  },
};
