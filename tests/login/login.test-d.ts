import { describe, expectTypeOf, test } from "vitest";
import { MemoryStore } from "../../mod.ts";
import type {
  FinishedLogin as FinishedLoginOfRoot,
  Login as LoginOfRoot,
  Scope,
  Store,
  TokenObj,
  TokenSource,
  User,
  UserObj,
} from "../../mod.ts";
import {
  type AfterLogin,
  type AnyLogin,
  type ConfirmedLogin,
  type FinishedLogin,
  type ListedSession,
  Login,
  type LoginEvent,
  type LoginOptions,
  type NeedsStoreOrKeepToken,
  type PublicSession,
  type PublicSessionOf,
  type Session,
  type SessionMember,
  type SessionOf,
  type SessionToken,
  type SessionUser,
} from "../../src/login/mod.ts";
import type * as root from "../../mod.ts";
import type * as entry from "../../src/login/mod.ts";

const application = { clientId: "1", clientSecret: null, secret: "x".repeat(32) };
const request = new Request("https://app.example/");

describe("sessionsOf()", () => {
  test("lists sessions, and endSession() tells if one has ended", () => {
    const list = (login: AnyLogin) => login.sessionsOf("1", request);
    expectTypeOf(list).returns.resolves.toEqualTypeOf<readonly ListedSession[]>();
    const end = (login: AnyLogin) => login.endSession("1", "id");
    expectTypeOf(end).returns.resolves.toEqualTypeOf<boolean>();
  });

  test("has labels from a function that returns text at once", () => {
    const options = { ...application, scope: ["identify"] } as const;
    const create = () => [
      new Login({ ...options, sessionLabel: ({ headers }) => headers.get("user-agent") }),
      new Login({ ...options, sessionLabel: ({ url }) => /app/.exec(url)?.[0] }),
      // @ts-expect-error -- a promise is not text
      new Login({ ...options, sessionLabel: () => Promise.resolve("phone") }),
    ];
    expectTypeOf(create).toBeFunction();
  });
});

describe("tokensOf()", () => {
  test("gives a source of tokens with the scopes of the login", () => {
    const create = (store: Store) => {
      const scope = ["identify", "guilds"] as const;
      const login = new Login({ ...application, scope, store, backgroundTokens: true });
      expectTypeOf(login.tokensOf("1")).toEqualTypeOf<TokenSource<"identify" | "guilds">>();
      expectTypeOf(login.tokensOf("1")).toEqualTypeOf<SessionOf<typeof login>["token"]>();
    };
    expectTypeOf(create).toBeFunction();
  });
});

describe("The methods that need a store", () => {
  const base = { ...application, scope: ["identify"] } as const;

  test("are refused by the compiler if the login surely has no store", () => {
    const wrong = (store: null) => {
      const login = new Login(base);
      return [
        // @ts-expect-error the store is missing
        login.endAll("1"),
        // @ts-expect-error the store is missing
        login.sessionsOf("1", request),
        // @ts-expect-error the store is missing
        login.endSession("1", "id"),
        // @ts-expect-error the store is missing
        login.forget("1"),
        // @ts-expect-error the option backgroundTokens is missing
        login.revoke("1"),
        // @ts-expect-error the option backgroundTokens is missing
        login.tokensOf("1"),
        // @ts-expect-error the store is null
        new Login({ ...base, store }).endAll("1"),
        // @ts-expect-error a cookie is not a store
        new Login({ ...base, keepToken: true }).endAll("1"),
      ];
    };
    expectTypeOf(wrong).toBeFunction();
  });

  test("take an id if the login has a store, may have one, or is any login", () => {
    const calls = (store: Store, isServer: boolean, any: AnyLogin, options: LoginOptions) => {
      const login = new Login({ ...base, store });
      const undefinedStore = new Login({ ...base, store: isServer ? store : undefined });
      const nullStore = new Login({ ...base, store: isServer ? store : null });
      const spread = new Login({ ...base, ...(isServer ? { store } : {}) });
      const and = new Login({ ...base, ...(isServer && { store }) });
      const { endAll } = login;
      return [
        endAll("1"),
        ...[login, undefinedStore, nullStore, spread, and, any, new Login(options)]
          .map((each: AnyLogin) => each.endAll("1")),
        undefinedStore.endAll("1"),
        nullStore.sessionsOf("1"),
        spread.endSession("1", "id"),
        and.forget("1"),
        any.revoke("1"),
        new Login(options).endAll("1"),
      ];
    };
    expectTypeOf(calls).toBeFunction();
    expectTypeOf<Parameters<AnyLogin["endAll"]>[0]>().toEqualTypeOf<string>();
  });
});

