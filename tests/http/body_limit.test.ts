import { describe, expect, test } from "vitest";
import { gzipSync } from "node:zlib";
import { ApiError, PayloadError, PayloadTooLargeError, TimeoutError } from "../../mod.ts";
import { hasTooManyValues, parseJson, readBytes } from "../../src/http/body_limit.ts";
import {
  acceptConnections,
  fakeFetch,
  respondWith,
  serveHttp,
  thrownBy,
} from "../support/responders.ts";
import { exchangeCode, getUser } from "../support/calls.ts";
import { eventually } from "../support/eventually.ts";
import { untilDone, useVirtualTime } from "../support/virtual_time.ts";

const user = '{"id":"1","username":"ada"}';

/** A response whose body is made of the given pieces; without end, if `pieces` has none. */
function streaming(pieces: Iterable<unknown>, events: string[] = []): Response {
  const iterator = pieces[Symbol.iterator]();
  return new Response(
    new ReadableStream({
      pull(body) {
        const { done, value } = iterator.next();
        if (done) body.close();
        else body.enqueue(value);
      },
      cancel: () => void events.push("cancelled"),
    }),
  );
}

function* endless(piece: Uint8Array): Generator<Uint8Array> {
  for (;;) yield piece.slice();
}

describe("a body is read", () => {
  test.each([
    ["in one piece", [new TextEncoder().encode(user)]],
    ["in pieces of a byte", [...new TextEncoder().encode(user)].map((byte) => Uint8Array.of(byte))],
    ["in pieces, some of them empty", [
      new Uint8Array(),
      new TextEncoder().encode(user),
      new Uint8Array(),
    ]],
    ["in pieces that are views of another kind", [
      new DataView(new TextEncoder().encode(`x${user}x`).buffer, 1, user.length),
    ]],
  ])("%s", async (_how, pieces) => {
    const response = fakeFetch(() => streaming(pieces));
    expect(await getUser({ ...response, maxBytes: user.length })).toMatchObject({
      username: "ada",
    });
  });

  test("without a copy if it comes in one piece, and without a change of any piece", async () => {
    const read = async (pieces: Uint8Array[]) => {
      const reader = streaming(pieces).body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
      return await readBytes(reader, 99, new AbortController().signal);
    };
    const whole = Uint8Array.of(1, 2, 3);
    expect((await read([new Uint8Array(), whole, new Uint8Array()]))?.buffer).toBe(whole.buffer);
    const pieces = [[1], [2, 3], [4, 5, 6]].map((bytes) => Uint8Array.from([...bytes, 0, 0]));
    expect(await read(pieces.map((piece) => piece.subarray(0, -2))))
      .toEqual(Uint8Array.of(1, 2, 3, 4, 5, 6));
    expect(pieces).toEqual([[1], [2, 3], [4, 5, 6]].map((b) => Uint8Array.from([...b, 0, 0])));
  });

  test("as text() reads it: with a split character, a byte order mark, and invalid UTF-8", async () => {
    const bytes = new TextEncoder().encode('\ufeff{"id":"1","username":"ädä"}');
    const pieces = [...bytes].map((byte) => Uint8Array.of(byte));
    expect(await getUser(fakeFetch(() => streaming(pieces)))).toMatchObject({ username: "ädä" });
    bytes[bytes.indexOf(0xc3)] = 0xff;
    expect(await getUser(fakeFetch(() => streaming([bytes]))))
      .toMatchObject({ username: "\ufffd\ufffddä" });
  });

  test("with as many bytes as are allowed, but not one more", async () => {
    for (const body of [user, '{"id":"1","username":"ädä"}']) {
      const { length } = new TextEncoder().encode(body);
      const options = { ...fakeFetch(respondWith(body)), maxBytes: length };
      expect(await getUser(options)).toMatchObject({ id: "1" });
      expect(await thrownBy(() => getUser({ ...options, maxBytes: length - 1 })))
        .toBeInstanceOf(PayloadTooLargeError);
    }
  });

  test("up to 8 MiB by default", async () => {
    const padded = (length: number): string => user.padEnd(length, " ");
    expect(await getUser(fakeFetch(respondWith(padded(8 * 1024 * 1024))))).toMatchObject({
      id: "1",
    });
    expect(await thrownBy(() => getUser(fakeFetch(respondWith(padded(8 * 1024 * 1024 + 1))))))
      .toMatchObject({ maxBytes: 8 * 1024 * 1024 });
  });

  test("only if its pieces are bytes", async () => {
    const response = fakeFetch(() => streaming([user]));
    expect(await thrownBy(() => exchangeCode(response))).toMatchObject({ name: "NetworkError" });
  });
});

