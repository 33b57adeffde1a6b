/**
 * Checks arguments and settings. An error names the argument, the expected value, and the kind and shape of the received value.
 *
 * @module
 */

/**
 * Throws the error for a wrong argument. The error never shows received text, since the text may be a misplaced secret.
 *
 * @param expected A description of the right value, as in `clientId must be …`.
 */
export function throwBadArgument(argument: string, expected: string, received: unknown): never {
  throwBadValue(argument, expected, kindOf(received));
}

/** Throws the error for a wrong argument, with a description of the received value that shows no secret. */
export function throwBadValue(argument: string, expected: string, received: string): never {
  throw new TypeError(`${argument} must be ${expected}, received ${received}`);
}

/**
 * Returns the kind and shape of a value, as in `a string of length 7` and `a list of 3`.
 *
 * @param question A text after the kind of a missing value.
 */
export function kindOf(received: unknown, question = "; is the variable set?"): string {
  if (received == null || received === "" || received === "undefined" || received === "null") {
    return (String(received) || "an empty string") + question;
  }
  if (Array.isArray(received)) {
    return received.length ? `a list of ${received.length}` : "an empty list";
  }
  if (received instanceof Promise) return "a Promise: await it";
  if (typeof received !== "string") return typeof received;
  return `a string of length ${received.length}`;
}

/** Returns a name in quotes, and the kind and shape of every other value. Twelve letters in a row may be a secret too. */
export function nameOrKind(received: unknown): string {
  return typeof received === "string" && isName(received) && !/[a-z]{12}/i.test(received)
    ? `"${received}"`
    : kindOf(received);
}

/** Returns true for a text that can be a misspelled name. Any other text may be a secret. */
export function isName(text: string): boolean {
  return /^[a-z_]{1,24}$/i.test(text);
}

/** Throws the error for a wrong number, and shows it: a secret is never passed where a number is expected. */
export function throwBadNumber(argument: string, expected: string, received: unknown): never {
  throwBadValue(
    argument,
    expected,
    typeof received === "number" ? `${received}` : kindOf(received),
  );
}

/**
 * Throws the error for a wrong object, list or function. It names the kind of a received object. If the argument is missing, the error does
 * not mention environment variables, since they hold text only.
 */
export function throwBadObject(argument: string, expected: string, received: unknown): never {
  throwBadValue(argument, expected, kindOfObject(received));
}

/** Returns the kind of a value in the place of an object. It names the kind of an object, as in `Map`. */
export function kindOfObject(received: unknown): string {
  const kind = received == null ? `${received}` : kindOf(received);
  return kind === "object" ? tagOf(received) : kind;
}

/** Throws if a value does not have the methods of a store, for example if it is a class. */
export function assertStore(store: unknown): void {
  const methods = Object(store);
  if (["load", "save", "delete"].every((name) => typeof methods[name] === "function")) return;
  const expected = "a Store with load, save and delete";
  if (typeof store !== "function") throwBadObject("store", expected, store);
  throwBadValue("store", expected, "function: is new missing, as in new MemoryStore()?");
}

/** Returns the kind of an object, as in `Map` and `Object`. */
export function tagOf(value: unknown): string {
  // As in "[object Map]".
  return Object.prototype.toString.call(value).slice(8, -1);
}

/** Returns the text that an option's function has returned; empty text for `null` or `undefined`. */
export function checkReturnedText(option: string, returned: unknown): string {
  const text = returned ?? "";
  if (typeof text === "string") return text;
  // Without the advice to await a promise: the option's function can't be asynchronous.
  const [received] = kindOf(returned).split(":");
  throw new TypeError(
    `${option} must return a string or null, not a promise, received ${received}`,
  );
}

/**
 * Checks that an id is a snowflake: a decimal string of up to 64 bits.
 *
 * @see {@link https://docs.discord.com/developers/reference#snowflakes | Discord: Snowflakes}
 */
export function checkSnowflake(argument: string, id: unknown): asserts id is string {
  if (typeof id !== "string" || !/^\d{1,20}$/.test(id)) {
    const kind = kindOf(id);
    const advice = kind === "number"
      ? ": quote it"
      : kind === "object"
      ? ": pass the id itself"
      : "";
    throwBadValue(argument, "digits in a string", kind + advice);
  }
}

