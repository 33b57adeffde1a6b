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
   * Stops the server.
   * @default {the server runs as long as the process}
   */
  readonly signal?: AbortSignal;
}

/** A command can't start. Only the message is printed, without a stack. */
export class CommandError extends Error {}
