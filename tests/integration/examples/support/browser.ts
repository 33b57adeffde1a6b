import { CookieJar } from "tough-cookie";
import { origin, type RunningWorker, type WholeResponse } from "./worker.ts";

/** The origin of a request, as `SameSite` cookies distinguish it. */
type From = "same-site" | "link elsewhere" | "form elsewhere";

const sameSiteContexts = {
  "same-site": "strict",
  "link elsewhere": "lax",
  "form elsewhere": "none",
} as const;

interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly from?: From;
}

/** A simulated browser. It keeps cookies by the browsers' rules, and follows no redirect by itself. */
export class Browser {
  readonly jar: CookieJar = new CookieJar(undefined, { prefixSecurity: "strict" });
  readonly #worker: RunningWorker;

  constructor(worker: RunningWorker) {
    this.#worker = worker;
  }

  /** Opens an address of the Worker. */
  async open(path: string, options: RequestOptions = {}): Promise<WholeResponse> {
    const url = new URL(path, origin).href;
    const { from = "same-site", headers = {}, method = "GET" } = options;
    const cookie = this.jar.getCookieStringSync(url, { sameSiteContext: sameSiteContexts[from] });
    const response = await this.#worker.send(url, {
      method,
      headers: { accept: "text/html,*/*;q=0.8", ...(cookie && { cookie }), ...headers },
    });
    for (const cookie of response.headers.getSetCookie()) {
      this.jar.setCookieSync(cookie, url);
    }
    return response;
  }

  /** Clicks "Log in" and returns the address of the consent page. */
  async startLogin(): Promise<string> {
    return locationOf(await this.open("/login?returnTo=/guilds"));
  }

  /** Opens the callback from the consent page, which is on another site. */
  async comeBack(callback: string): Promise<WholeResponse> {
    return await this.open(callback, { from: "link elsewhere" });
  }

  /** Logs in and returns the response to the callback. */
  async logIn(as: "ada" | "grace" = "ada"): Promise<WholeResponse> {
    return await this.comeBack(await decide(await this.startLogin(), "authorize", as));
  }

  /** Submits the form of a logout button. */
  async logOut(path: "/logout" | "/logout/everywhere" = "/logout"): Promise<WholeResponse> {
    return await this.open(path, {
      method: "POST",
      headers: { "sec-fetch-site": "same-origin", origin },
    });
  }

  /** Returns the names of the cookies for a path. */
  cookieNames(path: string): string[] {
    return this.jar.getCookiesSync(new URL(path, origin).href).map(({ key }) => key);
  }
}

/** Decides on the consent page over HTTP, and returns the redirect target. */
export async function decide(
  link: string,
  action: "authorize" | "cancel",
  as: "ada" | "grace" = "ada",
): Promise<string> {
  const page = await (await fetch(link)).text();
  const [, user = ""] = new RegExp(`href="\\?[^"]*as=(\\d+)"[^>]*>.*@${as}<`).exec(page) ?? [];
  const response = await fetch(link, {
    method: "POST",
    body: new URLSearchParams({ action, user }),
    redirect: "manual",
  });
  await response.body?.cancel();
  return response.headers.get("location") ?? "";
}

/** Returns the redirect target of a response. */
export function locationOf({ headers }: WholeResponse): string {
  return headers.get("location") ?? "";
}