describe("a body that is too long", () => {
  test("is an error with the limit, and the request is not retried", async () => {
    for (const call of [getUser, exchangeCode]) {
      const { fetch, requests } = fakeFetch(respondWith(user));
      const error = await thrownBy(() => call({ fetch, maxBytes: 10 }));
      expect(error).toBeInstanceOf(PayloadTooLargeError);
      expect(error).toBeInstanceOf(PayloadError);
      expect(error).toMatchObject({
        code: "payload_too_large",
        maxBytes: 10,
        issues: [{ path: "", message: "expected at most 10 bytes, received more" }],
        message: expect.stringMatching(
          /^(GET|POST) https:\S+ returned 200: expected at most 10 bytes, received more$/,
        ),
        hint: expect.stringContaining("maxBytes"),
      });
      expect(requests).toHaveLength(1);
    }
  });

  test("is not read further, and its stream is cancelled", async () => {
    const events: string[] = [];
    let produced = 0;
    const response = fakeFetch(() => {
      const pieces = function* () {
        for (const piece of endless(new Uint8Array(100))) {
          produced += piece.length;
          yield piece;
        }
      };
      return streaming(pieces(), events);
    });
    expect(await thrownBy(() => getUser({ ...response, maxBytes: 1000 }))).toMatchObject({
      maxBytes: 1000,
    });
    expect(events).toEqual(["cancelled"]);
    expect(produced).toBeLessThanOrEqual(1200);
  });

  test.each<[string, () => unknown]>([
    ["throws", () => {
      throw new Error("no");
    }],
    ["rejects", () => Promise.reject(new Error("no"))],
    ["does not end", () => new Promise(() => {})],
    ["gives nothing", () => undefined],
  ])("is an error, too, if the end of a stream %s", async (_what, cancel) => {
    const reader = {
      read: () => Promise.resolve({ done: false, value: new Uint8Array(100) }),
      cancel,
    };
    const body = { getReader: () => reader };
    const response = { status: 200, headers: new Headers(), body } as unknown as Response;
    const fetch = (): Promise<Response> => Promise.resolve(response);
    expect(await thrownBy(() => getUser({ fetch, maxBytes: 1000 }))).toMatchObject({
      maxBytes: 1000,
    });
  });

  test.each([
    ["a stream that is not of the Fetch API", { on: () => {} }],
    ["no stream", null],
  ])("is counted after it was read, if there is %s", async (_what, body) => {
    const text = (): Promise<string> => Promise.resolve('{"id":"1","username":"ä"}');
    const response = { status: 200, headers: new Headers(), body, text } as unknown as Response;
    const fetch = (): Promise<Response> => Promise.resolve(response);
    expect(await getUser({ fetch, maxBytes: 26 })).toMatchObject({ username: "ä" });
    for (const maxBytes of [25, 10]) {
      expect(await thrownBy(() => getUser({ fetch, maxBytes }))).toMatchObject({ maxBytes });
    }
  });

  test("is counted after decompression", async () => {
    const platform = await serveHttp((_request, response) => {
      response.setHeader("content-encoding", "gzip");
      response.end(gzipSync(user.padEnd(10_000_000, " ")));
    });
    expect(await thrownBy(() => getUser({ platform }))).toMatchObject({
      code: "payload_too_large",
    });
    const enough = { platform, maxBytes: 10_000_000 };
    expect(await getUser(enough)).toMatchObject({ username: "ada" });
  });

  test("closes the connection", async () => {
    const closed = Promise.withResolvers<string>();
    const platform = await acceptConnections((socket) => {
      socket.on("close", () => closed.resolve("closed"));
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      const flood = (): void => {
        while (!socket.destroyed && socket.write("x".repeat(10_000)));
      };
      socket.on("drain", flood);
      flood();
    });
    expect(await thrownBy(() => getUser({ platform, maxBytes: 1000 })))
      .toBeInstanceOf(PayloadTooLargeError);
    expect(await closed.promise).toBe("closed");
  });

  test("does not hide the meaning of an error status", async () => {
    const body = { message: "x".repeat(1000), error: "invalid_grant" };
    for (const call of [getUser, exchangeCode]) {
      const refused = fakeFetch(respondWith(body, { status: 401 }));
      const error = await thrownBy(() => call({ ...refused, maxBytes: 100 }));
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({
        httpStatus: 401,
        message: expect.stringMatching(/returned 401$/),
      });
    }
    const limited = fakeFetch(
      respondWith(body, { status: 429, headers: { "retry-after": "50" } }),
    );
    expect(await thrownBy(() => getUser({ ...limited, maxBytes: 100 })))
      .toMatchObject({ name: "RateLimitError", retryAfter: 50 });
  });
});

