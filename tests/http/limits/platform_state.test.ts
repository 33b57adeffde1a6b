import { expect, test } from "vitest";
import { type ClientOptions, discord, type Fetch } from "../../../mod.ts";
import { platformState } from "../../../src/http/limits/platform_state.ts";
import { checkOptions } from "../../../src/http/options.ts";

const newFetch = (): Fetch => () => Promise.resolve(Response.json({}));
const stateOf = (options: ClientOptions) => platformState(checkOptions(options));
const platform = { ...discord, apiUrl: "https://chat.example/api" };

test("Clients share knowledge if they have the same platform and the same fetch", () => {
  const fetch = newFetch();
  const first = stateOf({ fetch });
  expect(stateOf({ fetch, timeout: 5 })).toBe(first);
  expect(stateOf({ fetch: newFetch() })).not.toBe(first);
  expect(stateOf({ fetch, platform })).not.toBe(first);
  expect(stateOf({})).toBe(stateOf({ fetch: globalThis.fetch }));
});

test("What is known of a hundred platforms is kept for each fetch", () => {
  const fetch = newFetch();
  const of = (number: number) => {
    const apiUrl = `https://chat.example/${number}`;
    return stateOf({ fetch, platform: { ...discord, apiUrl } });
  };
  const [first, second] = [of(0), of(1)];
  for (let number = 2; number < 100; number++) of(number);
  expect(of(0)).toBe(first);
  of(100);
  expect(of(1)).not.toBe(second);
});
