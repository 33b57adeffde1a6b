/**
 * The page's half of a session, in step with the server and with all tabs.
 *
 * @module
 */

import type { AnyLogin } from "../login/mod.ts";
import type { Enter, EnterOptions, EnterResult } from "./app_login.ts";
import { checkFunction, checkPaths } from "./options.ts";
import type { SessionClientOptions, SessionTokenStore } from "./options.ts";
import { type Finished, jsonOf, type Refusal } from "./responses.ts";
import type { DefaultLogin, PublicUserOf, SessionState } from "./session_state.ts";

/** The shortest time between two requests that the client sends by itself, in milliseconds. */
const minIntervalMs = 60_000;

/** The shortest time between two requests that other tabs cause, in milliseconds. */
const wakeIntervalMs = 1000;

/** The longest time between two requests while a session goes on. A timer of more than 2 ** 31 milliseconds would end at once. */
const maxIntervalMs = 1_000_000_000;

/** The time limit of a request in milliseconds. All callers wait for the same request, so it must end. */
const timeLimitMs = 10_000;

/**
 * The session of the visitor, for the scripts of a page. The methods also work when they are detached from the object.
 *
 * While a function is subscribed and the page is visible, the client asks the server on its own, at most once a minute: for example
 * after a change in another tab, at the end of the session, and when the page becomes visible again. It sends nothing on a server.
 * With `appPath`, the session uses a token, never a cookie, and only `logIn` needs a page.
 *
 * @example
 * ```ts
 * import { SessionClient } from "@guildpass/sdk/browser";
 *
 * // new SessionClient<typeof login> has the type of your users.
 * const session = new SessionClient({ url: "/session" });
 *
 * let greeting = "";
 * const unsubscribe = session.subscribe(({ status, user }) => {
 *   greeting = user ? `Hello, ${user.username}` : status;
 * });
 * // Until the server has responded:
 * greeting; // "unknown"
 *
 * const onLogInClick = () => session.logIn({ returnTo: "/settings" });
 * const onLogOutClick = async () => await session.logOut();
 *
 * // When the page no longer shows the state:
 * unsubscribe();
 * ```
 *
 * @typeParam SomeLogin The type of the `Login`, whose `publicUser` decides the type of `user`.
 */
export class SessionClient<SomeLogin extends AnyLogin = DefaultLogin> {
  readonly #paths: Paths;
  readonly #apiPaths: readonly string[];
  /** The place of the token, with `appPath`. */
  readonly #store: SessionTokenStore | undefined;
  readonly #listeners = new Set<(state: SessionState<PublicUserOf<SomeLogin>>) => void>();
  #state!: SessionState<PublicUserOf<SomeLogin>>;
  /** The time of the latest request. It is 0 after a change: then the state may be wrong, and the response is out of date. */
  #askedAt = 0;
  #reading: Promise<SessionState<PublicUserOf<SomeLogin>>> | undefined;
  #channel: BroadcastChannel | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The earliest time of the next request that another tab causes, and its timer. */
  #wakeAt = 0;
  #wakeTimer: ReturnType<typeof setTimeout> | undefined;

