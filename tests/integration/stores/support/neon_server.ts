/**
 * Speaks the two protocols of Neon's driver in front of a real Postgres: a statement in an HTTP request, for `neon()`, and the protocol
 * of Postgres in a WebSocket, for its `Pool`.
 *
 * @see {@link https://github.com/neondatabase/serverless/blob/main/CONFIG.md | The options of the driver}
 *
 * @module
 */

import pg from "pg";

/** A server for Neon's driver. */
export interface NeonServer extends AsyncDisposable {
  /** The URL of the database, as Neon shows it. The driver takes the address of the server from it. */
  readonly url: string;
}

/** Serves a Postgres. */
export function serveNeon(postgresUrl: string): NeonServer {
  const pool = new pg.Pool({ connectionString: postgresUrl });
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    if (request.headers.get("upgrade") === "websocket") return tunnel(request, postgresUrl);
    return await runStatement(request, pool);
  });
  return {
    url: `postgres://guildpass:password@127.0.0.1:${server.addr.port}/postgres`,
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await pool.end();
    },
  };
}

/** Runs the statement of a request. The driver asks for rows as lists, with every value as Postgres writes it. */
async function runStatement(request: Request, pool: pg.Pool): Promise<Response> {
  const { headers } = request;
  const isKnown = new URL(request.url).pathname === "/sql" &&
    headers.get("neon-connection-string")?.startsWith("postgresql://guildpass:password@") &&
    headers.get("neon-raw-text-output") === "true" && headers.get("neon-array-mode") === "true";
  if (!isKnown) return new Response("This server knows one kind of request", { status: 501 });
  const { query: text, params: values }: { query: string; params: unknown[] } = await request
    .json();
  try {
    const types = { getTypeParser: () => String };
    const { command, rowCount, rows, fields } = await pool.query({
      text,
      values,
      rowMode: "array",
      types,
    });
    return Response.json({ command, rowCount, rows, fields });
  } catch (error) {
    // The driver copies these fields of Postgres into its own error.
    const { message, code, severity, detail } = Object(error);
    return Response.json({ message, code, severity, detail }, { status: 400 });
  }
}

/** Carries bytes between a WebSocket and Postgres. */
function tunnel(request: Request, postgresUrl: string): Response {
  const { socket, response } = Deno.upgradeWebSocket(request);
  socket.binaryType = "arraybuffer";
  const { hostname, port } = new URL(postgresUrl);
  const connected = Deno.connect({ hostname, port: Number(port) });
  let written: Promise<unknown> = connected;
  socket.onopen = async () => {
    try {
      for await (const bytes of (await connected).readable) socket.send(bytes);
    } catch {
      // One of the two sides has ended.
    }
    socket.close();
  };
  socket.onmessage = ({ data }) => {
    written = written.then(async () => {
      for (let rest = new Uint8Array(data); rest.length > 0;) {
        rest = rest.subarray(await (await connected).write(rest));
      }
    }).catch(() => socket.close());
  };
  socket.onclose = async () => {
    try {
      (await connected).close();
    } catch {
      // Postgres has closed it.
    }
  };
  return response;
}
