/**
 * Hides the secrets of a model in logs. Code and `JSON.stringify` can still read all fields.
 *
 * @module
 */

/** The method that Node, Deno, Bun and workerd call to print an object. */
const inspectName = "nodejs.util.inspect.custom";

/** The fields of a token that may be printed. */
const printableTokenFields: readonly string[] = [
  "token_type",
  "expires_in",
  "expires_at",
  "scope",
  "scopes",
  "guild",
  "webhook",
];

/** The printed fields of a webhook. */
const printableWebhookFields: readonly string[] = [
  "id",
  "type",
  "guild_id",
  "channel_id",
  "user",
  "name",
  "avatar",
  "application_id",
];

/** Copies a token. A printed copy shows `[hidden]` for each secret. */
export function hideToken<Token extends object>(token: Token): Token {
  return hideSecrets(token, printableTokenFields);
}

/** Copies a webhook. A printed copy shows `[hidden]` for each secret. */
export function hideWebhook<Webhook extends object>(webhook: Webhook): Webhook {
  return hideSecrets(webhook, printableWebhookFields);
}

/**
 * Copies a model. A printed copy shows `[hidden]` for each secret.
 *
 * @param printable The fields that may be printed. Every other field counts as a secret, even a field that Discord adds
 * later.
 */
export function hideSecrets<Model extends object>(
  model: Model,
  printable: readonly string[],
): Model {
  const copy = { ...model };
  const isSecret = (name: string, value: unknown) => value !== null && !printable.includes(name);
  for (const name of Object.keys(copy)) {
    const value: unknown = Reflect.get(copy, name);
    // No runtime calls a getter to print it, except node:assert in a failed comparison. An uncaught error and console.dir() do not
    // always use the method below.
    if (isSecret(name, value)) Object.defineProperty(copy, name, { get: () => value });
  }
  const printed = () =>
    Object.fromEntries(
      Object.entries(copy).map((
        [name, value],
      ) => [name, isSecret(name, value) ? "[hidden]" : value]),
    );
  // This property is not enumerable, so comparisons and copies ignore it.
  Object.defineProperty(copy, Symbol.for(inspectName), { value: printed });
  return Object.freeze(copy);
}
