/**
 * The rows of the comparison: mishaps and attacks. A row returns "yes", or says what happened instead.
 *
 * @module
 */

import { type Failure, type FakePlatform, sampleUsers } from "../../../../src/testing/mod.ts";
import {
  Browser,
  endedStatus,
  type Handler,
  redirectLoopStatus,
  timeoutStatus,
  type Visit,
} from "./browser.ts";
import type { Contender, LoginRequest } from "./contender.ts";
import { site } from "./platform.ts";
import type { ApplicationProcess } from "./process.ts";

/** One application on one platform, for one row. */
export interface Round {
  readonly contender: Contender;
  readonly app: Handler;
  readonly fake: FakePlatform;
  /** Starts the application again, in a process of its own, with a database that these processes share. */
  startProcess(): Promise<ApplicationProcess>;
}

/** A row of the table. */
export interface Row {
  readonly name: string;
  run(round: Round): Promise<string>;
}

/** Rows of one table. */
export interface RowGroup {
  /** The heading of the table in the guide. */
  readonly heading: string;
  readonly rows: readonly Row[];
}

const [ada, grace] = sampleUsers;

/** Pages outside the site that an attacker tries to redirect a login to. */
const foreignPages = [
  "https://evil.example/",
  "//evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "/%09/evil.example",
  "https://app.example@evil.example/",
  "https://app.example.evil.example/",
];

/** Origins of an attacker's page. */
const attackerOrigins = {
  "another site": "https://evil.example",
  "a sibling subdomain": "https://blog.app.example",
};

/** The verdict on an application without the feature that the row tries. */
export const missingFeature = "n/a";

const failures: Readonly<Record<string, Failure>> = {
  "if Discord responds with status 429": { status: 429 },
  "if Discord responds with status 500": { status: 500 },
  "if Discord responds with HTML": {
    status: 200,
    body: "<!doctype html><title>Maintenance</title>",
  },
  "if Discord responds with incomplete JSON": {
    status: 200,
    body: '{"access_token":"abc","expires_',
  },
  "within 15 seconds if Discord doesn't respond": { hang: true },
};