describe("AnyLogin", () => {
  test("accepts every login", () => {
    const logins = (store: Store, isServer: boolean): AnyLogin[] => [
      new Login({ ...application, scope: ["identify"] }),
      new Login({ ...application, scope: ["identify", "guilds"], store }),
      new Login({ ...application, scope: ["identify"], store: isServer ? store : null }),
      new Login({ ...application, scope: ["identify"], keepToken: true }),
      new Login({ ...application, scope: ["identify"], sessionUser: ({ id }) => id }),
      new Login({
        ...application,
        scope: ["identify"],
        sessionPath: "/session",
        sessionUser: ({ id }) => ({ id }),
        publicUser: ({ id }) => id,
      }),
      new Login({ ...application, scope: ["identify"], onLogin: ({ token }) => void token.scope }),
    ];
    expectTypeOf(logins).toBeFunction();
  });

  test("is the type of a login of which nothing is known", () => {
    const session = async (login: AnyLogin) => await login.session(request);
    expectTypeOf<NonNullable<Awaited<ReturnType<typeof session>>>["token"]>()
      .toEqualTypeOf<TokenSource | TokenObj | null>();
  });
});

describe("Login as the type of a parameter", () => {
  const base = { ...application, scope: ["identify"] } as const;
  const logins = (store: Store, isServer: boolean) => ({
    plain: new Login(base),
    keeping: new Login({ ...base, keepToken: true }),
    stored: new Login({ ...base, store: new MemoryStore() }),
    perhaps: new Login({ ...base, ...(isServer ? { store } : {}) }),
    withMore: new Login({ ...base, sessionUser: (user) => user, publicUser: (user) => user }),
    idOnly: new Login({
      ...base,
      scope: ["identify", "guilds"],
      store,
      sessionPath: "/session",
      sessionUser: ({ id }) => ({ id, tags: [id] }),
      publicUser: ({ id }) => ({ id }),
    }),
  });
  type Logins = ReturnType<typeof logins>;

  test("accepts every login with the default user data, and gives the type of that data", () => {
    const nameOf = async (login: Login) => (await login.session(request))?.user.username;
    expectTypeOf(nameOf).returns.resolves.toEqualTypeOf<string | undefined>();
    expectTypeOf<SessionOf<Login>["token"]>().toEqualTypeOf<SessionToken>();
    const calls = ({ plain, keeping, stored, perhaps, withMore, idOnly }: Logins) => [
      ...[plain, keeping, stored, perhaps, withMore].map(nameOf),
      // @ts-expect-error: its user data has no username
      nameOf(idOnly),
    ];
    expectTypeOf(calls).toBeFunction();
  });

  test("accepts every login whose user data has some properties", () => {
    const idOf = async (login: Login<"identify", { id: string }>) => {
      await login.endAll("1");
      return (await login.session(request))?.user.id;
    };
    expectTypeOf(idOf).returns.resolves.toEqualTypeOf<string | undefined>();
    const calls = ({ plain, keeping, stored, perhaps, withMore, idOnly }: Logins) =>
      [plain, keeping, stored, perhaps, withMore, idOnly].map((login) => idOf(login));
    expectTypeOf(calls).toBeFunction();
  });
});

describe("SessionOf", () => {
  test("names the session of a login", () => {
    const login = new Login({
      ...application,
      scope: ["identify", "email"],
      keepToken: true,
      sessionUser: ({ id, email }: UserObj) => ({ id, email }),
    });
    expectTypeOf<SessionOf<typeof login>>().toEqualTypeOf<
      Session<{ id: string; email: string | null }, TokenObj<"identify" | "email">>
    >();
  });

  test("names the session of a subclass", () => {
    const create = () => {
      class OwnLogin extends Login<"identify"> {}
      return new OwnLogin({ ...application, scope: ["identify"] });
    };
    expectTypeOf<SessionOf<ReturnType<typeof create>>>().toEqualTypeOf<
      Session<SessionUser, SessionToken<"identify">>
    >();
  });
});

describe("LoginOptions", () => {
  test("rejects a sessionUser that does not return the declared user data", () => {
    const base = { ...application, scope: ["identify"] } as const;
    // @ts-expect-error: the default user data has a username and other properties
    expectTypeOf<LoginOptions>({ ...base, sessionUser: ({ id }) => ({ id }) });
    const create = (options: LoginOptions) => new Login(options);
    expectTypeOf<SessionOf<ReturnType<typeof create>>["user"]>().toEqualTypeOf<SessionUser>();
  });

  test("keeps the type of the login in functions and classes of any login", () => {
    const find = async <SomeLogin extends AnyLogin>(
      login: SomeLogin,
      request: Request,
    ): Promise<SessionOf<SomeLogin> | Response> =>
      await login.session(request) ?? await login.start(request);
    class Guard<SomeLogin extends AnyLogin> {
      constructor(readonly login: SomeLogin) {}
      session(request: Request): Promise<SessionOf<SomeLogin> | null> {
        return this.login.session(request);
      }
    }
    const calls = async (store: Store, request: Request) => {
      const login = new Login({
        ...application,
        scope: ["identify", "guilds"],
        store,
        sessionUser: ({ id }) => ({ id, theme: "dark" }),
      });
      expectTypeOf(await find(login, request)).toEqualTypeOf<SessionOf<typeof login> | Response>();
      const session = await new Guard(login).session(request);
      expectTypeOf(session).toEqualTypeOf(await login.session(request));
      expectTypeOf(session?.user.theme).toEqualTypeOf<string | undefined>();
      expectTypeOf(session?.api).toEqualTypeOf<User<"identify" | "guilds"> | undefined>();
    };
    expectTypeOf(calls).toBeFunction();
  });
});

