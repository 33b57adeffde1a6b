/**
 * Speaks the protocol of Turso, Hrana over HTTP with JSON, in front of a real SQLite file: for the pipelines of `@libsql/client`, and the
 * cursors of `@tursodatabase/serverless`. Each request is a stream of its own, so it takes no transaction over several requests.
 *
 * @see {@link https://github.com/tursodatabase/libsql/blob/main/docs/HRANA_3_SPEC.md | The specification of Hrana 3}
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { nodeListener } from "../../../../src/testing/mod.ts";
import { serveListener } from "../../../support/node_server.ts";

/** A value in a request or response. */
type HranaValue =
  | { readonly type: "null" }
  | { readonly type: "integer"; readonly value: string }
  | { readonly type: "float"; readonly value: number }
  | { readonly type: "text"; readonly value: string }
  | { readonly type: "blob"; readonly base64: string };

interface HranaStatement {
  readonly sql: string;
  readonly args?: readonly HranaValue[];
}

type HranaRequest =
  | { readonly type: "execute"; readonly stmt: HranaStatement }
  | { readonly type: "close" | "get_autocommit" };

interface HranaBatch {
  readonly batch: { readonly steps: readonly { readonly stmt: HranaStatement }[] };
}

/** Serves an SQLite file by HTTP. */
export async function serveTurso(path: string): Promise<AsyncDisposable & { origin: string }> {
  const database = new DatabaseSync(path, { timeout: 30_000, readBigInts: true });
  const server = await serveListener(nodeListener(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/v3/cursor") return runBatch(database, await request.json());
    if (!/^\/v[23]\/pipeline$/.test(pathname)) return new Response(null, { status: 404 });
    const { requests }: { requests: readonly HranaRequest[] } = await request.json();
    const results = requests.map((one) => {
      try {
        return { type: "ok", response: respond(database, one) };
      } catch (error) {
        return { type: "error", error: errorOf(error) };
      }
    });
    return Response.json({ baton: null, base_url: null, results });
  }));
  return {
    origin: server.origin,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      database.close();
    },
  };
}

function respond(database: DatabaseSync, request: HranaRequest): unknown {
  const { type } = request;
  if (type === "execute") return { type, result: execute(database, request.stmt) };
  if (type === "get_autocommit") return { type, is_autocommit: true };
  if (type === "close") return { type };
  throw new Error(`This server does not know ${type}`);
}

/** Runs the statements of a batch. The response has a line for each event. */
function runBatch(database: DatabaseSync, { batch }: HranaBatch): Response {
  const events = batch.steps.flatMap(({ stmt }, step): unknown[] => {
    try {
      const { cols, rows, ...end } = execute(database, stmt);
      return [
        { type: "step_begin", step, cols },
        ...rows.map((row) => ({ type: "row", row })),
        { type: "step_end", ...end },
      ];
    } catch (error) {
      return [{ type: "step_error", step, error: errorOf(error) }];
    }
  });
  const lines = [{ baton: null, base_url: null }, ...events];
  return new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

function execute(database: DatabaseSync, { sql, args = [] }: HranaStatement) {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  const values = args.map(decoded);
  const cols = statement.columns().map(({ name, type }) => ({ name, decltype: type }));
  if (cols.length === 0) {
    const { changes, lastInsertRowid } = statement.run(...values);
    const affected_row_count = Number(changes);
    return { cols, rows: [], affected_row_count, last_insert_rowid: String(lastInsertRowid) };
  }
  // `setReturnArrays` changes the type of the rows.
  const rows = statement.all(...values) as unknown as SQLOutputValue[][];
  const encodedRows = rows.map((row) => row.map(encoded));
  return { cols, rows: encodedRows, affected_row_count: 0, last_insert_rowid: null };
}

function decoded(value: HranaValue): string | number | bigint | Uint8Array | null {
  if (value.type === "null") return null;
  if (value.type === "integer") return BigInt(value.value);
  if (value.type === "blob") return Buffer.from(value.base64, "base64");
  return value.value;
}

function encoded(value: SQLOutputValue): HranaValue {
  if (value === null) return { type: "null" };
  if (typeof value === "bigint") return { type: "integer", value: `${value}` };
  if (typeof value === "number") return { type: "float", value };
  if (typeof value === "string") return { type: "text", value };
  return { type: "blob", base64: Buffer.from(value).toString("base64") };
}

function errorOf(error: unknown) {
  const { message, errcode } = Object(error);
  return { message, code: errcode === 5 ? "SQLITE_BUSY" : "SQLITE_ERROR" };
}
