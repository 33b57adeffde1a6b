import { readFileSync } from "node:fs";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { MemoryStore } from "../../mod.ts";
import { Login } from "../../src/login/mod.ts";
import { createFakePlatform, sampleApplication } from "../../src/testing/mod.ts";

const home = "https://app.example/";
const idleTimeout = 30 * 86_400;
const redirected = "The page, after a Discord redirect";
const consentPage = "The consent page";

/** The columns of the table, with the options of each. */
const columns = [
  { name: "without a store", options: () => ({}) },
  { name: "with a store", options: () => ({ store: new MemoryStore() }) },
  { name: "with idleTimeout", options: () => ({ store: new MemoryStore(), idleTimeout }) },
];

describe("The table of returning users in docs/logging_out.md", () => {
  const cases = rowsOfTable().flatMap(([days = "", ...cells]) =>
    [...days.matchAll(/\d+/g)].flatMap(([day]) =>
      columns.flatMap(({ name, options }, column) =>
        ([null, "none"] as const).map((prompt) => {
          const cell = cells[column];
          const expected = prompt === "none" && cell === consentPage ? redirected : cell;
          return { day: Number(day), name, prompt, options, expected };
        })
      )
    )
  );

  test("has four returns in three columns", () => {
    expect(cases).toHaveLength(4 * 3 * 2);
  });

  test.each(cases)(
    "is right after $day days $name, with the prompt $prompt",
    async ({ day, prompt, options, expected }) => {
      vi.useFakeTimers({ toFake: ["Date"] });
      onTestFinished(() => void vi.useRealTimers());
      const { browser, links } = createSite({ prompt, ...options() });
      await browser.open(home);
      links.length = 0;
      vi.setSystemTime(Date.now() + day * 86_400_000);
      expect(await (await browser.open(home)).text()).toBe("Hello");
      expect(viewOf(links)).toBe(expected);
    },
  );
});

/** Returns the rows, each as its cells. */
function rowsOfTable(): string[][] {
  const guide = readFileSync(new URL("../../docs/logging_out.md", import.meta.url), "utf8");
  const [table = ""] = /^\| They return after.*\n(?:\|.*\n)+/m.exec(guide) ?? [];
  const lines = table.trim().split("\n").slice(2);
  return lines.map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
}

/** Creates a browser at a site that calls `login.start` on its page. `links` has each link to the consent page. */
function createSite(
  options: { prompt: "none" | null; store?: MemoryStore; idleTimeout?: number },
) {
  const fake = createFakePlatform();
  const login = new Login({
    clientId: sampleApplication.id,
    clientSecret: sampleApplication.secret,
    secret: "random text of at least 32 characters",
    scope: ["identify"],
    platform: fake.platform,
    fetch: fake.fetch,
    ...options,
  });
  const links: string[] = [];
  const browser = fake.browser(async (request) => {
    const response = await login.handle(request);
    if (response) return response;
    if (await login.session(request)) return new Response("Hello");
    const start = await login.start(request);
    links.push(start.headers.get("location") ?? "");
    return start;
  }, { as: "ada" });
  return { browser, links };
}

function viewOf([link]: readonly string[]): string {
  if (link === undefined) return "The page";
  return new URL(link).searchParams.get("prompt") === "none" ? redirected : consentPage;
}
