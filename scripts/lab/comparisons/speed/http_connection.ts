/**
 * A kept-open HTTP connection that costs the measuring process little: `fetch` would take longer than the Worker that it asks.
 *
 * @module
 */

/** The answer to a request. */
export interface Answer {
  readonly status: number;
  /** The values of the headers, by names in lower case. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: string;
}

/** A connection to a server on this machine. */
export class HttpConnection implements Disposable {
  readonly #connection: Deno.TcpConn;
  readonly #port: number;
  readonly #buffer = new Uint8Array(16_384);

  private constructor(connection: Deno.TcpConn, port: number) {
    this.#connection = connection;
    this.#port = port;
  }

  /** Opens a connection. */
  static async open(port: number): Promise<HttpConnection> {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port });
    connection.setNoDelay();
    return new HttpConnection(connection, port);
  }

  /**
   * Sends a `GET` request as a browser does that opens a page.
   *
   * @throws {Error} If the answer has no length.
   */
  async get(path: string, cookie: string): Promise<Answer> {
    await this.#connection.write(new TextEncoder().encode(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${this.#port}\r\n` +
        "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n" +
        "Accept-Language: en-US,en;q=0.5\r\n" +
        "Sec-Fetch-Dest: document\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Site: none\r\n" +
        "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r\n" +
        (cookie === "" ? "\r\n" : `Cookie: ${cookie}\r\n\r\n`),
    ));
    let received = "";
    while (true) {
      const count = await this.#connection.read(this.#buffer);
      if (count === null) throw new Error(`The connection was closed after: ${received}`);
      received += new TextDecoder().decode(this.#buffer.subarray(0, count));
      const answer = parse(received);
      if (answer) return answer;
    }
  }

  /** Closes the connection. */
  [Symbol.dispose](): void {
    this.#connection.close();
  }
}

/** Returns the answer in a text of ASCII characters, or `null` if it is not complete. */
function parse(text: string): Answer | null {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const [statusLine = "", ...lines] = text.slice(0, end).split("\r\n");
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const separator = line.indexOf(":");
    const name = line.slice(0, separator).toLowerCase();
    headers.set(name, [...headers.get(name) ?? [], line.slice(separator + 1).trim()]);
  }
  const [length] = headers.get("content-length") ?? [];
  if (length === undefined) throw new Error(`Expected an answer with a length, received ${text}`);
  const body = text.slice(end + 4);
  if (body.length < Number(length)) return null;
  return { status: Number(statusLine.split(" ")[1]), headers, body };
}
