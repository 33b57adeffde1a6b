import { expectTypeOf, test } from "vitest";
import type { UserObj } from "../../mod.ts";
test("ids are strings", () => {
  expectTypeOf<UserObj["id"]>().toEqualTypeOf<string>();
});
