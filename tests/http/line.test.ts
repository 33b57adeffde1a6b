import fc from "fast-check";
import { expect, test } from "vitest";
import { Line, type LineMember } from "../../src/http/line.ts";

type Member = LineMember<Member>;

function member(place: number): Member {
  return { place, ahead: null, behind: null };
}

test("A line has its members in the order of their places, whoever joins and leaves", () => {
  fc.assert(
    fc.property(fc.array(fc.record({ place: fc.nat(30), leaves: fc.boolean() })), (steps) => {
      const line = new Line<Member>();
      const members = new Map<number, Member>();
      for (const { place, leaves } of steps) {
        const known = members.get(place);
        if (leaves && known) {
          line.leave(known);
          members.delete(place);
        } else if (!known) {
          const added = member(place);
          members.set(place, added);
          line.join(added);
        }
        const places = [...members.keys()].sort((a, b) => a - b);
        expect([...line].map((one) => one.place)).toEqual(places);
        expect(line.length).toBe(places.length);
        expect(line.last?.place).toBe(places.at(-1));
        for (const at of [-1, 10, 20, 31]) {
          expect(line.countAhead(at)).toBe(places.filter((other) => other < at).length);
        }
      }
    }),
  );
});

test("The members of a line may leave while they are iterated over", () => {
  const line = new Line<Member>();
  for (const place of [2, 0, 1]) line.join(member(place));
  const left: number[] = [];
  for (const one of line) {
    line.leave(one);
    left.push(one.place);
  }
  expect(left).toEqual([0, 1, 2]);
  expect([...line]).toEqual([]);
});

test("Joining at the end and leaving look at no other member than the neighbors", () => {
  const line = new Line<Member>();
  let looks = 0;
  const members = Array.from({ length: 1000 }, (_, number): Member => ({
    get place() {
      looks += 1;
      return number;
    },
    ahead: null,
    behind: null,
  }));
  for (const one of members) {
    expect(line.countAhead(Infinity)).toBe(line.length);
    line.join(one);
  }
  for (const one of members.reverse()) line.leave(one);
  expect(looks).toBeLessThan(5 * members.length);
});
