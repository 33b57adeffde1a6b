/** The routes of the dashboard. @module */

import { User } from "@guildpass/sdk";
import { parseWebhookEvent } from "@guildpass/sdk/webhook-events";
import { serveScript } from "../shared/scripts.ts";
import { devicesPage } from "./devices.ts";
import { endedPage, endsLogin, errorPage, isTemporary } from "./errors.ts";
import { idsOfGuilds, keepNewest, type ListedGuild, listGuilds } from "./guilds.ts";
import { linkedRolesScope, sendNumber } from "./linked_roles.ts";
import { createLogin, type Session, type Settings } from "./login.ts";
import { guildPage, guildsPage, notice, startPage } from "./pages.ts";

/** The dashboard. */
export interface Dashboard {
  readonly fetch: (request: Request) => Promise<Response>;
  /** The job for every night. It does not need a visit. */
  readonly nightly: () => Promise<void>;
}

/** Creates the dashboard. */
export function createDashboard(settings: Settings): Dashboard {
  const { botToken, client, clientId, publicKey } = settings;
  const bot = new User(botToken, { ...client, tokenType: "Bot", freshFor: 5 });
  const login = createLogin(settings, () => idsOfGuilds(bot, { fresh: true }));
  // Two tables of your database: the greetings by guild, and the people who have linked roles.
  const greetings = new Map<string, { readonly text: string; readonly author: string }>();
  const linked = new Set<string>();
  // For the time when Discord does not respond: the last list of each person.
  const lists = new Map<string, { readonly guilds: ListedGuild[]; readonly readAt: number }>();

  const routes: Readonly<Record<string, Handler>> = {
    "GET /": showGuilds,
    "POST /view": toggleView,
    "GET /guilds/:id": showGuild,
    "POST /guilds/:id": saveGreeting,
    "GET /guilds/:id/invite": inviteBot,
    "GET /devices": showDevices,
    "POST /devices": endDevice,
    "GET /linked-roles": linkRoles,
    "POST /logout/all": (request) => login.end(request, { everywhere: true }),
  };

  async function fetch(request: Request): Promise<Response> {
    const response = await login.handle(request); // /login, /callback, /logout, /session
    if (response) return response;
    const { pathname } = new URL(request.url);
    const script = await serveScript(pathname, new URL("client.ts", import.meta.url));
    if (script) return script;
    const isPost = request.method === "POST";
    const [, id = ""] = /^\/guilds\/(\d+)/.exec(pathname) ?? [];
    const route = routes[`${request.method} ${pathname.replace(/^(\/guilds\/)\d+/, "$1:id")}`];
    try {
      if (isPost && pathname === "/webhook-events") return await receiveEvent(request);
      if (!route) return notice(404, "Not found", "There is no such page");
      // A form of another site, or of a sibling subdomain, must change nothing here.
      if (isPost && !login.allows(request)) {
        return notice(403, "Refused", "It came from another site");
      }
      const session = await login.session(request);
      if (session) return await route(request, session, id);
      if (pathname === "/") return startPage();
      if (isPost) return endedPage(); // the policy of the pages lets no form lead to Discord
      return await login.start(request, { scope: route === linkRoles ? linkedRolesScope : null });
    } catch (error) {
      if (error instanceof Response) return error;
      return endsLogin(error) && !isPost ? await login.start(request) : errorPage(error);
    }
  }

  /** Shows the guilds of a person, or the last known ones if Discord does not respond. */
  async function showGuilds(request: Request, session: Session): Promise<Response> {
    const { user } = session;
    try {
      const guilds = await listGuilds(session, bot);
      // The person may have removed the application meanwhile.
      if (await login.session(request)) keepNewest(lists, user.id, { guilds, readAt: Date.now() });
      return guildsPage(user, guilds);
    } catch (error) {
      const last = isTemporary(error) ? lists.get(user.id) : undefined;
      if (!last) throw error;
      console.error(error);
      return guildsPage(user, last.guilds, Date.now() - last.readAt);
    }
  }

  /** Returns the guild if the person manages it now, which Discord is asked each time. Throws the page to show otherwise. */
  async function managedGuild(session: Session, id: string): Promise<ListedGuild> {
    const guilds = await listGuilds(session, bot, { fresh: true });
    const guild = guilds.find((guild) => guild.id === id);
    if (!guild) throw notice(404, "Not found", "You aren't in that guild");
    if (guild.isManaged) return guild;
    throw notice(403, "Not for you", "Only people with Manage Server may do that");
  }

  async function showGuild(request: Request, session: Session, id: string): Promise<Response> {
    const isSaved = new URL(request.url).searchParams.has("saved");
    return guildPage(await managedGuild(session, id), greetings.get(id)?.text ?? "", isSaved);
  }

  async function saveGreeting(request: Request, session: Session, id: string): Promise<Response> {
    await managedGuild(session, id);
    const text = String((await request.formData()).get("greeting") ?? "").slice(0, 200);
    greetings.set(id, { text, author: session.user.id });
    return redirect(`/guilds/${id}?saved`);
  }

  /** Leads to Discord and back to the page of the guild, which asks Discord where the bot is. */
  async function inviteBot(request: Request, session: Session, id: string): Promise<Response> {
    await managedGuild(session, id);
    const permissions = ["view_channel", "send_messages"] as const;
    const target = { guildId: id, disableGuildSelect: true, returnTo: `/guilds/${id}` };
    return await login.start(request, { scope: ["bot"], permissions, ...target });
  }

  async function toggleView(request: Request, { user }: Session): Promise<Response> {
    const value = { ...user, onlyManaged: !user.onlyManaged };
    return redirect("/", await login.update(request, value));
  }

  async function showDevices(request: Request, { user }: Session): Promise<Response> {
    return devicesPage(await login.sessionsOf(user.id, request));
  }

  async function endDevice(request: Request, { user }: Session): Promise<Response> {
    await login.endSession(user.id, String((await request.formData()).get("session")));
    return redirect("/devices");
  }

  /** The page that the Developer Portal calls the Linked Roles Verification URL. */
  async function linkRoles(request: Request, { api, has, user }: Session): Promise<Response> {
    if (!has("role_connections.write")) {
      return await login.start(request, { scope: linkedRolesScope });
    }
    await sendNumber(api, clientId, countOf(user.id));
    linked.add(user.id);
    return notice(200, "Your roles are linked", "You can go back to Discord");
  }

  function countOf(userId: string): number {
    return [...greetings.values()].filter(({ author }) => author === userId).length;
  }

  async function nightly(): Promise<void> {
    for (const id of linked) {
      try {
        await sendNumber(new User(login.tokensOf(id), client), clientId, countOf(id));
      } catch (error) {
        if (endsLogin(error) && Object(error).reason !== "unreadable") linked.delete(id);
        else console.error(error); // also for a wrong secret, after which all links stay
      }
    }
  }

  /** Receives the events of Discord, which sends one again if this fails. */
  async function receiveEvent(request: Request): Promise<Response> {
    const event = await parseWebhookEvent(request, publicKey);
    if (event.type === "APPLICATION_DEAUTHORIZED") {
      const startedBefore = (event.occurred_at ?? Infinity) + 60_000; // clocks differ
      await login.endAll(event.data.user.id, { startedBefore, tokens: true });
      lists.delete(event.data.user.id); // last: a page may save the list until the session ends
    }
    return new Response(null, { status: 204, headers: { "content-type": "application/json" } });
  }

  return { fetch, nightly };
}

/** Handles a request with a session. The id is that of the guild in the address. */
type Handler = (request: Request, session: Session, id: string) => Response | Promise<Response>;

function redirect(location: string, headers = new Headers()): Response {
  headers.set("location", location);
  return new Response(null, { status: 303, headers });
}
