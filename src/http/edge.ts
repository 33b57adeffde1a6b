/**
 * The edge in front of the platform, which blocks clients and addresses.
 *
 * @module
 */

/**
 * Whether the edge refused, not the platform itself. The edge answers with HTML, with plain text or with nothing, the
 * platform with a JSON object; code 40333, "internal network error", is about the edge as well.
 *
 * @param json The body of the answer.
 */
export function isEdgeBlock(status: number, json: unknown): boolean {
  const { code } = Object(json) as { readonly code?: unknown };
  if (code === 40333) return true;
  return (status === 403 || status === 429) && (typeof json !== "object" || json === null);
}
