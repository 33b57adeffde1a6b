/**
 * The questions that `docs_site.browser.ts` puts to the search of the documentation site.
 *
 * @module
 */

/** Questions of users, each with the page and the heading above the text. */
export const questions = new Map<string, string>([
  ["returnTo", "api/sdk/login/interfaces/AfterLogin.html#returnto"],
  ["how to get a user's email", "docs/people_and_servers.html#get-a-users-email"],
  ["invalid_grant", "docs/errors.html#look-up-an-error-by-its-code"],
  ["rate limit 429", "docs/errors.html#wait-for-a-rate-limit"],
  ["redirect uri mismatch", "docs/troubleshooting.html#fix-invalid-oauth2-redirect_uri"],
  ["what if discord is down", "docs/troubleshooting.html#if-discord-is-down"],
  ["cors", "docs/troubleshooting.html#a-cors-error-at-login-or-callback"],
  [
    "link in a mail opens another browser on the phone",
    "docs/troubleshooting.html#a-login-begins-in-one-browser-and-ends-in-another",
  ],
  ["log out everywhere", "docs/logging_out.html#log-out-on-all-devices"],
  ["list my devices", "docs/logging_out.html#show-a-person-their-devices"],
  ["skip the consent screen", "docs/first_login.html#skip-the-consent-page"],
  ["delete account", "docs/logging_out.html#unlink-discord-and-delete-an-account"],
  ["is it safe", "docs/security.html#safe-against-these-attacks"],
  ["change the secret", "docs/security.html#change-a-secret"],
  ["cookie size", "docs/sessions.html#cookie-size"],
  ["websocket", "docs/sessions.html#check-the-session-of-a-websocket"],
  ["pkce", "docs/login_by_hand.html#state-and-pkce"],
  ["mongodb", "docs/stores.html#mongodb"],
  ["unstorage", "docs/stores.html#what-cant-be-a-store"],
  ["redis eviction", "docs/stores.html#redis-keeps-less-than-the-others"],
  ["migration", "docs/stores.html#create-the-table-in-a-migration"],
  ["express", "docs/express.html#express-koa-and-fastify"],
  ["nextjs", "docs/next.html#next"],
  ["nuxt", "docs/nuxt.html#nuxt"],
  ["nestjs", "docs/nest.html#nest"],
  ["react router", "docs/react_router.html#react-router"],
  ["behind a proxy", "docs/frameworks.html#behind-a-proxy"],
  ["preview deployments on vercel", "docs/hosts.html#preview-deployments"],
  ["know in react who is logged in", "docs/sessions.html#react"],
  ["popup", "docs/single_page_apps.html#log-in-in-a-popup"],
  [
    "one login for several subdomains",
    "docs/single_page_apps.html#one-login-on-several-subdomains-and-in-another-backend",
  ],
  ["avatar", "docs/people_and_servers.html#show-the-name-the-avatar-and-the-banner"],
  ["account age", "docs/people_and_servers.html#account-age"],
  ["2fa", "docs/people_and_servers.html#two-factor-authentication"],
  [
    "role names",
    "docs/people_and_servers.html#nicknames-boosters-and-role-names-in-a-server",
  ],
  [
    "guilds.join",
    "docs/people_and_servers.html#add-people-to-a-server-at-the-login-guildsjoin",
  ],
  ["webhook.incoming", "docs/people_and_servers.html#post-to-a-channel-webhookincoming"],
  [
    "read messages",
    "docs/people_and_servers.html#what-no-scope-can-do-messages-friends-voice",
  ],
  ["only members of my server", "docs/who_may_enter.html#admit-the-members-of-a-server"],
  ["token expired", "docs/keeping_people_logged_in.html#refresh-an-expired-token"],
  ["nightly job", "docs/keeping_people_logged_in.html#run-a-job-in-the-background"],
  [
    "deno kv",
    "docs/stores.html#redis-postgres-mysql-sqlite-deno-kv-durable-objects-and-d1",
  ],
  ["expired rows in the database", "docs/stores.html#clean-up-expired-rows"],
  ["invite link for my bot", "docs/inviting_a_bot.html#build-the-link"],
  ["browser extension", "docs/mobile_apps.html#browser-extensions"],
  ["expo", "docs/mobile_apps.html#expo-and-react-native"],
  ["test without discord", "docs/testing_your_app.html#testing-your-app-without-discord"],
  ["jest", "docs/testing_your_app.html#jest"],
  ["cypress", "docs/testing_your_app.html#playwright-and-cypress"],
  ["custom error page", "docs/errors.html#error-handlers"],
  ["how long does a session last", "docs/logging_out.html#when-sessions-end-by-themselves"],
  ["gdpr", "docs/logging_out.html#unlink-discord-and-delete-an-account"],
  ["is it production ready", "docs/hosts.html#before-you-go-online"],
  ["logot", "api/sdk/login/interfaces/LoginOptions.html#logoutpath"],
  ["sso", "docs/features.html#limits"],
  ["multiple providers", "docs/features.html#limits"],
  [
    "session lost after deploy",
    "docs/keeping_people_logged_in.html#from-one-process-to-a-hundred",
  ],
  [
    "logged out after every restart",
    "docs/keeping_people_logged_in.html#from-one-process-to-a-hundred",
  ],
]);