describe("the time limit holds while a body is read", () => {
  test("that always has a piece ready", async () => {
    const events: string[] = [];
    const piece = new Uint8Array(1);
    const response = fakeFetch(() => streaming(endless(piece), events));
    expect(await thrownBy(() => getUser({ ...response, timeout: 100 }))).toBeInstanceOf(
      TimeoutError,
    );
    await eventually(() => expect(events).toEqual(["cancelled"]));
  });

  test("that stalls: its stream is cancelled then", async () => {
    const events: string[] = [];
    const stalled = (): Response =>
      new Response(
        new ReadableStream({
          pull: () => new Promise(() => {}),
          cancel: () => void events.push("cancelled"),
        }),
      );
    expect(await thrownBy(() => getUser({ ...fakeFetch(stalled), timeout: 50 })))
      .toBeInstanceOf(TimeoutError);
    await eventually(() => expect(events).toEqual(["cancelled"]));
  });
});

describe("when the call is over", () => {
  test("a response that begins only then is dropped, not read", async () => {
    useVirtualTime();
    const events: string[] = [];
    const begun = Promise.withResolvers<void>();
    async function fetch(): Promise<Response> {
      await new Promise((resolve) => setTimeout(resolve, 60));
      setTimeout(begun.resolve, 20);
      return streaming(endless(new Uint8Array(1)), events);
    }
    expect(await untilDone(thrownBy(() => getUser({ fetch, timeout: 30 })))).toBeInstanceOf(
      TimeoutError,
    );
    await untilDone(begun.promise);
    expect(events).toEqual(["cancelled"]);
  });

  test("a body that can't be cancelled is not read further", async () => {
    let pieces = 0;
    const body = {
      getReader: () => ({
        read: () => Promise.resolve({ done: false, value: new Uint8Array(pieces++ * 0) }),
        cancel: () => Promise.resolve(),
      }),
    };
    const response = { status: 200, headers: new Headers(), body } as unknown as Response;
    const fetch = () => Promise.resolve(response);
    expect(await thrownBy(() => getUser({ fetch, timeout: 30 }))).toBeInstanceOf(TimeoutError);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const before = pieces;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(pieces).toBe(before);
  });
});

const eightMiB = 8 * 1024 * 1024;

describe("A text of up to eight megabytes", () => {
  test.each([
    ["empty objects", `[${"{},".repeat(eightMiB / 3 - 1)}{}]`],
    ["lists within lists", "[".repeat(eightMiB / 2) + "]".repeat(eightMiB / 2)],
    ["numbers", `[${"1,".repeat(eightMiB / 2 - 2)}1]`],
  ])("with millions of %s is refused before it is parsed", async (_what, text) => {
    expect(hasTooManyValues(text)).toBe(true);
    expect(parseJson(text)).toBeUndefined();
    const error = await thrownBy(() => getUser(fakeFetch(respondWith(text))));
    expect(error).toMatchObject({
      name: "PayloadError",
      issues: [{ path: "", message: "expected JSON, received too many values" }],
    });
  });

  test("is refused in an error of the platform, too, and its status is kept", async () => {
    const text = `{"message":"slow","errors":[${"{},".repeat(600_000)}{}]}`;
    const error = await thrownBy(() => getUser(fakeFetch(respondWith(text, { status: 404 }))));
    expect(error).toMatchObject({ name: "ApiError", httpStatus: 404, errors: null });
  });

  test("is parsed if it is one long string or has at most half a million values", () => {
    const long = "x".repeat(eightMiB - 2);
    expect(parseJson(JSON.stringify(long))).toBe(long);
    const many = Array(499_999).fill(1);
    expect(parseJson(JSON.stringify(many))).toHaveLength(499_999);
    expect(parseJson(JSON.stringify([...many, 1, 1]))).toBeUndefined();
  });
});

describe("A text that is not JSON", () => {
  test.each([[null], [""], ["{"], ["<html>"]])("has no value: %j", (text) => {
    expect(parseJson(text)).toBeUndefined();
  });
});
