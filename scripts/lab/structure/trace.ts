/**
 * Records the calls of an instrumented copy of the library.
 *
 * @module
 */

import { AsyncLocalStorage } from "node:async_hooks";

/** A function that was called, with the functions that wait for it. */
export interface Call {
  /** The path of the function's file below the checkout. */
  readonly file: string;
  /** The name of the function and the line of its beginning, such as `startLogin:31`. */
  readonly name: string;
  /** The caller, also across an `await`, or `null` for a call from outside the library. */
  readonly caller: Call | null;
}

/** The figures of a part of a recording. */
export interface Figures {
  /** The number of different files. */
  readonly files: number;
  /** The number of calls whose function is in another file than the function that was called before it. */
  readonly moves: number;
  /** The number of moves to a file that was entered earlier. */
  readonly back: number;
}

const callers = new AsyncLocalStorage<Call>();
let recorded: Call[] = [];

/** Calls a function of the library. Instrumented functions pass their body to this function. */
export function called<Result>(file: string, name: string, body: () => Result): Result {
  const call = { file, name, caller: currentCall() };
  recorded.push(call);
  return callers.run(call, body);
}

/** Returns the innermost call under way, also across an `await`. */
export function currentCall(): Call | null {
  return callers.getStore() ?? null;
}

/** Returns the calls since the recording began. */
export function recording(): readonly Call[] {
  return [...recorded];
}

/** Forgets the calls so far. */
export function beginRecording(): void {
  recorded = [];
}

/** Returns the figures of a recording. */
export function figuresOf(calls: readonly Pick<Call, "file">[]): Figures {
  const entered = new Set<string>();
  let moves = 0;
  let back = 0;
  let current: string | undefined;
  for (const { file } of calls) {
    if (file === current) continue;
    current = file;
    moves++;
    if (entered.has(file)) back++;
    entered.add(file);
  }
  return { files: entered.size, moves, back };
}

/** Returns the functions under way from the outermost call to a call, both included. */
export function framesOf(call: Call | null): readonly Call[] {
  return call ? [...framesOf(call.caller), call] : [];
}
