import { describe, expect, expectTypeOf, test } from "vitest";
import type { MemberObj } from "../../mod.ts";
import { avatarUrl, bannerUrl, memberAvatarUrl, memberBannerUrl } from "../../src/images/mod.ts";
import { BAD_ID, CDN, GUILD, ID, STILL } from "./samples.ts";

const user = { id: ID, avatar: STILL, banner: STILL };

describe("memberAvatarUrl", () => {
  test("gives a member without a guild avatar that of the user", () => {
    expect(memberAvatarUrl(GUILD, { avatar: null, user })).toBe(avatarUrl(user));
    expect(memberAvatarUrl(GUILD, { user: { id: ID } }, { size: 64 })).toBe(avatarUrl({ id: ID }));
  });

  test("is null for a member without a user, even with an avatar", () => {
    const member: Pick<MemberObj, "avatar" | "user"> = { avatar: STILL, user: null };
    expectTypeOf(memberAvatarUrl(GUILD, member)).toEqualTypeOf<string | null>();
    expectTypeOf(memberAvatarUrl(GUILD, { user: { id: ID } })).toEqualTypeOf<string>();
    expect(memberAvatarUrl(GUILD, member)).toBeNull();
    expect(() => memberAvatarUrl(GUILD, member, { size: 5 })).toThrow(RangeError);
  });
});

describe("memberBannerUrl", () => {
  test("gives a member without a guild banner that of the user", () => {
    const own = { banner: "own", user };
    expect(memberBannerUrl(GUILD, own)).toBe(`${CDN}/guilds/${GUILD}/users/${ID}/banners/own.png`);
    expect(memberBannerUrl(GUILD, { banner: null, user })).toBe(bannerUrl(user));
    expect(memberBannerUrl(GUILD, { user: { id: ID } })).toBeNull();
  });

  test("is null for a member without a user, even with a banner", () => {
    const member: Pick<MemberObj, "banner" | "user"> = { banner: STILL, user: null };
    expect(memberBannerUrl(GUILD, member)).toBeNull();
    expect(() => memberBannerUrl(GUILD, member, { size: 5 })).toThrow(RangeError);
  });
});

test.each<[string, () => unknown]>([
  ["guildId", () => memberAvatarUrl(BAD_ID, { user: { id: ID } })],
  ["member.user.id", () => memberAvatarUrl(GUILD, { user: { id: BAD_ID } })],
  ["member.user.id", () => memberAvatarUrl(GUILD, null as never)],
  ["guildId", () => memberBannerUrl(BAD_ID, { user: null })],
  ["member.user.id", () => memberBannerUrl(GUILD, { user: { id: BAD_ID } })],
  ["member.user.id", () => memberBannerUrl(GUILD, {} as never)],
])("A wrong id is refused by its name %s", (name, call) => {
  expect(call).toThrow(new RegExp(`^${name} must be`));
});
