import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, test } from "vitest";
import {
  createFakePlatform,
  type FakePlatform,
  nodeListener,
  sampleApplication,
} from "../../../src/testing/mod.ts";
import { closeBrowsers, openBrowser } from "../../support/browsers.ts";
import { listen } from "../../support/node_server.ts";
import { expectWellShown, views } from "../../support/shown.ts";

const authorize = `/oauth2/authorize?client_id=${sampleApplication.id}`;

let server: Server;
let base: string;
let fake: FakePlatform;

beforeAll(async () => {
  server = createServer();
  base = `http://localhost:${await listen(server)}`;
  fake = createFakePlatform({ origin: base });
  server.on("request", nodeListener(fake.handler, { origin: base }));
});

afterAll(async () => {
  server.close();
  await closeBrowsers();
});

test.each(views)(
  "The pages of the fake platform are accessible and fit into %s",
  async (_, view) => {
    const page = await openBrowser(view.browser, view);
    const check = async (name: string, path: string): Promise<void> => {
      await page.goto(base + path);
      await expectWellShown(page, `platform_${name}`, view);
    };
    try {
      await check("login", `${authorize}&response_type=code&scope=identify+guilds+email`);
      await check(
        "bot",
        `${authorize}&scope=bot+applications.commands&permissions=8866461766385663`,
      );
      await check("no_guild", `${authorize}&guild_id=1&disable_guild_select=true`);
      await check("added", "/oauth2/authorized");
      await check("index", "/");
      await check("unknown_application", "/oauth2/authorize");
      await check("error", `${authorize}&redirect_uri=https://other.example/`);
      await check("not_found", "/nowhere");
      await check("code", "/activate");
      await check("wrong_code", "/activate?user_code=ABCD");
      await check("device", await devicePath());
      fake.failNext({ edge: true, status: 403 });
      await check("edge", "/");
    } finally {
      await page.close();
    }
  },
);

/** Returns the address of the page on which a person confirms the login of a device. */
async function devicePath(): Promise<string> {
  const { id, secret } = sampleApplication;
  const response = await fake.fetch(`${fake.platform.apiUrl}/oauth2/device/authorize`, {
    method: "POST",
    headers: { "user-agent": "DiscordBot (https://app.example, 1)" },
    body: new URLSearchParams({ client_id: id, client_secret: secret, scope: "identify email" }),
  });
  const { verification_uri_complete } = await response.json();
  return verification_uri_complete.replace(base, "");
}
