/**
 * Where a command prints, and how it reports that it can't start.
 *
 * @module
 */

/** Where a command writes, and what ends it. */
export interface Terminal {
  /** Writes a line of what was asked for. */
  readonly print: (line: string) => void;
  /** Writes a line of what went wrong. */
  readonly complain: (line: string) => void;
  /**
   * Stops a server.
   * @default none: it runs as long as the process
   */
  readonly signal?: AbortSignal;
}

/** What keeps a command from starting. The message is printed without a stack. */
export class CommandError extends Error {}
