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
  init      Adds a login to your application, for its framework
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
invite builder. It runs on a fake platform, so you don't need an account.

Options:
  --port <number>   The port, or 0 for any free port. The default is the first
                    free port, starting at ${demoPort} or at PORT

Environment variables:
  DISCORD_CLIENT_ID, DISCORD_CLIENT_SECRET
                    Your application, to run the demo on Discord. Register the
                    redirect URI http://localhost:${demoPort}/callback for it
  DISCORD_BOT_TOKEN
                    The token of its bot, to show the details of guilds
  PORT              The port to try first`;

/** The help of `guildpass fake`. */
export const fakeHelp = `Usage: npx @guildpass/sdk fake [--port <number>] [--host <name>]
                               [--config <file> | --webhook-url <url>]

Serves a fake platform on this machine, for applications in any language. You
can develop and test a login without an account. The command prints each
request.

Options:
  --port <number>   The port, or 0 for any free port. The default is the first
                    free port, starting at ${fakePort}
  --host <name>     Another host name to accept, such as one in your hosts file
                    or of your proxy. You can repeat this option. By default,
                    only localhost, *.localhost, 127.0.0.1 and [::1] are
                    accepted, because any site can point its own name at this
                    machine
  --config <file>   A JSON file with applications, users and guilds, and with
                    any other option of createFakePlatform except functions
  --webhook-url <url>
                    The URL that receives APPLICATION_DEAUTHORIZED when a token
                    is revoked. In a config file, set "webhookEvents" of an
                    application instead

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

Adds a login to the application in this folder. It copies the recipe of the
framework in package.json, and creates an env file with a new secret. To choose
another framework, name it. The command never overwrites a file, and doesn't ask
questions. At the end, it prints the next steps, with the commands of your
package manager.

Frameworks:
${recipes.map(({ name, title }) => `  ${name.padEnd(16)}${title}`).join("\n")}`;

/** The help of `guildpass secret`. */
export const secretHelp = `Usage: npx @guildpass/sdk secret

Prints a new secret for the cookies of a login: 32 random bytes, as 43
characters of base64url. It prints nothing else, so you can store the output.`;

/** The help of `guildpass version`. */
export const versionHelp = `Usage: npx @guildpass/sdk version

Prints the version of this program, as --version and -v do.`;