describe("PublicSessionOf", () => {
  const base = { ...application, scope: ["identify"], sessionPath: "/session" } as const;

  test("names the user data of publicUser, which gets the user data of the session", () => {
    const login = new Login({
      ...base,
      sessionUser: async ({ id, email }) => await Promise.resolve({ id, email, theme: "dark" }),
      publicUser: async (user) => {
        expectTypeOf(user).toEqualTypeOf<{ id: string; email: string | null; theme: string }>();
        return { id: await Promise.resolve(user.id), theme: user.theme };
      },
    });
    expectTypeOf<PublicSessionOf<typeof login>>().toEqualTypeOf<
      PublicSession<{ id: string; theme: string }>
    >();
    expectTypeOf<SessionOf<typeof login>["user"]>().toEqualTypeOf<
      Readonly<{ id: string; email: string | null; theme: string }>
    >();
  });

  test("names the default user data, with and without a publicUser of its own", () => {
    const plain = new Login(base);
    const named = new Login({ ...base, publicUser: ({ username }) => username });
    expectTypeOf<PublicSessionOf<typeof plain>>().toEqualTypeOf<PublicSession>();
    expectTypeOf<PublicSessionOf<typeof plain>["user"]>().toEqualTypeOf<SessionUser>();
    expectTypeOf<PublicSessionOf<typeof named>["user"]>().toEqualTypeOf<string>();
    expectTypeOf<SessionOf<typeof named>["user"]>().toEqualTypeOf<SessionUser>();
  });

  test("is known with a store, a conditional store, and data for onLogin", () => {
    const logins = (store: Store, isServer: boolean) => ({
      store: new Login({ ...base, store, publicUser: ({ id }) => id }),
      perhaps: new Login({
        ...base,
        ...(isServer ? { store } : {}),
        sessionUser: ({ id }, { data }: { data: number | null }) => ({ id, data }),
        publicUser: ({ data }) => data,
      }),
    });
    type Logins = ReturnType<typeof logins>;
    expectTypeOf<PublicSessionOf<Logins["store"]>["user"]>().toEqualTypeOf<string>();
    expectTypeOf<PublicSessionOf<Logins["perhaps"]>["user"]>().toEqualTypeOf<number | null>();
    expectTypeOf<SessionOf<Logins["store"]>["token"]>().toEqualTypeOf<TokenSource<"identify">>();
    expectTypeOf<SessionOf<Logins["perhaps"]>["token"]>()
      .toEqualTypeOf<TokenSource<"identify"> | null>();
  });

  test("is known if publicUser is a function from elsewhere, in any order", () => {
    interface Stored {
      readonly id: string;
      readonly plan: string;
    }
    const publicUser = ({ plan }: Stored) => ({ plan });
    const logins = () => ({
      after: new Login({ ...base, sessionUser: ({ id }) => ({ id, plan: "pro" }), publicUser }),
      before: new Login({ ...base, publicUser, sessionUser: ({ id }) => ({ id, plan: "pro" }) }),
      wrong: new Login({
        ...base,
        // @ts-expect-error: the session needs a plan
        sessionUser: ({ id }) => ({ id }),
        publicUser,
      }),
    });
    type Logins = ReturnType<typeof logins>;
    type Plan = { plan: string };
    expectTypeOf<PublicSessionOf<Logins["after"]>["user"]>().toEqualTypeOf<Plan>();
    expectTypeOf<PublicSessionOf<Logins["before"]>["user"]>().toEqualTypeOf<Plan>();
    expectTypeOf<SessionOf<Logins["after"]>["user"]>()
      .toEqualTypeOf<Readonly<{ id: string; plan: string }>>();
  });

  test("publicSession() accepts the session of the login, and none of another one", () => {
    const calls = async (store: Store) => {
      const login = new Login({ ...base, store, publicUser: ({ id }) => id });
      const other = new Login({ ...base, sessionUser: () => 1, publicUser: String });
      const session = await login.session(request);
      if (session?.has("guilds")) await login.publicSession(session);
      // @ts-expect-error: the user data is a number
      await login.publicSession(await other.session(request));
      return await login.publicSession(session);
    };
    expectTypeOf(calls).returns.resolves.toEqualTypeOf<PublicSession<string> | null>();
  });
});

