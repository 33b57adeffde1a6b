// A Cloudflare Worker
import { answer } from "./answer.ts";

export default { fetch: answer };
