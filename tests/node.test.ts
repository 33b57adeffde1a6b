import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { Buffer } from "node:buffer";
import { json, text } from "node:stream/consumers";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  type IncomingRequest,
  type OutgoingResponse,
  sendResponse,
  toRequest,
} from "../src/node.ts";
import { eventually } from "./support/eventually.ts";

type Listener = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>;

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }
});

/** Serves a listener on a free port, and returns the port. */
async function listen(listener: Listener): Promise<number> {
  const server = createServer((req, res) => void listener(req, res));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** Serves a function from `Request` to `Response`. */
async function serve(handler: (request: Request) => Response | Promise<Response>): Promise<number> {
  return await listen(async (req, res) => sendResponse(res, await handler(toRequest(req, res))));
}

/** Sends the lines of a request as they are. */
async function open(port: number, ...lines: string[]): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  await new Promise<void>((resolve) => socket.once("connect", resolve));
  socket.write(lines.join("\r\n") + "\r\n\r\n");
  return socket;
}

/** Sends the lines of a request, and returns everything that comes back until the connection closes. */
async function send(port: number, ...lines: string[]): Promise<string> {
  return await text(await open(port, ...lines, "Connection: close"));
}

/** A request that Node's HTTP/1 server would not make. */
function incomingWith(part: Partial<IncomingRequest>): IncomingRequest {
  return {
    method: "GET",
    url: "/",
    headers: {},
    socket: {},
    async *[Symbol.asyncIterator]() {},
    ...part,
  };
}

const outgoing: OutgoingResponse = {
  statusCode: 200,
  destroyed: false,
  writableEnded: false,
  req: {},
  getHeader() {
    return undefined;
  },
  setHeader() {},
  write() {
    return true;
  },
  end() {},
  destroy() {},
  on() {},
};

const form = (fields: Record<string, string>): RequestInit => ({
  method: "POST",
  body: new URLSearchParams(fields),
});