describe("The data of a login", () => {
  interface Plan {
    readonly plan: string;
  }

  test("has the type that onLogin, sessionUser or afterLogin names, from start to the session", () => {
    const logins = () => ({
      onLogin: new Login({
        ...application,
        scope: ["identify", "guilds"],
        onLogin: ({ data, token }: ConfirmedLogin<"identify" | "guilds", Plan>) =>
          void [data?.plan, token],
      }),
      sessionUser: new Login({
        ...application,
        scope: ["identify"],
        sessionUser: ({ id }, { data }: { data: Plan | null }) => ({ id, plan: data?.plan }),
      }),
      afterLogin: new Login({
        ...application,
        scope: ["identify"],
        afterLogin: ({ data, returnTo }: AfterLogin<"identify", Plan>) =>
          data ? "/pro" : returnTo ?? "/",
      }),
      none: new Login({ ...application, scope: ["identify"], onLogin: ({ data }) => void data }),
    });
    type Logins = ReturnType<typeof logins>;
    type DataOf<SomeLogin extends AnyLogin> = NonNullable<
      Parameters<SomeLogin["start"]>[1]
    >["data"];
    expectTypeOf<DataOf<Logins["onLogin"]>>().toEqualTypeOf<Plan | null | undefined>();
    expectTypeOf<DataOf<Logins["sessionUser"]>>().toEqualTypeOf<Plan | null | undefined>();
    expectTypeOf<DataOf<Logins["afterLogin"]>>().toEqualTypeOf<Plan | null | undefined>();
    expectTypeOf<SessionOf<Logins["sessionUser"]>["user"]>().toEqualTypeOf<
      Readonly<{ id: string; plan: string | undefined }>
    >();
    expectTypeOf<DataOf<Logins["none"]>>().toEqualTypeOf<unknown>();
    const calls = async ({ onLogin }: Logins) => {
      await onLogin.start(request, { data: { plan: "pro" } });
      // @ts-expect-error: a number is no plan
      await onLogin.start(request, { data: { plan: 1 } });
    };
    expectTypeOf(calls).toBeFunction();
  });
});

describe("The user data of a session", () => {
  test("has the type that an asynchronous sessionUser promises, for update too", () => {
    const create = (store: Store) =>
      new Login({
        ...application,
        scope: ["identify"],
        store,
        sessionUser: async ({ id }, { session, token }) => {
          expectTypeOf(token).toEqualTypeOf<TokenObj<"identify">>();
          expectTypeOf(session?.user).toBeUnknown();
          return { id, theme: await Promise.resolve("dark") };
        },
      });
    type Created = ReturnType<typeof create>;
    expectTypeOf<SessionOf<Created>["user"]>()
      .toEqualTypeOf<{ readonly id: string; readonly theme: string }>();
    expectTypeOf<Parameters<Created["update"]>[1]>().toEqualTypeOf<
      { id: string; theme: string }
    >();
  });
});

describe("The user data of a session that JSON can hold", () => {
  interface Node {
    readonly name: string;
    readonly children?: readonly Node[];
    readonly note: string | undefined;
  }
  type Json = string | number | boolean | null | Json[] | { readonly [name: string]: Json };

  test("is of any interface, recursive type, optional property, or unknown type", () => {
    const create = (node: Node, json: Json, rest: Record<string, unknown>, made: unknown) => [
      new Login({ ...application, scope: ["identify"], sessionUser: (user) => user }),
      new Login({ ...application, scope: ["identify"], sessionUser: (): Node => node }),
      new Login({ ...application, scope: ["identify"], sessionUser: () => json }),
      new Login({ ...application, scope: ["identify"], sessionUser: () => made }),
      new Login({
        ...application,
        scope: ["identify"],
        sessionUser: async (_, { token, api }) => {
          const { id } = await api.getCurrentUser();
          return { id, token, node, json, rest, made, pair: [1, "2"] as const };
        },
      }),
    ];
    expectTypeOf(create).toBeFunction();
  });

  test("has no Date, promise or function in update(), sessionUser or publicUser", () => {
    const base = { ...application, scope: ["identify"], sessionPath: "/session" } as const;
    const calls = async (promise: Promise<string>) => {
      const login = new Login({
        ...base,
        sessionUser: ({ id }): { id: string; theme?: string } => ({ id }),
        publicUser: ({ id }) => id,
      });
      await login.update(request, { id: "1", theme: "dark" });
      // @ts-expect-error: a Date is not JSON
      await login.update(request, { id: "1", theme: new Date() });
      return [
        // @ts-expect-error: a Date is not JSON
        new Login({ ...base, sessionUser: () => ({ at: new Date() }), publicUser: () => 1 }),
        // @ts-expect-error: a promise is not JSON
        new Login({ ...base, publicUser: () => ({ promise }) }),
        // @ts-expect-error: it may return nothing
        new Login({ ...base, publicUser: ({ id }) => [id].find(Boolean) }),
        // @ts-expect-error: the list has functions
        new Login({ ...base, publicUser: () => [() => 1] }),
      ];
    };
    expectTypeOf(calls).toBeFunction();
  });
});

describe("The api of a session", () => {
  test("has the scopes of the token, and is null without one", () => {
    const logins = (store: Store) => ({
      store: new Login({ ...application, scope: ["identify", "guilds"], store }),
      keeping: new Login({ ...application, scope: ["identify"], keepToken: true }),
      none: new Login({ ...application, scope: ["identify"] }),
    });
    type Logins = ReturnType<typeof logins>;
    expectTypeOf<SessionOf<Logins["store"]>["api"]>().toEqualTypeOf<User<"identify" | "guilds">>();
    expectTypeOf<SessionOf<Logins["keeping"]>["api"]>().toEqualTypeOf<User<"identify">>();
    expectTypeOf<SessionOf<Logins["none"]>["api"]>()
      .toEqualTypeOf<NeedsStoreOrKeepToken | null>();
    expectTypeOf<SessionOf<AnyLogin>["api"]>().toEqualTypeOf<User | null>();
    const calls = async (session: SessionOf<Logins["store"]>) => {
      expectTypeOf(await session.api.getUserGuilds()).toBeArray();
      // @ts-expect-error: the scope connections is missing
      await session.api.getConnections();
      // Another consent may have added scopes.
      const api: User = session.api;
      await api.getConnections();
    };
    expectTypeOf(calls).toBeFunction();
  });
});

