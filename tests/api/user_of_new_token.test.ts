import { describe, expect, test } from "vitest";
import { type PayloadIssue, type TokenObj, User } from "../../mod.ts";
import { readUserOfNewToken } from "../../src/api/user_of_new_token.ts";
import { fakeFetch, respondWith, thrownBy } from "../support/responders.ts";

const ada = { id: "1000000000000000001", username: "ada" };
const token: TokenObj = {
  access_token: "t0ken",
  token_type: "Bearer",
  expires_in: null,
  expires_at: null,
  refresh_token: null,
  scope: "identify",
  scopes: ["identify"],
  guild: null,
  webhook: null,
  id_token: null,
};

describe("the user of a new token", () => {
  test("is cached for a User with the same token, and not for another one", async () => {
    const { fetch, requests } = fakeFetch(respondWith(ada));
    const user = await readUserOfNewToken(token, { fetch }, 5);
    expect(user).toMatchObject(ada);
    expect(await new User(token, { fetch, freshFor: 5 }).getCurrentUser()).toBe(user);
    expect(requests).toHaveLength(1);
    expect(requests[0]?.headers.get("authorization")).toBe("Bearer t0ken");
    await new User("an0ther", { fetch, freshFor: 5 }).getCurrentUser();
    expect(requests).toHaveLength(2);
  });

  test("is not cached with a freshFor of 0", async () => {
    const { fetch, requests } = fakeFetch(respondWith(ada));
    await readUserOfNewToken(token, { fetch }, 0);
    await new User(token, { fetch, freshFor: 5 }).getCurrentUser();
    expect(requests).toHaveLength(2);
  });

  test("is read again by a login, and replaces the cached user", async () => {
    const { fetch, requests } = fakeFetch(respondWith(ada), respondWith({ ...ada, flags: 1 }));
    await readUserOfNewToken(token, { fetch }, 5);
    const second = await readUserOfNewToken(token, { fetch }, 5);
    expect(requests).toHaveLength(2);
    expect(await new User(token, { fetch, freshFor: 5 }).getCurrentUser()).toBe(second);
  });

  test("is gone after a write with the token", async () => {
    const { fetch, requests } = fakeFetch(respondWith(ada));
    await readUserOfNewToken(token, { fetch }, 5);
    await new User("t0ken", { fetch }).deleteRoleConnection("7");
    await new User(token, { fetch, freshFor: 5 }).getCurrentUser();
    expect(requests).toHaveLength(3);
  });

  test.each([401, 403, 404])("fails as getCurrentUser() does on a %i", async (status) => {
    const failing = () => fakeFetch(respondWith({ message: "No", code: 0 }, { status }));
    const expected = await thrownBy(() => new User(token, failing()).getCurrentUser());
    const error = await thrownBy(() => readUserOfNewToken(token, failing(), 5));
    expect(error).toEqual(expected);
    expect(error).toMatchObject({ hint: (expected as { hint?: string }).hint });
  });

  test("makes the process remember a refused token", async () => {
    const { fetch, requests } = fakeFetch(respondWith({}, { status: 401 }));
    await thrownBy(() => readUserOfNewToken(token, { fetch }, 5));
    expect(await thrownBy(() => new User(token, { fetch }).getConnections()))
      .toMatchObject({ name: "MissingScopeError" });
    expect(await thrownBy(() => new User("t0ken", { fetch }).getConnections()))
      .toMatchObject({ httpStatus: 401 });
    expect(requests).toHaveLength(1);
  });

  test("is not read with a token that lacks the scope", async () => {
    const { fetch, requests } = fakeFetch(respondWith(ada));
    const other = { ...token, scopes: ["guilds"] };
    expect(await thrownBy(() => readUserOfNewToken(other, { fetch }, 5))).toMatchObject({
      name: "MissingScopeError",
      message: "getCurrentUser() needs the scope identify, and the token has guilds",
    });
    expect(requests).toEqual([]);
  });

  test("is reported if it was repaired", async () => {
    const reports: unknown[] = [];
    await readUserOfNewToken(token, {
      ...fakeFetch(respondWith({ ...ada, locale: 1 })),
      onUnexpected: (issues: readonly PayloadIssue[], request) => reports.push([issues, request]),
    }, 5);
    expect(reports).toEqual([[
      [{ path: "locale", message: "expected a string, received number" }],
      { method: "GET", path: "/users/@me" },
    ]]);
  });
});
