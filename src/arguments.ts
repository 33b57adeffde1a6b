/**
 * How a wrong argument is reported, everywhere in this library: which one, what was expected, what was received.
 *
 * @module
 */

/**
 * Throws the error for a wrong argument. No credential of the platform is shorter than 29 characters, so a longer
 * value is not shown: somebody may have passed a token where an id belongs.
 */
export function refuse(
  argument: string | number | bigint,
  expected: string,
  received: unknown,
  longest = 28,
): never {
  const text = String(received);
  const shown = text.length > longest ? "..." : text;
  throw TypeError(`${argument} must be ${expected}, received ${typeof received} "${shown}"`);
}

/** The same for an argument that is a secret, or stands where one may have been put: its length is all that is told. */
export function refuseSecretly(argument: string, expected: string, received: unknown): never {
  const isUnset = typeof received !== "string" || /^(undefined|null|)$/.test(received);
  refuse(argument, expected, isUnset ? received : `${received.length} characters`);
}

/**
 * Checks that an id is a snowflake: a decimal string of up to 64 bits. A number is none, as it loses digits.
 *
 * @see {@link https://docs.discord.com/developers/reference#snowflakes | Snowflakes in the platform's documentation}
 */
export function checkSnowflake(argument: string, id: unknown): asserts id is string {
  if (typeof id !== "string" || !/^\d{1,20}$/.test(id)) refuse(argument, "a string of digits", id);
}

/** The same for an argument where a secret may have been put. */
export function checkSnowflakeSecretly(argument: string, id: unknown): asserts id is string {
  // Caught, since a test of its own for both would weigh more on pages, which ship only the other.
  try {
    checkSnowflake(argument, id);
  } catch {
    refuseSecretly(argument, "a string of digits", id);
  }
}

/** Checks that a secret is one: text that fits into a header, and not an unset variable turned into a string. */
export function checkSecret(argument: string, secret: unknown): asserts secret is string {
  if (typeof secret !== "string" || !/^[!-~]+$/.test(secret) || /^(undefined|null)$/.test(secret)) {
    refuseSecretly(argument, "text without white space", secret);
  }
}

/** Checks that a switch is on or off, and nothing that only counts as such. */
export function checkBoolean(
  argument: string | number | bigint,
  value: unknown,
): asserts value is boolean {
  if (value !== !!value) refuse(argument, "true or false", value);
}

/** Checks that a redirect URI is absolute and has no fragment (RFC 6749 section 3.1.2). */
export function checkRedirectUri(uri: string): void {
  // A scheme, then a slash: `localhost:3000/callback` would parse as a URL with the scheme "localhost".
  if (!/^[a-z][\w+.-]*:\/[^\s#\p{Cs}]*$/iu.test(uri) || !URL.canParse(uri)) {
    // What has a slash is an address, and no credential.
    refuse("redirectUri", "an absolute URL without a fragment", uri, uri.includes("/") ? 200 : 28);
  }
}

/** The scopes as the platform takes them, each once (RFC 6749 section 3.3). */
export function scopeList(scope: readonly string[]): string {
  // Only a list has `join`. Joined by commas, an empty scope shows as a comma with nothing beside it.
  if (/(^|,)(,|$)|[^!-~]/.test(scope?.join?.() ?? "")) {
    refuse("scope", "a list of words", scope);
  }
  return [...new Set(scope)].join(" ");
}