describe("toRequest()", () => {
  test("has method, URL, headers and body", async () => {
    let seen: unknown;
    const port = await serve(async (request) => {
      const { method, url, headers } = request;
      seen = [method, url, headers.get("x-name"), headers.get("cookie"), await request.text()];
      return new Response();
    });
    await fetch(`http://127.0.0.1:${port}/a/b?c=d&c=%20+`, {
      method: "PUT",
      headers: { "x-name": "Ada", cookie: "a=1; b=2" },
      body: "Grüße",
    });
    const url = `http://127.0.0.1:${port}/a/b?c=d&c=%20+`;
    expect(seen).toEqual(["PUT", url, "Ada", "a=1; b=2", "Grüße"]);
  });

  test("joins a repeated header", async () => {
    const port = await serve((request) => new Response(request.headers.get("x-name")));
    expect(await send(port, "GET / HTTP/1.1", "Host: a.example", "X-Name: Ada", "X-Name: Grace"))
      .toContain("Ada, Grace");
    const headers = { "x-name": ["Ada", "Grace"], "x-none": undefined };
    const request = toRequest(incomingWith({ headers }), outgoing);
    expect([...request.headers]).toEqual([["x-name", "Ada, Grace"]]);
  });

  test.each(["a\0b", "a\r\nb", "\u2028", "\0"])(
    "leaves out a header with %j, which a Request can't have",
    (value) => {
      const headers = {
        cookie: value,
        "x-list": ["1", value, "2"],
        accept: "text/html",
        "a\0": "b",
      };
      for (const method of ["GET", "POST"]) {
        const request = toRequest(incomingWith({ method, headers }), outgoing);
        expect([...request.headers]).toEqual([["accept", "text/html"], ["x-list", "1, 2"]]);
      }
    },
  );

  test("passes on a long binary body", async () => {
    const bytes = Uint8Array.from({ length: 3_000_000 }, (_, at) => (at * 7) % 256);
    const port = await serve(async (request) => new Response(await request.arrayBuffer()));
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: bytes });
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test("leaves the body unread, so that another parser can read it later", async () => {
    const port = await listen(async (req, res) => {
      const request = toRequest(req, res);
      await new Promise((resolve) => setTimeout(resolve));
      res.end(`${request.method} ${await text(req)}`);
    });
    const response = await fetch(`http://127.0.0.1:${port}/`, form({ name: "Ada" }));
    expect(await response.text()).toBe("POST name=Ada");
  });

  test("fails at the body that a parser has read before, and does not wait for it", async () => {
    const port = await listen(async (req, res) => {
      await json(req);
      const error = await toRequest(req, res).text().catch((error) => error);
      res.end(`${error.name}: ${error.message}`);
    });
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: "{}" });
    expect(await response.text()).toBe(
      "TypeError: The body of the request was already read, such as by express.json(): use its result, or add that parser after " +
        "this handler",
    );
  });

  test("has an empty body for a POST without one", async () => {
    const port = await serve(async (request) => new Response(`[${await request.text()}]`));
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: "POST" });
    expect(await response.text()).toBe("[]");
  });

  test("reads the rest of a body that is canceled halfway, so that the connection is free again", async () => {
    for (const [halfway, expected] of [[true, 3], [false, 0]] as const) {
      let chunks = 0;
      const body = async function* () {
        while (++chunks < 3) yield new Uint8Array(1);
      };
      const incoming = incomingWith({ method: "POST", [Symbol.asyncIterator]: body });
      const reader = toRequest(incoming, outgoing).body?.getReader();
      if (halfway) await reader?.read();
      await reader?.cancel();
      await new Promise((resolve) => setTimeout(resolve));
      expect(chunks).toBe(expected);
    }
  });

  test("does not mind a client that disconnects while the rest of a canceled body is discarded", async () => {
    const body = async function* () {
      yield new Uint8Array(1);
      throw new Error("aborted");
    };
    const incoming = incomingWith({ method: "POST", [Symbol.asyncIterator]: body });
    const reader = toRequest(incoming, outgoing).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await new Promise((resolve) => setTimeout(resolve));
  });

  test.each(["GET", "HEAD", "get"])("has no body for %s", (method) => {
    expect(toRequest(incomingWith({ method }), outgoing).body).toBeNull();
  });

  test("is a GET if Node names no method", () => {
    const { method, url } = toRequest(
      incomingWith({ method: undefined, url: undefined }),
      outgoing,
    );
    expect([method, url]).toEqual(["GET", "http://localhost/"]);
  });

  test.each(["TRACE", "trace", "CONNECT"])(
    "is OPTIONS for %s, which no Request can be",
    (method) => {
      expect(toRequest(incomingWith({ method }), outgoing).method).toBe("OPTIONS");
    },
  );

  test("has the headers of HTTP/2 without those of the protocol", () => {
    const headers = {
      ":authority": "a.example:8443",
      ":path": "/",
      ":scheme": "https",
      "x-a": "1",
    };
    const socket = { encrypted: true };
    const request = toRequest(incomingWith({ headers, socket, url: "/page" }), outgoing);
    expect(request.url).toBe("https://a.example:8443/page");
    expect([...request.headers]).toEqual([["x-a", "1"]]);
  });

  describe("the URL", () => {
    const urlWith = (part: Partial<IncomingRequest>) => toRequest(incomingWith(part), outgoing).url;

    test.each([
      ["app.example", "http://app.example/path?query"],
      ["app.example:8080", "http://app.example:8080/path?query"],
      ["[::1]:8080", "http://[::1]:8080/path?query"],
      ["app.example/path", "http://unknown.invalid/path?query"],
      ["user@app.example", "http://unknown.invalid/path?query"],
      ["app.example:99999", "http://unknown.invalid/path?query"],
      ["a?b", "http://unknown.invalid/path?query"],
      ["a b", "http://unknown.invalid/path?query"],
      ["a\0", "http://unknown.invalid/path?query"],
      ["", "http://unknown.invalid/path?query"],
    ])("has the host of the Host header %j", (host, url) => {
      expect(urlWith({ url: "/path?query", headers: { host } })).toBe(url);
    });

    test("has the path that Express removed for a router", () => {
      expect(urlWith({ url: "/login", originalUrl: "/auth/login?a=b" }))
        .toBe("http://localhost/auth/login?a=b");
    });

    test.each([
      ["//other.example/path", "http://app.example//other.example/path"],
      ["http://other.example/path?query", "http://app.example/path?query"],
      ["*", "http://app.example/*"],
    ])("keeps its host for the target %s", (url, expected) => {
      expect(urlWith({ url, headers: { host: "app.example" } })).toBe(expected);
    });

    test("ignores the headers of a proxy", () => {
      const headers = {
        "host": "app.example",
        "forwarded": "proto=https;host=other.example",
        "x-forwarded-proto": "https",
        "x-forwarded-host": "other.example",
      };
      expect(urlWith({ headers })).toBe("http://app.example/");
    });

    test("begins with https on a TLS connection", () => {
      expect(urlWith({ socket: { encrypted: true } })).toBe("https://localhost/");
      expect(urlWith({ socket: { encrypted: false } })).toBe("http://localhost/");
    });
  });

  test("is a Request of the runtime, which clone(), new Request() and fetch() take with its headers and body", async () => {
    const echo = await serve(async ({ method, headers, body }) =>
      new Response(`${method} ${headers.get("x-name")} ${body && await text(body)}`)
    );
    const url = `http://127.0.0.1:${echo}/`;
    const seen: unknown[] = [];
    const port = await serve(async (request) => {
      const copies = [request.clone(), new Request(request.clone(), { method: "PUT" })];
      const sent = await fetch(new Request(url, request));
      seen.push(request instanceof Request, await sent.text());
      for (const { method, headers, body } of copies) {
        seen.push(`${method} ${headers.get("x-name")} ${body && await text(body)}`);
      }
      return new Response();
    });
    // Not every runtime knows the option, which a body that is a stream needs.
    const duplex: object = { duplex: "half" };
    const init = { method: "POST", headers: { "x-name": "Ada" }, body: "hello", ...duplex };
    await fetch(`http://127.0.0.1:${port}/`, init);
    expect(seen).toEqual([true, "POST Ada hello", "POST Ada hello", "PUT Ada hello"]);
  });

  describe("the signal", () => {
    test("aborts when the client disconnects", async () => {
      const arrived = Promise.withResolvers<Request>();
      const port = await listen((req, res) => arrived.resolve(toRequest(req, res)));
      const socket = await open(port, "GET / HTTP/1.1", "Host: app.example");
      const { signal } = await arrived.promise;
      expect(signal.aborted).toBe(false);
      socket.destroy();
      await eventually(() => expect(signal.aborted).toBe(true));
    });

    test("also aborts a copy of the Request", async () => {
      const arrived = Promise.withResolvers<Request>();
      const port = await listen((req, res) => arrived.resolve(toRequest(req, res)));
      const socket = await open(port, "GET / HTTP/1.1", "Host: app.example");
      const request = await arrived.promise;
      const { signal } = new Request(request.clone());
      socket.destroy();
      await eventually(() => expect(signal.aborted).toBe(true));
    });

    test("is aborted if the client had left before", async () => {
      const left = Promise.withResolvers<Request>();
      const port = await listen((req, res) => {
        res.on("close", () => left.resolve(toRequest(req, res)));
        req.socket.destroy();
      });
      await open(port, "GET / HTTP/1.1", "Host: app.example");
      expect((await left.promise).signal.aborted).toBe(true);
    });

    test("is created when it is read, once", () => {
      const on = vi.fn();
      const request = toRequest(incomingWith({}), { ...outgoing, on });
      expect(on).not.toHaveBeenCalled();
      expect(request.signal).toBe(request.signal);
      expect(on).toHaveBeenCalledOnce();
    });

    test("does not abort if it is first read after the response", () => {
      const ended = { ...outgoing, destroyed: true, writableEnded: true };
      expect(toRequest(incomingWith({}), ended).signal.aborted).toBe(false);
    });

    test("does not abort after the response", async () => {
      const closed = Promise.withResolvers<AbortSignal>();
      const port = await listen(async (req, res) => {
        const { signal } = toRequest(req, res);
        res.on("close", () => closed.resolve(signal));
        await sendResponse(res, new Response("body"));
      });
      await send(port, "GET / HTTP/1.1", "Host: app.example");
      expect((await closed.promise).aborted).toBe(false);
    });
  });
});