export const groups: readonly RowGroup[] = [
  {
    heading: "Tabs, reloads and old cookies",
    rows: [
      {
        name: "A login in a single tab works",
        async run(round) {
          const browser = new Browser(round.app);
          return problemOf(await browser.visit(await beginAndConsent(round, browser))) ??
            await checkLoggedIn(round, browser);
        },
      },
      ...[[0, 1], [1, 0]].map((order): Row => ({
        name: `Logins in two tabs both work if the ${
          order[0] === 0 ? "older" : "newer"
        } tab finishes first`,
        run: (round) => endTabs(round, order),
      })),
      {
        name: "Logins in ten tabs all work if the oldest tab finishes first",
        run: (round) => endTabs(round, Array.from({ length: 10 }, (_, tab) => tab)),
      },
      {
        name: "Reloading the callback works and doesn't send the code again",
        async run(round) {
          const browser = new Browser(round.app);
          const callback = await beginAndConsent(round, browser);
          await browser.visit(callback);
          const problem = problemOf(await browser.visit(callback));
          if (countExchanges(round) > 1) return `sent again${problem ? `, ${problem}` : ""}`;
          return problem ?? await checkLoggedIn(round, browser);
        },
      },
      {
        name: "If two tabs open the same callback at once, both work and the code is sent once",
        run: openCallbackTwice,
      },
      {
        name:
          "If two tabs open the same callback on two servers, both work and the code is sent once",
        async run(round) {
          await using opened = new AsyncDisposableStack();
          const first = opened.use(await round.startProcess());
          const second = opened.use(await round.startProcess());
          let requests = 0;
          const app: Handler = (request) => (requests++ % 2 === 0 ? first : second).app(request);
          return await openCallbackTwice({ ...round, app });
        },
      },
      {
        name: "Opening a bookmarked callback shows a page and doesn't send the code again",
        async run(round) {
          const before = new Browser(round.app);
          const callback = await beginAndConsent(round, before);
          await before.visit(callback);
          const ending = checkPage(await new Browser(round.app).visit(callback));
          return countExchanges(round) > 1 ? "sent again" : ending;
        },
      },
      {
        name: "Old login cookies with a different path or domain don't break a new login",
        async run(round) {
          const before = new Browser(round.app);
          await beginAndConsent(round, before);
          const browser = new Browser(round.app);
          browser.plantedCookies = plantableCookies(before);
          const problem = problemOf(await browser.visit(await beginAndConsent(round, browser)));
          return problem ?? await checkLoggedIn(round, browser);
        },
      },
    ],
  },
  {
    heading: "When a login can't finish",
    rows: [
      {
        name: "A visitor who refuses consent sees a page",
        async run(round) {
          const browser = new Browser(round.app);
          return checkPage(
            await browser.visit(await beginAndConsent(round, browser, ada.id, "cancel")),
          );
        },
      },
      {
        name: "A visitor whose browser rejects cookies sees a page",
        async run(round) {
          const browser = new Browser(round.app);
          browser.keepsCookies = false;
          const link = await round.contender.begin(browser);
          // Some libraries then begin no login.
          if (link === null || !isPlatform(link)) return "yes";
          return checkPage(await browser.visit(await consentAt(link)));
        },
      },
      ...Object.entries(failures).map(([name, failure]): Row => ({
        name: `A visitor sees a page ${name}`,
        async run(round) {
          const browser = new Browser(round.app);
          const callback = await beginAndConsent(round, browser);
          round.fake.failNext({ ...failure, path: /\/oauth2\/token$/, times: 100 });
          const visit = await browser.visit(callback);
          if (problemIn(await checkLoggedIn(round, browser)) === null) return "logs in";
          return checkPage(visit);
        },
      })),
    ],
  },
  {
    heading: "Attacks",
    rows: [
      {
        name: "Another user's callback or a forged one doesn't break the visitor's login",
        async run(round) {
          const person = new Browser(round.app);
          const own = await beginAndConsent(round, person);
          await person.visit(await beginAndConsent(round, new Browser(round.app), grace.id));
          await person.visit(`${round.contender.callback}?code=forged&state=forged`);
          await person.visit(`${round.contender.callback}?error=access_denied&state=forged`);
          const problem = problemOf(await person.visit(own));
          return problem ?? await checkLoggedIn(round, person);
        },
      },
      {
        name: "Login CSRF: an attacker's callback doesn't log the visitor in",
        async run(round) {
          const person = new Browser(round.app);
          await beginAndConsent(round, person);
          await person.visit(await beginAndConsent(round, new Browser(round.app), grace.id));
          return await checkNotGrace(round, person);
        },
      },
      {
        name: "Login CSRF with planted cookies: an attacker's callback doesn't log the visitor in",
        async run(round) {
          const attacker = new Browser(round.app);
          const callback = await beginAndConsent(round, attacker, grace.id);
          const person = new Browser(round.app);
          await beginAndConsent(round, person);
          person.plantedCookies = plantableCookies(attacker);
          await person.visit(callback);
          person.plantedCookies = "";
          return await checkNotGrace(round, person);
        },
      },
      {
        name: "Code injection: a thief can't log in with a stolen code",
        async run(round) {
          const stolen = new URL(await beginAndConsent(round, new Browser(round.app)));
          const thief = new Browser(round.app);
          const callback = new URL(await beginAndConsent(round, thief, grace.id));
          callback.searchParams.set("code", stolen.searchParams.get("code") ?? "");
          await thief.visit(callback);
          return await checkLoggedIn(round, thief) === "yes" ? "thief logs in" : "yes";
        },
      },
      {
        name:
          "Session fixation: an attacker's planted cookies don't give access to the visitor's session",
        async run(round) {
          const attacker = new Browser(round.app);
          await attacker.visit("/");
          await beginAndConsent(round, attacker);
          const person = new Browser(round.app);
          person.plantedCookies = plantableCookies(attacker);
          await person.visit(await beginAndConsent(round, person));
          return await checkLoggedIn(round, attacker) === "yes" ? "attacker logs in" : "yes";
        },
      },
      {
        name: "Open redirect: a login can't redirect to another site",
        async run(round) {
          if (!round.contender.takesReturnTo) return missingFeature;
          for (const page of foreignPages) {
            const browser = new Browser(round.app);
            const link = await round.contender.begin(browser, page);
            if (link === null || !isPlatform(link)) continue;
            const { url } = await browser.visit(await consentAt(link));
            if (url.origin !== site) return `goes to \`${JSON.stringify(page)}\``;
          }
          return "yes";
        },
      },
      {
        name: "Another site can't start a login with a link or form",
        async run(round) {
          const { contender, app } = round;
          for (const [where, page] of Object.entries(attackerOrigins)) {
            for (const [what, init] of Object.entries(foreignRequests(contender.login.fields))) {
              const response = await new Browser(app).openFrom(page, contender.login.path, init);
              if (await isLoginBegun(response)) return placed(what, where);
            }
          }
          return "yes";
        },
      },
      {
        name: "After a logout, a copied session cookie no longer works",
        async run(round) {
          const { logout } = round.contender;
          if (!logout) return missingFeature;
          const person = new Browser(round.app);
          await person.visit(await beginAndConsent(round, person));
          const thief = new Browser(round.app);
          thief.plantedCookies = person.jar.header;
          if (await checkLoggedIn(round, thief) !== "yes") throw new Error("There is no session");
          await logout.send(person);
          if (await checkLoggedIn(round, person) === "yes") {
            throw new Error("The session did not end");
          }
          return await checkLoggedIn(round, thief) === "yes" ? "still works" : "yes";
        },
      },
      {
        name: "Logout CSRF: a link or form on another site can't log the visitor out",
        async run(round) {
          const { logout } = round.contender;
          if (!logout) return missingFeature;
          const logInVisitor = async (): Promise<Browser> => {
            const browser = new Browser(round.app);
            await browser.visit(await beginAndConsent(round, browser));
            if (await checkLoggedIn(round, browser) !== "yes") {
              throw new Error("There is no session");
            }
            return browser;
          };
          for (const [where, page] of Object.entries(attackerOrigins)) {
            for (const [what, init] of Object.entries(foreignRequests())) {
              const browser = await logInVisitor();
              await browser.openFrom(page, logout.path, init);
              if (await checkLoggedIn(round, browser) !== "yes") return placed(what, where);
            }
          }
          const browser = await logInVisitor();
          await logout.send(browser);
          if (await checkLoggedIn(round, browser) === "yes") {
            throw new Error("The session did not end");
          }
          return "yes";
        },
      },
    ],
  },
];

