/**
 * The page's half of a session, in step with the server and with all tabs.
 *
 * @module
 */

import type { AnyLogin, Login, PublicSession } from "../login/mod.ts";
import type { SessionClientOptions } from "./options.ts";
import type { PublicUserOf, SessionState, SessionStateOf } from "./session_state.ts";

/** The shortest time between two requests that the client sends by itself, in milliseconds. */
const minIntervalMs = 60_000;

/** The longest time between two requests while a session goes on. A timer of more than 2 ** 31 milliseconds would end at once. */
const maxIntervalMs = 1_000_000_000;

/** The time limit of a request in milliseconds. All callers wait for the same request, so it must end. */
const timeLimitMs = 10_000;

/**
 * The session of the visitor, for the scripts of a page. The methods also work when they are detached from the object.
 *
 * While a function is subscribed and the page is visible, the client asks the server by itself: if the state is unknown, after a change in
 * another tab, when the session should have ended, and when the page comes back to the front, online or from the back-forward cache. It
 * asks at most once a minute, except after a change, and when the connection comes back after a failure. On a server, which renders the
 * page, it sends nothing.
 *
 * @example
 * ```ts ignore
 * import { SessionClient } from "@guildpass/sdk/browser";
 * import type { login } from "./login.ts";
 *
 * export const session = new SessionClient<typeof login>({ url: "/session" });
 * ```
 *
 * @typeParam SomeLogin The type of the `Login`, whose `publicUser` decides the type of `user`.
 */
export class SessionClient<SomeLogin extends AnyLogin = Login> {
  readonly #paths: Paths;
  readonly #listeners = new Set<(state: SessionStateOf<SomeLogin>) => void>();
  #state!: SessionStateOf<SomeLogin>;
  /** The time of the latest request. It is 0 after a change: then the state may be wrong, and the response is out of date. */
  #askedAt = 0;
  #reading: Promise<SessionStateOf<SomeLogin>> | undefined;
  #channel: BroadcastChannel | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * Creates a client, which sends nothing before a function subscribes.
   *
   * @throws {TypeError} If an option is unknown, or is not a path or URL.
   */
  constructor(
    { url, loginPath = "/login", logoutPath = "/logout", initial, ...others }: SessionClientOptions<
      PublicUserOf<SomeLogin>
    >,
  ) {
    this.#paths = { url, loginPath, logoutPath };
    for (const name in others) throw new TypeError(`${name} is unknown`);
    for (const name in this.#paths) {
      const path = this.#paths[name as keyof Paths];
      if (!/^(https?:\/)?(\/[\w.~:-]+)+\/?$/.test(path)) {
        throw new TypeError(`${name} must be a path or URL, received ${typeof path}`);
      }
    }
    this.#set("unknown");
    // A page from a cache may have a session that has ended.
    if (initial === null || initial && initial.endsAt > Date.now()) {
      this.#learn(initial);
      this.#askedAt = Date.now();
    }
  }

  /** The state. It is the same object until it changes. */
  get state(): SessionStateOf<SomeLogin> {
    return this.#state;
  }