describe("sendResponse()", () => {
  test("sends status, headers and body", async () => {
    const port = await serve(() =>
      new Response("made", { status: 201, headers: { "x-by": "me" } })
    );
    const response = await fetch(`http://127.0.0.1:${port}/`);
    expect([response.status, response.headers.get("x-by"), await response.text()])
      .toEqual([201, "me", "made"]);
  });

  /** Returns the headers of a response after a middleware that has set others. */
  async function headersAfter(
    earlier: Readonly<Record<string, string | string[]>>,
    headers: Headers,
  ): Promise<Headers> {
    const port = await listen(async (_, res) => {
      for (const [name, value] of Object.entries(earlier)) res.setHeader(name, value);
      await sendResponse(res, new Response(null, { headers }));
    });
    return (await fetch(`http://127.0.0.1:${port}/`)).headers;
  }

  const twoCookies = new Headers({ "x-other": "1" });
  twoCookies.append("set-cookie", "a=1; Expires=Thu, 01 Jan 2099 00:00:00 GMT");
  twoCookies.append("set-cookie", "b=2");

  test.each([
    [[], undefined],
    [["c=3"], "c=3"],
    [["c=3", "d=4"], ["c=3", "d=4"]],
  ])("sends every cookie, after %j that a middleware has set", async (expected, earlier) => {
    const headers = await headersAfter(earlier ? { "set-cookie": earlier } : {}, twoCookies);
    expect(headers.getSetCookie())
      .toEqual([...expected, "a=1; Expires=Thu, 01 Jan 2099 00:00:00 GMT", "b=2"]);
  });

  test("adds to Vary, replaces other headers, and keeps those that the response does not have", async () => {
    const headers = await headersAfter(
      { "vary": "Origin", "x-a": "old", "x-b": "kept" },
      new Headers({ "vary": "accept", "x-a": "new" }),
    );
    expect([headers.get("vary"), headers.get("x-a"), headers.get("x-b")])
      .toEqual(["Origin, accept", "new", "kept"]);
    expect((await headersAfter({}, new Headers({ vary: "accept" }))).get("vary")).toBe("accept");
  });

  test("works if something else reads the headers from the arguments of writeHead()", async () => {
    const port = await listen(async (_, res) => {
      const { writeHead } = res;
      const seen: unknown[] = [];
      res.writeHead = (...args: unknown[]) => {
        seen.push(args.slice(1).filter((part) => typeof part === "object"));
        return Reflect.apply(writeHead, res, args);
      };
      await sendResponse(res, new Response(null, { status: 302, headers: { location: "/page" } }));
      expect(seen).toEqual([[]]);
    });
    const response = await fetch(`http://127.0.0.1:${port}/`, { redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([302, "/page"]);
  });

  test("responds to HEAD with the headers alone, and cancels the body", async () => {
    const cancel = vi.fn();
    const port = await serve(() =>
      new Response(new ReadableStream({ cancel }), { headers: { "content-length": "5" } })
    );
    const response = await send(port, "HEAD / HTTP/1.1", "Host: app.example");
    expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(response.toLowerCase()).toContain("content-length: 5\r\n");
    expect(response).toMatch(/\r\n\r\n$/);
    expect(cancel).toHaveBeenCalledOnce();
  });

  test("sends responses without a body", async () => {
    const port = await serve(() => new Response(null, { status: 204 }));
    for (const method of ["HEAD", "GET", "DELETE"]) {
      const response = await fetch(`http://127.0.0.1:${port}/`, { method });
      expect([response.status, response.headers.get("content-length"), await response.text()])
        .toEqual([204, null, ""]);
    }
  });

  test("waits for the client before it reads on", async () => {
    const listeners = new Map<string, () => void>();
    const written: string[] = [];
    const slow: OutgoingResponse = {
      ...outgoing,
      on: (event, listener) => listeners.set(event, listener),
      write: (chunk) => written.push(new TextDecoder().decode(chunk)) > 1,
      end: () => written.push("end"),
    };
    const chunks = ["a", "b"].map((one) => new TextEncoder().encode(one));
    const sent = sendResponse(slow, new Response(ReadableStream.from(chunks)));
    await new Promise((resolve) => setTimeout(resolve));
    expect(written).toEqual(["a"]);
    listeners.get("drain")?.();
    await sent;
    expect(written).toEqual(["a", "b", "end"]);
  });

  test("does not wait for a client that disconnects meanwhile", async () => {
    const listeners = new Map<string, () => void>();
    const slow: OutgoingResponse = {
      ...outgoing,
      on: (event, listener) => listeners.set(event, listener),
      write: () => false,
    };
    const cancel = vi.fn();
    const body = new ReadableStream({ pull: (sink) => sink.enqueue(new Uint8Array(1)), cancel });
    const sent = sendResponse(slow, new Response(body));
    await new Promise((resolve) => setTimeout(resolve));
    listeners.get("close")?.();
    await sent;
    expect(cancel).toHaveBeenCalledOnce();
  });

  test("cancels the body and ends when the client disconnects, even if canceling fails", async () => {
    const sent = Promise.withResolvers<void>();
    const cancel = vi.fn(() => {
      throw new Error("Nothing to cancel");
    });
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode("first")),
      cancel,
    });
    const port = await listen((_, res) => sendResponse(res, new Response(body)).then(sent.resolve));
    const socket = await open(port, "GET / HTTP/1.1", "Host: app.example");
    await new Promise((resolve) => socket.once("data", resolve));
    socket.destroy();
    await sent.promise;
    expect(cancel).toHaveBeenCalledOnce();
  });

  test("cancels the body if the client had left before", async () => {
    const setHeader = vi.fn();
    const cancel = vi.fn();
    const response = new Response(new ReadableStream({ cancel }));
    const closed = { ...outgoing, destroyed: true, setHeader };
    await sendResponse(closed, response);
    await sendResponse(closed, new Response(null));
    expect(cancel).toHaveBeenCalledOnce();
    expect(setHeader).not.toHaveBeenCalled();
  });

  test("rejects and closes the connection if the body breaks", async () => {
    const failed = Promise.withResolvers<unknown>();
    const body = new ReadableStream({
      pull(controller) {
        controller.error(new Error("The database is gone"));
      },
    });
    const port = await listen((_, res) =>
      sendResponse(res, new Response(body)).catch(failed.resolve)
    );
    expect(await send(port, "GET / HTTP/1.1", "Host: app.example")).not.toContain("\r\n0\r\n");
    expect(await failed.promise).toEqual(new Error("The database is gone"));
  });
});