describe("The api of a confirmed login", () => {
  test("has the scopes of the login, in onLogin and in sessionUser", () => {
    const create = () =>
      new Login({
        ...application,
        scope: ["identify", "guilds"],
        onLogin: ({ api }) => void expectTypeOf(api).toEqualTypeOf<User<"identify" | "guilds">>(),
        sessionUser: ({ id }, { api }) => {
          expectTypeOf(api).toEqualTypeOf<User<"identify" | "guilds">>();
          return id;
        },
      });
    expectTypeOf(create).toBeFunction();
    expectTypeOf<ConfirmedLogin<"identify" | "guilds">>()
      .toExtend<ConfirmedLogin<"identify">>();
  });
});

describe("has() of a session", () => {
  const logins = (store: Store, isServer: boolean) => ({
    store: new Login({ ...application, scope: ["identify"], store }),
    keeping: new Login({ ...application, scope: ["identify"], keepToken: true }),
    none: new Login({ ...application, scope: ["identify"] }),
    perhaps: new Login({ ...application, scope: ["identify"], store: isServer ? store : null }),
  });
  type Logins = ReturnType<typeof logins>;
  type InStore = SessionOf<Logins["store"]>;

  test("gives the api and the token of the session a granted scope", () => {
    const calls = async (session: InStore, kept: SessionOf<Logins["keeping"]>) => {
      // @ts-expect-error: the scope was not asked for
      await session.api.getUserGuilds();
      if (!session.has("guilds")) {
        // @ts-expect-error: nor was it granted
        await session.api.getUserGuilds();
        return;
      }
      expectTypeOf(await session.api.getUserGuilds()).toBeArray();
      expectTypeOf(session.api).toEqualTypeOf<User<"identify" | "guilds">>();
      expectTypeOf(session.token).toEqualTypeOf<TokenSource<"identify" | "guilds">>();
      expectTypeOf(session).toExtend<InStore>();
      if (kept.has("guilds") && kept.has("connections")) {
        await kept.api.getUserGuilds();
        await kept.api.getConnections();
        expectTypeOf(kept.token)
          .toEqualTypeOf<TokenObj<"identify" | "guilds" | "connections">>();
        // @ts-expect-error: one scope is not asked for
        await kept.api.setRoleConnection("1", {});
      }
    };
    expectTypeOf(calls).toBeFunction();
  });

  test("narrows a session that may be null", () => {
    const calls = async (session: InStore | null) => {
      if (!session?.has("guilds")) return null;
      return await session.api.getUserGuilds();
    };
    expectTypeOf(calls).returns.resolves.exclude<null>().toBeArray();
  });

  test("keeps the session where it returns false, also for a scope of the options", () => {
    const calls = (session: InStore, none: SessionOf<Logins["none"]>, any: Session) => {
      if (!session.has("identify")) expectTypeOf(session).toEqualTypeOf<InStore>();
      if (!none.has("guilds")) expectTypeOf(none.user).toEqualTypeOf<SessionUser>();
      else if (none.has("email")) {
        expectTypeOf(none.api).toEqualTypeOf<NeedsStoreOrKeepToken | null>();
      } else expectTypeOf(none.user).toEqualTypeOf<SessionUser>();
      if (!any.has("guilds")) expectTypeOf(any).toEqualTypeOf<Session>();
    };
    expectTypeOf(calls).toBeFunction();
  });

  test("leaves a token that may be null as it is, and the session of any login too", () => {
    const calls = (session: SessionOf<Logins["perhaps"]>, any: SessionOf<AnyLogin>) => {
      if (session.has("guilds")) {
        expectTypeOf(session.token).toEqualTypeOf<TokenSource<"identify" | "guilds"> | null>();
      }
      if (any.has("guilds")) expectTypeOf(any.api).toEqualTypeOf<User | null>();
      expectTypeOf(any.api).toEqualTypeOf<User | null>();
    };
    expectTypeOf(calls).toBeFunction();
  });

  test("gives no scope that only another value of the argument has", () => {
    const calls = async (session: InStore, scope: "guilds" | "connections") => {
      if (!session.has(scope)) return;
      await session.api.getCurrentUser();
      // @ts-expect-error: it may be the scope connections that was granted
      await session.api.getUserGuilds();
    };
    expectTypeOf(calls).toBeFunction();
  });

  test("leaves the api as it is for a scope that is not known before run time", () => {
    const calls = (session: InStore, scope: string) => {
      if (session.has(scope)) expectTypeOf(session.api).toEqualTypeOf<User<"identify">>();
      else expectTypeOf(session).toEqualTypeOf<InStore>();
    };
    expectTypeOf(calls).toBeFunction();
  });

  test("may be detached, and then narrows nothing", () => {
    const calls = ({ has }: InStore) => has("guilds");
    expectTypeOf(calls).returns.toBeBoolean();
  });
});

