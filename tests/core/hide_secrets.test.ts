import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import type { TokenObj } from "../../mod.ts";
import { hideSecrets, hideToken } from "../../src/core/hide_secrets.ts";
import { readToken } from "../support/models.ts";

const secrets = {
  access_token: "acc3ss-acc3ss-acc3ss",
  refresh_token: "r3fresh-r3fresh-r3fresh",
  id_token: "1d-t0ken-1d-t0ken-1d-t0ken",
  token: "w3bhook-w3bhook-w3bhook",
  device_secret: "s3cret-0f-t0m0rr0w",
};
const url = `https://discord.com/api/webhooks/1/${secrets.token}`;

async function tokenWithAll(): Promise<TokenObj> {
  const { access_token, refresh_token, id_token, token, device_secret } = secrets;
  const { model } = await readToken({
    access_token,
    refresh_token,
    id_token,
    device_secret,
    token_type: "Bearer",
    expires_in: 604800,
    scope: "identify webhook.incoming",
    webhook: { id: "1", channel_id: "2", name: "ada", token, url, ["new_secret"]: token },
  });
  return model;
}

/** Every way to print that a log, a terminal or a failed assertion has. */
const prints: Record<string, (value: unknown) => string> = {
  "inspect()": (value) => inspect(value),
  "inspect() of all": (value) =>
    inspect(value, { showHidden: true, depth: Infinity, getters: true, showProxy: true }),
  "inspect() that does not ask the object, as console.dir() and uncaught errors": (value) =>
    inspect(value, { customInspect: false, showHidden: true, depth: Infinity }),
  "inspect() at the deepest level it shows": (value) => inspect({ a: { b: value } }, { depth: 2 }),
  "text": (value) => `${value}`,
  ...(globalThis.Deno && {
    "Deno.inspect()": (value: unknown) => Deno.inspect(value),
    "Deno.inspect() of all": (value: unknown) =>
      Deno.inspect(value, { showHidden: true, depth: Infinity, getters: true }),
  }),
};

/** The values that may hold a token when it is printed. */
const holders: Record<string, (token: TokenObj) => unknown> = {
  "alone": (token) => token,
  "in an object": (token) => ({ token }),
  "in a list": (token) => [token],
  "in a Map": (token) => new Map([["token", token]]),
  "in an error": (token) => Object.assign(new Error("no"), { token }),
  "as a cause": (token) => new Error("no", { cause: token }),
  "as its webhook alone": ({ webhook }) => webhook,
};

describe("a token shows no secret", () => {
  describe.each(Object.entries(holders))("%s", (_holder, hold) => {
    test.each(Object.entries(prints))("by %s", async (_way, print) => {
      const printed = print(hold(await tokenWithAll()));
      for (const secret of Object.values(secrets)) expect(printed).not.toContain(secret);
    });
  });
});

describe("a token", () => {
  test("prints every field without a secret, and null fields", async () => {
    const printed = inspect(await tokenWithAll(), { depth: Infinity });
    expect(printed.match(/\[hidden\]/g)).toHaveLength(7);
    for (
      const shown of ["Bearer", "604800", "webhook.incoming", "channel_id: '2'", "guild: null"]
    ) {
      expect(printed).toContain(shown);
    }
    const { model } = await readToken({ access_token: "t0ken", token_type: "Bearer" });
    expect(inspect(model)).toContain("refresh_token: null");
  });

  test("keeps every field in JSON, in a clone and in a copy", async () => {
    const token = await tokenWithAll();
    const plain = JSON.parse(JSON.stringify(token));
    expect(plain).toMatchObject({
      access_token: secrets.access_token,
      refresh_token: secrets.refresh_token,
      id_token: secrets.id_token,
      device_secret: secrets.device_secret,
      webhook: { token: secrets.token, url },
    });
    expect(token).toEqual(plain);
    expect(token).toStrictEqual(plain);
    expect({ ...token }).toEqual(plain);
    expect(structuredClone(token)).toEqual(plain);
    expect(Object.keys(token)).toEqual(Object.keys(plain));
  });

  test("can't be changed", async () => {
    const token = await tokenWithAll();
    for (const name of ["access_token", "webhook", "more"]) {
      expect(Reflect.set(token, name, "x")).toBe(false);
      expect(Reflect.deleteProperty(token, "access_token")).toBe(false);
    }
    expect(token.webhook).toSatisfy(Object.isFrozen);
  });
});

test("A copy without secrets in print has every key, whatever its name is", () => {
  const odd: unknown = JSON.parse('{"__proto__":"s3cret","constructor":"s3cret","shown":1}');
  const copy = hideSecrets(Object(odd), ["shown"]);
  expect(JSON.stringify(copy)).toBe(JSON.stringify(odd));
  expect(inspect(copy)).not.toContain("s3cret");
  expect(copy).toSatisfy(Object.isFrozen);
  expect(inspect(hideToken({ access_token: "s3cret" }))).toBe("{ access_token: '[hidden]' }");
});