/** Checks that a value is `true` or `false`. It rejects other truthy and falsy values. */
export function checkBoolean(argument: string, value: unknown): asserts value is boolean {
  if (typeof value !== "boolean") throwBadArgument(argument, "true or false", value);
}

/**
 * Checks the length of a text, in characters. An emoji counts as one character.
 *
 * @throws {RangeError} If the text is too short or too long.
 */
export function checkTextLength(
  argument: string,
  value: unknown,
  { min = 0, max }: { readonly min?: number; readonly max: number },
): asserts value is string {
  if (typeof value !== "string") throwBadArgument(argument, "a string", value);
  const { length } = [...value];
  if (length < min || length > max) {
    const range = min > 0 ? `${min} to ${max}` : `at most ${max}`;
    throw new RangeError(`${argument} must have ${range} characters, received ${length}`);
  }
}

/** Checks that a secret fits into a header. It rejects the texts `undefined` and `null`, which come from unset variables. */
export function checkSecret(argument: string, secret: unknown): asserts secret is string {
  checkSetting(argument, secret);
  if (!isSecret(secret)) throwBadArgument(argument, "ASCII text without whitespace", secret);
}

/** Returns true for printable ASCII without spaces, unless it is the text `undefined` or `null`. */
export function isSecret(value: unknown): value is string {
  return typeof value === "string" && /^[!-~]+$/.test(value) && value !== "undefined" &&
    value !== "null";
}

/** Returns a redirect URI as text. The URI must be absolute and have no fragment (RFC 6749 section 3.1.2). */
export function checkedRedirectUri(uri: string | URL): string {
  const text = uri instanceof URL ? uri.href : uri;
  // The scheme must be followed by a slash: `localhost:3000/callback` would parse as a URL with the scheme "localhost". A zero-width
  // character would be lost in a host. A lone surrogate is not text. V8 compiles `\p{Cs}` and the flag `i` five times as long.
  const absolute = /^[A-Za-z][\w+.-]*:\/[^\s#\u200b-\u200f\u2060\ud800-\udfff]*$/u;
  if (typeof text !== "string" || !absolute.test(text) || !isUrl(text)) {
    throwBadArgument(
      `redirectUri${addressWithoutSecrets(text)}`,
      "an absolute URL without a fragment",
      uri,
    );
  }
  return text;
}

/** Returns true for an absolute URL. Browsers of 2022 do not have `URL.canParse`. */
export function isUrl(text: string): boolean {
  try {
    return Boolean(new URL(text));
  } catch {
    return false;
  }
}

/** Returns the scheme, host and path of a URL, since the rest may hold a secret. Returns an empty text for anything else. */
function addressWithoutSecrets(received: unknown): string {
  const text = String(received);
  // If there is an `@`, a part that looks like the path may be the rest of a password.
  if (/@/.test(text) || !/:\/\//.test(text) || !isUrl(text)) return "";
  const { protocol, host, pathname } = new URL(text);
  return ` ${protocol}//${host}${pathname}${/#/.test(text) ? "#…" : ""}`;
}

/**
 * The first unwanted character of a text: whitespace at an end, an invisible character, a comment, quotes around the text, or a
 * variable or command that was not replaced with its value.
 */
const unwanted =
  /^\s|\s$|\s#|\p{Default_Ignorable_Code_Point}|^(["'`])(?=.*\1$)|\$\{(?=\w.*\})|^(?:\$\(|\$(?=[A-Z\d_]+$)|%(?=[A-Z\d_]+%$))/su;

/**
 * Throws if a text has an unwanted character. An editor or a shell may hide it: two servers would have different secrets, although both look
 * right.
 *
 * @throws {TypeError} The message has the character and its place, and never the text.
 */
export function checkSetting(argument: string, value: unknown): void {
  // Nearly all values stay here, and V8 takes long to compile the properties of Unicode.
  if (typeof value !== "string" || /^[\w.~+/:=-]*$/.test(value)) return;
  const found = unwanted.exec(value);
  if (!found) return;
  const [text] = found;
  const shown = /^[ -~]+$/.test(text) && text.trim() ||
    `U+${Number(text.codePointAt(0)).toString(16).padStart(4, "0")}`;
  throw new TypeError(`${argument} must not contain ${shown} at character ${found.index + 1}`);
}
