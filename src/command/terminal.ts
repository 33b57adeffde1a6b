/**
 * The terminal of a command, and the error for a command that can't start.
 *
 * @module
 */

/** The output of a command, its environment, and the signal that ends it. */
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