/** Questions in words of users, not of the guides, each with the guides for it. */
export const realQuestions: ReadonlyMap<string, readonly string[]> = new Map([
  ["how big is the bundle", ["features", "comparison"]],
  ["bundle size", ["features", "comparison"]],
  ["is a user in my server", ["who_may_enter"]],
  ["check if someone is in my server", ["who_may_enter"]],
  ["stay logged in", [
    "keeping_people_logged_in",
    "logging_out",
    "login_options",
  ]],
  ["remember me", ["keeping_people_logged_in", "logging_out", "login_options", "sessions"]],
  ["session for 30 days", ["keeping_people_logged_in", "logging_out", "login_options", "sessions"]],
  ["double login", ["troubleshooting", "security", "features"]],
  ["logged out after a week", ["logging_out", "keeping_people_logged_in"]],
  ["Invalid OAuth2 redirect_uri", ["troubleshooting"]],
  ["invalid_grant when I refresh", ["errors", "keeping_people_logged_in"]],
  ["You are being rate limited", ["errors", "using_tokens"]],
  ["cloudflare 1015 blocked my server", ["troubleshooting"]],
  ["infinite redirect loop after login", ["troubleshooting"]],
  ["consent screen shows every time", ["troubleshooting", "first_login"]],
  ["get the user's email address", ["people_and_servers"]],
  ["list the guilds where the user is admin", [
    "using_tokens",
    "inviting_a_bot",
    "who_may_enter",
  ]],
  ["give a role after login", ["people_and_servers"]],
  ["only let people with a role log in", ["who_may_enter"]],
  ["bot invite link with permissions", ["inviting_a_bot"]],
  ["log out on every device", ["logging_out"]],
  ["next.js app router login", ["next"]],
  ["next.js middleware", ["next"]],
  ["express middleware order with session", ["express", "frameworks"]],
  ["works on vercel preview url", ["hosts"]],
  ["cookies not set behind nginx proxy", [
    "hosts",
    "first_login",
    "frameworks",
  ]],
  ["where do I keep the refresh token", [
    "stores",
    "using_tokens",
    "keeping_people_logged_in",
  ]],
  ["store sessions in redis", ["stores"]],
  ["mock discord in vitest", ["testing_your_app"]],
  ["playwright login test", ["testing_your_app"]],
  ["linked roles metadata", ["linked_roles"]],
  ["discord activity login", ["activities"]],
  ["react native deep link login", ["mobile_apps"]],
  ["migrate from passport-discord", ["moving"]],
  ["difference to next-auth", ["comparison", "moving"]],
]);

/** Further questions in words of users, each with the guides for it, one of which is among the first three results. */
export const plainQuestions: ReadonlyMap<string, readonly string[]> = new Map([
  ["production checklist", ["hosts"]],
  ["restrict login to my server", ["who_may_enter"]],
  ["require a role", ["who_may_enter"]],
  ["429 cloudflare 1015", ["troubleshooting"]],
  ["auth.js", ["moving"]],
  ["state mismatch", ["errors", "troubleshooting"]],
  ["session expires too soon", ["logging_out", "login_options"]],
  ["ERR_UNKNOWN_FILE_EXTENSION", ["frameworks", "troubleshooting"]],
  ["session.api null", ["sessions"]],
]);

