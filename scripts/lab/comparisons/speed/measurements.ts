/**
 * The results of measuring contenders side by side.
 *
 * @module
 */

/** The measurement of one contender. */
export interface Measurement {
  readonly name: string;
  /** The time of one run, in nanoseconds. */
  readonly time: number;
  /** The bytes that one run allocates, or `null` if they were not measured. */
  readonly bytes: number | null;
  /** The time divided by that of the first contender. */
  readonly ratio: number;
}

/** The measurements of contests, by their titles. */
export type Measurements = Readonly<Record<string, readonly Measurement[]>>;
