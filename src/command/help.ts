/**
 * The help texts of the program. Their lines have at most 80 characters, the width of most terminals.
 *
 * @module
 */

import { recipes } from "./recipes.ts";
import { defaultPort as demoPort } from "./serve_demo.ts";
import { defaultPort as fakePort } from "./serve_fake.ts";

/** The help of the program. */
export const overview = `Usage: npx @guildpass/sdk <command> [options]

Commands:
  init      Copies a login into your application, for its framework
  demo      Serves a login, a list of guilds and an invite builder
  fake      Serves a fake platform, to develop and test a login in any language
  secret    Prints a new login secret
  version   Prints the version
  help      Shows this help, or that of a command, as in "help fake"

Options:
  -h, --help      Shows this help, or that of a command, as in "fake --help"
  -v, --version   Prints the version`;

/** The help of `guildpass demo`. */
export const demoHelp = `Usage: npx @guildpass/sdk demo [--port <number>]

Serves an application with a login, the guilds of the user who logs in, and an
invite builder. It runs on a fake platform, so you need no account.

Options:
  --port <number>   The port; 0 for any free port. Without this option, the
                    first free port from ${demoPort}, or from PORT, on

Environment variables:
  DISCORD_CLIENT_ID, DISCORD_CLIENT_SECRET
                    Your application: the demo then runs on Discord. Register
                    the redirect URI http://localhost:${demoPort}/callback for it
  DISCORD_BOT_TOKEN
                    The token of its bot, to show the details of guilds
  PORT              The port to try first`;

/** The help of `guildpass fake`. */
export const fakeHelp = `Usage: npx @guildpass/sdk fake [--port <number>] [--host <name>]
                               [--config <file> | --webhook-url <url>]

Serves a fake platform on this machine, for applications in any language. You
can develop and test a login without an account. It prints each request.

Options:
  --port <number>   The port; 0 for any free port. Without this option, the
                    first free port from ${fakePort} on
  --host <name>     Another host to serve, such as a name in the hosts file or
                    of a proxy. It can be repeated. Without it, only localhost,
                    *.localhost, 127.0.0.1 and [::1] are served, since any site
                    can give its own name to an address of this machine
  --config <file>   A JSON file with the applications, users and guilds, and
                    with any option of createFakePlatform except functions
  --webhook-url <url>
                    The address that gets APPLICATION_DEAUTHORIZED when a token
                    is revoked. In a config file, use "webhookEvents" of an
                    application

A config file:

  {
    "applications": [{
      "id": "1100000000000000001",
      "secret": "not a real one",
      "redirectUris": ["http://localhost:3000/callback"]
    }],
    "users": [{ "id": "1000000000000000001", "username": "ada" }]
  }`;

/** The help of `guildpass init`. */
export const initHelp = `Usage: npx @guildpass/sdk init [framework]

Copies a login into the application in this folder: the recipe of the framework
that package.json names, and an env file with a new secret. To choose another
framework, name it. It replaces no file and asks nothing. Then it prints the
next steps, with the commands of your package manager.

Frameworks:
${recipes.map(({ name, title }) => `  ${name.padEnd(14)}${title}`).join("\n")}`;

/** The help of `guildpass secret`. */
export const secretHelp = `Usage: npx @guildpass/sdk secret

Prints a new secret for the cookies of a login: 32 random bytes, as 43
characters of base64url. It prints nothing else, so you can store the output.`;

/** The help of `guildpass version`. */
export const versionHelp = `Usage: npx @guildpass/sdk version

Prints the version of this program, as --version and -v do.`;