/** Short questions of users, each with the page and the heading of the first result. */
export const firstResults: ReadonlyMap<string, string> = new Map([
  ["quickstart", "docs/first_login.html#your-first-login"],
  ["quick start", "docs/first_login.html#your-first-login"],
  ["getting started", "docs/first_login.html#your-first-login"],
  ["setup", "docs/first_login.html#your-first-login"],
  ["set up", "docs/first_login.html#your-first-login"],
  ["how to install", "docs/first_login.html#your-first-login"],
  ["user cancelled", "docs/errors.html#with-login"],
  ["user canceled", "docs/errors.html#with-login"],
  ["user denied", "docs/errors.html#with-login"],
  ["get guild list", "docs/inviting_a_bot.html#list-the-servers-to-choose-from"],
  ["how to get user's guilds", "docs/first_login.html#show-the-users-servers"],
  ["list servers", "docs/inviting_a_bot.html#list-the-servers-to-choose-from"],
  ["session expired", "docs/logging_out.html#when-sessions-end-by-themselves"],
  [
    "cookie not set localhost",
    "docs/troubleshooting.html#a-page-doesnt-know-who-is-logged-in",
  ],
  ["how do I test", "docs/testing_your_app.html#test-failures"],
  ["invalid client", "docs/errors.html#look-up-an-error-by-its-code"],
  ["check if member has a role", "docs/who_may_enter.html#admit-the-holders-of-a-role"],
  ["redirect after login", "docs/first_login.html#choose-the-page-after-a-login"],
  [
    "role of a member",
    "docs/people_and_servers.html#nicknames-boosters-and-role-names-in-a-server",
  ],
  ["protect a route", "docs/first_login.html#show-a-page-with-and-without-a-login"],
  ["missing_scope", "docs/errors.html#look-up-an-error-by-its-code"],
  ["state_mismatch", "docs/errors.html#look-up-an-error-by-its-code"],
  ["rate_limited", "docs/errors.html#look-up-an-error-by-its-code"],
  ["access_denied", "docs/errors.html#look-up-an-error-by-its-code"],
  ["store_timeout", "docs/errors.html#look-up-an-error-by-its-code"],
  ["too_many_failures", "docs/errors.html#the-reasons-of-a-loginerror"],
  ["login.session returns null", "docs/troubleshooting.html#a-login-loop"],
  ["session undefined after redirect", "docs/troubleshooting.html#a-login-loop"],
  ["cookies too large", "docs/sessions.html#cookie-size"],
]);

/** Questions about the guilds of a user, which also find the method for it. */
export const guildQuestions: readonly string[] = [
  "get guild list",
  "how to get user's guilds",
  "list servers",
];

/** Questions about things that the guides don't mention. */
export const unknownThings: readonly string[] = ["dark mode", "stripe payments"];

/** Names of the library, each with the page and the heading that is the first result. */
export const exactNames: ReadonlyMap<string, string> = new Map([
  ["Login", "login/classes/Login.html#login"],
  ["login", "login/classes/Login.html#login"],
  ["User", "API/classes/User.html#user"],
  ["Bot", "auth-url/classes/Bot.html#bot"],
  ["AuthUrl", "auth-url/classes/AuthUrl.html#authurl"],
  ["SessionClient", "browser/classes/SessionClient.html#sessionclient"],
  ["sessionclient", "browser/classes/SessionClient.html#sessionclient"],
  ["Permissions", "permissions/classes/Permissions.html#permissions"],
  ["LoginOptions", "login/interfaces/LoginOptions.html#loginoptions"],
  ["afterLogin", "login/interfaces/LoginOptions.html#afterlogin"],
  ["idleTimeout", "login/interfaces/LoginOptions.html#idletimeout"],
  ["store", "login/interfaces/LoginOptions.html#store"],
  ["Login.handle", "login/classes/Login.html#handle"],
  ["SessionClient.subscribe", "browser/classes/SessionClient.html#subscribe"],
  ["User.getUserGuilds", "API/classes/User.html#getuserguilds"],
]);
