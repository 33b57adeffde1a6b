/**
 * Recognizes blocks by the edge in front of the platform.
 *
 * @module
 */

/** The hint for a block by the edge. */
export const edgeHint =
  "The edge in front of the platform blocked this client or its IP address. Others at the address can " +
  "cause it, as on Cloudflare Workers, Render or Cloud Run: a fixed outgoing address or a proxy helps. " +
  "Otherwise send fewer requests that get 401, 403 or 429, check the userAgent option, and wait";

/**
 * Returns true if the edge in front of the platform refused the request. The edge responds with HTML, plain text or an empty
 * body; the platform responds with a JSON object. Two responses of the edge are JSON: code 40333, "internal network error", and
 * the 429 of an IP ban.
 *
 * @param json The parsed body of the response.
 */
export function isEdgeBlock(status: number, json: unknown): boolean {
  const { code, message, retry_after } = Object(json);
  if (code === 40333) return true;
  if (status !== 403 && status !== 429) return false;
  if (typeof json !== "object" || json === null) return true;
  return status === 429 && retry_after == null && /\bblocked\b/i.test(String(message));
}
