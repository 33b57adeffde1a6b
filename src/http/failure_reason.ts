/**
 * Finds the reason why a connection failed.
 *
 * @module
 */

/** The maximum length of a chain of causes. The chain may be circular. */
const maxCauses = 9;

const reasons = [
  [/conn(ection )?refused/i, "connection refused"],
  [/conn(ection )?(reset|closed|lost)|side closed/i, "connection lost"],
  [/ENOTFOUND|EAI_AGAIN|dns error/, "host not found"],
  [/certificate|self.signed/i, "certificate not trusted"],
  [/WRONG_VERSION_NUMBER|InvalidContentType|server speak TLS/, "the server does not speak TLS"],
  [
    /HPE_|HTTP_?Response\b|HEADERS_OVERFLOW|HeadersTooLarge|message head is too large/,
    "the response is not valid HTTP",
  ],
  [
    /invalid (HTTP|content-length)|match the HTTP|InvalidContentLength|CONTENT_LENGTH_MISMATCH/,
    "the response is not valid HTTP",
  ],
  [
    /Z_DATA_ERROR|ZlibError|Invalid gzip|CRC computed|brotli error|Decompression/,
    "broken compression",
  ],
] as const;

/**
 * Returns the reason for an error of `fetch`, or `null` if it is not known. The text is from the list above, since
 * the error may hold anything.
 *
 * In the chain of causes, Node and Bun state the reason as a code, and Deno and workerd in the message. A browser does not state it.
 */
export function failureReason(error: unknown): string | null {
  const texts = textsOf(error);
  return reasons.find(([pattern]) => pattern.test(texts))?.[1] ?? null;
}

/** Returns true if the reason shows that nothing was sent, because no connection was made. */
export function neverConnected(reason: string | null): boolean {
  return reason === "connection refused" || reason === "host not found";
}

/** Returns the codes and messages in the chain of causes, or an empty text if reading them throws. */
function textsOf(error: unknown): string {
  let texts = "";
  let current = error;
  try {
    for (let depth = 0; current && depth < maxCauses; depth++) {
      const { code, message, cause } = current as Record<"code" | "message" | "cause", unknown>;
      texts += `${code} ${message} `;
      current = cause;
    }
  } catch {
    return "";
  }
  return texts;
}