describe("The token of a session", () => {
  test("may be null when the store or keepToken may be missing", () => {
    const calls = (store: Store, isServer: boolean) => {
      const undefinedStore = new Login({
        ...application,
        scope: ["identify"],
        store: isServer ? store : undefined,
      });
      const nullStore = new Login({
        ...application,
        scope: ["identify"],
        store: isServer ? store : null,
      });
      type MaySource = TokenSource<"identify"> | null;
      expectTypeOf<SessionOf<typeof undefinedStore>["token"]>().toEqualTypeOf<MaySource>();
      expectTypeOf<SessionOf<typeof nullStore>["token"]>().toEqualTypeOf<MaySource>();
      const keeping = new Login({ ...application, scope: ["identify"], keepToken: isServer });
      expectTypeOf<SessionOf<typeof keeping>["token"]>()
        .toEqualTypeOf<TokenObj<"identify"> | null>();
    };
    expectTypeOf(calls).toBeFunction();
  });

  test("may be null when the options may lack the store or keepToken", () => {
    const calls = (store: Store, isServer: boolean, given: { store?: Store }) => {
      const spread = new Login({
        ...application,
        scope: ["identify"],
        ...(isServer ? { store, backgroundTokens: true } : {}),
      });
      const and = new Login({ ...application, scope: ["identify"], ...(isServer && { store }) });
      const optional = new Login({ ...application, scope: ["identify"], ...given });
      const other = new Login({
        ...application,
        scope: ["identify"],
        ...(isServer ? { store } : { maxAge: 60 }),
      });
      const keeping = new Login({
        ...application,
        scope: ["identify"],
        ...(isServer ? { keepToken: true } : {}),
      });
      const either = new Login({
        ...application,
        scope: ["identify"],
        ...(isServer ? { store } : { keepToken: true }),
      });
      type MaySource = TokenSource<"identify"> | null;
      type MayToken = TokenObj<"identify"> | TokenSource<"identify"> | null;
      expectTypeOf<SessionOf<typeof spread>["token"]>().toEqualTypeOf<MaySource>();
      expectTypeOf<SessionOf<typeof and>["token"]>().toEqualTypeOf<MaySource>();
      expectTypeOf<SessionOf<typeof optional>["token"]>().toEqualTypeOf<MaySource>();
      expectTypeOf<SessionOf<typeof other>["token"]>().toEqualTypeOf<MaySource>();
      expectTypeOf<SessionOf<typeof keeping>["token"]>()
        .toEqualTypeOf<TokenObj<"identify"> | null>();
      expectTypeOf<SessionOf<typeof either>["token"]>().toEqualTypeOf<MayToken>();
      expectTypeOf<SessionOf<typeof spread>["api"]>().toEqualTypeOf<User<"identify"> | null>();
      expectTypeOf<SessionOf<typeof keeping>["api"]>().toEqualTypeOf<User<"identify"> | null>();
    };
    expectTypeOf(calls).toBeFunction();
  });

  test("is what a subclass with a parameter for the store says", () => {
    const create = <OwnStore extends Store | null | undefined>(
      options: LoginOptions<"identify", SessionUser, OwnStore, undefined>,
    ) => {
      class OwnLogin extends Login<"identify", SessionUser, OwnStore> {
        constructor() {
          super(options);
        }
      }
      return new OwnLogin();
    };
    type TokenWith<OwnStore extends Store | null | undefined> = SessionOf<
      ReturnType<typeof create<OwnStore>>
    >["token"];
    expectTypeOf<TokenWith<Store>>().toEqualTypeOf<TokenSource<"identify">>();
    expectTypeOf<TokenWith<null>>().toEqualTypeOf<null>();
    // The type `Login` has no store either, and accepts every one.
    expectTypeOf<TokenWith<undefined>>().toEqualTypeOf<SessionToken<"identify">>();
  });

  test("is a source with a store, though keepToken is false", () => {
    const calls = (store: Store) => {
      const login = new Login({ ...application, scope: ["identify"], store, keepToken: false });
      expectTypeOf<SessionOf<typeof login>["token"]>().toEqualTypeOf<TokenSource<"identify">>();
    };
    expectTypeOf(calls).toBeFunction();
  });

  test("is missing without a store and keepToken", () => {
    const calls = () => {
      const login = new Login({ ...application, scope: ["identify"] });
      expectTypeOf<SessionOf<typeof login>>().toEqualTypeOf<Session<SessionUser, null>>();
    };
    expectTypeOf(calls).toBeFunction();
  });
});

describe("The defaults of type parameters", () => {
  test("let LoginOptions have any scopes, store and keepToken", () => {
    const calls = (store: Store) => {
      const options: LoginOptions[] = [
        { ...application, scope: ["identify"] },
        { ...application, scope: ["identify"], store },
        { ...application, scope: ["identify"], keepToken: true },
      ];
      return options.map((each) => new Login(each));
    };
    expectTypeOf<SessionOf<ReturnType<typeof calls>[number]>>().toEqualTypeOf<Session>();
  });

  test("let Session have the default user and any token", () => {
    expectTypeOf<Session>().toEqualTypeOf<Session<SessionUser, SessionToken>>();
    expectTypeOf<Session["token"]>().toEqualTypeOf<TokenSource | TokenObj | null>();
    expectTypeOf<Session<SessionUser, TokenSource<"identify">>>().toExtend<Session>();
    expectTypeOf<Session<SessionUser, null>>().toExtend<Session>();
  });
});

