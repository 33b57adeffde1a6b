/**
 * Describes what a command needs from its terminal, and the error if the command can't start.
 *
 * @module
 */

/** Prints the output of a command, and holds its environment and the signal that ends it. */
export interface Terminal {
  /** Prints a line of output. */
  readonly print: (line: string) => void;
  /** Prints an error. */
  readonly printError: (line: string) => void;
  /**
   * The environment variables of the process.
   * @default {none}
   */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /**
   * The folder of the application that `init` changes.
   * @default {the working directory}
   */
  readonly folder?: string;
  /**
   * Stops the server.
   * @default {the server runs as long as the process}
   */
  readonly signal?: AbortSignal;
}

/** Returns a terminal that prints `�` for control characters other than line breaks, and for marks for the direction of writing. */
export function withoutControls(terminal: Terminal): Terminal {
  const clean = (text: string) => text.replace(/(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, "�");
  return {
    ...terminal,
    print: (line: string) => terminal.print(clean(line)),
    printError: (line: string) => terminal.printError(clean(line)),
  };
}

/** A command can't start. Only the message is printed, without a stack. */
export class CommandError extends Error {}

/** Runs a function. Its error ends the command, and the message begins with `start`. */
export function asCommandError<Value>(run: () => Value, start = ""): Value {
  try {
    return run();
  } catch (error) {
    throw new CommandError(`${start}${(error as Error).message}`);
  }
}
