/**
 * Words by which people search for a section and that it doesn't have itself.
 *
 * @module
 */

/** Phrases for sections, which commas separate, by the address of the section. Each word is found alone, too. */
export const searchWords: Readonly<Record<string, string>> = {
  "CHANGELOG#added": "new features, feature history",
  "CHANGELOG#changed":
    "breaking changes, renamed export, migration from earlier commit, removed module, upgrade notes",
  "CHANGELOG#changelog": "release notes, what's new, version history, news",
  "CHANGELOG#unreleased": "next release, upcoming version, latest changes, initial release",
  "CONTRIBUTING#contributing":
    "open a pull request, development setup, run the tests, build from source, clone repository, help out",
  "CONTRIBUTING#find-the-code":
    "source tree, project structure, codebase architecture, folder layout, where is implemented",
  "CONTRIBUTING#make-a-change":
    "implement new endpoint, patch, submit pr, add new feature to library, edit source, update api types",
  "CONTRIBUTING#names":
    "python interface, original specification, snake case vs camel case, naming convention",
  "CONTRIBUTING#publish-a-version":
    "cut a release, npm publish, bump version, git tag, release process, prerelease",
  "CONTRIBUTING#rules":
    "code style, coding conventions, style guide, lint rules, coding standards, writing style",
  "README#guildpasssdk":
    "what is this, introduction, landing, minimal oauth2 app, library overview, typescript oauth library",
  "README#run-the-application-above": "local demo, start script, try sample",
  "SECURITY#audits": "pentest, third-party audit, audited library",
  "SECURITY#known-limits": "out of scope, not a vulnerability, accepted risk, known weakness",
  "SECURITY#releases":
    "supply chain, npm provenance, sigstore, dependency list, trusted publishing",
  "SECURITY#report-a-vulnerability":
    "bug bounty, found a security bug, exploit, security email, private disclosure, hackerone",
  "SECURITY#security-policy": "security disclosure, security contact, responsible disclosure",
  "SECURITY#supported-versions":
    "lts, end of life, maintenance window, backport, security patches, eol",
  "SECURITY#what-the-library-promises":
    "security guarantees, what counts as vulnerability, security scope",
  "api/sdk/API/classes/ClientCredentials#clientcredentials":
    "m2m cache, app token, register slash commands",
  "api/sdk/API/classes/PlatformApi#accesstoken":
    "exchange code, token endpoint, authorization_code",
  "api/sdk/API/classes/PlatformApi#clientcredentials": "machine to machine, app-only, m2m, service",
  "api/sdk/API/classes/PlatformApi#platformapi": "oauth2 client, token endpoint, simple-oauth2",
  "api/sdk/API/classes/PlatformApi#refresh": "refresh_token grant, renew access, expired token",
  "api/sdk/API/classes/PlatformApi#revoke": "revocation endpoint, invalidate, token/revoke",
  "api/sdk/API/classes/PlatformApi#startdevicelogin":
    "cli login, tv, smart tv, device flow, console game",
  "api/sdk/API/classes/User#addguildmember": "auto join server, guilds.join, invite automatically",
  "api/sdk/API/classes/User#addmemberrole": "roles.add, assign role, grant vip, autorole",
  "api/sdk/API/classes/User#deleteroleconnection": "remove linked role, clear metadata, unlink",
  "api/sdk/API/classes/User#eachuserguild": "pagination, over 200, bot servers, async iterator",
  "api/sdk/API/classes/User#getapplicationentitlements":
    "all subscribers, premium guild, monetization",
  "api/sdk/API/classes/User#getauthorization": "oauth2/@me, introspect, validate token, audience",
  "api/sdk/API/classes/User#getconnections": "linked accounts, steam, twitch, spotify, youtube",
  "api/sdk/API/classes/User#getcurrentuser": "users/@me, fetch profile, email, client.user",
  "api/sdk/API/classes/User#getentitlements": "premium, purchases, monetization, sku owned",
  "api/sdk/API/classes/User#getguild": "guilds.fetch, server info, member count, role list",
  "api/sdk/API/classes/User#getguildmember": "check role, is in server, nickname, join date",
  "api/sdk/API/classes/User#getguildmemberbyid": "members.fetch, check another user, is member",
  "api/sdk/API/classes/User#getroleconnection": "linked role metadata, users/@me/applications",
  "api/sdk/API/classes/User#getuserguilds": "users/@me/guilds, server list, mutual servers",
  "api/sdk/API/classes/User#getuserinfo": "oidc userinfo, sub claim, userinfo endpoint",
  "api/sdk/API/classes/User#leaveguild": "exit server, guild.leave, remove bot, quit",
  "api/sdk/API/classes/User#removememberrole": "roles.remove, take away role, unassign, revoke vip",
  "api/sdk/API/classes/User#request": "raw endpoint, call any route, custom api, rest.get",
  "api/sdk/API/classes/User#setcommandpermissions":
    "restrict slash command, command by role, allow",
  "api/sdk/API/classes/User#setroleconnection": "push metadata, update linked role, verify role",
  "api/sdk/API/classes/User#setroleconnectionmetadata": "register metadata schema, put metadata",
  "api/sdk/API/classes/User#user": "rest client, oauth client, bearer requests, @me",
  "api/sdk/API/interfaces/DeviceLogin#token": "poll, authorization_pending, slow_down",
  "api/sdk/API/interfaces/DeviceLogin#usercode": "pin, activation code, user_code",
  "api/sdk/API/interfaces/DeviceLogin#verificationuricomplete":
    "prefilled link, scan, verification_uri_complete",
  "api/sdk/API/interfaces/ReadOptions#fresh": "bypass cache, no-store, force refetch",
  "api/sdk/API/interfaces/ReasonOptions#reason": "x-audit-log-reason, log message",
  "api/sdk/API/interfaces/UserGuildsOptions#withcounts":
    "online count, approximate_member_count, size, guild member count, member count of guilds",
  "api/sdk/API/interfaces/UserOptions#tokentype": "looks like a bot token",
  "api/sdk/Errors/classes/ApiError#apierror": "discordapierror, forbidden, 401 unauthorized, 5xx",
  "api/sdk/Errors/classes/ApiError#blockedbyedge":
    "cloudflare ban, error 1015, ip banned, shared hosting",
  "api/sdk/Errors/classes/ApiError#errors": "invalid form body, validation details, 50035",
  "api/sdk/Errors/classes/ApiError#platformcode": "json error code, 50001 missing access, 50013",
  "api/sdk/Errors/classes/GuildpassError#code": "error codes list, err.code, switch on type",
  "api/sdk/Errors/classes/GuildpassError#guildpasserror":
    "catch all, instanceof, error hierarchy, exception",
  "api/sdk/Errors/classes/GuildpassError#istemporary": "retryable, transient, should retry",
  "api/sdk/Errors/classes/GuildpassError#retryafter": "backoff, retry-after header, delay",
  "api/sdk/Errors/classes/IdTokenError#idtokenerror":
    "jwt expired, jwt invalid, jwks, audience mismatch",
  "api/sdk/Errors/classes/LoginRequiredError#loginrequirederror":
    "reauthenticate, refreshtokenerror, token revoked",
  "api/sdk/Errors/classes/MissingScopeError#missingscopeerror":
    "insufficient_scope, not granted, unauthorized scope",
  "api/sdk/Errors/classes/NetworkError#mayhavearrived": "safe to retry, idempotent, sent twice",
  "api/sdk/Errors/classes/NetworkError#networkerror":
    "econnrefused, enotfound, fetch failed, dns, offline",
  "api/sdk/Errors/classes/OAuthError#oautherror":
    "wrong client secret, user canceled, invalid redirect_uri",
  "api/sdk/Errors/classes/PayloadError#payloaderror":
    "unexpected token in json, zod error, bad response",
  "api/sdk/Errors/classes/RateLimitError#global": "50 requests per second, whole bot throttled",
  "api/sdk/Errors/classes/RateLimitError#ratelimiterror":
    "too many requests, throttled, bucket, quota",
  "api/sdk/Errors/classes/StateMismatchError#statemismatcherror":
    "invalid state, csrf detected, mix-up, state cookie lost",
  "api/sdk/Errors/classes/StoreTimeoutError#storetimeouterror":
    "database down, redis hangs, pool exhausted, slow db",
  "api/sdk/Errors/classes/TimeoutError#timeouterror":
    "etimedout, aborterror, slow, hanging request",
  "api/sdk/Errors/classes/WebhookSignatureError#webhooksignatureerror":
    "ed25519 failed, raw body, invalid request signature",
  "api/sdk/Links/functions/parseCallback#parsecallback":
    "read code, query params, verify state, req.query.code",
  "api/sdk/Models/interfaces/GuildObj#owner_id": "guild owner id, server owner",
  "api/sdk/Models/interfaces/UserObj#locale": "user language",
  "api/sdk/Models/interfaces/UserObj#premium_type": "nitro type, nitro tier",
  "api/sdk/Stores/classes/MemoryStore#memorystore":
    "in-memory, development storage, ram, lost on restart",
  "api/sdk/Stores/functions/sealed#sealed": "encryption at rest, rotate key, encrypt tokens in db",
  "api/sdk/Stores/interfaces/Store#save": "compare-and-swap, cas, optimistic lock, upsert",
  "api/sdk/Stores/interfaces/Store#store": "custom adapter, session storage interface, persistence",
  "api/sdk/Tokens/classes/TokenSource#renew": "force refresh, 401 handler, unauthorized retry",
  "api/sdk/Tokens/classes/TokenSource#save": "persist credentials, set credentials, linkaccount",
  "api/sdk/Tokens/classes/TokenSource#token":
    "getaccesstoken, always valid, expired, silent refresh",
  "api/sdk/Tokens/classes/TokenSource#tokensource":
    "token manager, auto refresh, race, refresh lock",
  "api/sdk/auth-url/classes/AuthUrl#authurl": "oauth2 link, authorize endpoint, generate url",
  "api/sdk/auth-url/classes/AuthUrl#makeurl": "getauthorizationurl, generateauthurl, pkce link",
  "api/sdk/auth-url/classes/Bot#bot": "add bot, generateinvite, invite url, permissions integer",
  "api/sdk/auth-url/functions/codeChallenge#codechallenge": "s256, pkce sha256, code_challenge",
  "api/sdk/auth-url/functions/generateCodeVerifier#generatecodeverifier":
    "pkce random, code_verifier, rfc 7636",
  "api/sdk/auth-url/functions/generateState#generatestate":
    "random string, anti-csrf value, randombytes, uuid",
  "api/sdk/auth-url/functions/installUrl#installurl":
    "user install, add app button, user-installable",
  "api/sdk/auth-url/functions/parseFragment#parsefragment":
    "implicit grant, hash token, location.hash",
  "api/sdk/browser/classes/SessionClient#enter":
    "embedded app sdk, react native, electron, native sign-in",
  "api/sdk/browser/classes/SessionClient#fetch": "authorized fetch, 401 interceptor, attach bearer",
  "api/sdk/browser/classes/SessionClient#login": "signin button, onclick, signin() in browser",
  "api/sdk/browser/classes/SessionClient#logout":
    "signout button, other tabs, signout() in browser",
  "api/sdk/browser/classes/SessionClient#sessionclient":
    "usesession, useauth, client hook, sessionprovider",
  "api/sdk/browser/classes/SessionClient#state":
    "is loading, isauthenticated, issignedin, isloaded",
  "api/sdk/browser/classes/SessionClient#subscribe":
    "onauthstatechanged, listener, auth event, store",
  "api/sdk/browser/interfaces/SessionClientOptions#apipaths":
    "attach bearer, header allowlist, leak token",
  "api/sdk/browser/interfaces/SessionClientOptions#initial":
    "ssr hydration, flicker, loading flash, initialstate",
  "api/sdk/browser/interfaces/SessionClientOptions#store":
    "securestore, asyncstorage, localstorage token, persist",
  "api/sdk/flags/functions/memberFlags#memberflags":
    "did_rejoin, completed onboarding, bypass verification",
  "api/sdk/flags/functions/userFlags#userflags": "public_flags, badges, hypesquad, early supporter",
  "api/sdk/guilds/functions/canInstall#caninstall":
    "manage server filter, dashboard servers, is admin",
  "api/sdk/guilds/functions/createdAt#createdat":
    "snowflake timestamp, account age, createdtimestamp, parse snowflake",
  "api/sdk/guilds/functions/missingPermissions#missingpermissions":
    "is admin, permission check, administrator bypass",
  "api/sdk/guilds/functions/permissionsIn#permissionsin":
    "compute base permissions, member.permissions, resolve",
  "api/sdk/guilds/functions/reinviteUrl#reinviteurl":
    "upgrade bot permissions, fix missing, add again",
  "api/sdk/images/functions/applicationCoverUrl#applicationcoverurl":
    "rich presence art, store artwork",
  "api/sdk/images/functions/applicationIconUrl#applicationiconurl": "bot logo, app picture",
  "api/sdk/images/functions/avatarDecorationUrl#avatardecorationurl":
    "avatar frame, pfp border, shop effect",
  "api/sdk/images/functions/avatarUrl#avatarurl":
    "displayavatarurl, profile picture, pfp, gravatar",
  "api/sdk/images/functions/bannerUrl#bannerurl": "profile header, cover photo, profile background",
  "api/sdk/images/functions/emojiUrl#emojiurl": "emote image, custom emote, gif emoji",
  "api/sdk/images/functions/guildIconUrl#guildiconurl": "server logo, iconurl, server picture",
  "api/sdk/images/functions/guildSplashUrl#guildsplashurl": "invite background, server wallpaper",
  "api/sdk/images/functions/memberAvatarUrl#memberavatarurl":
    "server profile picture, per-server pfp",
  "api/sdk/images/functions/nameplateUrl#nameplateurl":
    "collectibles background, member list effect",
  "api/sdk/images/functions/stickerUrl#stickerurl": "lottie, animated sticker, apng",
  "api/sdk/images/functions/tagBadgeUrl#tagbadgeurl": "server tag, clan badge, primary_guild icon",
  "api/sdk/login/classes/Login#allows": "csrf check, same origin, anti-forgery, csrf token",
  "api/sdk/login/classes/Login#end": "req.logout, signout, destroy session, clear cookie",
  "api/sdk/login/classes/Login#endall": "global signout, sign out everywhere, kick, force logout",
  "api/sdk/login/classes/Login#endsession": "revoke one session, remove device, stolen phone",
  "api/sdk/login/classes/Login#finish": "manual callback, exchangecodeforsession, custom route",
  "api/sdk/login/classes/Login#forget": "gdpr erasure, right to be forgotten, wipe, purge",
  "api/sdk/login/classes/Login#handle": "catch-all route, nextauth handlers, auth middleware",
  "api/sdk/login/classes/Login#login": "nextauth instance, passport strategy, auth class",
  "api/sdk/login/classes/Login#publicsession": "ssr hydrate, initial props, serialize for client",
  "api/sdk/login/classes/Login#revoke": "disconnect account, deauthorize, unlink, remove app",
  "api/sdk/login/classes/Login#session": "getserversession, auth(), currentuser, req.user, getuser",
  "api/sdk/login/classes/Login#sessionsof": "active sessions, device list, where signed in",
  "api/sdk/login/classes/Login#start": "signin redirect, signinwithoauth, require login",
  "api/sdk/login/classes/Login#tokensof": "offline access, cron job, worker, access token by id",
  "api/sdk/login/classes/Login#update": "change session data, mutate, req.session.save, set claim",
  "api/sdk/login/classes/LoginError#loginerror": "signin failed, callbackrouteerror, http required",
  "api/sdk/login/interfaces/AfterLogin#guildid": "which server bot joined, installed guild",
  "api/sdk/login/interfaces/ConfirmedLogin#user": "type of the user passed to onLogin",
  "api/sdk/login/interfaces/EndOptions#allowcrosssite":
    "logout csrf, logout from email link, 403 logout",
  "api/sdk/login/interfaces/LoginOptions#afterlogin":
    "successredirect, default redirect, landing, callback url",
  "api/sdk/login/interfaces/LoginOptions#afterlogout":
    "signout redirect, post-logout, goodbye page",
  "api/sdk/login/interfaces/LoginOptions#apporigins":
    "cors allowlist, tauri, activity origin, extension origin",
  "api/sdk/login/interfaces/LoginOptions#apppath":
    "mobile api, bearer auth, native sign-in, cookieless",
  "api/sdk/login/interfaces/LoginOptions#apptargets":
    "deep link, custom url scheme, universal link, electron",
  "api/sdk/login/interfaces/LoginOptions#backgroundtokens":
    "offline access, per-user token, cron, worker",
  "api/sdk/login/interfaces/LoginOptions#callbackpath":
    "change callback route, /auth/discord/callback",
  "api/sdk/login/interfaces/LoginOptions#fetch":
    "http proxy, undici agent, intercept, custom dispatcher, custom fetch",
  "api/sdk/login/interfaces/LoginOptions#freshfor":
    "stale, memoize, revalidate, ttl of api results",
  "api/sdk/login/interfaces/LoginOptions#frontends":
    "cors, subdomain, separate backend, credentials include",
  "api/sdk/login/interfaces/LoginOptions#idletimeout":
    "inactivity, rolling session, sliding expiration",
  "api/sdk/login/interfaces/LoginOptions#keeptoken":
    "access token in jwt, cookie token, stateless token",
  "api/sdk/login/interfaces/LoginOptions#maxage": "session.maxage, cookie expiry, remember me, ttl",
  "api/sdk/login/interfaces/LoginOptions#members":
    "whitelist server, role gate, guild only, allowlist",
  "api/sdk/login/interfaces/LoginOptions#name":
    "multiple bots, two apps, admin login, cookie prefix, cookie name option",
  "api/sdk/login/interfaces/LoginOptions#onerror":
    "failureredirect, custom error page, pages.error",
  "api/sdk/login/interfaces/LoginOptions#onevent":
    "logging, analytics, audit trail, events.signin, hook",
  "api/sdk/login/interfaces/LoginOptions#onlogin":
    "signin callback, create user row, upsert, ban, blocklist",
  "api/sdk/login/interfaces/LoginOptions#platform":
    "mock server, base url override, staging endpoint",
  "api/sdk/login/interfaces/LoginOptions#prompt":
    "auto approve, silent login, reauthorize every time",
  "api/sdk/login/interfaces/LoginOptions#publicuser":
    "session callback, hide fields, sanitize, client data",
  "api/sdk/login/interfaces/LoginOptions#redirecturi":
    "callbackurl, nextauth_url, auth_trust_host, base url",
  "api/sdk/login/interfaces/LoginOptions#refreshbefore":
    "renew early, expiry margin, token rotation window",
  "api/sdk/login/interfaces/LoginOptions#relay":
    "vercel preview, netlify branch, wildcard redirect uri",
  "api/sdk/login/interfaces/LoginOptions#secret":
    "nextauth_secret, auth_secret, cookie key, rotate, keys",
  "api/sdk/login/interfaces/LoginOptions#sessionlabel": "user-agent, device name, browser name",
  "api/sdk/login/interfaces/LoginOptions#sessionpath":
    "/api/auth/session, whoami endpoint, /me, json endpoint",
  "api/sdk/login/interfaces/LoginOptions#sessionuser":
    "serializeuser, jwt callback, extra fields, email",
  "api/sdk/login/interfaces/LoginOptions#store":
    "adapter, session database, persistence, server-side",
  "api/sdk/login/interfaces/LoginOptions#timeout": "slow upstream, abort after, hanging, deadline",
  "api/sdk/login/interfaces/LoginOptions#visitor":
    "brute force, ip throttle, x-forwarded-for, abuse",
  "api/sdk/login/interfaces/MembersOptions#checkedfor":
    "recheck role, role removed, membership cache, role removed but user still has access, check membership again",
  "api/sdk/login/interfaces/Session#api": "fetch user guilds, provider api, discord client",
  "api/sdk/login/interfaces/Session#endsat": "session.expires, expiry countdown, ttl",
  "api/sdk/login/interfaces/Session#has": "granted permission check, haspermission, narrow type",
  "api/sdk/login/interfaces/Session#startedat": "auth_time, recent login check, iat",
  "api/sdk/login/interfaces/Session#token": "account.access_token, getaccesstoken, provider_token",
  "api/sdk/login/interfaces/Session#user": "session.user.id, claims, profile, req.user",
  "api/sdk/login/interfaces/StartOptions#data":
    "referral code, custom state, pass params, invite code",
  "api/sdk/login/interfaces/StartOptions#prompt": "force reauthorize, ask again, auto approve once",
  "api/sdk/login/interfaces/StartOptions#returnto":
    "redirectto, callbackurl, next param, deep link",
  "api/sdk/login/interfaces/StartOptions#scope":
    "incremental authorization, step-up, extra permission",
  "api/sdk/node/functions/sendResponse#sendresponse":
    "web response to express res, pipe, node adapter",
  "api/sdk/node/functions/toRequest#torequest":
    "incomingmessage to web request, req adapter, IncomingMessage, Request of the Fetch API, req res",
  "api/sdk/openid/functions/verifyIdToken#verifyidtoken":
    "jwt verify, oidc, jwks, jose, decode id token",
  "api/sdk/permission-info/variables/permissionInfo#permissioninfo":
    "human readable permission names",
  "api/sdk/permissions/classes/Permissions#advanced": "admin bit, administrator integer, 8",
  "api/sdk/permissions/classes/Permissions#elevated": "2fa permissions, mfa, dangerous, sensitive",
  "api/sdk/permissions/classes/Permissions#flags": "permissionflagsbits, bit values, hex constants",
  "api/sdk/permissions/classes/Permissions#has":
    "check bit, haspermission, bitwise and, permission test",
  "api/sdk/permissions/classes/Permissions#permissions":
    "permissionsbitfield, bitmask, calculator, bitfield",
  "api/sdk/permissions/classes/Permissions#tojson":
    "bigint serialize error, do not know how to serialize",
  "api/sdk/stores/d1/functions/d1Store#d1store":
    "workers sql database, cloudflare sql, edge sqlite",
  "api/sdk/stores/d1/functions/d1Table#d1table": "wrangler migration, d1 schema, ddl",
  "api/sdk/stores/d1/interfaces/SqlStoreOptions#table": "store table name, table prefix",
  "api/sdk/stores/durable-object/functions/durableObjectStore#durableobjectstore":
    "consistent edge storage, workers sessions, wrangler",
  "api/sdk/stores/mysql/functions/mysqlStore#mysqlstore":
    "express-mysql-session, mariadb adapter, mysql sessions",
  "api/sdk/stores/postgres/functions/postgresStore#postgresstore":
    "postgresql, connect-pg-simple, node-postgres adapter",
  "api/sdk/stores/redis/functions/redisStore#redisstore":
    "connect-redis, redis sessions, redis adapter",
  "api/sdk/stores/redis/interfaces/RedisStoreOptions#prefix":
    "redis namespace, shared redis, key collision",
  "api/sdk/webhook-events/functions/parseWebhookEvent#parsewebhookevent":
    "ed25519 verify, verifykey, tweetnacl, deauthorized hook",
  "api/sdk/webhook-events/interfaces/ParseWebhookEventOptions#tolerance":
    "replay attack, clock skew, timestamp age",
  "docs/README#all-guides": "table of contents, documentation index, sitemap, topics",
  "docs/activities#logging-people-in-to-an-activity":
    "embedded app, iframe game, @discord/embedded-app-sdk, mini game, discordsays.com, DiscordSDK",
  "docs/activities#more-scopes":
    "friend list, relationships.read, activity guilds, authorize again, incremental consent",
  "docs/activities#tests":
    "mock DiscordSDK, DiscordSDKMock, activity e2e, simulate proxy, run activity locally, playwright",
  "docs/activities#the-page":
    "activity frontend, client side activity, sdk setup, Discord SDK authorize, auth in iframe",
  "docs/activities#the-server":
    "activity backend, /api/token route, refused to connect, iframe blocked, blank activity, x-frame",
  "docs/activities#what-the-proxy-does":
    "/.proxy, blocked:csp, discordsays, client ip, patchUrlMappings, 404 in activity, x-forwarded-for",
  "docs/activities#why-a-header-and-not-a-cookie":
    "third-party cookie, cookie blocked, SameSite None, chips, bearer, cookie in iframe, safari itp",
  "docs/asking_for_more#add-scopes-to-the-options":
    "change scope, everyone logged out after deploy, new scope rollout, missing scope old session",
  "docs/asking_for_more#asking-for-more-later":
    "incremental authorization, additional scope, step-up, upgrade scope, on demand scope, optional scope",
  "docs/asking_for_more#how-a-consent-ends":
    "declined consent, denied, clicked cancel, wrong account, user refused, lost session data, onError, user declines extra permission, nothing has changed",
  "docs/astro#astro":
    "astro.locals, auth-astro, import.meta.env, ssr adapter, checkorigin, cross-site post forbidden",
  "docs/cloudflare_workers#cloudflare-workers":
    "workerd, edge function, wrangler dev, cf worker auth, edge runtime",
  "docs/cloudflare_workers#deploy":
    "wrangler publish, worker environment variables, workers.dev, publish worker, set worker secrets",
  "docs/cloudflare_workers#refresh-tokens-in-a-job":
    "cron triggers, scheduled handler, d1 example, ctx.waituntil, scheduled worker",
  "docs/cloudflare_workers#static-files":
    "run_worker_first, spa on worker, pages assets, react app on worker, vite plugin cloudflare",
  "docs/cloudflare_workers#the-free-plan":
    "worker limits, cpu limit exceeded, error 1102, exceeded resources",
  "docs/comparison#at-a-glance":
    "feature matrix, summary table, side by side, benchmark chart, quick overview",
  "docs/comparison#attacks":
    "csrf, session fixation, open redirect, vulnerability, penetration test, stolen cookie, hijack",
  "docs/comparison#choosing-a-library":
    "which library, best library, recommended, should I use, vs better-auth, vs next-auth, vs passport, lucia, clerk, auth0",
  "docs/comparison#comparison":
    "alternative, vs, versus, competitor, better than, pros and cons, benchmark, compare, difference",
  "docs/comparison#glossary":
    "cookie tossing, subdomain cookie, authorization code replay, __Host- prefix, planted",
  "docs/comparison#tabs-reloads-and-old-cookies":
    "multiple tabs, double click, refresh callback, back button, bookmarked callback, stale cookie, race",
  "docs/comparison#the-libraries":
    "bundle size, license, maintenance, abandoned, deprecated, unmaintained, last release, mature",
  "docs/comparison#the-mishaps":
    "failure test, edge case, robustness, reliability test, test result, crash, internal server error",
  "docs/comparison#the-rows-that-this-library-loses":
    "disadvantage, weakness, drawback, downside, con, why not use",
  "docs/comparison#when-a-login-cant-finish":
    "discord outage, timeout, denied consent, cookies disabled, 500 response, hanging login",
  "docs/elysia#elysia": "elysiajs, bun server, derive, onbeforehandle, elysia plugin, guard, eden",
  "docs/errors#an-invalid-client-grant-or-scope":
    "oauth2 error response, bad token request, 400 bad request, unauthorized_client, invalid code",
  "docs/errors#api_error": "discordapierror, 50001, 50013, 403 forbidden, 401",
  "docs/errors#changed-responses":
    "schema drift, breaking api change, zod validation failed, missing field in response, log repairs",
  "docs/errors#cross_site":
    "csrf on logout, logout 403, logout from another origin, you weren't logged out",
  "docs/errors#error-handlers":
    "error middleware, friendly error message, user-facing message, map error to status, 503 page",
  "docs/errors#errors-and-what-to-do":
    "exception handling, error class, try catch, instanceof, error hierarchy, is it retryable",
  "docs/errors#express":
    "error middleware, err req res next, async route crash, express-async-errors",
  "docs/errors#fastify": "seterrorhandler, error middleware, fastify-plugin error",
  "docs/errors#hono": "app.onerror, error middleware, throw httpexception",
  "docs/errors#insecure_site":
    "http not allowed, https required, no ssl, lan ip, request arrived at http, login needs https",
  "docs/errors#invalid_client": "401 token endpoint, wrong client_secret, reset secret",
  "docs/errors#invalid_grant": "invalid code in request, code reused, invalid refresh_token",
  "docs/errors#invalid_id_token": "jwt verification failed, jwt expired, nonce mismatch",
  "docs/errors#invalid_payload": "unexpected token in json, syntaxerror, html response",
  "docs/errors#invalid_scope": "scope not allowed, unapproved scope, unknown scope",
  "docs/errors#invalid_signature": "ed25519 verification failed, invalid request signature",
  "docs/errors#login_failed": "authentication failed, sign-in error, callbackrouteerror",
  "docs/errors#login_required": "reauthenticate, refreshaccesstokenerror, not signed in",
  "docs/errors#look-up-an-error-by-its-code":
    "list of exceptions, error reference, error codes table, error.name, discordapierror",
  "docs/errors#lost_callback":
    "callback route 404, callbackpath wrong, address is wrong, callback arrived at but this login is served at",
  "docs/errors#missing_scope":
    "insufficient_scope, insufficient permissions, not granted, needs the scope but the token has",
  "docs/errors#network_error":
    "fetch failed, econnreset, econnrefused, enotfound, offline, request failed, getaddrinfo, connection refused",
  "docs/errors#no_session":
    "update without session, session missing, already logged out, request has no session or it has ended",
  "docs/errors#not_a_member":
    "not in guild, missing role, access denied to server, user is not a member of a guild in the option members",
  "docs/errors#oauth_error":
    "tokenerror, user denied access, declined consent, user denied, discord refused your login",
  "docs/errors#other_login":
    "two login instances, multiple providers, wrong name, belongs to a Login with another name in this browser",
  "docs/errors#other_origin":
    "host mismatch, localhost vs 127.0.0.1, wrong domain, www, request arrived at but the login is at",
  "docs/errors#other_person":
    "account changed during consent, different account, that was a different login, user who consented, another user has logged in since",
  "docs/errors#payload_too_large": "413, response too big, body size limit",
  "docs/errors#rate_limited": "429, too many requests, ratelimiterror retry_after",
  "docs/errors#refused_token":
    "fresh token 401, new access token unauthorized, discord won't accept your login, platform responded with 401 to its own new token",
  "docs/errors#state_mismatch":
    "invalid state, state cookie missing, oauthcallbackerror, this login has expired, pending login has ended, unable to verify authorization request state",
  "docs/errors#store_timeout":
    "database slow, redis timeout, lock contention, this site is slow right now",
  "docs/errors#the-reasons-of-a-loginerror": "error.reason, why login failed, reason list",
  "docs/errors#timeout":
    "etimedout, aborterror, und_err_connect_timeout, slow, got no response within ms",
  "docs/errors#too_many_failures":
    "brute force, fake code flood, visitor blocked 429, too many failed logins",
  "docs/errors#used":
    "callback reloaded, code used twice, back button, callback was opened before, that login failed, session was granted other scopes in the meantime",
  "docs/errors#wait-for-a-rate-limit":
    "retry_after, throttling, backoff, x-ratelimit-reset, bucket, queue requests, please wait a moment",
  "docs/errors#with-login":
    "custom error page, pages.error, failureredirect, failureflash, user clicked cancel, 403 at the callback, user denied, something went wrong, this link doesn't work",
  "docs/express#express":
    "requireauth, ensureauthenticated, isauthenticated, req.user, protected route, router.use, express app, property session does not exist on type Request",
  "docs/express#express-koa-and-fastify": "node http server, connect middleware, nodejs backend",
  "docs/express#fastify":
    "prehandler, fastify plugin, fst_err_ctp_invalid_media_type, unsupported media type, @fastify/oauth2",
  "docs/express#koa": "koa-router, ctx.session, koa-passport, ctx.state.user, @koa/router",
  "docs/express#pages-for-koa-and-fastify": "html template, ejs, handlebars, pug, xss",
  "docs/features#bytes-and-speed":
    "bundle size, performance, benchmark, latency, cpu limit, kb, gzip, cold start, slow, overhead",
  "docs/features#glossary":
    "definition, terminology, what is pkce, what is a scope, term, meaning, snowflake id",
  "docs/features#limits":
    "limitation, missing feature, production ready, not supported, google login, drawback, stable, caveat",
  "docs/features#runtimes":
    "supported platform, node version, import path, commonjs, require, esm, ts version, tsconfig, node 18, minimum node version, edge runtime, does it work on bun",
  "docs/features#versions-and-upgrades":
    "semver, breaking change, deprecation policy, api stability, backward compatible, roadmap, migrate",
  "docs/features#what-it-does-where-it-runs-and-versions":
    "feature list, overview, why use this, benefit, capability, compatibility",
  "docs/first_login#1-create-your-discord-application":
    "where is client id, app registration, oauth credentials, get client secret, whitelist callback url, register app, developer portal, find client secret",
  "docs/first_login#2-install-the-package":
    "npm install, yarn add, pnpm add, bun add, new project, install the sdk, npm i",
  "docs/first_login#3-keep-the-secrets-out-of-your-code":
    "dotenv, environment variables, nextauth_secret, auth_secret, generate secret key, hardcoded, environment variables needed, env var, environment vars, process.env, discord_client_id",
  "docs/first_login#4-write-the-application":
    "minimal code, bun.serve, starter template, run locally, boilerplate, single file app",
  "docs/first_login#behind-a-proxy": "redirect_uri is http not https, internal ip address",
  "docs/first_login#choose-the-page-after-a-login":
    "callbackurl, successredirect, redirect back, redirectto, return url, onboarding, first-time visitor, redirect after sign in",
  "docs/first_login#how-it-works":
    "oauth2 flow, authorization code grant, sequence diagram, state cookie, under the hood, oauth flow explained, how oauth works",
  "docs/first_login#if-it-doesnt-work":
    "module not found, port already in use, econnrefused, setup error, env not loaded",
  "docs/first_login#import-your-settings":
    "environment.ts missing, config file, process.env, shared options",
  "docs/first_login#install-it-from-a-clone":
    "build from source, npm 404, github install, tarball, local package, unpublished",
  "docs/first_login#set-up-your-editor":
    "vs code, typescript config, red squiggles, moduleresolution, intellisense, @types",
  "docs/first_login#share-the-login":
    "login url to send, authorize link expired, wrong account, post link in channel, account switch, signin link to post in my server",
  "docs/first_login#show-a-page-with-and-without-a-login":
    "login button html, navbar, conditional render, signed in or anonymous, xss username, logout link get, different page for people who are not logged in",
  "docs/first_login#skip-the-consent-page":
    "silent login, auto authorize, prompt none, one click login, no reauthorization, account picker, consent screen, authorize screen",
  "docs/first_login#your-first-login":
    "getting started, quickstart, tutorial, beginner walkthrough, hello world, oauth2 from scratch, authentication, authenticate, add login to my app, example",
  "docs/frameworks#all-frameworks":
    "integration, adapter, plugin, which framework, supported, web standard handler, cli scaffold",
  "docs/frameworks#before-you-begin":
    "npx init, scaffold, generate boilerplate, auto setup, cli, getting started framework, scaffold project, create app template",
  "docs/frameworks#behind-a-proxy":
    "insecure_site, trust proxy, auth_trust_host, x-forwarded-proto, tls termination, wrong redirect http",
  "docs/frameworks#beside-other-logins":
    "email and password, google login, multiple providers, two auth libraries, coexist, cookie conflict, two login systems",
  "docs/frameworks#better-auth":
    "tonodehandler, auth.api.getsession, betterauth together, discord plugin beside",
  "docs/frameworks#create-the-login":
    "shared auth file, auth.ts config, lib/auth, singleton instance, initialize client, logout get 405, logged back in right after logout, logged in again",
  "docs/frameworks#deno": "deno run, oak, fresh, deno permissions, deno.serve handler, deno deploy",
  "docs/frameworks#fastifysession":
    "fastify secure-session, fastify session plugin, @fastify/passport",
  "docs/frameworks#nextauthjs":
    "authjs together, sessionprovider conflict, two sessions, [...nextauth] beside",
  "docs/frameworks#on-the-fake-platform":
    "offline development, try without account, develop locally without discord, dev credentials, try without a discord account",
  "docs/frameworks#on-your-own-computer":
    "localhost cookie, other_origin, 127.0.0.1 vs localhost, local https, dev cookie missing, https in development",
  "docs/frameworks#passport-and-express-session":
    "passport-local, passport.initialize, connect.sid, req.user undefined, saveuninitialized",
  "docs/frameworks#tested-versions":
    "compatibility matrix, supported node version, peer dependencies, next 15, express 4, minimum version",
  "docs/frameworks#typescript-and-ports":
    "run .ts directly, tsx, ts-node, strip types, change port, type stripping",
  "docs/frameworks#with-one-route":
    "catch-all route, api/auth/[...nextauth], [...all], build missing env, change base path",
  "docs/hono#hono":
    "hono middleware, @hono/oauth-providers, hono auth, createmiddleware, c.get, c.var, bun server",
  "docs/hosts#a-host-that-changes-requests":
    "modsecurity, waf false positive, stripped cookies, base path, subfolder, trailingslash, path rewrite, without cookies in log, the address is wrong",
  "docs/hosts#a-login-in-front-of-any-service":
    "forward auth, oauth2-proxy, authelia, traefik, sso gateway, protect static site, protect grafana, jenkins, internal tool",
  "docs/hosts#before-you-go-online":
    "production checklist, launch checklist, go live, production ready, deployment checklist, check before deploy",
  "docs/hosts#behind-a-cdn":
    "cloudflare cache, cloudfront, fastly, cached session, seeing another user's account, page rules, see another user's session, wrong user",
  "docs/hosts#behind-nginx":
    "502 bad gateway, reverse proxy, proxy_pass config, upstream header too large, x-forwarded-proto",
  "docs/hosts#hosts-and-going-online":
    "hosting, deploy to production, heroku, aws lambda, docker, vps, serverless, azure, google cloud run, vercel, netlify, where to host, vercel edge function",
  "docs/hosts#name-your-visitors":
    "client ip, real ip, req.ip, rate limit by ip, brute force protection, express-rate-limit, throttle login endpoint",
  "docs/hosts#preview-deployments":
    "vercel preview url, pull request previews, staging redirect uri, auth_redirect_proxy_url",
  "docs/hosts#several-processes":
    "cluster mode, multiple instances, replicas, load balancer, cold start",
  "docs/hosts#the-address-that-the-server-sees":
    "trust proxy, trusthost, nextauth_url, auth_url, base url, reverse proxy http instead of https, works on localhost, works locally but not in production",
  "docs/hosts#through-a-proxy":
    "corporate proxy, outbound proxy, http agent, egress, httpsproxyagent",
  "docs/inviting_a_bot#add-the-bot-from-a-page":
    "bot dashboard, is bot in guild, guild settings page, mutual server, per-server page, web panel, MEE6",
  "docs/inviting_a_bot#add-the-bot-with-the-login":
    "invite and login together, scope bot identify, one consent, oauth2 code grant, token.guild",
  "docs/inviting_a_bot#after-the-user-authorizes":
    "bot callback, guild_id param, no redirect, guildCreate, bot joined, bot redirect uri, thank you page, was the bot added",
  "docs/inviting_a_bot#ask-for-missing-permissions":
    "re-invite, update bot permissions, upgrade permissions, insufficient permission, reauthorize bot",
  "docs/inviting_a_bot#build-the-link":
    "bot invite url, generateInvite, add to server button, permission calculator, permissions integer",
  "docs/inviting_a_bot#install-the-application-for-a-person":
    "user install, user app, integration_type, install to account, slash command without bot",
  "docs/inviting_a_bot#inviting-a-bot-and-asking-for-missing-permissions":
    "add bot, install bot, bot oauth url, bot invite",
  "docs/inviting_a_bot#list-the-servers-to-choose-from":
    "server picker, guild selector, mutual guilds, manageable guilds, dropdown, filter guilds, let user pick a server, choose a server",
  "docs/inviting_a_bot#set-who-may-use-a-command":
    "slash command permission, restrict command, default_member_permissions, disable command, 403 edit",
  "docs/keeping_people_logged_in#ask-for-a-new-login":
    "reauthenticate, relogin, session expired, refreshaccesstokenerror, force sign in again",
  "docs/keeping_people_logged_in#from-one-process-to-a-hundred":
    "scaling, load balancer, horizontal, pm2 cluster, distributed lock, kubernetes replicas",
  "docs/keeping_people_logged_in#no_refresh_token":
    "refresh_token undefined, missing refresh_token",
  "docs/keeping_people_logged_in#no_token": "token missing in database, store flushed",
  "docs/keeping_people_logged_in#refresh-an-expired-token":
    "token rotation, refresh race condition, auto refresh, silent refresh, token lifetime, expires_at, refresh token rotation, refresh access token",
  "docs/keeping_people_logged_in#refused":
    "user deauthorized app, revoked refresh token, invalid_grant",
  "docs/keeping_people_logged_in#run-a-job-in-the-background":
    "cron job, offline access, scheduled task, worker queue, bullmq, token without session, act on behalf of offline users, while user is offline, access the API while offline",
  "docs/keeping_people_logged_in#staying-logged-in":
    "remember me, persistent login, keep session alive, long session, stay signed in",
  "docs/keeping_people_logged_in#unreadable":
    "decryption failed, wrong secret, jwedecryptionfailed",
  "docs/keeping_people_logged_in#when-discord-is-down":
    "outage resilience, failed refresh retry, circuit breaker, backoff, 502 bad gateway",
  "docs/linked_roles#1-register-the-numbers":
    "metadata schema, metadata record, put metadata, boolean_equal, datetime, register.js, metadata key",
  "docs/linked_roles#2-connect-people":
    "push metadata, update role connection, put role-connection, link account for role, metadata value",
  "docs/linked_roles#3-send-new-numbers-every-night":
    "cron, scheduled job, update metadata later, batch update, bulk sync, refresh metadata, offline users, nightly sync, sync linked roles",
  "docs/linked_roles#4-set-the-verification-url":
    "role_connections_verification_url, developer portal link, role link setup, app missing in links tab",
  "docs/linked_roles#if-only-some-users-link-roles":
    "optional role connection, opt in, incremental linked role, separate link page",
  "docs/linked_roles#linked-roles":
    "role connection, verified role, connection requirement, role link, metadata, external account role",
  "docs/logging_out#any-webhook-event":
    "event type list, ENTITLEMENT_CREATE, ping, test webhook locally, duplicate event, webhook simulator",
  "docs/logging_out#end-sessions":
    "kick out, force logout, ban user, terminate session, revoke session, single session, concurrent, only one session per user, log out a user from the server",
  "docs/logging_out#log-out-on-all-devices":
    "sign out everywhere, global signout, logout button, revokeSessions, scope global, log out all",
  "docs/logging_out#logging-out-and-ending-sessions":
    "sign out, signOut, logoff, session.destroy, req.logout, clear cookie, invalidate session",
  "docs/logging_out#show-a-person-their-devices":
    "active session list, session management page, revoke one session, listSessions, where logged in",
  "docs/logging_out#unlink-discord-and-delete-an-account":
    "gdpr, right to erasure, disconnect discord, deleteUser, unlinkIdentity, remove account, delete data, right to be forgotten, personal data, privacy",
  "docs/logging_out#when-a-person-removes-your-application":
    "deauthorize, authorized apps, uninstall, user revoked access, revoked webhook, deauthorization",
  "docs/logging_out#when-sessions-end-by-themselves":
    "stay logged in, session length, expire, cookie maxAge, rolling session, sliding expiration, timeout, how long does a session last, cookie last, get logged out after days, session expiry, thirty days, session duration, session lifetime, cookie lifetime, logged out after an hour, I get logged out",
  "docs/logging_out#your-own-revocations":
    "self-triggered event, logged out again after revoke, event loop, deauthorized by own code",
  "docs/login_by_hand#a-login-by-hand":
    "manual oauth, low level, without Login class, raw code flow, token exchange, simple-oauth2, arctic",
  "docs/login_by_hand#do-the-rest-yourself":
    "checklist, security best practice, cookie flags, open redirect, session.regenerate, fixation, csrf",
  "docs/login_by_hand#keep-tokens-fresh":
    "auto refresh, access token expired, save refresh token, token rotation, persist token, token storage",
  "docs/login_by_hand#refresh-a-token-or-log-in-on-a-device":
    "device flow, cli login, device code grant, tv, console, grant_type refresh_token, implicit grant",
  "docs/login_by_hand#state-and-pkce":
    "csrf token, code_challenge, code_verifier, S256, generateState, nonce check, openid-client, state parameter, pkce",
  "docs/login_by_hand#verify-the-id_token":
    "jwt verify, jwks, oidc, openid connect, jose, decode jwt, nonce, claims, signature check, sub, nonce does not match, validate",
  "docs/login_options#addresses":
    "custom route, change login path, basePath, redirect after login, NEXTAUTH_URL, pages.signIn, cookie name option, callback url option",
  "docs/login_options#all-options-of-login":
    "configuration, config reference, settings, default value, authOptions, NextAuthOptions, parameter",
  "docs/login_options#decisions-and-errors":
    "callback, hook, events, pages.error, logger, signIn callback, always ask consent",
  "docs/login_options#requests":
    "http timeout, custom fetch, base url, User-Agent, response size limit, http client, agent",
  "docs/login_options#required":
    "mandatory, client id, client secret, NEXTAUTH_SECRET, AUTH_SECRET, minimal config, env variable",
  "docs/login_options#sessions":
    "session config, cookie maxAge, updateAge, session.strategy, lifetime setting, ttl, refresh early, cookie settings",
  "docs/metrics_and_audit_logs#all-events":
    "event types, loginevent fields, event payload, list of hooks, signin event, signout event",
  "docs/metrics_and_audit_logs#count-logins-errors-and-waits":
    "grafana, prom-client, datadog, opentelemetry, statsd, alerting, dashboard, conversion rate",
  "docs/metrics_and_audit_logs#metrics-and-audit-logs":
    "events callback, monitoring, observability, telemetry, nextauth events, login hooks, analytics",
  "docs/metrics_and_audit_logs#rules":
    "pii in logs, gdpr logging, duplicate events, missing events, slow onevent, async event handler, tokens written to the logs, secrets in logs",
  "docs/metrics_and_audit_logs#write-an-audit-log":
    "login history, log sign ins, who logged in when, compliance trail, pino, winston, structured logging, pino logger, structured log, log every login to a file",
  "docs/mobile_apps#browser-extensions":
    "chrome extension, firefox add-on, manifest v3, background service worker, getredirecturl",
  "docs/mobile_apps#electron-and-tauri":
    "desktop app, custom protocol handler, loopback, open-url event, keytar, browserwindow",
  "docs/mobile_apps#expo-and-react-native":
    "expo-auth-session, useauthrequest, promptasync, makeredirecturi, react-native-app-auth, asyncstorage",
  "docs/mobile_apps#in-javascript":
    "capacitor, ionic, cordova, securestore, async storage token, nativescript",
  "docs/mobile_apps#mobile-apps-and-programs-on-a-computer":
    "native app, ios, desktop client, flutter, swift, kotlin, unity",
  "docs/mobile_apps#never-in-a-web-view":
    "embedded browser, in-app browser, wkwebview, sfsafariviewcontroller, webview login",
  "docs/mobile_apps#with-your-own-server":
    "deep link, bearer token, backend for native app, appauth, authorization header, api token",
  "docs/mobile_apps#without-a-server":
    "no backend, serverless native app, pkce only, cli tool login, game client, no client secret",
  "docs/moving#accept-both-sessions":
    "dual session, stay logged in during migration, old cookie, transition, two auth systems, hybrid",
  "docs/moving#bring-your-stored-tokens":
    "import tokens, export tokens, migrate refresh token, accounts table, adapter table, vendor lock-in, import refresh tokens, import",
  "docs/moving#from-arctic-and-discord-oauth2":
    "lucia, oslo, oauth4webapi, simple-oauth2, DiscordOauth2 replacement, arctic deprecated",
  "docs/moving#from-authjs-next-auth":
    "nextauth migration, authOptions, DiscordProvider, withAuth, PrismaAdapter, getSession, invalid iss, signIn()",
  "docs/moving#from-better-auth":
    "betterauth migration, createAuthClient, toNextJsHandler, better auth replacement",
  "docs/moving#from-nuxt-auth-utils":
    "nuxt migration, nuxt auth module, replaceUserSession, clearUserSession, AuthState",
  "docs/moving#from-passport-discord":
    "passport.js, passport migration, passport.initialize, done callback, cookie-session, req.login, req.user",
  "docs/moving#from-remix-auth-discord":
    "remix migration, remix-auth, Authenticator, createCookieSessionStorage, OAuth2Strategy",
  "docs/moving#from-supabases-discord-provider":
    "supabase auth migration, rls, gotrue, auth.users, supabase/ssr, getSession, provider token missing",
  "docs/moving#moving-from-another-library":
    "migrate, migration guide, switch from, replace, port, convert, drop-in replacement, firebase, clerk",
  "docs/moving#the-four-steps":
    "migration plan, rollback, zero downtime, gradual migration, run in parallel, cutover, undo",
  "docs/nest#a-guard-and-a-decorator":
    "authguard, @currentuser, @user, useguards, jwtauthguard, protected controller, canactivate",
  "docs/nest#es-modules-and-commonjs":
    "err_require_esm, require esm, nestjs cjs, tsconfig module, type module",
  "docs/nest#nest": "nestjs, @nestjs/passport, passportstrategy, authmodule, authservice",
  "docs/nest#pages-and-an-api-route":
    "exception filter redirect, unauthorized redirect, 401 json, public controller",
  "docs/nest#prefixes-versions-and-global-guards":
    "app_guard, @public, enableversioning, callback 404, setglobalprefix api, skip auth route",
  "docs/nest#start": "bootstrap, appmodule, nestjs main.ts, platform-fastify, configmodule",
  "docs/nest#the-routes-of-the-login":
    "auth controller, nestjs callback endpoint, platform-express adapter",
  "docs/next#next": "nextjs, react framework, next.config trailing slash",
  "docs/next#the-app-router":
    "route handler, server component auth, middleware.ts, server action, auth(), rsc, clerkmiddleware, next middleware, protect routes",
  "docs/next#the-pages-router":
    "getserversideprops, api route handler, getinitialprops, _app.tsx, withauth, pages directory",
  "docs/nuxt#in-production":
    "env undefined after build, runtimeconfig, nuxt_ variables, pm2, missing secret deployed",
  "docs/nuxt#links":
    "nuxtlink 404, client-side navigation, vue-router login page not found, navigateto external",
  "docs/nuxt#nitro-and-h3-without-nuxt":
    "h3 v2, unjs, defineeventhandler, event handler, nitropack",
  "docs/nuxt#nuxt":
    "sidebase, useusersession, requireusersession, vue ssr, definepagemeta, route middleware",
  "docs/nuxt#request-bodies":
    "readbody hangs, request pending, post stuck, readformdata, body stream consumed",
  "docs/people_and_servers#account-age":
    "alt account, createdTimestamp, new account block, snowflake date, minimum age, too young, reject alt accounts",
  "docs/people_and_servers#add-people-to-a-server-at-the-login-guildsjoin":
    "auto join, force join, join guild automatically, put guild member, pull members, invite user, add user to guild",
  "docs/people_and_servers#badges":
    "public_flags, UserFlags, clan tag, guild tag, early supporter, bug hunter, profile badge",
  "docs/people_and_servers#get-a-users-email":
    "mail address, email null, email undefined, verified email, email_verified, profile.email, unverified email",
  "docs/people_and_servers#give-a-role":
    "assign role, auto role, add role, verification bot, roles.add, role hierarchy, remove role, 50013 missing permissions, paid role, missing access 50001",
  "docs/people_and_servers#nicknames-boosters-and-role-names-in-a-server":
    "server boost, nitro booster, GuildMember, display roles, guild avatar, member nick, joined date",
  "docs/people_and_servers#people-and-servers":
    "guild member, profile data, server data, membership info",
  "docs/people_and_servers#post-to-a-channel-webhookincoming":
    "send message, WebhookClient, notification, embed, incoming webhook, webhook url, create webhook",
  "docs/people_and_servers#read-the-permissions-of-a-member":
    "computed permissions, member.permissions, hasPermission, effective permissions, isAdmin, timed out",
  "docs/people_and_servers#show-the-name-the-avatar-and-the-banner":
    "profile picture, display name, displayAvatarURL, cdn image, pfp, discriminator, gif, user.image, get username",
  "docs/people_and_servers#two-factor-authentication":
    "2fa, mfa, totp, authenticator app, mfa required, second factor, amr",
  "docs/people_and_servers#what-no-scope-can-do-messages-friends-voice":
    "send dm, friend list, read chat, presence, online status, rich presence, member list, voice state, read dms",
  "docs/react_router#links-and-forms-that-fetch":
    "usefetcher, usenavigate, usesubmit, spa navigation login, client-side redirect",
  "docs/react_router#protect-many-pages":
    "protected routes, private route, auth layout, requireauth, unstable_middleware, pathless route",
  "docs/react_router#react-router":
    "remix, remix v2, loader auth, createcookiesessionstorage, requireuser, entry.server",
  "docs/scopes#activitiesinviteswrite": "game invite, join game, invite friend",
  "docs/scopes#activitiesread": "currently playing, game status, now playing, recent games",
  "docs/scopes#activitieswrite": "set activity, rich presence, set game status",
  "docs/scopes#applicationsbuildsread": "game build scope, build list",
  "docs/scopes#applicationsbuildsupload": "dispatch, branch, game upload, publish build",
  "docs/scopes#applicationscommands": "slash command scope, context menu scope",
  "docs/scopes#applicationscommandspermissionsupdate":
    "command permission scope, edit command permission scope",
  "docs/scopes#applicationscommandsupdate": "scope to deploy commands, command registration scope",
  "docs/scopes#applicationsentitlements": "sku scope, monetization scope, premium scope",
  "docs/scopes#applicationsstoreupdate": "sku, store listing, publish game",
  "docs/scopes#bot": "bot scope, add bot scope",
  "docs/scopes#calls-that-need-no-scope":
    "scopeless, without scope, bot token methods, any token, zero scopes",
  "docs/scopes#connections": "linked account, steam, twitch, spotify, youtube, github, xbox",
  "docs/scopes#dm_channelsread": "dm scope, private message scope, read dm, inbox",
  "docs/scopes#email": "email scope, mail scope, address scope",
  "docs/scopes#gdmjoin": "group dm, group chat, add to group",
  "docs/scopes#guilds": "server list scope, list guilds scope, my servers",
  "docs/scopes#guildsjoin": "auto join scope, add member scope, join server scope",
  "docs/scopes#guildsmembersread": "role scope, member role scope, nickname scope, joined_at",
  "docs/scopes#identify": "profile scope, user id scope, minimal scope, basic scope",
  "docs/scopes#identifypremium": "nitro scope, premium_type, has nitro, nitro status",
  "docs/scopes#messagesread": "message history scope, read chat scope, direct message",
  "docs/scopes#openid": "oidc scope, openid connect scope, sub claim, userinfo",
  "docs/scopes#relationshipsread": "friend list scope, list friends scope, blocked users",
  "docs/scopes#role_connectionswrite": "linked role scope, role metadata scope",
  "docs/scopes#rpc": "discord-rpc, local client, ipc, desktop client, overlay",
  "docs/scopes#rpcactivitieswrite": "rich presence, SET_ACTIVITY, discord-rpc presence",
  "docs/scopes#rpcnotificationsread": "mention, ping, NOTIFICATION_CREATE, alert",
  "docs/scopes#rpcscreenshareread": "streaming status, go live, is streaming",
  "docs/scopes#rpcscreensharewrite": "start stream, go live, share screen, stop stream",
  "docs/scopes#rpcvideoread": "camera state, webcam on, is camera on",
  "docs/scopes#rpcvideowrite": "toggle camera, turn on webcam",
  "docs/scopes#rpcvoiceread": "mute status, speaking event, mic, StreamKit, who is talking",
  "docs/scopes#rpcvoicewrite": "mute, deafen, volume, push to talk, stream deck, mic",
  "docs/scopes#scopes-and-what-they-allow":
    "permission list, oauth2 scope reference, available scopes, which scope, scope table, consent text, all scopes",
  "docs/scopes#scopes-for-every-application":
    "allowed scopes, public scopes, unrestricted, standard scopes, no approval",
  "docs/scopes#scopes-that-need-discords-approval":
    "restricted scope, whitelisted scope, privileged, partner only, unavailable, request access, unknown",
  "docs/scopes#sdksocial_layer": "social sdk, game friends, lobby, unity, unreal, chat",
  "docs/scopes#sdksocial_layer_presence": "social sdk presence, rich presence, online friends",
  "docs/scopes#voice": "voice chat scope, join call, vc, voice state scope",
  "docs/scopes#webhookincoming": "webhook scope, post message scope, send message scope",
  "docs/scopes#what-no-scope-allows": "impossible, not possible, unavailable data, forbidden data",
  "docs/security#change-a-secret":
    "rotate secret, key rotation, leaked secret, compromised key, roll session key, secret array, secret changed everyone logged out",
  "docs/security#give-each-server-its-own-secret":
    "dev vs prod secret, share session across apps, staging environment, same cookie two apps",
  "docs/security#keep-the-secrets":
    "auth_secret, nextauth_secret, session_secret, openssl rand, cookie password, dotenv",
  "docs/security#linked-roles-have-no-pkce":
    "role_connections code_challenge, pkce not supported, code verifier missing, nonce check",
  "docs/security#safe-against-these-attacks":
    "xsrf, replay attack, clickjacking, httponly, vulnerability, token theft, cookie tampering, threat model, forged cookie",
  "docs/security#security":
    "is it secure, threat model, owasp, security audit, hardening, penetration test",
  "docs/security#sessions":
    "revoke jwt, cookie flags, samesite strict, csrf token for forms, localstorage token, stale roles",
  "docs/security#what-an-attacker-can-do":
    "stolen cookie, database leak, data breach, session hijacking, leaked database, impersonate, hacked, steals the database",
  "docs/sessions#a-changed-name-or-avatar":
    "stale username, old profile picture, sync profile, renamed, outdated nickname",
  "docs/sessions#check-the-session-of-a-websocket":
    "socket.io auth, ws handshake, realtime connection, upgrade cookie, cross-site websocket hijacking",
  "docs/sessions#cookie-size":
    "cookie too large, 4096 bytes, session data limit, chunked cookie, set-cookie dropped, 431",
  "docs/sessions#frontends-htmx-and-security-policies":
    "hx-get login, hotwire, csp blocked, connect-src, htmx redirect cors, refused to connect",
  "docs/sessions#keep-your-own-data":
    "custom session field, session callback, jwt callback, serializeuser, public metadata, extend profile, update session, custom property, custom claim, extra data, extra field, add property, preference",
  "docs/sessions#let-pages-read-the-session":
    "api/auth/session, session endpoint, whoami, /me json, hide email from client, expose profile",
  "docs/sessions#react":
    "usesession hook, sessionprovider, authcontext, useauth, clerkprovider, signedin, redux, react app component",
  "docs/sessions#read-from-discord-in-a-page":
    "fetch guilds, guild list page, my servers, /users/@me/guilds, dashboard servers, provider token, access token in frontend",
  "docs/sessions#requests-to-your-server":
    "authenticated fetch, axios withcredentials, credentials include, api call 401, interceptor, swr, tanstack query",
  "docs/sessions#send-pages-without-a-cache":
    "back button after logout, browser cache, shared computer, cached private page, bfcache",
  "docs/sessions#sessions":
    "getserversession, req.session, getsession, cookie-session, iron-session, jwt vs session, stateless session",
  "docs/sessions#show-who-is-logged-in":
    "usesession, onauthstatechange, onauthstatechanged, auth state listener, client-side auth",
  "docs/sessions#solid": "createsignal, createresource, solidjs auth signal",
  "docs/sessions#svelte": "$session store, readable store, runes, svelte auth",
  "docs/sessions#the-first-state-from-the-server":
    "hydration mismatch, ssr auth state, loading flash, preloaded session, window.__state__, ssr, window is not defined, document is not defined, hydration failed",
  "docs/sessions#vue": "composable, pinia, ref, useauth vue, vuex",
  "docs/sessions#what-a-session-contains":
    "session object fields, req.user fields, session type, access token in session, expires, serialize, user.id",
  "docs/sessions#when-the-client-asks-the-server":
    "refetchinterval, refetchonwindowfocus, session polling, revalidate, stale tab",
  "docs/sessions#when-the-token-is-refused":
    "401 unauthorized, deauthorized app, token revoked, invalid token, user unlinked app",
  "docs/sessions#write-your-own-callback-route":
    "custom callback, handlecallback, exchangecodeforsession, passport.authenticate, login result",
  "docs/single_page_apps#across-sites":
    "third-party cookie, different domains, vite proxy, rewrites, reverse proxy, samesite none, same site, samesite, samesite lax none",
  "docs/single_page_apps#log-in-in-a-popup":
    "signinwithpopup, window.open, postmessage, popup blocked, new window, modal",
  "docs/single_page_apps#one-login-on-several-subdomains-and-in-another-backend":
    "sso, cookie domain, share session, wildcard cookie, microservice, python backend, introspection",
  "docs/single_page_apps#pages-without-a-bundler":
    "cdn script tag, vanilla js, static site, plain html, github pages, esm.sh, unpkg, no build",
  "docs/single_page_apps#single-page-applications":
    "spa, vite react app, separate frontend backend, create-react-app, angular, cross-origin, ember, qwik",
  "docs/single_page_apps#the-api":
    "cors setup, preflight, allow credentials, csrf check, cors middleware, rest backend",
  "docs/single_page_apps#the-origins":
    "allowed origins, wildcard origin, allowlist domains, same-site vs cross-origin, localhost ports",
  "docs/single_page_apps#the-page":
    "axios, frontend calls backend, vite client, return to frontend, react spa",
  "docs/solid_start#solidstart":
    "solid-start, solidjs ssr, use server, vinxi, start-auth, routedata, createasync",
  "docs/stores#choose-one":
    "which database, compare databases, best database for sessions, redis vs postgres, durability, which database should I use",
  "docs/stores#clean-up-expired-rows":
    "purge old sessions, table keeps growing, ttl, garbage collection, prune, pg_cron, vacuum",
  "docs/stores#create-the-table-in-a-migration":
    "sql schema, prisma schema, ddl, flyway, knex, drizzle schema, create sessions table",
  "docs/stores#encrypt-the-tokens":
    "encryption at rest, aes, store access tokens safely, plaintext tokens, crypto",
  "docs/stores#mongodb": "mongoose, connect-mongo, mongo adapter, atlas, documentdb, ttl index",
  "docs/stores#redis-keeps-less-than-the-others":
    "redis persistence, aof, rdb, eviction, oom command not allowed, allkeys-lru, volatile-lru",
  "docs/stores#redis-postgres-mysql-sqlite-deno-kv-durable-objects-and-d1":
    "supabase postgres, vercel kv, valkey, planetscale, adapters, database is locked, connection pool",
  "docs/stores#stores-sessions-and-tokens-in-a-database":
    "session store, connect-redis, database adapter, persist sessions, server-side sessions, backend, prisma, typeorm, sequelize",
  "docs/stores#the-cost-of-a-visit-and-of-a-login":
    "queries per request, database load, reads and writes, number of queries, round trip, latency",
  "docs/stores#use-a-database":
    "connect database, adapter setup, connect-pg-simple, session storage setup, set up store",
  "docs/stores#what-a-loss-means": "data loss, restore backup, lost sessions, disaster recovery",
  "docs/stores#what-cant-be-a-store":
    "kv namespace, cloudflare kv, session-file-store, cas, eventual consistency",
  "docs/stores#write-your-own-store":
    "custom adapter, dynamodb adapter, firestore, store interface, implement adapter, prisma, cassandra",
  "docs/sveltekit#sveltekit":
    "hooks.server.ts, locals.user, svelte kit, form action, cross-site post forbidden, @auth/sveltekit",
  "docs/tanstack_start#tanstack-start":
    "tanstack router, createserverfn auth, _authed layout, beforeload guard, context.user",
  "docs/testing_your_app#change-data-during-a-test":
    "simulate leaving guild, role removed, mock permissions, kick member, mock entitlement, mutate",
  "docs/testing_your_app#choose-users-and-servers":
    "fixtures, seed data, custom test account, mock guild, mock roles, factory, test user",
  "docs/testing_your_app#jest":
    "syntaxerror export, esm transform, ts-jest, vitest, jsdom, babel-jest, nestjs test, mocha",
  "docs/testing_your_app#log-in":
    "mock session, authenticated test, fake signed in, session cookie in test, loginas, first unit test",
  "docs/testing_your_app#on-a-port-for-browsers-and-other-languages":
    "emulator, mock server, python go php, local sandbox, standalone stub, dev server",
  "docs/testing_your_app#playwright-and-cypress":
    "e2e, end-to-end, storagestate, puppeteer, selenium, cy.session, headless browser",
  "docs/testing_your_app#prepare-your-application":
    "dependency injection, testable app factory, inject config, app setup for tests",
  "docs/testing_your_app#test-a-frontends-requests":
    "cors test, same-site cookie test, jsdom fetch, csrf test, spa test",
  "docs/testing_your_app#test-a-server-on-a-port":
    "supertest, express integration test, light-my-request, app.inject, http test, ephemeral port",
  "docs/testing_your_app#test-an-application-unchanged":
    "mock global fetch, intercept requests, stubglobal, monkeypatch, msw, nock",
  "docs/testing_your_app#test-failures":
    "simulate outage, access_denied test, fake timers, expired token test, mock 500, fault injection",
  "docs/testing_your_app#testing-your-app-without-discord":
    "mock oauth, unit test, integration test, stub api, fake server, ci, offline",
  "docs/testing_your_app#what-the-fake-platform-supports":
    "emulator coverage, mock limitations, simulate rate limit, simulate 429, unsupported endpoints",
  "docs/troubleshooting#a-cors-error-at-login-or-callback":
    "access-control-allow-origin, preflight, ajax login, xhr, no-cors, 401 unauthorized from fetch, axios, failed to fetch",
  "docs/troubleshooting#a-link-or-button-shows-an-empty-page":
    "blank screen, white page, next/link prefetch, button does nothing, turbo, htmx, nothing happens",
  "docs/troubleshooting#a-login-begins-in-one-browser-and-ends-in-another":
    "in-app browser, embedded webview, tiktok, facebook, state cookie missing on mobile, ios safari",
  "docs/troubleshooting#a-login-in-a-frame":
    "iframe, x-frame-options, refused to connect, frame-ancestors, embed login in another site",
  "docs/troubleshooting#a-login-loop":
    "infinite redirect, too many redirects, keeps redirecting, session not persisting, middleware loop, localhost redirected you too many times, session is null in production",
  "docs/troubleshooting#a-page-doesnt-know-who-is-logged-in":
    "usesession undefined, session null on client, stuck loading, logged out after refresh, localhost cookie, safari blocks cookie, chrome vs safari",
  "docs/troubleshooting#cannot-find-name-nodeprocess":
    "@types/node, tsconfig types, process is not defined, allowimportingtsextensions",
  "docs/troubleshooting#deal-with-a-blocked-address":
    "ip ban, banned by cloudflare, 429 on first login, invalid requests limit, too many invalid requests, discord is blocking this site",
  "docs/troubleshooting#discord-doesnt-let-me-authorize-your-application":
    "unverified email, authorize button fails, stuck on consent",
  "docs/troubleshooting#err_unknown_file_extension":
    "strip types, ts-node, tsx, old node version, unknown file extension .ts, nodemon",
  "docs/troubleshooting#every-login-fails-for-one-user":
    "one user can't log in, 401 every token, deauthorize app",
  "docs/troubleshooting#fix-invalid-oauth2-redirect_uri":
    "redirect uri mismatch, callback url not allowed, redirect_uri_mismatch, wrong callback address, multiple redirect urls",
  "docs/troubleshooting#i-have-to-press-authorize-every-time":
    "skip authorize button, click authorize again",
  "docs/troubleshooting#if-discord-is-down":
    "discord outage, discordstatus, status page, service unavailable, downtime, discord is busy, discord isn't responding, offline",
  "docs/troubleshooting#im-logged-in-with-the-wrong-account":
    "switch account, change account, alt account, account picker",
  "docs/troubleshooting#it-only-works-for-you-the-error-is":
    "works only for developer, other accounts fail, app testers, only works for me, not my friends",
  "docs/troubleshooting#it-says-this-login-cant-be-finished-here":
    "user sees cannot finish login, cookie lost on phone",
  "docs/troubleshooting#it-says-verify-your-discord-account":
    "40002, phone verification, unverified account, 403",
  "docs/troubleshooting#log-in-shows-your-own-page":
    "spa fallback, rewrites index.html, pwa, callback 404, vite-plugin-pwa, code in address bar",
  "docs/troubleshooting#login-implicitly-has-type-any":
    "circular type inference, noimplicitany, referenced in its own initializer, ts7023",
  "docs/troubleshooting#sessionapi-is-null":
    "access token not saved, session.accesstoken undefined, object is possibly null, no token in session",
  "docs/troubleshooting#the-consent-page-at-every-login":
    "asked to authorize again, authorize prompt repeatedly, prompt none ignored, auto approve not working, users have to accept every time, asks for authorization every time",
  "docs/troubleshooting#this-login-cant-be-finished-here-after-opening-a-link-in-your-discord-channel":
    "posted oauth2 url in chat, pinned authorize link",
  "docs/troubleshooting#troubleshooting":
    "faq, common problems, not working, debug login, known issues",
  "docs/troubleshooting#what-to-reply-to-your-users":
    "user complaints, support tickets, customer support, help desk answers, user can't log in",
  "docs/using_tokens#calling-discords-api":
    "rest client, api wrapper, fetch users/@me, bearer token request, discord.js rest, @discordjs/rest",
  "docs/using_tokens#check-the-result":
    "zod schema, runtime validation, validate response, parse json, arktype, type guard",
  "docs/using_tokens#decide-by-permissions":
    "permission bitfield, PermissionsBitField, PermissionFlagsBits, bitwise check, 0x20, 0x8, BigInt",
  "docs/using_tokens#every-other-operation":
    "raw request, custom endpoint, missing endpoint, generic call, Routes, rest.get, axios, send file, make my own api request",
  "docs/using_tokens#find-the-token":
    "provider_token, getAccessToken, session.accessToken, account.access_token, null token, localStorage",
  "docs/using_tokens#let-the-compiler-check-the-scopes":
    "type safety, typed scopes, TypeScript generics, type error, compile-time check",
  "docs/using_tokens#read-and-write":
    "api methods tour, guild pagination, list all guilds, fetch linked accounts, screening bypass",
  "docs/using_tokens#read-the-same-on-every-page":
    "cache ttl, stale data, memoize, dedupe, SWR, react-query, revalidate, invalidate, bypass cache",
  "docs/using_tokens#register-a-command-from-a-worker":
    "slash command deploy, deploy-commands.js, client credentials grant, bulk overwrite commands",
  "docs/using_tokens#send-many-requests-at-once":
    "429, throttle, queue, parallel, Promise.all, retry_after, too many requests, burst",
  "docs/using_tokens#show-what-a-person-owns":
    "premium app, sku, monetization, consumable, in-app purchase, subscription status, paywall, user bought premium, check purchase",
  "docs/using_tokens#the-operations-that-take-an-oauth2-token":
    "endpoint list, api reference table, bearer endpoint, lobby, which scope needed, supported route",
  "docs/who_may_enter#admit-owners-and-administrators":
    "admin only, server owner, moderator, manage guild check, is admin, isOwner, admin panel, user owns",
  "docs/who_may_enter#admit-the-holders-of-a-role":
    "role gate, role based access, rbac, require role, staff only, patreon role, check roles, hasRole, user role, people must have role",
  "docs/who_may_enter#admit-the-members-of-a-server":
    "guild only, members only, must be in guild, require membership, guild check, left server, kicked, only let people in my server log in, is a user in my server, how often is membership checked, how many servers in list",
  "docs/who_may_enter#ask-your-bot":
    "check role without scope, guild.members.fetch, bot token lookup, server-side role check, 10007, 10004 unknown guild",
  "docs/who_may_enter#choosing-who-may-log-in":
    "access control, authorization rule, restrict login, allowlist, whitelist, signIn callback, gate",
  "docs/who_may_enter#decide-in-your-own-function":
    "callbacks.signIn, verify callback, custom check, deny access, return false, reject login, hook",
  "docs/who_may_enter#link-discord-to-an-existing-account":
    "account linking, linkIdentity, connect discord, password account, merge account, link provider, email login",
  "docs/who_may_enter#separate-two-groups-of-people":
    "admin login, multiple instances, second login, two apps, multi-tenant, separate cookie, admin area",
  "docs/who_may_enter#use-your-own-table-of-users":
    "prisma, drizzle, upsert, create row, findOrCreate, ban, blacklist, database user, users table, save users in my database, store user, save user to postgres after login",
};
