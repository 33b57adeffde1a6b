/**
 * Words that people type into the search of the site, each with the words of the guides and the API reference.
 *
 * @module
 */

/**
 * The words on the right replace the phrases on the left, which commas separate. A single word that pages have is still searched for,
 * too. Plurals, tenses and small words make no difference: "session null" is also "my session is null". A long phrase is replaced before
 * a short one.
 */
export const synonyms: Readonly<Record<string, string>> = {
  // To begin
  "get started, getting started, quick start, quickstart, setup, set up, tutorial, hello world":
    "your first login quickstart",
  "discord login, discord oauth, discord auth, discord authentication": "first login",
  "go live, going live, launch, production ready, production checklist, launch checklist":
    "before you go online",
  "works locally, work local, fails in production": "go online address server sees",
  "docker, kubernetes, lambda, heroku, railway, fly.io": "hosts",
  "prisma, typeorm, sequelize": "database store",
  "postgresql": "postgres",
  "redis cluster": "redis store",
  "angular, ember, qwik": "single page apps",
  "server action, server component": "app router next",
  "environment variable, env variable, env var, environment vars, process.env, dotenv":
    "keep the secrets out of your code .env",
  "remix": "remix react router",
  "migrate": "moving library",
  "nextauth, getServerSession, SessionProvider, authOptions, NextAuthOptions": "nextauth next auth",
  "passport, req.user, req.isAuthenticated": "passport",
  "tree shaking, minified, gzip": "bytes",
  "big, large, heavy, size, kb, kilobyte": "size bytes",
  "performance, benchmark": "bytes speed",
  "alternative, compare, difference, versus, vs": "comparison",
  "lucia, clerk, auth0": "comparison libraries",
  "discord.js": "choose library bot",
  "sso, single sign on, multiple provider, other provider, several provider, google login":
    "limits password account linking",
  "load balancer, sticky session, multiple instance, horizontal scaling, cluster":
    "several processes",
  "breaking change, semver": "versions upgrades changes",
  "release notes, new feature, latest version": "changelog",

  // Logins and who may log in
  "password, email login, email password login": "password account",
  "sign in, signin, sign up, signup": "login",
  "protect route, protect page, hide page, hide content, login button, login discord button, log discord button, discord login button, protect endpoint, private page, guard route, require auth, require login":
    "show page with and without login",
  "redirect url, callback url, callback uri": "redirect uri",
  "redirect after, redirected after, redirection after, remember page, page user came from":
    "choose page after",
  "silent login": "skip the consent page",
  "consent screen, consent dialog, authorize screen": "consent page",
  "user in server, member of server, someone in server": "admit members user server",
  "restrict login, limit login, restrict access, limit access": "admit members who may log in",
  "require role, member role, user role, people with role, must have role, role gate, role gating":
    "admit holders role",
  "guild role, server role": "role names server",
  "admin, moderator": "administrators owners",
  "kick out, kick user, force logout": "end sessions ban",
  "allowlist, allow list, whitelist": "decide in your own function onLogin",
  "ban, ban user, block user, blacklist, turn away": "ban decide onLogin end sessions",
  "incremental, additional scope, more scope, step up": "asking for more later scopes",
  "iframe": "frame",
  "iphone, ipad, work on phone, work on mobile, work on android":
    "login begins in one browser ends in another phone",
  "webview": "web view",
  "deep link, universal link": "app link mobile",
  "desktop": "programs on a computer",
  "double login, double click, double callback, login twice, open twice, two tabs":
    "double login twice",
  "custom": "write your own",
  "custom error page, own error page, customize error page, error page, error screen, change language of error page, change language, translate error page, translate, translation, i18n, localization":
    "own page onError problem button",
  "save user, store user, user in database, user table": "use your own table of users",
  "switch account, another account, different account, change account":
    "another account reply users",

  // Sessions and tokens
  "sliding session, sliding expiration": "idleTimeout when sessions end themselves",
  "remember me, stay logged in, keep logged in, for 30 days, thirty days, session length, session duration, session lifetime, session timeout, session last":
    "when sessions end themselves maxAge idleTimeout",
  "cookie expiration, cookie expire, cookie lifetime, cookie last, long cookie, session expired, session expire, session end, logged out after week, logged out after day, logged out after hour":
    "when sessions end themselves",
  "after restart, after deploy, after redeploy, out on restart, out on deploy":
    "from one process forget logins MemoryStore",
  "logout": "log out",
  "everywhere, on every device, all sessions": "all devices",
  "session null, session undefined, user null, user undefined, session missing, redirect loop, too many redirects, redirected too many times, infinite redirect, redirect forever, login again and again":
    "login loop find session",
  "cookie not set, cookie not sent, cookie missing, cookie lost, cookie blocked, localhost cookie":
    "page know who is logged cookie",
  "cookie too large, cookie too big, cookie too long, cookie size, header too large, header field too large, 431":
    "cookie size",
  "cookie name": "name cookie option addresses",
  "samesite, third party cookie": "same site across",
  "exchange code, code exchange": "accessToken code login by hand",
  "device flow, device code, device code flow, device login": "DeviceLogin refresh token device",
  "access token, bearer token": "find access token",
  "rotate, rotation": "change",
  "custom field, custom property, custom data, custom claim, extra data, extra field, add data, add field, add property, extend session":
    "keep your own data",
  "cookie domain, cross domain, subdomain, multiple domain, several domain, multiple subdomain":
    "several subdomains",
  "ssr, hydration, server side rendering, window not defined, document not defined":
    "first state server",
  "old session, delete session, purge": "clean up expired sessions",
  "session fixation": "fixation safe against attacks",
  "clickjacking": "frames safe against attacks",
  "safe without store, safe without database": "security sessions copy of cookie",
  "csp": "content security policy",
  "brute force, abuse, login attempt, rate limit login, logins per ip": "name your visitors",
  "csrf, open redirect": "csrf safe against attacks",
  "stolen, leaked, hacked, breach, hijacking, theft": "attacker can do",
  "revoke": "revoke unlink end",
  "disconnect": "unlink delete account",
  "uninstall, deauthorize": "remove application",

  // People, servers and bots
  "steam, spotify, xbox, youtube, twitch": "connections getConnections",
  "webhook signature, verify webhook, verify discord webhook, webhook verification, interaction endpoint":
    "any webhook event parseWebhookEvent",
  "all scope, scope list, list of scopes, oauth2 scope": "scopes and what they allow",
  "all error code, error code": "look up an error by its code",
  "username, display name, global name": "show name username",
  "add user, add member, join user": "add people guilds.join",
  "preference": "own data",
  "user id, discord id": "session contains user id",
  "snowflake to date, snowflake date, date from id, timestamp from id, snowflake timestamp":
    "createdAt account age",
  "guild": "guild server",
  "guild icon, guild picture, server icon, server picture": "guildIconUrl",
  "guild list, list guilds, get guilds, get servers, list servers, show servers":
    "list servers choose get getUserGuilds",
  "user guilds, my guilds": "show user servers getUserGuilds",
  "avatar url, profile picture, pfp": "show avatar",
  "boost": "boosters",
  "dm, direct message": "messages no scope",
  "bot permission, permission calculator, permission integer": "build link permissions bot",
  "2fa, mfa": "two-factor",
  "gdpr, right to be forgotten, personal data, delete data, privacy": "delete account",

  // Errors
  "cancelled, declined, denied": "canceled",
  "state mismatch, invalid state, state invalid, state missing, state does not match":
    "state_mismatch StateMismatchError",
  "access control allow origin, blocked by cors, failed to fetch, preflight": "CORS error",
  "openid connect, oidc": "openid id_token",
  "jwt, json web token": "verifyIdToken openid",
  "too many requests, 429": "429 rate limit wait",
  "1015, 1020, banned ip, ip ban, blocked ip": "1015 blocked address",
  "403, forbidden": "403 refused",
  "unauthorized, 401 unauthorized": "token is refused 401",
  "callback belongs to a login with another name": "other_login",
  "user who consented, another user has logged in since": "other_person",
  "another site sent the request to log out": "cross_site",
  "401 to its own new token": "refused_token",
  "pending login has ended": "state_mismatch",
  "network error, connection refused, econnrefused, enotfound, fetch failed":
    "network_error connection",
  "verification, validate, validation": "verify",
  "response too large, payload too large, body too large": "payload_too_large maxBytes",
  "blank, white": "empty",
  "bad gateway, 502": "502 nginx",
  "esm, commonjs, import statement, unexpected token export": "ES modules CommonJS",
  "unknown file extension": "ERR_UNKNOWN_FILE_EXTENSION",
  "proxy https, X-Forwarded-Proto, X-Forwarded-Host, X-Forwarded-For, reverse proxy, ssl, tls, trust proxy":
    "behind a proxy",

  // Tests and operations
  "mock, stub": "fake",
  "fake user, test user": "choose fake users",
  "prometheus, grafana, datadog, opentelemetry, open telemetry, otel, sentry, monitor, observability, alert":
    "metrics count",
  "traefik, caddy, forward auth": "login in front of any service",
};