  /**
   * Creates a client. It sends nothing until a function subscribes.
   *
   * @param options The paths of the login, and any other option of {@link SessionClientOptions}.
   * @throws {TypeError} If an option is unknown, or is not a path or URL.
   */
  constructor(options: SessionClientOptions<PublicUserOf<SomeLogin>>) {
    if (typeof options !== "object") {
      throw new TypeError('options must be an object like { url: "/session" }');
    }
    const {
      url,
      loginPath = "/login",
      logoutPath = "/logout",
      appPath,
      store,
      apiPaths = [],
      initial,
      ...others
    }: typeof options = Object(options);
    const known = "known names: url, loginPath, logoutPath, initial, appPath, store, apiPaths";
    for (const name in others) throw new TypeError(`options.${name} is unknown: ${known}`);
    this.#paths = { url, loginPath, logoutPath, appPath: appPath ?? url };
    this.#apiPaths = apiPaths;
    checkPaths(this.#paths);
    let token: string | null = null;
    if (appPath) this.#store = store ?? { get: () => token, set: (value) => void (token = value) };
    this.#set("unknown");
    // A page from a cache may have a session that has ended.
    if (initial === null || initial && initial.endsAt > Date.now()) {
      this.#learn(initial);
      this.#askedAt = Date.now();
    }
  }

  /**
   * The state. It is the same frozen object until it changes. Its `status` decides the other properties, `user`, `scopes` and `endsAt`:
   *
   * - `"unknown"`: the server has not responded yet. `user` is `null`.
   * - `"logged_in"`: `user` has the data of the user, `scopes` the granted scopes, and `endsAt` the latest end of the session.
   * - `"logged_out"`: there is no session. `user` is `null`.
   * - `"unreachable"`: the server did not respond as expected. The other properties have their latest values, so `user` may be `null`.
   */
  get state(): SessionState<PublicUserOf<SomeLogin>> {
    return this.#state;
  }

  /**
   * Calls a function with the state: at once, and after each change. The client keeps the state up to date while a function is subscribed.
   * The function must not throw.
   *
   * @param listener The function.
   * @returns A function that ends the subscription.
   */
  readonly subscribe = (
    listener: (state: SessionState<PublicUserOf<SomeLogin>>) => void,
  ): () => void => {
    checkFunction("listener", listener);
    listener(this.#state);
    if (this.#isOnServer()) return () => {};
    // The same function may subscribe twice.
    const own: typeof listener = (state) => listener(state);
    this.#listeners.add(own);
    if (this.#listeners.size === 1) {
      this.#onPageEvents(globalThis.addEventListener);
      this.#channel = this.#newChannel();
      this.#setTimer();
      this.#refreshIfOld();
    }
    return () => {
      this.#listeners.delete(own);
      if (this.#listeners.size) return;
      this.#onPageEvents(globalThis.removeEventListener);
      this.#channel?.close();
      clearTimeout(this.#wakeTimer);
      this.#setTimer();
    };
  };

  /**
   * Asks the server for the session. All callers share one request. Never rejects: without a response of the
   * `Login` within ten seconds, the status is `"unreachable"`.
   *
   * @example
   * ```ts
   * import type { SessionClient } from "@guildpass/sdk/browser";
   *
   * async function isLoggedIn(session: SessionClient) {
   *   const { status } = await session.refresh();
   *   return status === "logged_in";
   * }
   * ```
   *
   * @returns The new state.
   */
  readonly refresh = async (): Promise<SessionState<PublicUserOf<SomeLogin>>> => {
    return this.#isOnServer() ? this.#state : await (this.#reading ??= this.#read());
  };

  /**
   * Navigates to the login.
   *
   * @param options The page after the login.
   * @throws {TypeError} If an option is unknown, or `returnTo` is not a URL. On a server, it always throws.
   */
  readonly logIn = (options: {
    /** The page after the login: a path or URL of this site, or of one of the `frontends`. @default {the current page} */
    readonly returnTo?: string | URL | undefined;
  } = {}): void => {
    const url = this.#url(this.#paths.loginPath);
    const { returnTo = location.href, ...others }: typeof options = Object(options);
    // The listener of a click gets an event.
    if (!("target" in Object(options)) && Object.keys(others)[0]) {
      throw new TypeError('options must be like { returnTo: "/settings" }');
    }
    url.searchParams.set("returnTo", new URL(returnTo, location.href).href);
    location.assign(url);
  };

  /**
   * Logs in at `appPath`, without a cookie: in an Activity, an app or an extension. An existing session keeps its token and gets the
   * additional scopes. A request is sent again after a lost response.
   *
   * @example
   * ```ts
   * import type { SessionClient } from "@guildpass/sdk/browser";
   *
   * // In an Activity, with the Embedded App SDK:
   * interface DiscordSdk {
   *   commands: {
   *     authorize(options: object): Promise<{ code: string }>;
   *     authenticate(options: { access_token: string }): Promise<unknown>;
   *   };
   * }
   * async function logIn(session: SessionClient, { commands }: DiscordSdk) {
   *   const { accessToken } = await session.enter(
   *     ({ authorize }) =>
   *       commands.authorize({ ...authorize, prompt: "none" }),
   *   );
   *   await commands.authenticate({ access_token: accessToken });
   * }
   *
   * // In an app, with the function that opens the system's browser:
   * const logInApp = (
   *   session: SessionClient,
   *   openBrowser: (url: string) => Promise<string>,
   * ) =>
   *   session.enter(async ({ url }) => {
   *     const { searchParams } = new URL(await openBrowser(url));
   *     const { code, state } = Object.fromEntries(searchParams);
   *     if (!code) throw new Error("The user declined");
   *     return { code, state };
   *   }, { target: "myapp://login" });
   * ```
   *
   * @param authorize Asks the user for consent, and returns the code. An Activity passes `login.authorize` to `commands.authorize` of
   * the Embedded App SDK. An app opens `login.url` in the system's browser, and returns the parameters that its target received.
   * @param options Additional scopes as `scope`, and the `target` of an app or extension.
   * @returns The `session`, and in an Activity the `accessToken` of the user.
   * @throws {Error} If the server refuses, with its message and `code`. The errors of `authorize` pass through.
   */
  readonly enter: Enter<PublicUserOf<SomeLogin>> = async (
    authorize: (login: never) => EnterResult | Promise<EnterResult>,
    options: EnterOptions = {},
  ) => {
    checkFunction("authorize", authorize);
    const { pending, ...login } = await this.#post<{ pending: string }>({ begin: options });
    const { code, state } = await authorize(login as never);
    const { token, ...entered } = await this.#post<Finished<PublicUserOf<SomeLogin>>>({
      finish: { code, state, pending },
    });
    await this.#store?.set(token);
    // A response to a request without this token is out of date.
    this.#askedAt = 0;
    this.#learn(entered.session, true);
    return entered;
  };

  /**
   * Logs out, in all tabs.
   *
   * @throws {Error} If the session still exists, or the server does not respond within ten seconds. The call can be repeated.
   */
  readonly logOut = async (): Promise<void> => {
    const response = await this.#send(this.#paths.logoutPath, "POST");
    this.#askedAt = 0;
    // Another tab may have logged in, and this one may not know it yet.
    if (response?.status === 204) this.#learn(null, true);
    // The session may have ended, although the response was lost.
    else await this.refresh();
    if (this.#state.status !== "logged_out") {
      throw new Error(`Could not log out: ${response?.status ?? "no response"}`);
    }
    await this.#store?.set(null);
  };

  /**
   * Calls `fetch` with the cookies or the token of the session. After a 401 with the JSON `{ "error": "login_required" }`, it asks the
   * server for the session, and returns the 401 when the state is up to date.
   *
   * @example
   * ```ts
   * import type { SessionClient } from "@guildpass/sdk/browser";
   *
   * async function save(session: SessionClient, theme: string) {
   *   const body = JSON.stringify({ theme });
   *   const response = await session.fetch("/api/settings", {
   *     method: "PUT",
   *     body,
   *   });
   *   // After a 401, session.state is already up to date.
   *   return response.ok;
   * }
   * ```
   *
   * @param input A path on the origin of the option `url`, a URL on this origin or the page's origin, or a `Request`. With `appPath`, a
   * path or URL below one of the `apiPaths`. Then a redirect is an error, since its target would get the token.
   * @param init The options of the request, as for `fetch`.
   * @returns The response, whatever its status.
   * @throws {TypeError} If the URL is anywhere else. The errors of `fetch` pass through.
   */
  readonly fetch = async (input: Request | string | URL, init?: RequestInit): Promise<Response> => {
    const url = this.#url(input instanceof Request ? input.url : input);
    const own = this.#url("").origin;
    const places = this.#store ? this.#apiPaths.map((path) => own + path) : [location.origin, own];
    // The URL of a blob has the origin of the page, and a path with that origin.
    const found = `${url.origin}${url.pathname}/`;
    if (!places.some((place) => found.startsWith(`${place}/`))) {
      throw new TypeError(`input must be on ${places}, received ${url.origin}`);
    }
    const response = await this.#fetch(input instanceof Request ? input : url, init);
    if (response.status === 401 && (await jsonOf(response))?.error === "login_required") {
      // The 401 may be older than the session, or from another origin after a redirect. The server of the session decides, and not with a
      // response to an earlier request.
      this.#askedAt = 0;
      await this.refresh();
    }
    return response;
  };

  /** @param isNews False if another tab has caused the request. */
  async #read(isNews?: boolean): Promise<SessionState<PublicUserOf<SomeLogin>>> {
    const askedAt = this.#askedAt = Date.now();
    const response = await this.#send("");
    const session = response?.ok && await jsonOf(response);
    if (askedAt !== this.#askedAt) return this.#read(isNews);
    this.#reading = undefined;
    if (
      session === null ||
      session && session.user !== undefined && Array.isArray(session.scopes) && session.endsAt > 0
    ) this.#learn(session, isNews);
    else this.#set("unreachable", this.#state);
    return this.#state;
  }

  /**
   * Takes a state from the server.
   *
   * @param isNews True to tell the other tabs. By default, they hear of a new status, but not of new user data: if each response had
   * some, the tabs would wake each other forever.
   */
  #learn(session: object | null, isNews?: boolean): void {
    const before = this.#state.status;
    this.#set(session ? "logged_in" : "logged_out", session);
    if (isNews ?? before !== this.#state.status) {
      const channel = this.#newChannel();
      channel?.postMessage(this.#state);
      channel?.close();
    }
  }

  #set(status: SessionState["status"], session?: object | null): void {
    const json = JSON.stringify({ user: null, scopes: [], endsAt: null, ...session, status });
    if (json !== JSON.stringify(this.#state)) {
      this.#state = JSON.parse(json, (_name, value) => Object.freeze(value));
      for (const listener of this.#listeners) listener(this.#state);
    }
    this.#setTimer();
  }

  /** Sets or clears the timer for the end of the session. */
  #setTimer(): void {
    clearTimeout(this.#timer);
    const { endsAt } = this.#state;
    if (endsAt && this.#listeners.size) {
      const left = endsAt - Date.now();
      // The clock of the server may be slow.
      const delay = left > 0 ? Math.min(left, maxIntervalMs) : minIntervalMs;
      this.#timer = setTimeout(this.refresh, delay);
    }
  }

  #onPageEvents(change: typeof addEventListener | undefined): void {
    for (const type of ["visibilitychange", "pagehide", "pageshow", "online"]) {
      change?.(type, this.#onPageEvent); // React Native does not have these functions.
    }
  }

  readonly #onPageEvent = (event: Event): void => {
    // An open channel keeps a page out of the back-forward cache of some browsers.
    if (event.type === "pagehide") this.#channel?.close();
    else {
      if ((event as PageTransitionEvent).persisted) {
        this.#channel = this.#newChannel();
        // A logout may have happened meanwhile, so the page must not show the last user.
        this.#set("unknown");
        this.#askedAt = 0;
      }
      // The failure may have been that of the connection.
      if (event.type === "online" && this.#state.status === "unreachable") this.#askedAt = 0;
      this.#refreshIfOld();
    }
  };

  #refreshIfOld(isNews?: boolean): void {
    // The clock may have been set back.
    const isOld = Math.abs(Date.now() - this.#askedAt) >= minIntervalMs;
    // There may be many hidden tabs.
    if (isOld && !globalThis.document?.hidden) this.#reading ??= this.#read(isNews);
  }

  #newChannel(): BroadcastChannel | undefined {
    try {
      const channel = new BroadcastChannel(this.#url("").href);
      channel.onmessage = ({ data }) => {
        if (JSON.stringify(data) === JSON.stringify(this.#state)) return;
        // The user data is not taken, since it may be older.
        if (data?.status === "logged_out") this.#set(data.status);
        // If tabs tell something again and again, this one asks once a second.
        clearTimeout(this.#wakeTimer);
        this.#wakeTimer = setTimeout(() => {
          this.#wakeAt = Date.now() + wakeIntervalMs;
          this.#askedAt = 0;
          // If servers disagree, tabs that told each other what they learn from this request would never stop.
          this.#refreshIfOld(false);
          // Browsers cut a delay to 32 bits, so a large negative one could become weeks.
        }, Math.max(0, this.#wakeAt - Date.now()));
      };
      return channel;
    } catch {
      return undefined; // Browsers that block cookies block channels too.
    }
  }

  /** Sends JSON to `appPath`, and returns the JSON of the response. */
  async #post<Body>(content: object): Promise<Body> {
    const { appPath } = this.#paths;
    // The server exchanges a code once, and gives its outcome to both requests.
    const response = await this.#send(appPath, "POST", content) ??
      await this.#send(appPath, "POST", content);
    const json = response && await jsonOf<Body & Refusal>(response);
    if (response?.ok && json) return json;
    throw Object.assign(new Error(`Could not log in: ${response?.status ?? "no response"}`), json);
  }

  /** Sends a request of the login. Returns `undefined` without a response. */
  async #send(path: string, method = "GET", content?: object): Promise<Response | undefined> {
    try {
      return await this.#fetch(this.#url(path), {
        // Browsers of 2022 do not have this function.
        signal: AbortSignal.timeout?.(timeLimitMs),
        method,
        // The request outlives the page.
        keepalive: true,
        ...(content && {
          headers: { "content-type": "application/json" },
          body: JSON.stringify(content),
        }),
      });
    } catch {
      return undefined; // There is no connection, or no response in time.
    }
  }

  /** Sends a request with the cookies or the token. With a token, it does not follow a redirect, whose target would get the token. */
  async #fetch(input: Request | URL, init?: RequestInit): Promise<Response> {
    const request = new Request(input, {
      ...init,
      credentials: this.#store ? "omit" : "include",
      ...(this.#store && { redirect: "error" }),
    });
    const token = await this.#store?.get();
    if (token) request.headers.set("authorization", `Bearer ${token}`);
    return await fetch(request);
  }

  /** A server has no cookies of its visitors, who may share this object. */
  #isOnServer(): boolean {
    return !this.#store && !globalThis.document;
  }

  #url(path: string | URL): URL {
    // React Native has no location.
    const page = globalThis.location?.href;
    if (!this.#store && !page) throw new TypeError("SessionClient needs a page: here, use Login");
    return new URL(path, new URL(this.#paths.url, page));
  }
}

type Paths = Readonly<Record<"url" | "loginPath" | "logoutPath" | "appPath", string>>;
