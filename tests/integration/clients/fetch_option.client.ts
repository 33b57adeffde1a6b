import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import nodeFetch from "node-fetch";
import { afterAll, expect, test } from "vitest";
import { EnvHttpProxyAgent, fetch as undiciFetch, ProxyAgent, type RequestInit } from "undici";
import { AuthUrl, type Fetch, parseCallback, PlatformApi, User } from "../../../mod.ts";
import { createFakePlatform, nodeListener, sampleApplication } from "../../../src/testing/mod.ts";

const opened: Server[] = [];
afterAll(() => opened.forEach((server) => (server.closeAllConnections(), server.close())));

async function listen(server: Server): Promise<string> {
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const server = createServer(nodeListener((request) => fake.fetch(request)));
const fake = createFakePlatform({ origin: await listen(server) });

/** The targets of the connections through the proxy. */
const targets: string[] = [];

/** A proxy that forwards connections (RFC 9110 section 9.3.6). */
const proxy = await listen(
  createServer().on("connect", ({ url = "" }, socket: Socket, head) => {
    targets.push(url);
    const { hostname, port } = new URL(`http://${url}`);
    const target = connect(Number(port), hostname, () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      target.write(head);
      target.pipe(socket).pipe(target);
    });
    for (const end of [socket, target]) end.on("error", () => {});
  }),
);

const throughProxy = new ProxyAgent(proxy);
const throughEnvironment = new EnvHttpProxyAgent({ httpProxy: proxy, noProxy: "" });

const implementations: [string, Fetch, boolean][] = [
  ["node-fetch", nodeFetch, false],
  ["undici", (url, init) => undiciFetch(url, init as RequestInit), false],
  [
    "undici with a proxy",
    (url, init) => undiciFetch(url, { ...init as RequestInit, dispatcher: throughProxy }),
    true,
  ],
  [
    "undici with a proxy of the environment",
    (url, init) => undiciFetch(url, { ...init as RequestInit, dispatcher: throughEnvironment }),
    true,
  ],
  ["the global fetch", fetch, false],
  ["a wrapper of the global fetch", (url, init) => fetch(url, init), false],
];

test.each(implementations)("A login and a read work with %s", async (_name, fetch, isProxied) => {
  targets.length = 0;
  const options = { fetch, platform: fake.platform };
  const { id, secret, redirectUris: [redirectUri = ""] } = sampleApplication;
  const link = await new AuthUrl(id, ["identify"], redirectUri, null, options).makeUrl({
    state: "s7ate",
  });
  const { code } = parseCallback(await fake.authorize(link), { state: "s7ate" });
  const api = new PlatformApi(id, secret, ["identify"], redirectUri, options);
  const token = await api.accessToken(code);
  expect(await new User(token, options).getCurrentUser()).toMatchObject({ username: "ada" });
  expect(await new User("wr0ng", options).getCurrentUser().catch((error) => error))
    .toMatchObject({ name: "ApiError", httpStatus: 401 });
  const next = await api.refresh(token);
  await api.revoke(next);
  expect(targets.length > 0).toBe(isProxied);
});

test.each(implementations.filter(([, , isProxied]) => !isProxied))(
  "A refused connection is named with %s",
  async (_name, fetch) => {
    const closed = createServer();
    const apiUrl = await listen(closed);
    await new Promise((resolve) => closed.close(resolve));
    const platform = { ...fake.platform, apiUrl };
    const { id, secret, redirectUris: [redirectUri = ""] } = sampleApplication;
    const api = new PlatformApi(id, secret, ["identify"], redirectUri, { fetch, platform });
    expect(await api.accessToken("c0de").catch((error) => error)).toMatchObject({
      name: "NetworkError",
      message: expect.stringMatching(/connection refused$/),
      mayHaveArrived: false,
    });
  },
);
