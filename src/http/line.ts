/**
 * A line of waiting members in the order of their places.
 *
 * Members join at the end and leave from anywhere in constant time, since thousands of calls may wait or be aborted together.
 *
 * @module
 */

/** A member of a line. */
export interface LineMember<Member> {
  /** The place in the order. A lower place is further ahead. */
  readonly place: number;
  /** The next member with a lower place. Set by the line. */
  ahead: Member | null;
  /** The next member with a higher place. Set by the line. */
  behind: Member | null;
}

/** A line of members in the order of their places. */
export class Line<Member extends LineMember<Member>> {
  #first: Member | null = null;
  #last: Member | null = null;
  #length = 0;

  /** The member with the highest place; `null` in an empty line. */
  get last(): Member | null {
    return this.#last;
  }

  /** The number of members. */
  get length(): number {
    return this.#length;
  }

  /** Returns the number of members with a lower place. */
  countAhead(place: number): number {
    if (!this.#last || this.#last.place < place) return this.#length;
    let count = 0;
    for (const member of this) {
      if (member.place >= place) break;
      count += 1;
    }
    return count;
  }

  /** Adds a member. */
  join(member: Member): void {
    // Usually at the end. A request that is sent again has one of the lowest places, so the search begins at the front.
    let behind = this.#last && this.#last.place > member.place ? this.#first : null;
    while (behind && behind.place < member.place) behind = behind.behind;
    this.#connect(behind ? behind.ahead : this.#last, member);
    this.#connect(member, behind);
    this.#length += 1;
  }

  /** Removes a member, which must be in this line. */
  leave(member: Member): void {
    this.#connect(member.ahead, member.behind);
    this.#length -= 1;
  }

  /** Iterates over the members. They may leave meanwhile. */
  *[Symbol.iterator](): Generator<Member> {
    for (let member = this.#first; member;) {
      const next: Member | null = member.behind;
      yield member;
      member = next;
    }
  }

  /** Makes two members neighbors. `null` is an end of the line. */
  #connect(ahead: Member | null, behind: Member | null): void {
    if (ahead) ahead.behind = behind;
    else this.#first = behind;
    if (behind) behind.ahead = ahead;
    else this.#last = ahead;
  }
}