/**
 * Phrases whose small words matter, each with the words for it: "guild only" is more than "guild". Commas separate them. A single word
 * must be the whole question. The parts of "require + server" may be apart, in any order.
 */
export const wholeQuestions: Readonly<Record<string, string>> = {
  "check role, check for role, role check, has role, verify role": "admit holders role",
  "allow only, only allow": "admit members who may log in",
  "user in guild, user is in guild, member of guild": "admit members user server",
  "login": "your first login",
  "refresh": "refresh an expired token",
  "what's new": "changelog",
  "install, installation, npm install": "install package",
  "auth, authentication": "your first login",
  "guild only, server only, only guild, only server, only my guild, only my server, only let + server, only let + guild, must + server, must + guild, require + server, require + guild, join + before, not in guild, not in server":
    "admit members server",
  // The titles of built-in pages.
  "nothing has changed": "how a consent ends",
  "the address is wrong": "host changes requests",
  "login has expired": "state_mismatch",
  "this site is for members": "not_a_member",
  "debug, debugging, help, problem, issue, faq, not working, doesn't work": "troubleshooting",
  "log, logs, logging, logger": "write an audit log",
  "token, tokens": "find access token",
  "offline": "discord is down",
  "user owns, i own": "owners administrators",
  "if logged in, is logged in, check logged in, check login": "show page with and without login",
  "without store, no store, without database, no database": "security sessions copy of cookie",
};