describe("The options of a login", () => {
  test("are refused by the compiler when they are wrong", () => {
    const wrong = (): unknown[] => [
      // @ts-expect-error a login needs scopes
      new Login({ ...application }),
      // @ts-expect-error the scopes are a list
      new Login({ ...application, scope: "identify" }),
      // @ts-expect-error there is no such option
      new Login({ ...application, scope: ["identify"], stor: null }),
      // @ts-expect-error a store has three methods
      new Login({ ...application, scope: ["identify"], store: {} }),
      // @ts-expect-error a time is a number
      new Login({ ...application, scope: ["identify"], maxAge: "1h" }),
      // @ts-expect-error the scope is called guilds
      new Login({ ...application, scope: ["identify", "guild"] }),
    ];
    expectTypeOf(wrong).toBeFunction();
  });

  test("may have scopes that the library does not know", () => {
    const create = (scopes: Scope[], texts: readonly string[]) => [
      new Login({ ...application, scope: ["identify", "brand.new", "guild.wars"] }),
      new Login({ ...application, scope: scopes }),
      new Login({ ...application, scope: texts }),
    ];
    expectTypeOf(create).toBeFunction();
    const wrap = <const Asked extends Scope>(
      options: LoginOptions<Asked, SessionUser, null, null>,
    ) => new Login<Asked, SessionUser, null, null>(options);
    expectTypeOf(wrap<"identify">).returns.toEqualTypeOf<
      Login<"identify", SessionUser, null, null>
    >();
  });

  test("are refused if one needs another that is missing for sure", () => {
    const base = { ...application, scope: ["identify"] } as const;
    const sessionUser = ({ id }: UserObj) => ({ id });
    const publicUser = ({ id }: { id: string }) => id;
    const create = (store: Store, isServer: boolean) => [
      // @ts-expect-error publicUser is missing
      new Login({ ...base, sessionPath: "/session", sessionUser }),
      // @ts-expect-error publicUser is missing
      new Login({ ...base, store, appPath: "/app", sessionUser }),
      new Login({ ...base, sessionPath: "/session", sessionUser, publicUser }),
      new Login({ ...base, sessionPath: "/session", sessionUser: null }),
      new Login({ ...base, sessionPath: "/session", sessionUser, ...(isServer && { publicUser }) }),
      // @ts-expect-error the store is missing
      new Login({ ...base, appPath: "/app" }),
      // @ts-expect-error the store is missing
      new Login({ ...base, appPath: "/app", store: undefined }),
      // @ts-expect-error the store is missing
      new Login({ ...base, backgroundTokens: true }),
      // @ts-expect-error the store is missing
      new Login({ ...base, idleTimeout: 60 }),
      new Login({ ...base, idleTimeout: 60, store }),
      new Login({ ...base, idleTimeout: isServer ? 60 : null, store: isServer ? store : null }),
      new Login({ ...base, backgroundTokens: false }),
      new Login({ ...base, backgroundTokens: isServer, store: isServer ? store : null }),
      new Login({ ...base, appPath: "/app", ...(isServer ? { store } : {}) }),
    ];
    expectTypeOf(create).toBeFunction();
  });
});

describe("afterLogin", () => {
  test("is a path, or a function of the login and its page", () => {
    const calls = () => [
      new Login({ ...application, scope: ["identify"], afterLogin: "/app" }),
      new Login({
        ...application,
        scope: ["identify", "email"],
        afterLogin: ({ user, token, api, session, guildId, returnTo }) => {
          expectTypeOf(user).toEqualTypeOf<UserObj>();
          expectTypeOf(token).toEqualTypeOf<TokenObj<"identify" | "email">>();
          expectTypeOf(api).toEqualTypeOf<User<"identify" | "email">>();
          expectTypeOf(returnTo).toEqualTypeOf<string | null>();
          return session ? new URL("https://app.example/") : guildId ?? "/";
        },
      }),
      new Login({
        ...application,
        scope: ["identify"],
        afterLogin: async ({ returnTo }) => await Promise.resolve(returnTo ?? "/app"),
      }),
      // @ts-expect-error a Response is not a page
      new Login({ ...application, scope: ["identify"], afterLogin: () => new Response() }),
      // @ts-expect-error a login may name no page
      new Login({ ...application, scope: ["identify"], afterLogin: ({ returnTo }) => returnTo }),
    ];
    expectTypeOf(calls).toBeFunction();
  });
});

describe("onEvent", () => {
  test("gets an event that a switch over its kind narrows, with a default for later kinds", () => {
    const read = (event: LoginEvent): string | number => {
      switch (event.kind) {
        case "login_started":
          return event.scopes.length;
        case "login_completed":
          expectTypeOf(event.userId).toEqualTypeOf<string>();
          return event.userId;
        case "login_refused":
          return event.reason;
        case "login_failed":
        case "logout_failed":
          return event.pageStatus;
        case "token_refreshed":
          return event.userId;
        case "token_refresh_failed":
        case "revocation_failed":
          return event.code;
        case "request_held":
          return event.route;
        case "session_ended":
          return event.sessions;
        default:
          expectTypeOf(event).toBeNever();
          return "";
      }
    };
    const calls = () => [
      new Login({ ...application, scope: ["identify"], onEvent: read }),
      new Login({ ...application, scope: ["identify"], onEvent: (event) => event.kind }),
      // @ts-expect-error no event has a token
      new Login({ ...application, scope: ["identify"], onEvent: (event) => event.token }),
    ];
    expectTypeOf(calls).toBeFunction();
  });
});

