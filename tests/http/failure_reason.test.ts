import { describe, expect, test } from "vitest";
import { discord, NetworkError, TimeoutError } from "../../mod.ts";
import {
  acceptConnections,
  closedPort,
  fakeFetch,
  rejectWith,
  serveHttp,
  thrownBy,
} from "../support/responders.ts";
import { exchangeCode, hostileObject, networkErrorMessage } from "../support/calls.ts";

describe("a connection", () => {
  test("that is refused has this reason", async () => {
    const platform = await closedPort();
    const error = await thrownBy(() => exchangeCode({ platform }));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).not.toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({
      code: "network_error",
      message: `POST ${platform.apiUrl}/oauth2/token got no response: connection refused`,
      mayHaveArrived: false,
      hint: expect.stringContaining("send it again"),
    });
  });

  test("that is closed before the response has this reason", async () => {
    const platform = await acceptConnections((socket) => socket.end());
    expect(await thrownBy(() => exchangeCode({ platform }))).toMatchObject({
      name: "NetworkError",
      message: `POST ${platform.apiUrl}/oauth2/token got no response: connection lost`,
      mayHaveArrived: true,
      hint: "The code may be used up; start a new login",
    });
  });

  test("that is reset before the response has this reason", async () => {
    const platform = await acceptConnections((socket) => socket.resetAndDestroy());
    expect(await thrownBy(() => exchangeCode({ platform }))).toMatchObject({
      name: "NetworkError",
      message: `POST ${platform.apiUrl}/oauth2/token got no response: connection lost`,
    });
  });

  // The errors of other runtimes, and those that this test can't provoke.
  test.each<[string, unknown]>([
    ["connection refused", caused("fetch failed", { code: "ECONNREFUSED" })],
    [
      "connection refused",
      caused("fetch failed", { message: "Connection refused (os error 111)" }),
    ],
    ["connection lost", Object.assign(new TypeError("closed"), { code: "ECONNRESET" })],
    ["connection lost", caused("fetch failed", { message: "other side closed" })],
    ["connection lost", caused("fetch failed", { message: "connection closed before message" })],
    ["connection lost", new Error("Network connection lost.")],
    ["host not found", caused("fetch failed", { code: "ENOTFOUND" })],
    ["host not found", caused("fetch failed", { code: "EAI_AGAIN" })],
    ["host not found", caused("fetch failed", { message: "client error: dns error: failed" })],
    ["certificate not trusted", caused("fetch failed", { message: "invalid peer certificate" })],
    ["certificate not trusted", caused("fetch failed", { code: "DEPTH_ZERO_SELF_SIGNED_CERT" })],
    [
      "the server does not speak TLS",
      caused("fetch failed", { code: "ERR_SSL_WRONG_VERSION_NUMBER" }),
    ],
    [
      "the server does not speak TLS",
      caused("fetch failed", {
        message: "client error (Connect): received corrupt message of type InvalidContentType",
      }),
    ],
    [
      "the server does not speak TLS",
      Object.assign(
        new Error("The TLS handshake failed. Does the server speak TLS on this port?"),
        { code: "EPROTO" },
      ),
    ],
    ["the response is not valid HTTP", caused("fetch failed", { code: "HPE_INVALID_CONSTANT" })],
    [
      "the response is not valid HTTP",
      caused("fetch failed", { code: "UND_ERR_HEADERS_OVERFLOW" }),
    ],
    [
      "the response is not valid HTTP",
      caused("fetch failed", { message: "Response does not match the HTTP/1.1 protocol" }),
    ],
    [
      "the response is not valid HTTP",
      caused("fetch failed", { code: "UND_ERR_RES_CONTENT_LENGTH_MISMATCH" }),
    ],
    [
      "the response is not valid HTTP",
      caused("fetch failed", { message: "invalid HTTP version parsed" }),
    ],
    [
      "the response is not valid HTTP",
      caused("fetch failed", { message: "invalid content-length parsed" }),
    ],
    [
      "the response is not valid HTTP",
      caused("fetch failed", { message: "message head is too large" }),
    ],
    [
      "the response is not valid HTTP",
      Object.assign(new Error(), { code: "Malformed_HTTP_Response" }),
    ],
    ["the response is not valid HTTP", Object.assign(new Error(), { code: "InvalidHTTPResponse" })],
    [
      "the response is not valid HTTP",
      Object.assign(new Error(), { code: "InvalidContentLength" }),
    ],
    [
      "the response is not valid HTTP",
      Object.assign(new Error(), { code: "ResponseHeadersTooLarge" }),
    ],
  ])("has a reason: %s (%o)", async (why, error) => {
    expect(await thrownBy(() => exchangeCode(fakeFetch(rejectWith(error))))).toMatchObject({
      message: `POST https://discord.com/api/v10/oauth2/token got no response: ${why}`,
      mayHaveArrived: !["connection refused", "host not found"].includes(why),
    });
  });

  test("with a response that is not HTTP has this reason", async () => {
    const platform = await acceptConnections((socket) => socket.end("SSH-2.0-OpenSSH_9.9\r\n"));
    expect(await thrownBy(() => exchangeCode({ platform }))).toMatchObject({
      name: "NetworkError",
      message:
        `POST ${platform.apiUrl}/oauth2/token got no response: the response is not valid HTTP`,
    });
  });

  test("to a server without TLS has this reason", async () => {
    const { apiUrl } = await serveHttp((_request, response) => response.end());
    const platform = { ...discord, apiUrl: `${apiUrl}`.replace("http:", "https:") };
    expect(await thrownBy(() => exchangeCode({ platform }))).toMatchObject({
      name: "NetworkError",
      message:
        `POST ${platform.apiUrl}/oauth2/token got no response: the server does not speak TLS`,
    });
  });

  test("with a response that can't be decompressed has this reason", async () => {
    const platform = await serveHttp((_request, response) => {
      response.setHeader("content-encoding", "gzip").end("{}".repeat(20));
    });
    expect(await thrownBy(() => exchangeCode({ platform }))).toMatchObject({
      name: "NetworkError",
      message:
        `POST ${platform.apiUrl}/oauth2/token got an incomplete response: broken compression`,
    });
  });

  // What the runtimes say of a response in the middle.
  test.each<[unknown]>([
    [caused("terminated", { code: "Z_DATA_ERROR" })],
    [caused("terminated", {
      code: "ERR__ERROR_FORMAT_PADDING_2",
      message: "Decompression failed",
    })],
    [new TypeError("Invalid gzip header")],
    [new TypeError("CRC computed does not match")],
    [new TypeError("brotli error")],
    [Object.assign(new Error(), { code: "ZlibError" })],
    [Object.assign(new Error(), { code: "BrotliDecompressionError" })],
  ])("says that compression is broken (%o)", async (error) => {
    const response = () => new Response(new ReadableStream({ pull: (body) => body.error(error) }));
    expect(await networkErrorMessage(() => exchangeCode(fakeFetch(response)))).toBe(
      "POST https://discord.com/api/v10/oauth2/token got an incomplete response: broken compression",
    );
  });

  test("has a reason that is up to nine causes deep", async () => {
    const deep = (causes: number): Error =>
      causes === 0
        ? new Error("connection refused")
        : new TypeError("fetch failed", { cause: deep(causes - 1) });
    const message = "POST https://discord.com/api/v10/oauth2/token got no response";
    expect(await networkErrorMessage(() => exchangeCode(fakeFetch(rejectWith(deep(8))))))
      .toBe(`${message}: connection refused`);
    expect(await networkErrorMessage(() => exchangeCode(fakeFetch(rejectWith(deep(9)))))).toBe(
      message,
    );
  });

  test.each<[string, unknown]>([
    ["words of its own", new TypeError("Failed to fetch https://token:t0ken@discord.com")],
    ["nothing", undefined],
    ["null", null],
    ["a string", "connection refused"],
    ["a cause that is itself", circular()],
    ["what throws when it is looked at", hostileObject()],
    ["what throws when its message is read", {
      code: 1,
      get message() {
        throw hostileObject();
      },
    }],
    ["what throws when its cause is read", {
      get cause() {
        throw hostileObject();
      },
    }],
    ["what throws when it becomes text", {
      code: {
        toString() {
          throw hostileObject();
        },
      },
    }],
    ["what can't become text", { code: Symbol("t0ken"), message: "connection refused" }],
    ["what throws further down", caused("fetch failed", hostileObject())],
  ])("has no reason if fetch throws %s", async (_what, error) => {
    expect(await networkErrorMessage(() => exchangeCode(fakeFetch(rejectWith(error))))).toBe(
      "POST https://discord.com/api/v10/oauth2/token got no response",
    );
  });
});

function caused(message: string, cause: object): TypeError {
  return new TypeError(message, { cause });
}

function circular(): Error {
  const error = new Error("round and round");
  error.cause = error;
  return error;
}
