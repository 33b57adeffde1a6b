/**
 * The headers of the built-in pages.
 *
 * @module
 */

/**
 * Returns headers that keep a page out of caches and frames, and let it load nothing.
 *
 * @param nonce The nonce of the page's style.
 */
export function pageHeaders(contentType: string, nonce: string): Headers {
  return new Headers({
    "cache-control": "no-store",
    vary: "accept",
    "content-type": contentType,
    // There is no form-action, since Chromium applies it to redirects too, and a logout may redirect to the consent page.
    "content-security-policy":
      `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; frame-ancestors 'none'`,
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
  });
}
