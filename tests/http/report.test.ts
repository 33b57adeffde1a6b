import { describe, expect, test } from "vitest";
import { PlatformApi, User } from "../../mod.ts";
import { fakeFetch, respondWith } from "../support/responders.ts";
import { unfrozenPartsOf } from "../support/models.ts";

const engine = { id: "1200000000000000001", name: "The Analytical Engine", icon: 5 };
const wrongIcon = "expected a string, received number";

describe("onUnexpected", () => {
  test("gets the repaired places, and the request without its query", async () => {
    const calls: unknown[][] = [];
    const onUnexpected = (...call: unknown[]) => calls.push(call);
    const more = { onUnexpected };
    await new User("t0ken", {
      ...fakeFetch(respondWith({ id: "1", username: "ada", flags: "" })),
      ...more,
    })
      .getCurrentUser();
    await new User("t0ken", { ...fakeFetch(respondWith([engine])), ...more })
      .getUserGuilds({ limit: 5, withCounts: true });
    await new User("t0ken", { ...fakeFetch(respondWith(engine)), ...more }).getGuild(
      engine.id,
      true,
    );
    const response = { access_token: "t0ken", token_type: "Bearer", expires_in: "soon" };
    await new PlatformApi("1", "s3cret", ["identify"], "https://app.example/", {
      ...fakeFetch(respondWith(response)),
      ...more,
    }).accessToken("c0de");
    expect(calls).toEqual([
      [[{ path: "flags", message: "expected a finite number, received string" }], {
        method: "GET",
        path: "/users/@me",
      }],
      [[{ path: "0.icon", message: wrongIcon }], { method: "GET", path: "/users/@me/guilds" }],
      [[{ path: "icon", message: wrongIcon }], { method: "GET", path: `/guilds/${engine.id}` }],
      [[{ path: "expires_in", message: "expected a number of seconds, received string" }], {
        method: "POST",
        path: "/oauth2/token",
      }],
    ]);
    expect(unfrozenPartsOf(calls.map(([issues]) => issues)).length).toBe(1);
  });

  test("is not called for a documented response", async () => {
    const onUnexpected = () => {
      throw new Error("It was called");
    };
    let calls = 0;
    const counting = () => (calls++, onUnexpected());
    const user = new User("t0ken", {
      ...fakeFetch(respondWith({ id: "1", username: "ada", more: 1, bot: null })),
      onUnexpected: counting,
    });
    expect(await user.getCurrentUser()).toMatchObject({ id: "1" });
    expect(calls).toBe(0);
  });

  test.each<[string, () => unknown]>([
    ["throws", () => {
      throw new Error("The log is full");
    }],
    ["rejects", () => Promise.reject(new Error("The log is full"))],
    ["returns an object that only looks like a promise", () => ({
      get then() {
        throw new Error("The log is full");
      },
    })],
    ["never ends", () => new Promise(() => {})],
  ])("does not cost the response if it %s", async (_what, onUnexpected) => {
    const user = new User("t0ken", { ...fakeFetch(respondWith(engine)), onUnexpected });
    expect(await user.getGuild("1")).toMatchObject({ id: engine.id, icon: null });
    // An unhandled rejection would fail the run.
    await new Promise((resolve) => setTimeout(resolve));
  });

  test("is optional", async () => {
    const user = new User("t0ken", fakeFetch(respondWith(engine)));
    expect(await user.getGuild("1")).toMatchObject({ id: engine.id, icon: null });
  });

  test.each([["text"], [5], [{}], [true]])("is refused if it is not a function: %j", (value) => {
    const options = { onUnexpected: value as unknown as () => void };
    expect(() => new User("t0ken", options)).toThrow(/^onUnexpected must be a function/);
    expect(() => new PlatformApi("1", "s3cret", ["identify"], "https://app.example/", options))
      .toThrow(/^onUnexpected must be a function/);
  });
});