/** The rows of all groups. */
export const rows: readonly Row[] = groups.flatMap(({ rows }) => rows);

/** Returns the way of an attack, and its place if only that place works. */
function placed(what: string, where: string): string {
  return where === "another site" ? `${what} works` : `${what} on ${where} works`;
}

/** Returns the requests that a page can make a visitor's browser send to another site, by the way to send them. */
function foreignRequests(
  fields: LoginRequest["fields"] = {},
): Readonly<Record<string, RequestInit>> {
  return {
    "link": { method: "GET" },
    "form": { method: "POST", body: new URLSearchParams(fields) },
    "plain-text form": {
      method: "POST",
      headers: { "content-type": "text/plain" },
      body: JSON.stringify({ ...fields, "a": "=" }),
    },
  };
}

/** Returns true if a response leads to the consent page, by a redirect or in a field of JSON. */
async function isLoginBegun(response: Response): Promise<boolean> {
  const location = response.headers.get("location");
  if (location !== null) return isPlatform(location);
  return response.ok && (await response.text()).includes('"https://discord.com/');
}

/** Begins a login in each of several tabs, and ends them in an order. */
async function endTabs(round: Round, order: readonly number[]): Promise<string> {
  const browser = new Browser(round.app);
  const callbacks: string[] = [];
  for (const _ of order) callbacks.push(await beginAndConsent(round, browser));
  for (const tab of order) {
    const visit = await browser.visit(callbacks[tab] ?? "");
    const problem = problemOf(visit) ?? problemIn(await checkLoggedIn(round, browser));
    if (problem !== null) return problem;
  }
  return "yes";
}

