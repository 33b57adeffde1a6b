import { describe, expect, test } from "vitest";
import { openEditor } from "../support/editor.ts";

const program = `
  import { MemoryStore, PlatformApi, TokenSource, User } from "../mod.ts";
  const api = new PlatformApi("1", null, ["identify"], "https://app.example/");
  const token = await api.accessToken("c0de");
  const source = new TokenSource(api, new MemoryStore(), "ada");
  const user = new User(token);
  await user.getCurrentUser();
  await user.getUserGuilds();
  export { source };
`;

/** The names that an editor offers after a name of the program and a dot. */
function propertiesOffered(name: string): readonly string[] {
  return openEditor(program.replace("  export", `${name}.\nexport`)).completionsAfter(`\n${name}.`);
}

describe("the granted scopes of a token", () => {
  test("are named by the compiler where the needed one is missing", () => {
    expect(openEditor(program).errors).toEqual([
      "The 'this' context of type 'User<\"identify\">' is not assignable to method's 'this' of type " +
      "'UserWith<\"guilds\">'.\n  Type 'User<\"identify\">' is not assignable to type 'User<\"needs guilds in scope\">'." +
      "\n    Type '\"needs guilds in scope\"' is not assignable to type '\"identify\"'.",
    ]);
  });

  test("are not among the properties that an editor offers", () => {
    expect(propertiesOffered("token")).toEqual([
      "access_token",
      "expires_at",
      "expires_in",
      "guild",
      "id_token",
      "refresh_token",
      "scope",
      "scopes",
      "token_type",
      "webhook",
    ]);
    expect(propertiesOffered("source")).toEqual(["renew", "revoke", "save", "token"]);
    expect(propertiesOffered("user")).toContain("getCurrentUser");
    expect(propertiesOffered("user")).not.toContain("grantedScopes");
  });
});
