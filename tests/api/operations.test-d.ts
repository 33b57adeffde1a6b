import { expectTypeOf, test } from "vitest";
import type { User, UserWith } from "../../mod.ts";
import type { NeededScope, OperationName } from "../../src/api/operations.ts";

test("A method of User accepts exactly the users with the scope of its operation", () => {
  type Accepted = { [Name in OperationName]: ThisParameterType<User[Name]> };
  type Expected = {
    [Name in OperationName]: NeededScope<Name> extends string ? UserWith<NeededScope<Name>>
      : unknown;
  };
  expectTypeOf<Accepted>().toEqualTypeOf<Expected>();
});
