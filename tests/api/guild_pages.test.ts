import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Fetch, type PartialGuildObj, User } from "../../mod.ts";
import { createFakePlatform, sampleApplication } from "../../src/testing/mod.ts";
import { fakeFetch, respondWith, thrownBy } from "../support/responders.ts";

/** All that an iteration gives. */
async function all(guilds: AsyncIterable<PartialGuildObj>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of guilds) ids.push(id);
  return ids;
}

const numbered = (count: number, first = 1000): string[] =>
  Array.from({ length: count }, (_, at) => String(first + at));

/** The bot of a fake platform with so many guilds. */
function botIn(count: number) {
  const guilds = numbered(count).map((id) => ({
    id,
    name: `Guild ${id}`,
    bots: { [sampleApplication.id]: "0" },
  }));
  const fake = createFakePlatform({ guilds });
  return { fake, bot: new User(sampleApplication.botToken, { ...fake, tokenType: "Bot" }) };
}

/** A list entry as the platform sends it. */
const entry = (id: string): object => ({ id, name: `Guild ${id}` });

describe("User.eachUserGuild()", () => {
  test("yields all guilds in the order of their ids, with one request for each page", async () => {
    for (const [count, pages] of [[0, 1], [1, 1], [199, 1], [201, 2], [450, 3]] as const) {
      const { fake, bot } = botIn(count);
      expect(await all(bot.eachUserGuild())).toEqual(numbered(count));
      expect(fake.requests).toHaveLength(pages);
      expect(fake.requests.map(({ query }) => query)).toEqual(
        ["", "1199", "1399"].slice(0, pages).map((after) =>
          after ? { after, limit: "200" } : { limit: "200" }
        ),
      );
    }
  });

  test("asks once more after a full page, which may be the last", async () => {
    const { fake, bot } = botIn(400);
    expect(await all(bot.eachUserGuild())).toEqual(numbered(400));
    expect(fake.requests).toHaveLength(3);
  });

  test("requests nothing before the loop begins, and begins anew with each loop", async () => {
    const { fake, bot } = botIn(3);
    const guilds = bot.eachUserGuild();
    expect(fake.requests).toHaveLength(0);
    const iterator = guilds[Symbol.asyncIterator]();
    expect(fake.requests).toHaveLength(0);
    expect((await iterator.next()).value).toMatchObject({ id: "1000" });
    expect(await all(guilds)).toEqual(numbered(3));
    expect(await all(guilds)).toEqual(numbered(3));
    expect(fake.requests).toHaveLength(3);
  });

  test("requests no page after the one where the loop ends", async () => {
    const { fake, bot } = botIn(450);
    for await (const { id } of bot.eachUserGuild()) if (id === "1250") break;
    expect(fake.requests).toHaveLength(2);
    const iterator = bot.eachUserGuild()[Symbol.asyncIterator]();
    await iterator.next();
    await iterator.return?.();
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect(fake.requests).toHaveLength(3);
  });

  test("asks for the counts on every page with withCounts", async () => {
    const { fake, bot } = botIn(201);
    for await (const { approximate_member_count } of bot.eachUserGuild({ withCounts: true })) {
      expect(approximate_member_count).toBe(1);
    }
    expect(fake.requests.map(({ query }) => query["with_counts"])).toEqual(["true", "true"]);
    for await (const guild of bot.eachUserGuild({ withCounts: false })) {
      expect(guild.approximate_member_count).toBeNull();
      expect(Object.isFrozen(guild)).toBe(true);
    }
    expect(fake.requests.at(-1)?.query).not.toHaveProperty("with_counts");
    expect(await all(bot.eachUserGuild(null))).toHaveLength(201);
    expect(await all(bot.eachUserGuild({ withCounts: null, signal: null }))).toHaveLength(201);
  });

  test("throws a TypeError at once when withCounts is neither true nor false", () => {
    const { bot } = botIn(0);
    expect(() => bot.eachUserGuild({ withCounts: "false" as never }))
      .toThrow(new TypeError("withCounts must be true or false, received a string of length 5"));
  });

  test("stops at its signal, before a page and within one", async () => {
    const { fake, bot } = botIn(450);
    const before = bot.eachUserGuild({ signal: AbortSignal.abort("enough") });
    expect(await thrownBy(() => all(before))).toBe("enough");
    expect(fake.requests).toHaveLength(0);
    const within = new AbortController();
    const seen: string[] = [];
    const error = await thrownBy(async () => {
      for await (const { id } of bot.eachUserGuild({ signal: within.signal })) {
        seen.push(id);
        if (id === "1210") within.abort("enough");
      }
    });
    expect(error).toBe("enough");
    expect(seen).toEqual(numbered(211));
    expect(fake.requests).toHaveLength(2);
  });

  test("ends with the error of a page, after the guilds of those before", async () => {
    const { fake, bot } = botIn(450);
    const seen: string[] = [];
    const error = await thrownBy(async () => {
      for await (const { id } of bot.eachUserGuild()) {
        seen.push(id);
        if (id === "1100") fake.failNext({ status: 403 });
      }
    });
    expect(error).toMatchObject({ name: "ApiError", httpStatus: 403 });
    expect(seen).toEqual(numbered(200));
  });

  test("reads null as an empty list, and rejects with a PayloadError about anything but a list", async () => {
    expect(await all(new User("t0ken", fakeFetch(respondWith("null"))).eachUserGuild())).toEqual(
      [],
    );
    const broken = new User("t0ken", fakeFetch(respondWith({ guilds: [] })));
    expect(await thrownBy(() => all(broken.eachUserGuild()))).toMatchObject({
      name: "PayloadError",
    });
  });
});

