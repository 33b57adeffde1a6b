import { expect, test } from "vitest";
import { discord, type Fetch } from "../../mod.ts";
import { PerPlatform } from "../../src/http/per_platform.ts";
import { checkOptions } from "../../src/http/options.ts";

const newFetch = (): Fetch => () => Promise.resolve(Response.json({}));
const platform = { ...discord, apiUrl: "https://chat.example/api" };

test("Clients share knowledge if they have the same platform and the same fetch", () => {
  const perPlatform = new PerPlatform(() => ({}));
  const fetch = newFetch();
  const first = perPlatform.for(checkOptions({ fetch }));
  expect(perPlatform.for(checkOptions({ fetch, timeout: 5 }))).toBe(first);
  expect(perPlatform.for(checkOptions({ fetch: newFetch() }))).not.toBe(first);
  expect(perPlatform.for(checkOptions({ fetch, platform }))).not.toBe(first);
  expect(perPlatform.for(checkOptions({}))).toBe(
    perPlatform.for(checkOptions({ fetch: globalThis.fetch })),
  );
});

test("What is known of a hundred platforms is kept for each fetch", () => {
  const perPlatform = new PerPlatform(() => ({}));
  const fetch = newFetch();
  const of = (number: number) => {
    const apiUrl = `https://chat.example/${number}`;
    return perPlatform.for(checkOptions({ fetch, platform: { ...discord, apiUrl } }));
  };
  const [first, second] = [of(0), of(1)];
  for (let number = 2; number < 100; number++) of(number);
  expect(of(0)).toBe(first);
  of(100);
  expect(of(1)).not.toBe(second);
});
