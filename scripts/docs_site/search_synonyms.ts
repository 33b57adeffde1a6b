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
  "works locally, work local, fails in production": "go online address server sees",
  "docker, kubernetes, lambda, heroku, railway, fly.io": "hosts",
  "redis cluster": "redis store",
  "server action, server component": "app router next",
  "migrate": "moving library",
  "nextauth, getServerSession, SessionProvider, authOptions, NextAuthOptions": "nextauth next auth",
  "tree shaking, minified, gzip": "bytes",
  "big, large, heavy, size, kb, kilobyte": "size bytes",
  "discord.js": "choose library bot",
  "sso, single sign on, multiple provider, other provider, several provider, google login":
    "limits password account linking",
  "load balancer, sticky session, multiple instance, horizontal scaling, cluster":
    "several processes",
  "release notes, new feature, latest version": "changelog",

  // Logins and who may log in
  "sign in, signin, sign up, signup": "login",
  "protect route, protect page, hide page, hide content, login button, login discord button, log discord button, discord login button, protect endpoint, private page, guard route, require auth, require login":
    "show page with and without login",
  "redirect url, callback url, callback uri": "redirect uri",
  "redirect after, redirected after, redirection after, remember page, page user came from":
    "choose page after",
  "restrict login, limit login, restrict access, limit access": "admit members who may log in",
  "allowlist, allow list, whitelist": "decide in your own function onLogin",
  "ban, ban user, block user, blacklist, turn away": "ban decide onLogin end sessions",
  "iframe": "frame",
  "iphone, ipad, work on phone, work on mobile, work on android":
    "login begins in one browser ends in another phone",
  "deep link, universal link": "app link mobile",
  "double login, double click, double callback, login twice, open twice, two tabs":
    "double login twice",
  "custom error page, own error page, customize error page, error page, error screen, change language of error page, change language, translate error page, translate, translation, i18n, localization":
    "own page onError problem button",

  // Sessions and tokens
  "after restart, after deploy, after redeploy, out on restart, out on deploy":
    "from one process forget logins MemoryStore",
  "session null, session undefined, user null, user undefined, session missing, redirect loop, too many redirects, redirected too many times, infinite redirect, redirect forever, login again and again":
    "login loop find session",
  "cookie not set, cookie not sent, cookie missing, cookie lost, cookie blocked, localhost cookie":
    "page know who is logged cookie",
  "access token, bearer token": "find access token",
  "cookie domain, cross domain, subdomain, multiple domain, several domain, multiple subdomain":
    "several subdomains",
  "session fixation": "fixation safe against attacks",
  "brute force, abuse, login attempt, rate limit login, logins per ip": "name your visitors",
  "csrf, open redirect": "csrf safe against attacks",
  "revoke": "revoke unlink end",
  "uninstall, deauthorize": "remove application",

  // People, servers and bots
  "webhook signature, verify webhook, verify discord webhook, webhook verification, interaction endpoint":
    "any webhook event parseWebhookEvent",
  "all error code, error code": "look up an error by its code",
  "user id, discord id": "session contains user id",
  "snowflake to date, snowflake date, date from id, timestamp from id, snowflake timestamp":
    "createdAt account age",
  "guild": "guild server",
  "guild list, list guilds, get guilds, get servers, list servers, show servers":
    "list servers choose get getUserGuilds",
  "user guilds, my guilds": "show user servers getUserGuilds",
  "avatar url, profile picture, pfp": "show avatar",
  "bot permission, permission calculator, permission integer": "build link permissions bot",

  // Errors
  "cancelled, declined, denied": "canceled",
  "jwt, json web token": "verifyIdToken openid",
  "too many requests, 429": "429 rate limit wait",
  "1015, 1020, banned ip, ip ban, blocked ip": "1015 blocked address",
  "403, forbidden": "403 refused",
  "unauthorized, 401 unauthorized": "token is refused 401",
  "another site sent the request to log out": "cross_site",
  "bad gateway, 502": "502 nginx",
  "esm, commonjs, import statement, unexpected token export": "ES modules CommonJS",
  "proxy https, X-Forwarded-Proto, X-Forwarded-Host, X-Forwarded-For, reverse proxy, ssl, tls, trust proxy":
    "behind a proxy",

  // Tests and operations
  "prometheus, grafana, datadog, opentelemetry, open telemetry, otel, sentry, monitor, observability, alert":
    "metrics count",
};

/**
 * Phrases whose small words matter, each with the words for it: "guild only" is more than "guild". Commas separate them. A single word
 * must be the whole question. The parts of "require + server" may be apart, in any order.
 */
export const wholeQuestions: Readonly<Record<string, string>> = {
  "check role, check for role, role check, has role, verify role, restrict + role, required + role, only + role, allow + role":
    "admit holders role",
  "logged out + deploy, logged out + restart, session lost + deploy, session lost + restart":
    "from one process to a hundred",
  "user keeps getting logged out, users keep getting logged out, users get logged out randomly, users get logged out, users are logged out after a while, getting logged out, get logged out, logged out unexpectedly, logged out randomly":
    "when sessions end themselves",
  "require login for all pages, require login on every page, protect all pages":
    "show page with and without login",
  "allow only, only allow": "admit members who may log in",
  "user in guild, user is in guild, member of guild": "admit members user server",
  "login, login with discord, discord login, add login, implement login, user login, login user, login users":
    "your first login",
  "refresh": "refresh an expired token",
  "token, tokens": "find access token",
  "what's new": "changelog",
  "how to use, usage, example, examples, basic example, simple example": "your first login",
  "install, installation, npm install": "install package",
  "auth, authentication, authentification, discord oauth, discord auth": "your first login",
  "guild only, server only, only guild, only server, only my guild, only my server, only let + server, only let + guild, must + server, must + guild, require + server, require + guild, join + before, not in guild, not in server":
    "admit members server",
  // A message of an error, and titles of built-in pages.
  "another user has logged in since": "other_person",
  "nothing has changed": "how a consent ends",
  "the address is wrong": "host changes requests",
  "login has expired": "state_mismatch",
  "this site is for members": "not_a_member",
  "debug, debugging, help, problem, issue, faq, not working, doesn't work": "troubleshooting",
  "if logged in, is logged in, check logged in, check login": "show page with and without login",
  "without store, no store, without database, no database": "security sessions copy of cookie",
};
