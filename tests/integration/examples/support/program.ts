/** A running program of the repository. */
export interface RunningProgram extends AsyncDisposable {
  /** The text that it has printed so far, to both outputs. */
  readonly printed: string;
  /** Waits for its end and returns its exit code. */
  readonly ended: Promise<number>;
  /** Interrupts it, as Ctrl+C does. */
  interrupt(): void;
}

const root = new URL("../../../../", import.meta.url);

/** Starts a program in the root of the repository, with the arguments of `deno run`. */
export function startProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): RunningProgram {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "-A", ...args],
    cwd: root,
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let printed = "";
  const listen = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) printed += text;
  };
  const outputs = Promise.all([listen(process.stdout), listen(process.stderr)]);
  const ended = process.status.then(async ({ code }) => {
    await outputs;
    return code;
  });
  return {
    get printed() {
      return printed;
    },
    ended,
    interrupt: () => process.kill("SIGINT"),
    async [Symbol.asyncDispose]() {
      try {
        process.kill();
      } catch {
        // The process has already ended.
      }
      await ended;
    },
  };
}
