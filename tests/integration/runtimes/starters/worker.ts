// Runs the suite in a Cloudflare Worker
import { respond } from "./respond.ts";

export default { fetch: respond };
