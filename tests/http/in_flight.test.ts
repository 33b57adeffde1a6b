import { describe, expect, test } from "vitest";
import { InFlight } from "../../src/http/in_flight.ts";
import { thrownBy } from "../support/responders.ts";
import { eventually } from "../support/eventually.ts";

/** Reads that end when they are told to, each with what it was given to end it. */
function reads() {
  const begun: (PromiseWithResolvers<string> & { readonly signal: AbortSignal | null })[] = [];
  return {
    begun,
    start(signal: AbortSignal | null): Promise<string> {
      const read = { ...Promise.withResolvers<string>(), signal };
      begun.push(read);
      return read.promise;
    },
  };
}

describe("Reads with one key", () => {
  test("start once and have one result", async () => {
    const { begun, start } = reads();
    const inFlight = new InFlight();
    const waiting = [1, 2, 3].map(() => inFlight.share("a", null, start));
    begun[0]?.resolve("done");
    expect(await Promise.all(waiting)).toEqual(["done", "done", "done"]);
    expect(begun).toHaveLength(1);
  });

  test("fail together, and the failure is not kept", async () => {
    const { begun, start } = reads();
    const inFlight = new InFlight();
    const waiting = [1, 2].map(() => thrownBy(() => inFlight.share("a", null, start)));
    begun[0]?.reject("no");
    expect(await Promise.all(waiting)).toEqual(["no", "no"]);
    const next = inFlight.share("a", null, start);
    begun[1]?.resolve("done");
    expect(await next).toBe("done");
  });

  test("start again after the end, even for the caller that learns of it first", async () => {
    const { begun, start } = reads();
    const inFlight = new InFlight();
    const next = inFlight.share("a", null, start).then(() => inFlight.share("a", null, start));
    begun[0]?.resolve("first");
    await Promise.resolve(begun[0]?.promise).then(() => {});
    await eventually(() => expect(begun).toHaveLength(2));
    begun[1]?.resolve("second");
    expect(await next).toBe("second");
  });
});

test("Reads with different keys are independent", async () => {
  const { begun, start } = reads();
  const inFlight = new InFlight();
  const waiting = ["a", "b"].map((key) => inFlight.share(key, null, start));
  begun[0]?.resolve("first");
  begun[1]?.resolve("second");
  expect(await Promise.all(waiting)).toEqual(["first", "second"]);
});

describe("A caller's abort", () => {
  test("ends the wait of that caller alone", async () => {
    const { begun, start } = reads();
    const inFlight = new InFlight();
    const [first, second] = [new AbortController(), new AbortController()];
    const aborted = thrownBy(() => inFlight.share("a", first.signal, start));
    const waiting = inFlight.share("a", second.signal, start);
    first.abort("enough");
    expect(await aborted).toBe("enough");
    expect(begun[0]?.signal?.aborted).toBe(false);
    begun[0]?.resolve("done");
    expect(await waiting).toBe("done");
  });

  test("ends the read of the last caller, and the next caller starts another", async () => {
    const { begun, start } = reads();
    const inFlight = new InFlight();
    const controllers = [new AbortController(), new AbortController()];
    const aborted = controllers.map(({ signal }) =>
      thrownBy(() => inFlight.share("a", signal, start))
    );
    controllers.forEach((controller, index) => controller.abort(index));
    expect(await Promise.all(aborted)).toEqual([0, 1]);
    expect(begun[0]?.signal).toMatchObject({ aborted: true, reason: 1 });
    const next = inFlight.share("a", null, start);
    // The end of the read that nobody waits for changes nothing.
    begun[0]?.reject("aborted");
    expect(begun).toHaveLength(2);
    const joined = inFlight.share("a", null, start);
    begun[1]?.resolve("done");
    expect(await Promise.all([next, joined])).toEqual(["done", "done"]);
    expect(begun).toHaveLength(2);
  });

  test("does not end a read whose first caller has no signal", async () => {
    const { begun, start } = reads();
    const inFlight = new InFlight();
    const waiting = inFlight.share("a", null, start);
    const controller = new AbortController();
    const aborted = thrownBy(() => inFlight.share("a", controller.signal, start));
    controller.abort("enough");
    expect(await aborted).toBe("enough");
    expect(begun.map(({ signal }) => signal)).toEqual([null]);
    begun[0]?.resolve("done");
    expect(await waiting).toBe("done");
  });

  test("before the call starts no read", async () => {
    const { begun, start } = reads();
    const signal = AbortSignal.abort("before");
    expect(await thrownBy(() => new InFlight().share("a", signal, start))).toBe("before");
    expect(begun).toEqual([]);
  });

  test("after the end changes nothing", async () => {
    const { begun, start } = reads();
    const controller = new AbortController();
    const waiting = new InFlight().share("a", controller.signal, start);
    begun[0]?.resolve("done");
    expect(await waiting).toBe("done");
    controller.abort("late");
    expect(begun[0]?.signal?.aborted).toBe(false);
  });
});
