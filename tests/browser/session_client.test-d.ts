import { describe, expectTypeOf, test } from "vitest";
import { Login } from "../../src/login/mod.ts";
import {
  type PublicUserOf,
  SessionClient,
  type SessionState,
  type SessionStateOf,
} from "../../src/browser/mod.ts";

const options = { clientId: "", clientSecret: "", secret: "", scope: ["identify"] } as const;
const plain = new Login({ ...options, sessionPath: "/session" });
const login = new Login({
  ...options,
  sessionPath: "/session",
  sessionUser: ({ id, username }) => ({ id, name: username, plan: "pro" }),
  publicUser: ({ name }) => ({ name }),
});

describe("The type of the user", () => {
  test("is that of publicUser", () => {
    const { state } = new SessionClient<typeof login>({ url: "/session" });
    expectTypeOf(state).toEqualTypeOf<SessionState<{ name: string }>>();
    expectTypeOf<SessionStateOf<typeof login>>().toEqualTypeOf<SessionState<{ name: string }>>();
    expectTypeOf<PublicUserOf<typeof login>>().toEqualTypeOf<{ name: string }>();
    if (state.status === "logged_in") expectTypeOf(state.user.name).toEqualTypeOf<string>();
    if (state.status === "logged_out") expectTypeOf(state.user).toEqualTypeOf<null>();
  });

  test("has the fields of a session without these options", () => {
    const { state } = new SessionClient<typeof plain>({ url: "/session" });
    expectTypeOf(state).toEqualTypeOf<SessionState>();
    expectTypeOf(new SessionClient({ url: "/session" }).state).toEqualTypeOf<SessionState>();
    expectTypeOf(state.user?.avatar_url).toEqualTypeOf<string | undefined>();
  });
});

test("`initial` is what publicSession returns, and nothing else", async () => {
  const initial = await login.publicSession(null);
  new SessionClient<typeof login>({ url: "/session", initial });
  // @ts-expect-error The user of another login.
  new SessionClient<typeof plain>({ url: "/session", initial });
  // @ts-expect-error A misspelled option.
  new SessionClient({ url: "/session", loginpath: "/login" });
});