/** Opens a callback in two tabs at once. The result depends on which tab is faster, so this tries up to five times and returns the worst. */
async function openCallbackTwice(round: Round): Promise<string> {
  const verdicts: string[] = [];
  for (let time = 0; time < 5; time++) {
    const browser = new Browser(round.app);
    const callback = await beginAndConsent(round, browser);
    const before = countExchanges(round);
    const visits = await Promise.all([browser.visit(callback), browser.visit(callback)]);
    const problems = visits.map(problemOf).filter((one) => one !== null);
    const problem = problems.find((one) => one === "Node crashes") ?? problems[0];
    const isSentTwice = countExchanges(round) > before + 1;
    if (isSentTwice) return `sent twice${problem ? `, ${problem}` : ""}`;
    verdicts.push(problem ?? await checkLoggedIn(round, browser));
  }
  return verdicts.find((verdict) => verdict !== "yes") ?? "yes";
}

/** Returns the cookies that another host could set for the site, as a `Cookie` header. */
function plantableCookies({ jar }: Browser): string {
  // A browser refuses a cookie with this prefix if it comes from another host, or has a domain or another path.
  return jar.cookies.filter(({ name }) => !name.startsWith("__Host-"))
    .map(({ name, value }) => `${name}=${value}`).join("; ");
}

/** Begins a login, consents, and returns the callback. */
async function beginAndConsent(
  { contender }: Round,
  browser: Browser,
  user: string = ada.id,
  action = "authorize",
): Promise<string> {
  const link = await contender.begin(browser);
  if (link === null) throw new Error("No login was begun");
  return await consentAt(link, user, action);
}

/** Opens the consent page as a browser does, decides, and returns the callback. */
async function consentAt(
  link: string,
  user: string = ada.id,
  action = "authorize",
): Promise<string> {
  const url = new URL(link);
  // better-auth sends `prompt=none`: the platform would decide for the person who consented last.
  url.searchParams.delete("prompt");
  const page = await fetch(url);
  await page.text();
  const body = new URLSearchParams({ action, user });
  const decision = await fetch(page.url, { method: "POST", redirect: "manual", body });
  const location = decision.headers.get("location");
  if (location === null) throw new Error(`The consent page responded with ${decision.status}`);
  return location;
}

/** Counts the code exchanges that the platform received. */
function countExchanges({ fake }: Round): number {
  return fake.requests.filter(({ path }) => path.endsWith("/oauth2/token")).length;
}

/** Returns the problem of a visit that should end at the page that the login was for, or null. */
function problemOf(visit: Visit): string | null {
  const words = problemIn(checkPage(visit));
  if (words !== null) return words;
  return visit.status >= 400 || /error/.test(visit.url.href) ? "error" : null;
}

/** Returns "yes" if a visit ended at any page of the site. */
function checkPage({ url, status, body }: Visit): string {
  if (isPlatform(url)) return "shows the consent page again";
  if (url.origin !== site) return `ends at ${url.origin}`;
  if (status === timeoutStatus) return "times out";
  if (status === endedStatus) return "Node crashes";
  if (status === redirectLoopStatus) return "goes round in circles";
  if (/\n\s+at .+:\d+/.test(body)) return "a stack trace";
  const text = body.replaceAll(/<title>.*?<\/title>|<[^>]*>/gs, "").trim();
  return status === 500 && /^(Internal Server Error)?$/.test(text) ? "a bare 500" : "yes";
}

/** Returns null for "yes", and any other verdict as it is. */
function problemIn(verdict: string): string | null {
  return verdict === "yes" ? null : verdict;
}

async function checkLoggedIn({ contender }: Round, browser: Browser): Promise<string> {
  const name = await contender.whoAmI(browser);
  return name === ada.username || name === ada.global_name ? "yes" : "not logged in";
}

async function checkNotGrace({ contender }: Round, browser: Browser): Promise<string> {
  const name = await contender.whoAmI(browser);
  return name === grace.username || name === grace.global_name ? "wrong account" : "yes";
}

function isPlatform(url: string | URL): boolean {
  return new URL(url, site).origin === "https://discord.com";
}