describe("The types of a login", () => {
  test("are all in the entry point ./login, with those of its signatures", () => {
    expectTypeOf<entry.Store>().toEqualTypeOf<Store>();
    expectTypeOf<entry.User>().toEqualTypeOf<User>();
    expectTypeOf<entry.UserObj>().toEqualTypeOf<UserObj>();
    expectTypeOf<entry.TokenObj>().toEqualTypeOf<TokenObj>();
    expectTypeOf<entry.TokenSource>().toEqualTypeOf<TokenSource>();
    expectTypeOf<entry.Scope>().toEqualTypeOf<Scope>();
    expectTypeOf<entry.PermissionInput>().toEqualTypeOf<root.PermissionInput>();
    expectTypeOf<typeof entry.MemoryStore>().toEqualTypeOf<typeof MemoryStore>();
  });

  test("are the same in both entry points", () => {
    expectTypeOf<LoginOfRoot>().toEqualTypeOf<Login>();
    expectTypeOf<FinishedLoginOfRoot<"identify">>().toEqualTypeOf<FinishedLogin<"identify">>();
    expectTypeOf<root.AnyLogin>().toEqualTypeOf<entry.AnyLogin>();
    expectTypeOf<root.SessionOf<AnyLogin>>().toEqualTypeOf<entry.SessionOf<AnyLogin>>();
    expectTypeOf<root.PublicSessionOf<AnyLogin>>().toEqualTypeOf<
      entry.PublicSessionOf<AnyLogin>
    >();
    expectTypeOf<root.PublicSession>().toEqualTypeOf<entry.PublicSession>();
  });
});

test("The option members makes the membership of a session known", () => {
  const base = { ...application, scope: ["identify", "guilds.members.read"] as const };
  const store = new MemoryStore();
  const club = new Login({ ...base, store, members: { guildId: "1" } });
  expectTypeOf<SessionOf<typeof club>["member"]>().toEqualTypeOf<SessionMember>();
  const list = new Login({
    ...base,
    store,
    members: [{ guildId: "1" }, { guildId: "2", roles: ["3"] }],
  });
  expectTypeOf<SessionOf<typeof list>["member"]>().toEqualTypeOf<SessionMember>();
  const without = new Login({ ...base, store });
  expectTypeOf<SessionOf<typeof without>["member"]>().toEqualTypeOf<SessionMember | null>();
  const maybe = new Login({ ...base, store, members: Math.random() > 1 ? { guildId: "1" } : null });
  expectTypeOf<SessionOf<typeof maybe>["member"]>().toEqualTypeOf<SessionMember | null>();
  // @ts-expect-error It needs a store.
  new Login({ ...base, members: { guildId: "1" } });
});

test("Annotations of a callback don't change the scopes of the login", () => {
  const base = { ...application, scope: ["identify", "guilds"] as const, store: new MemoryStore() };
  const guildsOf = async ({ api }: ConfirmedLogin<"guilds">) => void await api.getUserGuilds();
  const create = () => ({
    onLogin: new Login({ ...base, onLogin: guildsOf }),
    sessionUser: new Login({
      ...base,
      sessionUser: async ({ id }, { api }: { api: User<"guilds"> }) => {
        return { id, guilds: (await api.getUserGuilds()).length };
      },
    }),
    data: new Login({
      ...base,
      onLogin: ({ data }: ConfirmedLogin<"identify", { invite: string }>) => void data?.invite,
    }),
  });
  type Logins = ReturnType<typeof create>;
  type Api = User<"identify" | "guilds">;
  expectTypeOf<SessionOf<Logins["onLogin"]>["api"]>().toEqualTypeOf<Api>();
  expectTypeOf<SessionOf<Logins["sessionUser"]>["api"]>().toEqualTypeOf<Api>();
  expectTypeOf<SessionOf<Logins["data"]>["api"]>().toEqualTypeOf<Api>();
  // @ts-expect-error The login does not ask for the scope.
  expectTypeOf(() => new Login({ ...base, scope: ["identify"], onLogin: guildsOf })).toBeFunction();
});

test("A function of any login keeps the type of its session", () => {
  async function sessionOrRedirect<Found>(
    login: Pick<AnyLogin, "start"> & { session(request: Request): Promise<Found | null> },
  ): Promise<Found | Response> {
    return await login.session(request) ?? await login.start(request);
  }
  const create = () =>
    new Login({
      ...application,
      scope: ["identify"],
      sessionUser: ({ id }) => ({ id, theme: "" }),
    });
  const find = (login: ReturnType<typeof create>) => sessionOrRedirect(login);
  expectTypeOf(find).returns.resolves.toEqualTypeOf<
    SessionOf<ReturnType<typeof create>> | Response
  >();
});
