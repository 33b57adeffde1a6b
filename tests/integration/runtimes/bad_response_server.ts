/**
 * A platform whose responses never end, or are far too large.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Kind } from "./bad_responses.ts";

/** A running server; it stops when it is disposed of. */
export interface BadResponseServer extends AsyncDisposable {
  /** Scheme, host and port. */
  readonly origin: string;
}

const mebibyte = 1024 * 1024;

/** 200 MB that were compressed. The servers share them. */
let bomb: Promise<Buffer> | undefined;

/** Serves each kind of response at `/<kind>/…`, with a connection for each request. */
export async function serveBadResponses(): Promise<BadResponseServer> {
  const sockets = new Set<Socket>();
  // Compressing takes a second. In this thread, it would stop the servers of all tests that run at the same time.
  const body = await (bomb ??= promisify(gzip)(Buffer.alloc(200 * mebibyte, "a")));

  /** Writes a piece again and again for as long as the client reads, but not more than `limit` bytes. */
  function flood(socket: Socket, piece: Buffer, limit = Infinity): void {
    let written = 0;
    const write = (): void => {
      while (!socket.destroyed && written < limit) {
        written += piece.length;
        if (!socket.write(piece)) return;
      }
      if (written >= limit) socket.end();
    };
    socket.on("drain", write);
    write();
  }

  const responses: Readonly<Record<Kind, (socket: Socket) => void>> = {
    "endless": (socket) => {
      socket.write(head(200));
      flood(socket, Buffer.alloc(65_536, " "));
    },
    "endless-401": (socket) => {
      socket.write(head(401));
      flood(socket, Buffer.alloc(65_536, " "));
    },
    "gzip": (socket) => {
      // The connection stays open: Node 22 stops with an assertion of its own if the server closes a connection while
      // Node pauses reading the body.
      const length = `content-length: ${body.length}`;
      socket.write(Buffer.concat([head(200, "content-encoding: gzip", length), body]));
    },
    "large": (socket) => {
      const length = 300 * mebibyte;
      socket.write(head(200, `content-length: ${length}`));
      flood(socket, Buffer.alloc(mebibyte, "a"), length);
    },
    "tiny-pieces": (socket) => {
      socket.write(head(200, "transfer-encoding: chunked"));
      flood(socket, Buffer.from("1\r\n \r\n".repeat(10_000)));
    },
    "slow": (socket) => {
      socket.write(head(200));
      const timer = setInterval(() => socket.write(" "), 50);
      socket.on("close", () => clearInterval(timer));
    },
    "cut": (socket) => {
      socket.end(Buffer.concat([head(200, "content-length: 99"), Buffer.from('{"id')]));
    },
  };

  const server = createServer((socket) => {
    sockets.add(socket);
    // A client that closes the connection does what it should.
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.once("data", (request) => {
      const [, kind] = /^\w+ \/([\w-]+)/.exec(request.toString()) ?? [];
      responses[kind as Kind](socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function head(status: number, ...headers: readonly string[]): Buffer {
  const lines = [`HTTP/1.1 ${status} X`, "content-type: application/json", "connection: close"];
  return Buffer.from([...lines, ...headers, "", ""].join("\r\n"));
}
