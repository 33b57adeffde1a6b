import { describe, expect, test } from "vitest";
import {
  createFakePlatform,
  sampleApplication,
  sampleGuilds,
  sampleUsers,
} from "../../../src/testing/mod.ts";
import { ADA, APP, BOB, inherited } from "../small_platform.ts";

describe("The image CDN", () => {
  const fake = createFakePlatform({
    applications: [{ ...APP, name: "Lantern", icon: "app" }],
    users: [{
      ...ADA,
      avatar: "a_1",
      banner: "b1",
      global_name: " Ada <Lovelace> Byron",
      avatar_decoration_data: { asset: "deco", sku_id: "1" },
      primary_guild: { identity_guild_id: "70", identity_enabled: true, tag: "LOOM", badge: "t1" },
    }, {
      ...BOB,
      avatar: "b2",
      collectibles: { nameplate: { sku_id: "1", asset: "plates/x/", label: "X", palette: "sky" } },
      primary_guild: { identity_guild_id: "70", identity_enabled: true, tag: null, badge: "t2" },
    }],
    guilds: [{
      id: "70",
      name: "<b> & c",
      icon: "i1",
      splash: "s1",
      discovery_splash: "d1",
      banner: "b1",
      roles: [{ id: "70", name: "@everyone" }, { id: "71", name: "Mods", icon: "r1" }],
      emojis: [{ id: "72", name: "cog" }, { id: "73", name: null, animated: true }, {
        id: null,
        name: "🔥",
      }],
      stickers: [1, 3, 4].map((format_type) => ({
        id: `8${format_type}`,
        name: "Card",
        description: null,
        tags: "card",
        type: 2,
        format_type,
      })),
      members: {
        [ADA.id]: { owner: true, avatar: "a_m1", banner: "m2", nick: "Ada" },
        [BOB.id]: {
          avatar: "m3",
          avatar_decoration_data: { asset: "deco2", sku_id: "1" },
          collectibles: { nameplate: { sku_id: "1", asset: "y", label: "Y", palette: "sky" } },
        },
      },
    }],
  });

  test.each([
    "/icons/70/i1.png",
    "/icons/70/i1.webp?size=4096",
    "/splashes/70/s1.jpg",
    "/discovery-splashes/70/d1.jpeg?size=16",
    "/banners/70/b1.png",
    "/banners/1/b1.png",
    "/avatars/1/a_1.gif",
    "/avatars/2/b2.png",
    "/avatars/100/app.png",
    "/app-icons/100/app.png",
    "/embed/avatars/0.png",
    "/embed/avatars/5.png",
    "/avatar-decoration-presets/deco.png",
    "/avatar-decoration-presets/deco2.png",
    "/avatars/1/a_1.webp?animated=true",
    "/guilds/70/users/1/avatars/a_m1.gif",
    "/guilds/70/users/1/banners/m2.png",
    "/guilds/70/users/2/avatars/m3.webp?size=64",
    "/role-icons/71/r1.png",
    "/emojis/72.webp",
    "/emojis/73.gif",
    "/stickers/81.png",
    "/stickers/84.gif",
    "/guild-tag-badges/70/t1.png",
    "/guild-tag-badges/70/t2.png",
    "/assets/collectibles/plates/x/img.png",
    "/assets/collectibles/y/static.png",
  ])("draws %s", async (path) => {
    const response = await fake.fetch(fake.platform.cdnUrl + path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("image/svg+xml");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("content-security-policy")).toBe("default-src 'none'");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(await response.text()).toMatch(/^<svg xmlns=.*<\/svg>$/);
  });

  test("draws the same tile with initials for the same image, in the requested size", async () => {
    const draw = async (path: string) =>
      await (await fake.fetch(fake.platform.cdnUrl + path)).text();
    const icon = await draw("/icons/70/i1.png?size=64");
    expect(icon).toMatch(/^<svg xmlns="[^"]+" viewBox="0 0 64 64" width="64" height="64"><defs>/);
    expect(icon).toMatch(/hsl\(\d+ 62% 52%\).+hsl\(\d+ 62% 38%\).+font-size="26"/);
    expect(icon).toContain(">&lt;&amp;</text>");
    expect(await draw("/icons/70/i1.png?size=64")).toBe(icon);
    expect(await draw("/icons/70/i1.png")).toContain(`width="128"`);
    expect(await draw("/avatars/1/a_1.png")).toContain(">A&lt;</text>");
    expect(await draw("/avatars/2/b2.png")).toContain(">B</text>");
    const hues = (svg: string) => svg.match(/(?<=hsl\()\d+/g)?.map(Number);
    expect(hues(await draw("/splashes/70/s1.png"))).not.toEqual(hues(icon));
    const [from = 0, to = 0] = hues(icon) ?? [];
    expect((to - from + 360) % 360).toBe(50);
  });

  test.each([
    [404, "/icons/70/other.png"],
    [404, "/icons/404/i1.png"],
    [404, "/icons/70/i1"],
    [404, "/icons/70.png"],
    [404, "/icons/70/i1/more.png"],
    [404, "/nonsense/70/i1.png"],
    ...inherited.map((kind): [number, string] => [404, `/${kind}/70/i1.png`]),
    [404, "/embed/avatars/6.png"],
    [404, "/embed/others/1.png"],
    [404, "/avatar-decoration-presets/other.png"],
    [404, "/avatar-decoration-presets/deco/x.png"],
    [404, "/avatars/2/a_1.png"],
    [404, "/"],
    [404, "/emojis/null.png"],
    [404, "/role-icons/70/r1.png"],
    [404, "/guilds/70/users/2/banners/m2.png"],
    [415, "/emojis/72.gif"],
    [415, "/stickers/81.json"],
    [415, "/stickers/84.png"],
    [415, "/embed/avatars/0.webp"],
    [415, "/assets/collectibles/y/img.webp"],
    [415, "/icons/70/i1.gif"],
    [415, "/icons/70/i1.svg"],
    [400, "/icons/70/i1.png?size=100"],
    [400, "/icons/70/i1.png?size=8192"],
    [400, "/icons/70/i1.png?size=big"],
  ])("responds with %i to %s", async (status, path) => {
    expect((await fake.fetch(fake.platform.cdnUrl + path)).status).toBe(status);
  });

  test("serves a Lottie sticker as JSON", async () => {
    const response = await fake.fetch(`${fake.platform.cdnUrl}/stickers/83.json`);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toMatchObject({ layers: [] });
  });

  test("draws all powers of two from 16 to 4096 as size", async () => {
    for (let size = 16; size <= 4096; size *= 2) {
      const response = await fake.fetch(`${fake.platform.cdnUrl}/icons/70/i1.png?size=${size}`);
      expect(response.status).toBe(200);
    }
  });

  test("has every image of the sample data", async () => {
    const sample = createFakePlatform();
    const paths = [
      `/app-icons/${sampleApplication.id}/${sampleApplication.icon}.png`,
      ...sampleUsers.flatMap(({ id, avatar }) => avatar ? [`/avatars/${id}/${avatar}.gif`] : []),
      ...sampleGuilds.flatMap(({ id, icon }) => icon ? [`/icons/${id}/${icon}.png`] : []),
    ];
    expect(paths).toHaveLength(6);
    for (const path of paths) {
      expect((await sample.fetch(sample.platform.cdnUrl + path)).status).toBe(200);
    }
  });
});
