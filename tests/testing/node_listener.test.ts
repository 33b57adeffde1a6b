import {
  createServer,
  get,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { Buffer } from "node:buffer";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  createFakePlatform,
  nodeListener,
  type NodeListenerOptions,
  type NodeRequest,
  type NodeResponse,
} from "../../src/testing/mod.ts";
import { eventually } from "../support/eventually.ts";

type Handler = (request: Request) => Response | Promise<Response>;

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }
});

/**
 * Serves a handler on a free port, for the hosts of these tests too, and returns the port. An error fails the test if `options` has
 * no `onError`.
 */
async function serve(handler: Handler, options: NodeListenerOptions = {}): Promise<number> {
  const unexpected = (error: unknown): never => {
    throw error;
  };
  const hosts = ["app.example", "other.example"];
  const server = createServer(nodeListener(handler, { hosts, onError: unexpected, ...options }));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** Sends the lines of a request as they are, and returns everything that comes back until the connection closes. */
async function send(port: number, ...lines: string[]): Promise<string> {
  const socket = await open(port, lines);
  return await text(socket);
}

async function open(port: number, lines: readonly string[]): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  await new Promise<void>((resolve) => socket.once("connect", resolve));
  socket.write(lines.join("\r\n") + "\r\n\r\n");
  return socket;
}

/** Answers with the URL of the request. */
const echoUrl: Handler = (request) => new Response(request.url);

