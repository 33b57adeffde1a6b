import { describe, expect, test } from "vitest";
import { Bucket } from "../../../src/http/limits/bucket.ts";

/** A bucket with a stated limit, whose window began at 0. */
function stated(limit: number, remaining: number, endsIn: number): Bucket {
  const bucket = new Bucket();
  bucket.hasRoom(0, 0);
  bucket.recordAccepted(0, 0, { limit, remaining, endsIn }, true);
  return bucket;
}

/** The number of requests that may be sent at once. */
function room(bucket: Bucket, now: number): number {
  let ahead = 0;
  while (ahead < 100 && bucket.hasRoom(ahead, now)) ahead++;
  return ahead;
}

describe("A bucket", () => {
  test("has room for one request until its limit is known, and for any number if there is no limit", () => {
    const bucket = new Bucket();
    expect(room(bucket, 0)).toBe(1);
    expect(bucket.minimumWait(50, 0)).toBe(0);
    bucket.countStart(0);
    expect(room(bucket, 0)).toBe(0);
    bucket.countEnd(0);
    bucket.recordAccepted(0, 0, null, false);
    expect(room(bucket, 0)).toBe(1);
    bucket.recordAccepted(0, 0, null, true);
    expect(room(bucket, 0)).toBe(100);
  });

  test("has room for the remaining requests, less those in flight", () => {
    const bucket = stated(5, 4, 1000);
    expect(room(bucket, 0)).toBe(4);
    bucket.countStart(10);
    bucket.countStart(11);
    expect(room(bucket, 11)).toBe(2);
    bucket.countEnd(10);
    bucket.recordAccepted(10, 20, { limit: 5, remaining: 2, endsIn: 980 }, true);
    expect(room(bucket, 20)).toBe(1);
    bucket.countEnd(11);
    bucket.recordAccepted(11, 30, { limit: 5, remaining: 3, endsIn: 970 }, true);
    expect(room(bucket, 30)).toBe(2);
    // One that is not known changes nothing.
    bucket.countEnd(12);
    expect(room(bucket, 30)).toBe(2);
  });

  test("counts a request whose response states nothing, or that got no response", () => {
    const bucket = stated(5, 4, 1000);
    bucket.recordAccepted(10, 20, null, false);
    bucket.recordAccepted(10, 20, null, true);
    expect(room(bucket, 30)).toBe(2);
  });

  test("begins a window with its whole limit, less the requests in flight, for two seconds each", () => {
    const bucket = stated(5, 1, 1000);
    bucket.countStart(500);
    expect(room(bucket, 999)).toBe(0);
    expect(room(bucket, 1100)).toBe(4);
    expect(room(bucket, 2200)).toBe(4);
    expect(room(bucket, 2499)).toBe(4);
    expect(room(bucket, 2500)).toBe(5);
    bucket.countEnd(500);
    expect(room(bucket, 2500)).toBe(5);
  });

  test("has no window shorter than a second until a response states its end", () => {
    const bucket = stated(1, 0, 50);
    expect(room(bucket, 60)).toBe(1);
    bucket.countStart(60);
    expect(room(bucket, 120)).toBe(0);
    expect(room(bucket, 1050)).toBe(0);
    bucket.countEnd(60);
    bucket.recordAccepted(60, 1050, { limit: 1, remaining: 0, endsIn: 50 }, true);
    expect(room(bucket, 1110)).toBe(1);
  });

  test("learns nothing about its window from a response about an earlier one", () => {
    const bucket = stated(5, 1, 1000);
    expect(room(bucket, 1100)).toBe(5);
    bucket.recordAccepted(990, 1110, { limit: 5, remaining: 0, endsIn: 1 }, true);
    expect(room(bucket, 1120)).toBe(5);
  });

  test("has no more room than a response states that may be about its window", () => {
    const bucket = stated(5, 1, 1000);
    expect(room(bucket, 1100)).toBe(5);
    // Sent in the earlier window, and counted in that one or in this one.
    bucket.recordAccepted(990, 1110, { limit: 5, remaining: 1, endsIn: 950 }, true);
    expect(room(bucket, 1120)).toBe(1);
    expect(room(bucket, 2050)).toBe(1);
    expect(room(bucket, 2200)).toBe(5);
  });

  test("learns of a new window from a response about a later one", () => {
    const bucket = stated(5, 0, 100);
    bucket.recordAccepted(107, 120, { limit: 5, remaining: 4, endsIn: 1000 }, true);
    expect(room(bucket, 120)).toBe(4);
  });

  test("ends its window at the time of the last response", () => {
    const bucket = stated(2, 0, 1000);
    bucket.recordAccepted(0, 300, { limit: 2, remaining: 1, endsIn: 1000 }, true);
    expect(room(bucket, 1290)).toBe(0);
    expect(bucket.nextLookIn(1290)).toBeGreaterThan(10);
    bucket.recordAccepted(0, 300, { limit: 2, remaining: 1, endsIn: 900 }, true);
    expect(room(bucket, 1290)).toBe(0);
  });

  test("counts the windows that a request has to wait", () => {
    const bucket = stated(2, 1, 1000);
    const [none, ...waits] = [0, 1, 2, 3, 4, 5].map((ahead) => bucket.minimumWait(ahead, 0));
    expect(none).toBe(0);
    const [window = 0] = waits;
    expect(window).toBeGreaterThan(1000);
    expect(window).toBeLessThan(1052);
    expect(waits.map((wait) => Math.round(wait - window))).toEqual([0, 0, 1000, 1000, 2000]);
  });

  test("is looked at again at the end of its window, and sooner while a request is in flight", () => {
    const bucket = stated(1, 0, 1000);
    expect(bucket.nextLookIn(0)).toBeGreaterThan(1000);
    bucket.countStart(0);
    expect(bucket.nextLookIn(0)).toBe(100);
    expect(bucket.nextLookIn(990)).toBeLessThan(100);
  });

  test("has no room after a 429 until its time is over", () => {
    const bucket = stated(5, 4, 1000);
    bucket.recordRefused(10, 20, 3000, { limit: 5, remaining: 4, endsIn: 900 });
    expect(room(bucket, 3019)).toBe(0);
    expect(room(bucket, 3021)).toBe(5);
    bucket.recordRefused(3021, 3030, 500, { limit: 5, remaining: 3, endsIn: 2000 });
    expect(room(bucket, 5030)).toBe(0);
  });

  test("has room for one request at a time after a 429 that states no limit, for ten seconds", () => {
    const bucket = new Bucket();
    bucket.recordAccepted(0, 0, null, true);
    expect(room(bucket, 0)).toBe(100);
    bucket.recordRefused(0, 10, 2000, null);
    expect(room(bucket, 2009)).toBe(0);
    expect([0, 50].map((ahead) => bucket.minimumWait(ahead, 1010))).toEqual([1000, 1000]);
    expect(room(bucket, 2010)).toBe(1);
    bucket.recordAccepted(2010, 12_009, null, true);
    expect(room(bucket, 12_009)).toBe(1);
    bucket.recordAccepted(2010, 12_010, null, true);
    expect(room(bucket, 12_010)).toBe(100);
  });
});
