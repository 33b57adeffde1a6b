/**
 * Runs another program.
 *
 * @module
 */

/** Options of {@link run}. */
export interface RunOptions {
  /** The working directory. @default {the root of the repository} */
  readonly cwd?: string | URL;
  /** Environment variables in addition to those of this process. @default {{}} */
  readonly env?: Record<string, string>;
  /** The time limit, in milliseconds, for a program that hangs: a busy machine takes minutes. @default {600_000} */
  readonly timeout?: number;
}

/**
 * Runs a program to its end and returns its standard output.
 *
 * @throws {Error} If the program fails, with everything that it printed.
 */
export async function run(
  [program, ...args]: readonly [string, ...string[]],
  { cwd = new URL("../", import.meta.url), env = {}, timeout = 600_000 }: RunOptions = {},
): Promise<string> {
  const { success, code, signal, stdout, stderr } = await new Deno.Command(programFile(program), {
    args,
    cwd,
    env,
    stdin: "null",
    signal: AbortSignal.timeout(timeout),
  }).output();
  const [printed, errors] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  if (success) return printed ?? "";
  const end = signal ? `was stopped by ${signal}` : `ended with ${code}`;
  throw new Error(`${program} ${args.join(" ")} ${end}:\n${printed}${errors}`);
}

/** Returns the file of a program. On Windows, npm and npx are scripts without the usual ending of a program. */
export function programFile(program: string): string {
  const isScript = program === "npm" || program === "npx";
  return isScript && Deno.build.os === "windows" ? `${program}.cmd` : program;
}
