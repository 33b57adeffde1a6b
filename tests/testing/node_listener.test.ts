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
 * Serves a handler on a free port, for the hosts of these tests too, and returns the port. Without `onError` in `options`, an error
 * fails the test.
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

/** Sends the lines of a request as they are. Returns all received text until the connection closes. */
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

/** Returns a function that always returns the same response. Its body was read. */
function sameResponse(text: string): () => Response {
  const response = new Response(text);
  void response.text();
  return () => response;
}

/** Responds with the URL of the request. */
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
    const response = await send(
      port,
      "GET / HTTP/1.1",
      "Host: app.example",
      "X-Name: Ada",
      "X-Name: Grace",
      "Connection: close",
    );
    expect(response).toContain("Ada, Grace");
  });

  test("passes a long binary body to the handler", async () => {
    const bytes = Uint8Array.from({ length: 3_000_000 }, (_, at) => (at * 7) % 256);
    const port = await serve(async (request) => new Response(await request.arrayBuffer()));
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: bytes });
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test("passes a form to the handler", async () => {
    const port = await serve(async (request) => {
      const form = await request.formData();
      return new Response(String(form.get("name")));
    });
    const body = new URLSearchParams({ name: "Ada Lovelace" });
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body });
    expect(await response.text()).toBe("Ada Lovelace");
  });

  test("sends status, headers and body", async () => {
    const port = await serve(() =>
      new Response("made", { status: 201, headers: { "x-by": "me" } })
    );
    const response = await fetch(`http://127.0.0.1:${port}/`);
    expect([response.status, response.headers.get("x-by"), await response.text()]).toEqual([
      201,
      "me",
      "made",
    ]);
  });

  test("sends several Set-Cookie headers separately", async () => {
    const headers = new Headers({ "x-other": "1" });
    headers.append("set-cookie", "a=1; Expires=Thu, 01 Jan 2099 00:00:00 GMT");
    headers.append("set-cookie", "b=2");
    const port = await serve(() => new Response(null, { headers }));
    const response = await fetch(`http://127.0.0.1:${port}/`);
    expect(response.headers.getSetCookie()).toEqual([
      "a=1; Expires=Thu, 01 Jan 2099 00:00:00 GMT",
      "b=2",
    ]);
  });

  test("responds to HEAD with only the headers, and cancels the body", async () => {
    const cancel = vi.fn();
    const port = await serve(() =>
      new Response(new ReadableStream({ cancel }), { headers: { "content-length": "5" } })
    );
    const response = await send(port, "HEAD / HTTP/1.1", "Host: app.example", "Connection: close");
    expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(response.toLowerCase()).toContain("content-length: 5\r\n");
    expect(response).toMatch(/\r\n\r\n$/);
    expect(cancel).toHaveBeenCalledOnce();
  });

  test("sends responses without a body", async () => {
    const port = await serve(() => new Response(null, { status: 204 }));
    for (const method of ["HEAD", "GET", "DELETE"]) {
      const response = await fetch(`http://127.0.0.1:${port}/`, { method });
      expect([response.status, await response.text()]).toEqual([204, ""]);
    }
  });

  test("serves the next request of a connection after an unread body", async () => {
    const port = await serve(({ method }) => new Response(`response to ${method}`));
    const responses = await send(
      port,
      "POST / HTTP/1.1",
      "Host: app.example",
      "Content-Length: 4",
      "",
      "bodyGET / HTTP/1.1",
      "Host: app.example",
      "Connection: close",
    );
    expect(responses).toMatch(/response to POST[^]*response to GET/);
  });

  test("serves the next request of a connection after a canceled body", async () => {
    const port = await serve(async (request) => {
      const reader = request.body?.getReader();
      await reader?.read();
      await reader?.cancel();
      return new Response(`response to ${request.method}`);
    });
    const responses = await send(
      port,
      "POST / HTTP/1.1",
      "Host: app.example",
      "Content-Length: 300000",
      "",
      `${"x".repeat(300_000)}GET / HTTP/1.1`,
      "Host: app.example",
      "Connection: close",
    );
    expect(responses).toMatch(/response to POST[^]*response to GET/);
  });

  test("ignores a disconnection after a canceled body", async () => {
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
      const response = await send(
        port,
        "GET /path?query HTTP/1.1",
        `Host: ${host}`,
        "Connection: close",
      );
      expect(response).toContain(url);
    });

    test.each(["app.example/path", "user@app.example", "app.example:99999", "a?b", "a#b", ""])(
      "is not made of the Host header %j",
      async (host) => {
        const handler = vi.fn(echoUrl);
        const port = await serve(handler);
        const response = await send(port, "GET / HTTP/1.1", `Host: ${host}`, "Connection: close");
        expect(response).toMatch(/^HTTP\/1\.1 400 /);
        expect(handler).not.toHaveBeenCalled();
      },
    );

    test("keeps its host if the path looks like another host", async () => {
      const port = await serve(echoUrl);
      const response = await send(
        port,
        "GET //other.example/path HTTP/1.1",
        "Host: app.example",
        "Connection: close",
      );
      expect(response).toContain("http://app.example//other.example/path");
    });

    test("is the URL of the request line if it is absolute", async () => {
      const port = await serve(echoUrl);
      const response = await send(
        port,
        "GET http://app.example:81/path?query HTTP/1.1",
        "Host: app.example:81",
        "Connection: close",
      );
      expect(response).toContain("http://app.example:81/path?query");
    });

    test.each(["*", "ftp://app.example/", "http://a b/"])(
      "is refused with 400 for the target %s",
      async (target) => {
        const port = await serve(echoUrl);
        const response = await send(
          port,
          `OPTIONS ${target} HTTP/1.1`,
          "Host: app.example",
          "Connection: close",
        );
        expect(response).toMatch(/^HTTP\/1\.1 400 /);
      },
    );

    test("has the host localhost for a client of HTTP/1.0 without a Host header", async () => {
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
      const response = await fetch(`http://127.0.0.1:${port}/`, { headers });
      expect(await response.text()).toBe(`http://127.0.0.1:${port}/`);
    });

    test.each(["/path?query", "http://other.example/path?query"])(
      "has the origin of the options for %s",
      async (target) => {
        const port = await serve(echoUrl, { origin: "https://app.example" });
        const response = await send(
          port,
          `GET ${target} HTTP/1.1`,
          "Host: other.example",
          "Connection: close",
        );
        expect(response).toContain("https://app.example/path?query");
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
          destroyed: false,
          writableEnded: false,
          statusCode: 200,
          req: {},
          getHeader: () => undefined,
          setHeader() {},
          write: () => true,
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
          `origin must be only the scheme, host and port of an HTTP server, received "${origin}"`,
        );
      },
    );
  });

  describe("the host of a request", () => {
    /** Returns the status line of the response to a request for a host. */
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

    test("is on a page if a browser requested it, or on the page that the option returns", async () => {
      const onRefusedHost = vi.fn<(hostname: string) => Response | void>();
      const port = await serve(echoUrl, { onRefusedHost });
      const ask = (accept: string) =>
        send(
          port,
          "GET / HTTP/1.1",
          "Host: attacker.example",
          `Accept: ${accept}`,
          "Connection: close",
        );
      const text = "This server does not accept requests for the host attacker.example";
      expect(await ask("text/html,*/*")).toMatch(
        RegExp(`^HTTP/1.1 403 Forbidden[^]*<p role="alert">${text}.</p>`),
      );
      expect(await ask("*/*")).toMatch(RegExp(`\r\n\r\n[^<]*${text}\n`));
      onRefusedHost.mockImplementation(() => new Response("Open the other one", { status: 421 }));
      expect(await ask("text/html")).toMatch(/^HTTP\/1.1 421 [^]*Open the other one/);
      expect(await ask("*/*")).toContain(text);
    });

    test.each<[string, () => unknown, number]>([
      ["a promise", () => Promise.resolve(), 0],
      ["a number", () => 1, 0],
      ["a response that was read", sameResponse("read before"), 1],
      ["Response.error()", () => Response.error(), 1],
      ["an exception", () => {
        throw new Error("of the option");
      }, 1],
    ])("is on the built-in page if the option returns %s", async (_, result, reported) => {
      const onRefusedHost = result as () => Response;
      const errors = vi.fn();
      const port = await serve(echoUrl, { onRefusedHost, onError: errors });
      const response = await send(
        port,
        "GET / HTTP/1.1",
        "Host: attacker.example",
        "Accept: text/html",
        "Connection: close",
      );
      expect(response).toMatch(/^HTTP\/1.1 403 Forbidden[^]*<p role="alert">This server does not/);
      await eventually(() => expect(errors).toHaveBeenCalledTimes(reported));
    });

    test("is named in a warning if it is refused", async () => {
      const warn = vi.spyOn(console, "warn").mockReturnValue();
      const port = await serve(echoUrl);
      await statusFor(port, "attacker.example");
      expect(warn.mock.calls).toEqual([[
        "A request for the host attacker.example was refused: it is not this machine. " +
        "To accept it, add it to the option hosts of nodeListener()",
      ]]);
      warn.mockRestore();
    });

    test.each(["https://app.example", "app.example:80", "app.example/", "", "a b"])(
      "can't be named as %j",
      (name) => {
        expect(() => nodeListener(echoUrl, { hosts: ["app.example", name] })).toThrow(
          new TypeError(
            `hosts[1] must be the name of a host, without a scheme or port, received "${name}"`,
          ),
        );
      },
    );
  });

  test("responds with 400 to a header with a NUL from a lenient parser", () => {
    const handler = vi.fn(echoUrl);
    const incoming: NodeRequest = {
      headers: { host: "app.example", cookie: "a\0b" },
      socket: {},
      async *[Symbol.asyncIterator]() {},
    };
    const outgoing: NodeResponse = {
      headersSent: false,
      destroyed: false,
      writableEnded: false,
      statusCode: 200,
      req: {},
      getHeader: () => undefined,
      setHeader() {},
      write: () => true,
      end() {},
      destroy() {},
      on() {},
    };
    nodeListener(handler, { hosts: ["app.example"] })(incoming, outgoing);
    expect(outgoing.statusCode).toBe(400);
    expect(handler).not.toHaveBeenCalled();
  });

  test("responds with 400 to methods that a Request refuses", async () => {
    const port = await serve(echoUrl);
    const response = await send(port, "TRACE / HTTP/1.1", "Host: app.example", "Connection: close");
    expect(response).toMatch(/^HTTP\/1\.1 400 [^]*\r\n\r\n[^<]*Bad Request\n/);
  });

  test("responds with 400 and a page to a browser with an invalid host", async () => {
    const port = await serve(echoUrl);
    const lines = ["Host: a b", "Accept: text/html", "Connection: close"];
    const response = await send(port, "GET / HTTP/1.1", ...lines);
    expect(response).toMatch(/^HTTP\/1\.1 400 [^]*<h1>Wrong address<\/h1>/);
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

    test("cancels a body during its transmission", async () => {
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

    test("cancels a body before its transmission, even if that fails", async () => {
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

    test("ends the body of a reading handler", async () => {
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
      // Time for the cancellation. Nothing awaits it.
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(onError).not.toHaveBeenCalled();
    });
  });

  test("does not abort a request after its response", async () => {
    let signal: AbortSignal | undefined;
    const port = await serve((request) => {
      signal = request.signal;
      return new Response("done");
    });
    await send(port, "GET / HTTP/1.1", "Host: app.example", "Connection: close");
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(signal?.aborted).toBe(false);
  });

  test("reads the next part of a body after the client has received the previous parts", async () => {
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
    const response = await new Promise<IncomingMessage>((resolve) => get(options, resolve));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(made).toBeLessThan(200);
    let received = 0;
    for await (const chunk of response) received += chunk.length;
    expect(received).toBe(30_000_000);
  });

  describe("with a handler that fails", () => {
    const secret = "hunter2-hunter2";
    const broken: readonly [string, Handler][] = [
      ["throws at once", () => {
        throw new Error(secret);
      }],
      ["rejects later", () => Promise.reject(new Error(secret))],
      ["rejects with a value that is not an error", () => Promise.reject(secret)],
    ];

    test.each(broken)("responds with 500 without details if it %s", async (_when, handler) => {
      const onError = vi.fn();
      const port = await serve(handler, { onError });
      const response = await fetch(`http://127.0.0.1:${port}/`);
      expect([response.status, await response.text()]).toEqual([500, "Internal Server Error\n"]);
      expect(JSON.stringify([...response.headers])).not.toContain("hunter2");
      const headers = { accept: "text/html" };
      const page = await fetch(`http://127.0.0.1:${port}/`, { headers });
      expect([page.status, page.headers.get("content-type")]).toEqual([
        500,
        "text/html; charset=utf-8",
      ]);
      expect(await page.text()).toMatch(/^(?![^]*hunter2)[^]*<h1>Something went wrong<\/h1>/);
      expect(onError).toHaveBeenCalledTimes(2);
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

    test("closes the connection if it fails in the middle of the body", async () => {
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
      const response = await fetch(`http://127.0.0.1:${port}/`);
      await expect(response.text()).rejects.toThrow();
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

    test("ends a hanging response when the client disconnects", async () => {
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
