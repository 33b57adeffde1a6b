/**
 * A platform whose answers never end, or are far too long.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import type { Kind } from "./bad_responses.ts";

/** A running server; it stops when it is disposed of. */
export interface BodyServer extends AsyncDisposable {
  /** Scheme, host and port. */
  readonly origin: string;
  /** The most bytes that one connection has taken. */
  mostBytes(): number;
}

const mebibyte = 1024 * 1024;

/** Serves at `/<kind>/…` that kind of answer, each on a connection of its own. */
export async function serveBodies(): Promise<BodyServer> {
  const sockets = new Set<Socket>();
  let mostBytes = 0;
  const bomb = gzipSync(Buffer.alloc(200 * mebibyte, "a"));

  /** Writes a piece again and again, as long as the other side takes it, but not more than `limit` bytes. */
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

  const answers: Readonly<Record<Kind, (socket: Socket) => void>> = {
    "endless": (socket) => {
      socket.write(head(200));
      flood(socket, Buffer.alloc(65_536, " "));
    },
    "endless-401": (socket) => {
      socket.write(head(401));
      flood(socket, Buffer.alloc(65_536, " "));
    },
    "gzip": (socket) => {
      // Not ended: Node 22 stops with an assertion of its own when the other side ends a connection whose body it has
      // stopped reading for the moment.
      const length = `content-length: ${bomb.length}`;
      socket.write(Buffer.concat([head(200, "content-encoding: gzip", length), bomb]));
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
    // That the other side goes away is what it should do.
    socket.on("error", () => {});
    socket.on("close", () => {
      mostBytes = Math.max(mostBytes, socket.bytesWritten);
      sockets.delete(socket);
    });
    socket.once("data", (request) => {
      const [, kind] = /^\w+ \/([\w-]+)/.exec(request.toString()) ?? [];
      answers[kind as Kind](socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mostBytes: () => Math.max(mostBytes, ...[...sockets].map(({ bytesWritten }) => bytesWritten)),
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
