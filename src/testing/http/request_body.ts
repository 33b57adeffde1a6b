/**
 * Reads the body of a request, up to a limit.
 *
 * @module
 */

/** The longest body that the platform reads, in bytes. The longest that it needs, the metadata of linked roles, has fewer. */
export const maxBodyBytes = 256 * 1024;

/** Returns the text of a body; `null` if it is too long. The rest of a long one stays unread, so that it fills no memory. */
export async function readBody(request: Request): Promise<string | null> {
  // Firefox has no stream here. Its requests come from the page itself.
  if (!request.body) return await request.text();
  const decoder = new TextDecoder();
  const reader = request.body.getReader();
  let text = "";
  for (let bytes = 0;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > maxBodyBytes) {
      // It does not matter if canceling fails: the client has left.
      reader.cancel().catch(() => {});
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}
