/**
 * Forwards connections to a database, and breaks them.
 *
 * @module
 */

import type { Buffer } from "node:buffer";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** The moment at which a connection breaks: before the database has received a request, or after it has responded. */
export type BreakPoint = "before the request" | "before the response";

/** A proxy in front of a database. */
export interface TcpProxy extends AsyncDisposable {
  /** The URL of the database with the port of the proxy. */
  readonly url: string;
  /** The number of broken requests. */
  readonly broken: number;
  /** True if the next request with the text of {@link breakNext} is still to come. */
  readonly isArmed: boolean;
  /** Forwards new connections to another database. */
  moveTo(url: string): void;
  /** Breaks the connection of the next request that contains a text. `skip` requests with the text come through before. */
  breakNext(point: BreakPoint, text: string, skip?: number): void;
  /** Breaks all connections. */
  breakAll(): void;
  /** Holds back all data until the returned function is called, once at a time. */
  hold(): () => void;
}

/** Starts a proxy in front of a database. */
export async function startTcpProxy(url: string): Promise<TcpProxy> {
  let target = new URL(url);
  let broken = 0;
  let next: { point: BreakPoint; text: string; skip: number } | null = null;
  const sockets = new Set<Socket>();
  let held: (() => void)[] | null = null;

  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname);
    const breakBoth = () => {
      for (const socket of [client, database]) {
        sockets.delete(socket);
        socket.destroy();
      }
    };
    let breaksAtResponse = false;
    const forward = (to: Socket, data: Buffer | string) =>
      held ? held.push(() => to.write(data)) : to.write(data);
    client.on("data", (data) => {
      if (next && data.includes(next.text) && next.skip-- === 0) {
        const { point } = next;
        next = null;
        broken++;
        if (point === "before the request") return breakBoth();
        breaksAtResponse = true;
      }
      forward(database, data);
    });
    database.on("data", (data) => breaksAtResponse ? breakBoth() : forward(client, data));
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.setNoDelay().on("error", breakBoth).on("close", breakBoth);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const own = new URL(url);
  own.port = String((server.address() as AddressInfo).port);

  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: own.href,
    get broken() {
      return broken;
    },
    moveTo(url) {
      target = new URL(url);
    },
    get isArmed() {
      return next !== null;
    },
    breakNext(point, text, skip = 0) {
      next = { point, text, skip };
    },
    breakAll,
    hold() {
      const waiting: (() => void)[] = [];
      held = waiting;
      return () => {
        held = null;
        for (const send of waiting) send();
      };
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      breakAll();
      await closed;
    },
  };
}
