import { beforeEach, describe, expect, test, vi } from "vitest";
import { User } from "../../mod.ts";
import {
  checkedOptions,
  checkOptions,
  type ClientOptions,
  type ClientOptionsOfLogin,
  type RequestObserver,
} from "../../src/http/options.ts";
import { type Http, queued } from "../support/http.ts";
import { fakeFetch, respondWith } from "../support/responders.ts";
import { untilDone, useVirtualTime } from "../support/virtual_time.ts";

const spy = { sentLate: vi.fn<RequestObserver["sentLate"]>(), failed: vi.fn() };

beforeEach(() => void vi.clearAllMocks());

/** Creates the function that sends the requests of an observed client, with a queue. */
function observed(options: ClientOptions): Http {
  return queued(observedOptions(options));
}

function observedOptions(options: ClientOptions): ClientOptionsOfLogin {
  return { ...options, [checkedOptions]: { ...checkOptions(options), observer: spy } };
}

/** A response with a number of remaining requests in the window, which ends in two seconds. */
function withRoomFor(remaining: number) {
  return respondWith({}, {
    headers: {
      "x-ratelimit-limit": "2",
      "x-ratelimit-remaining": String(remaining),
      "x-ratelimit-reset-after": "2",
    },
  });
}

describe("The observer of a client", () => {
  test("learns how long a request waited for its limit, once it is sent", async () => {
    useVirtualTime();
    const http = observed(fakeFetch(withRoomFor(0), respondWith({})));
    await untilDone(http({ path: "/a" }));
    expect(spy.sentLate).not.toHaveBeenCalled();
    await untilDone(http({ path: "/a", query: { n: 1 } }));
    const [[request, limit, milliseconds] = []] = spy.sentLate.mock.calls;
    expect(spy.sentLate).toHaveBeenCalledTimes(1);
    expect(request).toMatchObject({ path: "/a", query: { n: 1 } });
    expect(limit).toBe("route");
    expect(milliseconds).toBeGreaterThan(1900);
    expect(milliseconds).toBeLessThan(2300);
    expect(spy.failed).not.toHaveBeenCalled();
  });

  test("learns nothing of a request that waits for a response and then finds room", async () => {
    useVirtualTime();
    const http = observed(fakeFetch(withRoomFor(1), withRoomFor(0)));
    await untilDone(Promise.all([1, 2].map((n) => http({ path: "/a", query: { n } }))));
    expect(spy.sentLate).not.toHaveBeenCalled();
  });

  test("learns of the error of a call, which stays the same", async () => {
    const http = observed(fakeFetch(respondWith({ message: "no" }, { status: 403 })));
    const error: unknown = await http({ path: "/a" }).catch((thrown) => thrown);
    expect(error).toMatchObject({ httpStatus: 403 });
    expect(spy.failed.mock.calls).toEqual([[{ method: "GET", path: "/a" }, error]]);
    expect(spy.failed.mock.calls[0]?.[1]).toBe(error);
  });

  test("passes through the options of a User, and no name does", async () => {
    const options = observedOptions(fakeFetch(respondWith({ message: "no" }, { status: 404 })));
    await expect(new User("t0ken", options).getCurrentUser()).rejects.toThrow("404");
    expect(spy.failed).toHaveBeenCalledTimes(1);
    expect(() => new User("t0ken", { observer: spy } as never)).toThrow("options.observer");
  });
});