describe("nodeListener()", () => {
  test("returns a listener of node:http", () => {
    const listener: RequestListener = nodeListener(echoUrl);
    expect(listener).toBeTypeOf("function");
  });

  test("passes method, URL, headers and body to the handler", async () => {
    let seen: unknown;
    const port = await serve(async (request) => {
      const { method, url, headers } = request;
      seen = [method, url, headers.get("x-name"), headers.get("cookie"), await request.text()];
      return new Response();
    });
    await fetch(`http://127.0.0.1:${port}/a/b?c=d`, {
      method: "PUT",
      headers: { "x-name": "Ada", cookie: "a=1; b=2" },
      body: "Grüße",
    });
    expect(seen).toEqual([
      "PUT",
      `http://127.0.0.1:${port}/a/b?c=d`,
      "Ada",
      "a=1; b=2",
      "Grüße",
    ]);
  });

  test("passes a repeated header to the handler", async () => {
    const port = await serve((request) => new Response(request.headers.get("x-name")));
    const answer = await send(
      port,
      "GET / HTTP/1.1",
      "Host: app.example",
      "X-Name: Ada",
      "X-Name: Grace",
      "Connection: close",
    );
    expect(answer).toContain("Ada, Grace");
  });

  test("passes a long binary body to the handler", async () => {
    const bytes = Uint8Array.from({ length: 3_000_000 }, (_, at) => (at * 7) % 256);
    const port = await serve(async (request) => new Response(await request.arrayBuffer()));
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: bytes });
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test("passes a form to the handler", async () => {
    const port = await serve(async (request) => {
      const form = await request.formData();
      return new Response(String(form.get("name")));
    });
    const body = new URLSearchParams({ name: "Ada Lovelace" });
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body });
    expect(await answer.text()).toBe("Ada Lovelace");
  });

  test("sends status, headers and body", async () => {
    const port = await serve(() =>
      new Response("made", { status: 201, headers: { "x-by": "me" } })
    );
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    expect([answer.status, answer.headers.get("x-by"), await answer.text()]).toEqual([
      201,
      "me",
      "made",
    ]);
  });

  test("sends every Set-Cookie header as one", async () => {
    const headers = new Headers({ "x-other": "1" });
    headers.append("set-cookie", "a=1; Expires=Thu, 01 Jan 2099 00:00:00 GMT");
    headers.append("set-cookie", "b=2");
    const port = await serve(() => new Response(null, { headers }));
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    expect(answer.headers.getSetCookie()).toEqual([
      "a=1; Expires=Thu, 01 Jan 2099 00:00:00 GMT",
      "b=2",
    ]);
  });

  test("answers HEAD with the headers alone, and cancels the body", async () => {
    const cancel = vi.fn();
    const port = await serve(() =>
      new Response(new ReadableStream({ cancel }), { headers: { "content-length": "5" } })
    );
    const answer = await send(port, "HEAD / HTTP/1.1", "Host: app.example", "Connection: close");
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer.toLowerCase()).toContain("content-length: 5\r\n");
    expect(answer).toMatch(/\r\n\r\n$/);
    expect(cancel).toHaveBeenCalledOnce();
  });

  test("sends responses without a body", async () => {
    const port = await serve(() => new Response(null, { status: 204 }));
    for (const method of ["HEAD", "GET", "DELETE"]) {
      const answer = await fetch(`http://127.0.0.1:${port}/`, { method });
      expect([answer.status, await answer.text()]).toEqual([204, ""]);
    }
  });

  test("serves the next request of a connection if the body of one was not read", async () => {
    const port = await serve(({ method }) => new Response(`answer to ${method}`));
    const answers = await send(
      port,
      "POST / HTTP/1.1",
      "Host: app.example",
      "Content-Length: 4",
      "",
      "bodyGET / HTTP/1.1",
      "Host: app.example",
      "Connection: close",
    );
    expect(answers).toMatch(/answer to POST[^]*answer to GET/);
  });

  test("serves the next request of a connection if the body of one was canceled", async () => {
    const port = await serve(async (request) => {
      const reader = request.body?.getReader();
      await reader?.read();
      await reader?.cancel();
      return new Response(`answer to ${request.method}`);
    });
    const answers = await send(
      port,
      "POST / HTTP/1.1",
      "Host: app.example",
      "Content-Length: 300000",
      "",
      `${"x".repeat(300_000)}GET / HTTP/1.1`,
      "Host: app.example",
      "Connection: close",
    );
    expect(answers).toMatch(/answer to POST[^]*answer to GET/);
  });

  test("does not mind a client that disconnects after its body was canceled", async () => {
    const canceled = Promise.withResolvers<void>();
    const port = await serve(async (request) => {
      if (request.method === "GET") return new Response();
      const reader = request.body?.getReader();
      await reader?.read();
      await reader?.cancel();
      canceled.resolve();
      return await new Promise<Response>((resolve) =>
        request.signal.addEventListener("abort", () => resolve(new Response()))
      );
    });
    const socket = connect(port, "127.0.0.1");
    socket.write("POST / HTTP/1.1\r\nHost: app.example\r\nContent-Length: 9\r\n\r\nbody");
    await canceled.promise;
    socket.destroy();
    expect(await send(port, "GET / HTTP/1.1", "Host: app.example", "Connection: close"))
      .toContain("200");
  });

  describe("the request's URL", () => {
    test.each([
      ["app.example", "http://app.example/path?query"],
      ["app.example:8080", "http://app.example:8080/path?query"],
      ["[::1]:8080", "http://[::1]:8080/path?query"],
    ])("has the host of the Host header %s", async (host, url) => {
      const port = await serve(echoUrl);
      const answer = await send(
        port,
        "GET /path?query HTTP/1.1",
        `Host: ${host}`,
        "Connection: close",
      );
      expect(answer).toContain(url);
    });

    test.each(["app.example/path", "user@app.example", "app.example:99999", "a?b", "a#b", ""])(
      "is not made of the Host header %j",
      async (host) => {
        const handler = vi.fn(echoUrl);
        const port = await serve(handler);
        const answer = await send(port, "GET / HTTP/1.1", `Host: ${host}`, "Connection: close");
        expect(answer).toMatch(/^HTTP\/1\.1 400 /);
        expect(handler).not.toHaveBeenCalled();
      },
    );

    test("keeps its host if the path looks like another host", async () => {
      const port = await serve(echoUrl);
      const answer = await send(
        port,
        "GET //other.example/path HTTP/1.1",
        "Host: app.example",
        "Connection: close",
      );
      expect(answer).toContain("http://app.example//other.example/path");
    });

    test("is the URL of the request line, if that is a whole one", async () => {
      const port = await serve(echoUrl);
      const answer = await send(
        port,
        "GET http://app.example:81/path?query HTTP/1.1",
        "Host: app.example:81",
        "Connection: close",
      );
      expect(answer).toContain("http://app.example:81/path?query");
    });

    test.each(["*", "ftp://app.example/", "http://a b/"])(
      "is refused with 400 for the target %s",
      async (target) => {
        const port = await serve(echoUrl);
        const answer = await send(
          port,
          `OPTIONS ${target} HTTP/1.1`,
          "Host: app.example",
          "Connection: close",
        );
        expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      },
    );

    test("has the host localhost for a client of HTTP/1.0 that sends no Host header", async () => {
      const port = await serve(echoUrl);
      expect(await send(port, "GET /path HTTP/1.0")).toContain("http://localhost/path");
    });

    test("ignores the headers of a proxy", async () => {
      const port = await serve(echoUrl);
      const headers = {
        "forwarded": "proto=https;host=other.example",
        "x-forwarded-proto": "https",
        "x-forwarded-host": "other.example",
      };
      const answer = await fetch(`http://127.0.0.1:${port}/`, { headers });
      expect(await answer.text()).toBe(`http://127.0.0.1:${port}/`);
    });

    test.each(["/path?query", "http://other.example/path?query"])(
      "has the origin of the options for %s",
      async (target) => {
        const port = await serve(echoUrl, { origin: "https://app.example" });
        const answer = await send(
          port,
          `GET ${target} HTTP/1.1`,
          "Host: other.example",
          "Connection: close",
        );
        expect(answer).toContain("https://app.example/path?query");
      },
    );

    test("begins with https on a TLS connection", async () => {
      const url = await new Promise((resolve) => {
        const listener = nodeListener((request) => {
          resolve(request.url);
          return new Response();
        }, { hosts: ["app.example"] });
        const incoming: NodeRequest = {
          method: "GET",
          url: "/",
          headers: { host: "app.example" },
          socket: { encrypted: true },
          async *[Symbol.asyncIterator]() {},
        };
        const outgoing: NodeResponse = {
          headersSent: false,
          writableFinished: false,
          writeHead() {},
          write() {},
          end() {},
          destroy() {},
          on() {},
        };
        listener(incoming, outgoing);
      });
      expect(url).toBe("https://app.example/");
    });

    test.each(["app.example", "https://app.example/path", "ftp://app.example"])(
      "cannot have the origin %s of the options",
      (origin) => {
        expect(() => nodeListener(echoUrl, { origin })).toThrow(
          `origin must be scheme, host and port of an HTTP server and no more: found "${origin}"`,
        );
      },
    );
  });

  describe("the host of a request", () => {
    /** Returns the status line of the answer to a request for a host. */
    async function statusFor(port: number, host: string, target = "/"): Promise<string> {
      const lines = [`GET ${target} HTTP/1.1`, `Host: ${host}`, "Connection: close"];
      return (await send(port, ...lines)).split("\r\n", 1)[0] ?? "";
    }

    test.each([
      "localhost",
      "LOCALHOST:80",
      "app.localhost",
      "127.0.0.1:8788",
      "127.3.2.1",
      "[::1]:1",
    ])(
      "may be %s, which is this machine",
      async (host) => {
        expect(await statusFor(await serve(echoUrl, { hosts: [] }), host)).toBe("HTTP/1.1 200 OK");
      },
    );

    test.each([
      ["attacker.example", "/"],
      ["attacker.example:8788", "/"],
      ["localhost.attacker.example", "/"],
      ["127.0.0.1.attacker.example", "/"],
      ["192.168.0.7", "/"],
      ["notlocalhost", "/"],
      ["localhost", "http://attacker.example/"],
    ])("is refused if it is %s for the target %s", async (host, target) => {
      const handler = vi.fn(echoUrl);
      const onRefusedHost = vi.fn();
      const port = await serve(handler, { hosts: [], onRefusedHost });
      expect(await statusFor(port, host, target)).toBe("HTTP/1.1 403 Forbidden");
      expect(handler).not.toHaveBeenCalled();
      const name = target === "/" ? host.replace(/:.*/, "") : "attacker.example";
      expect(onRefusedHost.mock.calls).toEqual([[name]]);
    });

    test.each(["app.example", "App.Example:81"])(
      "may be %s if the options name it",
      async (host) => {
        const named = await serve(echoUrl, { hosts: ["app.example"] });
        expect(await statusFor(named, host)).toBe("HTTP/1.1 200 OK");
        const origin = "https://app.example:444";
        expect(await statusFor(await serve(echoUrl, { hosts: [], origin }), host)).toBe(
          "HTTP/1.1 200 OK",
        );
      },
    );

    test("is named in a warning if it is refused", async () => {
      const warn = vi.spyOn(console, "warn").mockReturnValue();
      const port = await serve(echoUrl);
      await statusFor(port, "attacker.example");
      expect(warn.mock.calls).toEqual([[
        "A request for the host attacker.example was refused: it is not this machine. " +
        "If it should be answered, name it in hosts of nodeListener()",
      ]]);
      warn.mockRestore();
    });

    test.each(["https://app.example", "app.example:80", "app.example/", "", "a b"])(
      "can't be named as %j",
      (name) => {
        expect(() => nodeListener(echoUrl, { hosts: ["app.example", name] })).toThrow(
          new TypeError(
            `hosts[1] must be the name of a host, without scheme and port: found "${name}"`,
          ),
        );
      },
    );
  });

  test("answers 400 to a header with a NUL, which a lenient parser lets pass", () => {
    const handler = vi.fn(echoUrl);
    const writeHead = vi.fn();
    const incoming: NodeRequest = {
      headers: { host: "app.example", cookie: "a\0b" },
      socket: {},
      async *[Symbol.asyncIterator]() {},
    };
    const outgoing: NodeResponse = {
      headersSent: false,
      writableFinished: false,
      writeHead,
      write() {},
      end() {},
      destroy() {},
      on() {},
    };
    nodeListener(handler, { hosts: ["app.example"] })(incoming, outgoing);
    expect(writeHead).toHaveBeenCalledExactlyOnceWith(400, expect.anything());
    expect(handler).not.toHaveBeenCalled();
  });

  test("answers 400 to methods that a Request refuses", async () => {
    const port = await serve(echoUrl);
    const answer = await send(port, "TRACE / HTTP/1.1", "Host: app.example", "Connection: close");
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });

  describe("after the client disconnects", () => {
    test("aborts the request and reports no error", async () => {
      const onError = vi.fn();
      const started = Promise.withResolvers<Request>();
      const port = await serve((request) => {
        started.resolve(request);
        return new Promise((_resolve, reject) => {
          request.signal.addEventListener("abort", () => reject(request.signal.reason));
        });
      }, { onError });
      const socket = await open(port, ["GET / HTTP/1.1", "Host: app.example"]);
      const { signal } = await started.promise;
      expect(signal.aborted).toBe(false);
      socket.destroy();
      await eventually(() => expect(signal.aborted).toBe(true));
      expect(onError).not.toHaveBeenCalled();
    });

    test("cancels a body that it is sending", async () => {
      const cancel = vi.fn();
      const port = await serve(() =>
        new Response(
          new ReadableStream({
            start: (controller) => controller.enqueue(new TextEncoder().encode("first part")),
            cancel,
          }),
        )
      );
      const socket = await open(port, ["GET / HTTP/1.1", "Host: app.example"]);
      await new Promise<void>((resolve) => socket.once("data", () => resolve()));
      socket.destroy();
      await eventually(() => expect(cancel).toHaveBeenCalledOnce());
    });

    test("cancels a body that it has not begun to send, even if that fails", async () => {
      const onError = vi.fn();
      const cancel = vi.fn(() => Promise.reject(new Error("can't be cancelled")));
      const started = Promise.withResolvers<void>();
      const port = await serve(() => {
        const pull = (): Promise<void> => {
          started.resolve();
          return new Promise(() => {});
        };
        return new Response(new ReadableStream({ pull, cancel }, { highWaterMark: 0 }));
      }, { onError });
      const socket = await open(port, ["GET / HTTP/1.1", "Host: app.example"]);
      await started.promise;
      socket.destroy();
      await eventually(() => expect(cancel).toHaveBeenCalledOnce());
      expect(onError).not.toHaveBeenCalled();
    });

    test("ends a body that the handler is reading", async () => {
      const onError = vi.fn();
      const started = Promise.withResolvers<Request>();
      const failed = Promise.withResolvers<unknown>();
      const port = await serve(async (request) => {
        started.resolve(request);
        try {
          return new Response(await request.text());
        } catch (error) {
          failed.resolve(error);
          throw error;
        }
      }, { onError });
      const lines = ["POST / HTTP/1.1", "Host: app.example", "Content-Length: 9", "", "half"];
      const socket = await open(port, lines);
      await started.promise;
      socket.destroy();
      await expect(failed.promise).resolves.toBeInstanceOf(Error);
      // Time for the cancellation, which nothing awaits.
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(onError).not.toHaveBeenCalled();
    });
  });

  test("does not abort an answered request", async () => {
    let signal: AbortSignal | undefined;
    const port = await serve((request) => {
      signal = request.signal;
      return new Response("done");
    });
    await send(port, "GET / HTTP/1.1", "Host: app.example", "Connection: close");
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(signal?.aborted).toBe(false);
  });

  test("reads the next part of a body when the client has received the last ones", async () => {
    let made = 0;
    const port = await serve(() =>
      new Response(
        new ReadableStream({
          pull(controller) {
            if (++made > 300) controller.close();
            else controller.enqueue(new Uint8Array(100_000));
          },
        }),
      )
    );
    const options = { host: "127.0.0.1", port, agent: false };
    const answer = await new Promise<IncomingMessage>((resolve) => get(options, resolve));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(made).toBeLessThan(200);
    let received = 0;
    for await (const chunk of answer) received += chunk.length;
    expect(received).toBe(30_000_000);
  });

  describe("with a handler that fails", () => {
    const secret = "hunter2-hunter2";
    const broken: readonly [string, Handler][] = [
      ["throws at once", () => {
        throw new Error(secret);
      }],
      ["rejects later", () => Promise.reject(new Error(secret))],
      ["rejects with something that is no error", () => Promise.reject(secret)],
    ];

    test.each(broken)("answers 500 without details if it %s", async (_when, handler) => {
      const onError = vi.fn();
      const port = await serve(handler, { onError });
      const answer = await fetch(`http://127.0.0.1:${port}/`);
      expect([answer.status, await answer.text()]).toEqual([500, "Internal Server Error\n"]);
      expect(JSON.stringify([...answer.headers])).not.toContain("hunter2");
      expect(onError).toHaveBeenCalledOnce();
      expect(String(onError.mock.calls[0]?.[0])).toContain(secret);
    });

    test("writes the error to the console by default", async () => {
      const written = vi.spyOn(console, "error").mockImplementation(() => {});
      const error = new Error("of the handler");
      const server = createServer(nodeListener(() => Promise.reject(error)));
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      expect(written).toHaveBeenCalledWith(error);
      written.mockRestore();
    });

    test("closes the connection if it fails while the body is sent", async () => {
      const onError = vi.fn();
      const error = new Error(secret);
      const port = await serve(() => {
        let started = false;
        return new Response(
          new ReadableStream({
            pull(controller) {
              if (started) controller.error(error);
              else controller.enqueue(new TextEncoder().encode("first part"));
              started = true;
            },
          }),
        );
      }, { onError });
      const answer = await fetch(`http://127.0.0.1:${port}/`);
      await expect(answer.text()).rejects.toThrow();
      expect(onError).toHaveBeenCalledWith(error);
    });
  });

  describe("with the fake platform", () => {
    test.each(["before", "body"] as const)(
      "closes the connection for cut: %j, and reports nothing",
      async (cut) => {
        const onError = vi.fn();
        const fake = createFakePlatform();
        const port = await serve(fake.fetch, { onError });
        fake.failNext({ cut });
        const read = async () =>
          await (await fetch(`http://127.0.0.1:${port}/oauth2/authorized`)).text();
        await expect(read()).rejects.toThrow(TypeError);
        expect(onError).not.toHaveBeenCalled();
        expect((await fetch(`http://127.0.0.1:${port}/oauth2/authorized`)).status).toBe(200);
      },
    );

    test("ends a response that never comes when the client disconnects", async () => {
      const onError = vi.fn();
      const fake = createFakePlatform();
      const port = await serve(fake.fetch, { onError });
      fake.failNext({ hang: true });
      const signal = AbortSignal.timeout(50);
      await expect(fetch(`http://127.0.0.1:${port}/`, { signal })).rejects.toThrow();
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(onError).not.toHaveBeenCalled();
    });
  });
});
