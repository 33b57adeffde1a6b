import { describe, expect, test } from "vitest";
import { smallPlatform } from "./small_platform.ts";

const form = { "content-type": "application/x-www-form-urlencoded" };

describe("The requests of a fake platform", () => {
  test("are the latest 10,000, or the number in `maxRequests`", async () => {
    const listed = async (count: number, maxRequests?: number) => {
      const fake = smallPlatform({ maxRequests });
      for (let at = 1; at <= count; at++) await fake.fetch(`/${at}`, { method: "POST" });
      return fake.requests.map(({ path }) => path);
    };
    const paths = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, at) => `/${from + at}`);
    expect(await listed(5, 3)).toEqual(paths(3, 5));
    expect(await listed(10_002)).toEqual(paths(3, 10_002));
    expect(await listed(5, Infinity)).toEqual(paths(1, 5));
  }, 60_000);

  test("take about 32 MiB at most for any length", async () => {
    const fake = smallPlatform();
    const body = "x".repeat(250_000);
    for (let at = 0; at < 100; at++) await fake.fetch(`/${at}`, { method: "POST", body });
    expect(fake.requests.length).toBeGreaterThan(50);
    expect(fake.requests.length * 2 * body.length).toBeLessThan(32 * 1024 * 1024);
    expect(fake.requests.at(-1)).toMatchObject({ path: "/99", body });
    await fake.fetch("/small");
    expect(fake.requests.at(-1)).toMatchObject({ path: "/small" });
  });

  test.each<[string, string, Record<string, string>]>([
    ["parameters", Array.from({ length: 50_000 }, (_, at) => at.toString(36)).join("&"), form],
    ["entries of JSON", `[${"[],".repeat(80_000)}0]`, { "content-type": "application/json" }],
  ])("also count many %s", async (_what, body, headers) => {
    const fake = smallPlatform();
    for (let at = 0; at < 20; at++) await fake.fetch("/", { method: "POST", body, headers });
    expect(fake.requests.length).toBeLessThan(10);
  });

  test("are complete with `maxRequests: Infinity`, without a limit of memory", async () => {
    const fake = smallPlatform({ maxRequests: Infinity });
    const body = "x".repeat(250_000);
    for (let at = 0; at < 80; at++) await fake.fetch("/", { method: "POST", body });
    expect(fake.requests).toHaveLength(80);
  });
});
