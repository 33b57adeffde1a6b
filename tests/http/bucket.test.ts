import { describe, expect, test } from "vitest";
import { Bucket } from "../../src/http/bucket.ts";

/** A bucket that was told its limit, in a window that began at 0. */
function told(limit: number, remaining: number, endsIn: number): Bucket {
  const bucket = new Bucket(false);
  bucket.isOpen(0, 0);
  bucket.accept(0, 0, { limit, remaining, endsIn }, true);
  return bucket;
}

/** How many requests may be sent at once. */
function room(bucket: Bucket, now: number): number {
  let ahead = 0;
  while (ahead < 100 && bucket.isOpen(ahead, now)) ahead++;
  return ahead;
}

describe("A bucket", () => {
  test("has room for one request until it is known, and for any number where nothing is limited", () => {
    const bucket = new Bucket(false);
    expect(room(bucket, 0)).toBe(1);
    expect(bucket.leastWait(50, 0)).toBe(0);
    bucket.accept(0, 0, null, false);
    expect(room(bucket, 0)).toBe(1);
    bucket.accept(0, 0, null, true);
    expect(room(bucket, 0)).toBe(100);
    expect(room(new Bucket(true), 0)).toBe(100);
  });

  test("has room for what remains, without what is in flight", () => {
    const bucket = told(5, 4, 1000);
    expect(room(bucket, 0)).toBe(4);
    bucket.take();
    bucket.take();
    expect(room(bucket, 10)).toBe(2);
    bucket.release(10);
    bucket.accept(10, 20, { limit: 5, remaining: 2, endsIn: 980 }, true);
    expect(room(bucket, 20)).toBe(1);
    bucket.release(10);
    bucket.accept(10, 30, { limit: 5, remaining: 3, endsIn: 970 }, true);
    expect(room(bucket, 30)).toBe(2);
  });

  test("counts a request whose answer says nothing, or that was not answered", () => {
    const bucket = told(5, 4, 1000);
    bucket.accept(10, 20, null, false);
    bucket.accept(10, 20, null, true);
    expect(room(bucket, 30)).toBe(2);
  });

  test("begins a new window with its whole limit, but for what is in flight", () => {
    const bucket = told(5, 1, 1000);
    bucket.take();
    expect(room(bucket, 999)).toBe(0);
    expect(room(bucket, 1100)).toBe(4);
    // What was sent in the last window has no place in the next one.
    expect(room(bucket, 2200)).toBe(5);
    bucket.release(10);
    expect(room(bucket, 2300)).toBe(5);
  });

  test("has no window shorter than a second before an answer says when it ends", () => {
    const bucket = told(1, 0, 50);
    expect(room(bucket, 60)).toBe(1);
    bucket.take();
    expect(room(bucket, 120)).toBe(0);
    expect(room(bucket, 1050)).toBe(0);
    bucket.release(60);
    bucket.accept(60, 1050, { limit: 1, remaining: 0, endsIn: 50 }, true);
    expect(room(bucket, 1110)).toBe(1);
  });

  test("learns nothing about its window from an answer that is about the one before", () => {
    const bucket = told(5, 1, 1000);
    expect(room(bucket, 1100)).toBe(5);
    bucket.accept(990, 1110, { limit: 5, remaining: 0, endsIn: 1 }, true);
    bucket.accept(990, 1110, null, true);
    expect(room(bucket, 1120)).toBe(5);
  });

  test("learns of a new window from an answer that must be about a later one", () => {
    const bucket = told(5, 0, 100);
    bucket.accept(50, 80, { limit: 5, remaining: 4, endsIn: 1000 }, true);
    expect(room(bucket, 80)).toBe(4);
  });

  test("ends when the last answer says", () => {
    const bucket = told(2, 0, 1000);
    bucket.accept(0, 300, { limit: 2, remaining: 1, endsIn: 1000 }, true);
    expect(room(bucket, 1290)).toBe(0);
    expect(bucket.endsIn(1290)).toBeGreaterThan(10);
    bucket.accept(0, 300, { limit: 2, remaining: 1, endsIn: 900 }, true);
    expect(room(bucket, 1290)).toBe(0);
  });

  test("says how many windows a request has to wait", () => {
    const bucket = told(2, 1, 1000);
    const [none, ...waits] = [0, 1, 2, 3, 4, 5].map((ahead) => bucket.leastWait(ahead, 0));
    expect(none).toBe(0);
    const [window = 0] = waits;
    expect(window).toBeGreaterThan(1000);
    expect(window).toBeLessThan(1052);
    // The spread of each is another one.
    [1, 1, 2, 2, 3].forEach((windows, index) => {
      expect(waits[index]).toBeGreaterThan(windows * 1000);
      expect(waits[index]).toBeLessThan(windows * 1052);
    });
  });

  test("that was refused has no room until its time is over", () => {
    const bucket = told(5, 4, 1000);
    bucket.refuse(10, 20, 3000, null);
    expect(room(bucket, 3019)).toBe(0);
    expect(room(bucket, 3021)).toBe(5);
    bucket.refuse(3021, 3030, 500, { limit: 5, remaining: 3, endsIn: 2000 });
    expect(room(bucket, 5030)).toBe(0);
  });

  test("whose limit nobody states has as much room as was accepted before a refusal", () => {
    const bucket = new Bucket(true);
    expect(room(bucket, 0)).toBe(100);
    bucket.accept(0, 10, null, true);
    bucket.refuse(0, 10, 2000, null);
    // An answer that comes after the refusal counts, too.
    bucket.accept(0, 20, null, true);
    expect(room(bucket, 20)).toBe(0);
    expect(room(bucket, 2011)).toBe(2);
    // Its windows are as long as the wait was.
    for (let count = 0; count < 2; count++) bucket.accept(2011, 2020, null, true);
    expect(room(bucket, 4000)).toBe(0);
    expect(room(bucket, 4020)).toBe(2);
    // A refusal of another window does not change what was learned in this one.
    for (let at = 6100; at <= 12_100; at += 2000) {
      expect(room(bucket, at)).toBe(2 + 2 * Number(at > 10_010));
    }
  });

  test("does not take a long refusal for a window, nor one before which nothing was accepted", () => {
    for (const [accepted, milliseconds] of [[1, 60_000], [0, 5000]] as const) {
      const bucket = new Bucket(true);
      bucket.isOpen(0, 0);
      if (accepted) bucket.accept(0, 10, null, true);
      bucket.refuse(0, 10, milliseconds, null);
      const later = milliseconds + 10;
      bucket.isOpen(0, later);
      expect(bucket.endsIn(later)).toBe(1000);
    }
  });
});
