/**
 * A map of limited size.
 *
 * @module
 */

import { Line, type LineMember } from "./line.ts";

interface Entry<Value> extends LineMember<Entry<Value>> {
  readonly key: string;
  value: Value;
  place: number;
}

/** A map of limited size. It creates missing values, and removes the least recently used entry when it is full. */
export class RecentMap<Value> {
  readonly #size: number;
  readonly #create: () => Value;
  readonly #entries = new Map<string, Entry<Value>>();
  /** The entries, with the least recently used one first. The order of the `Map` would take longer to find the first one. */
  readonly #line = new Line<Entry<Value>>();
  #uses = 0;

  /**
   * @param size The maximum number of entries.
   * @param create Creates a value.
   */
  constructor(size: number, create: () => Value) {
    this.#size = size;
    this.#create = create;
  }

  /** Returns the value of a key, and creates a missing value. */
  get(key: string, create: () => Value = this.#create): Value {
    const entry = this.#entries.get(key);
    if (!entry) return this.#add(key, create());
    this.#use(entry);
    return entry.value;
  }

  /** Sets the value of a key. */
  set(key: string, value: Value): void {
    const entry = this.#entries.get(key);
    if (!entry) return void this.#add(key, value);
    this.#use(entry);
    entry.value = value;
  }

  #add(key: string, value: Value): Value {
    const entry = { key, value, place: ++this.#uses, ahead: null, behind: null };
    this.#entries.set(key, entry);
    this.#line.join(entry);
    const { first } = this.#line;
    if (first && this.#line.length > this.#size) {
      this.#line.leave(first);
      this.#entries.delete(first.key);
    }
    return value;
  }

  /** Makes an entry the most recently used one. */
  #use(entry: Entry<Value>): void {
    if (entry === this.#line.last) return;
    this.#line.leave(entry);
    entry.place = ++this.#uses;
    this.#line.join(entry);
  }
}