describe("a page with entries that can't be read", () => {
  const unreadable = { id: "1199", name: null };

  test("counts as full with them, and the next page begins after them", async () => {
    const page = [...numbered(199).map(entry), unreadable];
    const { fetch, requests } = fakeFetch(respondWith(page), respondWith([entry("2000")]));
    expect(await all(new User("t0ken", { fetch }).eachUserGuild())).toEqual([
      ...numbered(199),
      "2000",
    ]);
    expect(requests.map(({ url }) => new URL(url).searchParams.get("after")))
      .toEqual([null, "1199"]);
  });

  test("does not keep the pages after it from being read, even if there is nothing else on it", async () => {
    const page = numbered(200).map((id) => ({ id }));
    const { fetch, requests } = fakeFetch(respondWith(page), respondWith([entry("2000")]));
    expect(await all(new User("t0ken", { fetch }).eachUserGuild())).toEqual(["2000"]);
    expect(requests).toHaveLength(2);
  });

  test("is an error when no id says where the next page begins", async () => {
    for (const page of [Array(200).fill({}), Array(200).fill(null), Array(200).fill({ id: 7 })]) {
      const { fetch, requests } = fakeFetch(respondWith(page));
      expect(await thrownBy(() => all(new User("t0ken", { fetch }).eachUserGuild()))).toMatchObject(
        {
          name: "PayloadError",
          message: "The list of guilds can't be read completely: " +
            "expected guilds after those of the previous page, received none",
        },
      );
      expect(requests).toHaveLength(1);
    }
  });
});

describe("a server with other pages", () => {
  test("that sends the same page again does not make the loop endless", async () => {
    const { fetch, requests } = fakeFetch(respondWith(numbered(200).map(entry)));
    const seen: string[] = [];
    const error = await thrownBy(async () => {
      for await (const { id } of new User("t0ken", { fetch }).eachUserGuild()) seen.push(id);
    });
    expect(error).toMatchObject({ name: "PayloadError" });
    expect(seen).toEqual(numbered(200));
    expect(requests).toHaveLength(2);
  });

  test("that has no pages is read with one request", async () => {
    const { fetch, requests } = fakeFetch(respondWith(numbered(450).map(entry)));
    expect(await all(new User("t0ken", { fetch }).eachUserGuild())).toEqual(numbered(450));
    expect(requests).toHaveLength(1);
  });

  test("that repeats guilds, or has another order, yields each of them once and in order", async () => {
    const page = ["9", "100", "30", "9", "30"].map(entry);
    const { fetch } = fakeFetch(respondWith(page));
    expect(await all(new User("t0ken", { fetch }).eachUserGuild())).toEqual(["9", "30", "100"]);
  });
});

describe("guilds that come and go between pages", () => {
  const id = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }).map(String);
  const few = fc.bigInt({ min: 0n, max: 2000n }).map(String);
  const someIds = (minLength: number, maxLength: number) =>
    fc.oneof(
      fc.uniqueArray(id, { minLength, maxLength }),
      fc.uniqueArray(few, { minLength, maxLength }),
    );
  const change = fc.record({ joined: someIds(0, 60), left: fc.array(fc.nat(), { maxLength: 60 }) });

  /** A platform whose list changes after each page, as the real one does. */
  function changing(guilds: Set<string>, changes: readonly Change[], always: Set<string>): Fetch {
    let page = 0;
    return (url) => {
      const query = new URL(url).searchParams;
      const after = BigInt(query.get("after") ?? -1);
      const list = [...guilds].map(BigInt).filter((id) => id > after)
        .sort((a, b) => a < b ? -1 : 1).slice(0, Number(query.get("limit")));
      const { joined, left } = changes[page] ?? { joined: [], left: [] };
      page += 1;
      for (const at of left) {
        const [...now] = guilds;
        const gone = now[at % now.length];
        if (gone !== undefined) guilds.delete(gone);
      }
      for (const id of joined) guilds.add(id);
      for (const id of [...always]) if (!guilds.has(id)) always.delete(id);
      return Promise.resolve(Response.json(list.map((id) => entry(String(id)))));
    };
  }

  test("do not affect the others: each guild that was there all the time is yielded once", async () => {
    await fc.assert(
      fc.asyncProperty(
        someIds(150, 700),
        fc.array(change, { maxLength: 5 }),
        async (beginning, changes) => {
          const guilds = new Set(beginning);
          const always = new Set(beginning);
          const user = new User("t0ken", { fetch: changing(guilds, changes, always) });
          const given = await all(user.eachUserGuild());
          const ever = new Set([...beginning, ...changes.flatMap(({ joined }) => joined)]);
          expect(given).toEqual([...new Set(given)].sort((a, b) => BigInt(a) < BigInt(b) ? -1 : 1));
          expect(given.every((id) => ever.has(id))).toBe(true);
          const missing = [...always].filter((id) => !given.includes(id));
          expect(missing).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });
});

interface Change {
  readonly joined: readonly string[];
  readonly left: readonly number[];
}
