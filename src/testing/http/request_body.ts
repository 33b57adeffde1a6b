/**
 * Reads the body of a request, up to a limit.
 *
 * @module
 */

/** The maximum size of a body, in bytes. The largest valid body, for the metadata of linked roles, is smaller. */
export const maxBodyBytes = 256 * 1024;

/** Returns the text of a body; `null` if the body is too large. The rest of a large body stays unread and does not use memory. */
export async function readBody(request: Request): Promise<string | null> {
  // Firefox does not have a stream here. Its requests come from the page itself.
  if (!request.body) return await request.text();
  const decoder = new TextDecoder();
  const reader = request.body.getReader();
  let text = "";
  for (let bytes = 0;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > maxBodyBytes) {
      // The client has left: a failed cancel has no effect.
      reader.cancel().catch(() => {});
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}
