/**
 * How a wrong argument is reported, everywhere in this library: which one, what was expected, what was received.
 *
 * @module
 */

/**
 * Throws the error for a wrong argument. It never shows text that was received, since that may be a secret which was passed
 * in the wrong place.
 *
 * @param expected What the argument must be, as in `clientId must be …`.
 */
export function throwBadArgument(argument: string, expected: string, received: unknown): never {
  let found: string = typeof received;
  if (received == null || received === "" || received === "undefined" || received === "null") {
    // Text is shown in quotation marks, and a real `undefined` without.
    found = `${JSON.stringify(received)}: is the environment variable set?`;
  } else if (received instanceof Promise) found = "a Promise: await it";
  throw new TypeError(`${argument} must be ${expected}, received ${found}`);
}

/**
 * The same for what is an object, a list or a function: nobody gives one by an environment variable, so one that is missing is not
 * looked for there.
 */
export function throwBadObject(argument: string, expected: string, received: unknown): never {
  if (received != null) throwBadArgument(argument, expected, received);
  throw new TypeError(`${argument} must be ${expected}, received ${received}`);
}

/**
 * Checks that an id is a snowflake: a decimal string of up to 64 bits.
 *
 * @see {@link https://docs.discord.com/developers/reference#snowflakes | Snowflakes in the platform's documentation}
 */
export function checkSnowflake(argument: string, id: unknown): asserts id is string {
  if (typeof id !== "string" || !/^\d{1,20}$/.test(id)) {
    throwBadArgument(argument, "quoted digits (a number loses digits)", id);
  }
}

/** Checks that a value is `true` or `false`, and not only truthy or falsy. */
export function checkBoolean(argument: string, value: unknown): asserts value is boolean {
  if (typeof value !== "boolean") throwBadArgument(argument, "true or false", value);
}

/**
 * Checks that a value is text of a length, in characters, of which an emoji is one.
 *
 * @throws {RangeError} When the text is too short or too long.
 */
export function checkTextLength(
  argument: string,
  value: unknown,
  { shortest = 0, longest }: { readonly shortest?: number; readonly longest: number },
): asserts value is string {
  if (typeof value !== "string") throwBadArgument(argument, "text", value);
  const { length } = [...value];
  if (length < shortest || length > longest) {
    const range = shortest > 0 ? `${shortest} to ${longest}` : `at most ${longest}`;
    throw new RangeError(`${argument} must have ${range} characters, received ${length}`);
  }
}

/** Checks that a secret is text which fits into a header, and not an unset variable that was turned into text. */
export function checkSecret(argument: string, secret: unknown): asserts secret is string {
  if (typeof secret !== "string" || !/^[!-~]+$/.test(secret) || /^(undefined|null)$/.test(secret)) {
    throwBadArgument(argument, "text without white space", secret);
  }
}

/** Checks that a redirect URI is absolute and has no fragment (RFC 6749 section 3.1.2), and gives it as text. */
export function checkedRedirectUri(uri: string | URL): string {
  const text = uri instanceof URL ? uri.href : uri;
  // The scheme must be followed by a slash: `localhost:3000/callback` would parse as a URL with the scheme "localhost".
  const hasForm = typeof text === "string" && /^[a-z][\w+.-]*:\/[^\s#\p{Cs}]*$/iu.test(text);
  if (!hasForm || !URL.canParse(text)) {
    throwBadArgument(`redirectUri${shownAddress(text)}`, "an absolute URL without a fragment", uri);
  }
  return text;
}

/** Scheme, host and path, since the rest may hold a token or a password; nothing of what is not an address. */
function shownAddress(received: unknown): string {
  const text = String(received);
  // With an `@`, what looks like the path may be the rest of a password.
  if (/@/.test(text) || !/:\/\//.test(text) || !URL.canParse(text)) return "";
  const { protocol, host, pathname } = new URL(text);
  return ` ${protocol}//${host}${pathname}`;
}