  /**
   * Calls a function with the state: at once, and after each change. The client keeps the state up to date while a function is subscribed.
   * The function must not throw.
   *
   * @returns A function that ends the subscription.
   */
  readonly subscribe = (listener: (state: SessionStateOf<SomeLogin>) => void): () => void => {
    listener(this.#state);
    if (typeof document === "undefined") return () => {};
    // The same function may subscribe twice.
    const own: typeof listener = (state) => listener(state);
    this.#listeners.add(own);
    if (this.#listeners.size === 1) {
      this.#onPageEvents(addEventListener);
      this.#channel = this.#newChannel();
      this.#setTimer();
      this.#refreshIfOld();
    }
    return () => {
      this.#listeners.delete(own);
      if (this.#listeners.size) return;
      this.#onPageEvents(removeEventListener);
      this.#channel?.close();
      this.#setTimer();
    };
  };

  /**
   * Asks the server for the session, and returns the new state. All callers share one request. Never rejects: without a response of the
   * `Login` within ten seconds, the status is `"unreachable"`.
   */
  readonly refresh = async (): Promise<SessionStateOf<SomeLogin>> => {
    // A server has no cookies of its visitors, who may share this object.
    return typeof document === "undefined" ? this.#state : await (this.#reading ??= this.#read());
  };

  /**
   * Leaves the page for the login.
   *
   * @param returnTo The page after the login: a path or URL of this site, or of one of the `frontends`. The default is the current page.
   * @throws {TypeError} If `returnTo` is not a URL.
   */
  readonly logIn = (
    { returnTo = location.href }: { readonly returnTo?: string | URL | undefined } = {},
  ): void => {
    const url = this.#url(this.#paths.loginPath);
    url.searchParams.set("returnTo", new URL(returnTo, location.href).href);
    location.assign(url);
  };

  /**
   * Logs out, in all tabs.
   *
   * @throws {Error} If the session goes on, or the server does not respond within ten seconds. The call can be repeated.
   */
  readonly logOut = async (): Promise<void> => {
    // The request outlives the page.
    const response = await this.#send(this.#paths.logoutPath, { method: "POST", keepalive: true });
    this.#askedAt = 0;
    // Another tab may have logged in, and this one may not know it yet.
    if (response?.status === 204) return this.#learn(null, true);
    // The session may have ended, although the response was lost.
    await this.refresh();
    if (this.#state.status !== "logged_out") {
      throw new Error(`Could not log out: ${response?.status ?? "no response"}`);
    }
  };

  /**
   * Calls `fetch` with the cookies of the session. After a 401 with the JSON `{ "error": "login_required" }`, it asks the server for the
   * session, and returns the 401 when the state is up to date.
   *
   * @param input A path on the origin of the option `url`, a URL on this origin or that of the page, or a `Request`.
   * @throws {TypeError} If the URL is on another origin. The errors of `fetch` pass through.
   */
  readonly fetch = async (input: Request | string | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input instanceof Request ? input : this.#url(input), {
      ...init,
      credentials: "include",
    });
    const { origin } = new URL(request.url);
    const origins = [location.origin, this.#url("").origin];
    // The URL of a blob has the origin of the page.
    if (!/^http/.test(request.url) || !origins.includes(origin)) {
      throw new TypeError(`input must be on ${origins}, received ${origin}`);
    }
    const response = await fetch(request);
    if ((await jsonOf(response, 401))?.error === "login_required") {
      // The 401 may be older than the session, or from another origin after a redirect. The server of the session decides, and not with a
      // response to an earlier request.
      this.#askedAt = 0;
      await this.refresh();
    }
    return response;
  };

  /** @param isNews False if another tab has caused the request. */
  async #read(isNews?: boolean): Promise<SessionStateOf<SomeLogin>> {
    const askedAt = this.#askedAt = Date.now();
    const session = await jsonOf(await this.#send(""), 200);
    if (askedAt !== this.#askedAt) return this.#read(isNews);
    this.#reading = undefined;
    if (
      session === null ||
      session?.user !== undefined && Array.isArray(session.scopes) && session.endsAt > 0
    ) this.#learn(session, isNews);
    else this.#set("unreachable", this.#state);
    return this.#state;
  }

  /**
   * Takes a state from the server.
   *
   * @param isNews True to tell the other tabs. By default, they hear of a new status, but not of new user data: if each response had
   * some, the tabs would wake each other for ever.
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

  #onPageEvents(change: typeof addEventListener): void {
    for (const type of ["visibilitychange", "pagehide", "pageshow", "online"]) {
      change(type, this.#onPageEvent);
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
    if (isOld && !document.hidden) this.#reading ??= this.#read(isNews);
  }

  #newChannel(): BroadcastChannel | undefined {
    try {
      const channel = new BroadcastChannel(this.#url("").href);
      channel.onmessage = ({ data }) => {
        if (JSON.stringify(data) === JSON.stringify(this.#state)) return;
        // The user data is not taken, since it may be older.
        if (data?.status === "logged_out") this.#set(data.status);
        this.#askedAt = 0;
        // If servers disagree, tabs that told each other what they learn from this request would never stop.
        this.#refreshIfOld(false);
      };
      return channel;
    } catch {
      return undefined; // Browsers that block cookies block channels too.
    }
  }

  async #send(path: string, init?: RequestInit): Promise<Response | undefined> {
    try {
      return await fetch(this.#url(path), {
        // Browsers of 2022 do not have this function.
        signal: AbortSignal.timeout?.(timeLimitMs),
        ...init,
        credentials: "include",
      });
    } catch {
      return undefined; // There is no connection, or no response in time.
    }
  }

  #url(path: string | URL): URL {
    return new URL(path, new URL(this.#paths.url, location.href));
  }
}

/** Reads the JSON of a response with a certain status. Returns `undefined` for any other response. The response can be read again. */
async function jsonOf(response: Response | undefined, status: number): Promise<JsonBody> {
  if (response?.status === status && response.headers.get("content-type")?.includes("json")) {
    return await response.clone().json().catch(() => {});
  }
  return undefined;
}

type Paths = Readonly<Record<"url" | "loginPath" | "logoutPath", string>>;

/** JSON of the server. */
type JsonBody = (PublicSession<unknown> & { readonly error?: unknown }) | null | undefined;
