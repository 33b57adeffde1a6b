import { expect, test } from "vitest";
import { discord, type Fetch } from "../../mod.ts";
import { Knowledge } from "../../src/http/knowledge.ts";
import { checkOptions } from "../../src/http/options.ts";

const newFetch = (): Fetch => () => Promise.resolve(Response.json({}));
const platform = { ...discord, apiUrl: "https://chat.example/api" };

test("Clients share knowledge if they have the same platform and the same fetch", () => {
  const knowledge = new Knowledge(() => ({}));
  const fetch = newFetch();
  const first = knowledge.of(checkOptions({ fetch }));
  expect(knowledge.of(checkOptions({ fetch, timeout: 5 }))).toBe(first);
  expect(knowledge.of(checkOptions({ fetch: newFetch() }))).not.toBe(first);
  expect(knowledge.of(checkOptions({ fetch, platform }))).not.toBe(first);
  expect(knowledge.of(checkOptions({}))).toBe(
    knowledge.of(checkOptions({ fetch: globalThis.fetch })),
  );
});

test("Knowledge of a hundred platforms is kept for each fetch", () => {
  const knowledge = new Knowledge(() => ({}));
  const fetch = newFetch();
  const of = (number: number) => {
    const apiUrl = `https://chat.example/${number}`;
    return knowledge.of(checkOptions({ fetch, platform: { ...discord, apiUrl } }));
  };
  const [first, second] = [of(0), of(1)];
  for (let number = 2; number < 100; number++) of(number);
  expect(of(0)).toBe(first);
  of(100);
  expect(of(1)).not.toBe(second);
});
