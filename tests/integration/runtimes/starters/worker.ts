// A Cloudflare Worker
import { answer } from "./respond.ts";

export default { fetch: answer };
