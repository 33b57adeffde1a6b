import { describe, expect, onTestFinished, test, vi } from "vitest";
import { generateState } from "../../../mod.ts";
import { Namespace } from "../../../src/login/site/namespace.ts";

const ISSUER = "https://discord.com";
const secret = generateState();

/** The namespaces of four logins that differ in one thing each. */
const logins = [
  new Namespace("1", ISSUER, ""),
  new Namespace("2", ISSUER, ""),
  new Namespace("1", "https://test.example", ""),
  new Namespace("1", ISSUER, "admin"),
];

describe("The names of a login", () => {
  test("tell its cookies from those of a login with another name", () => {
    const state = generateState();
    const [plain, , , admin] = logins;
    expect(plain?.sessionCookie).toBe("session");
    expect(admin?.sessionCookie).toBe("session.admin");
    expect(plain?.pendingCookie(state)).toBe(`login.${state.slice(0, 12)}`);
    expect(admin?.pendingCookie(state)).toBe(`login.admin.${state.slice(0, 12)}`);
    for (const [one, other] of [[plain, admin], [admin, plain]]) {
      const cookie = one?.pendingCookie(state) ?? "";
      expect(one?.isPendingCookie(cookie)).toBe(true);
      expect(other?.isPendingCookie(cookie)).toBe(false);
    }
    expect(plain?.isPendingCookie("session")).toBe(false);
  });

  test("find the pending logins of other names by the state", () => {
    const state = generateState();
    const [people, admins] = ["", "admins"].map((name) => new Namespace("1", ISSUER, name));
    const cookies = [people, admins].map((namespace) => namespace?.pendingCookie(state) ?? "");
    const isOther = (namespace: Namespace | undefined, of: string) =>
      cookies.map((cookie) => namespace?.isPendingCookieOfOther(cookie, of));
    expect(isOther(people, state)).toEqual([false, true]);
    expect(isOther(admins, state)).toEqual([true, false]);
    expect(isOther(people, generateState())).toEqual([false, false]);
    expect(people?.isPendingCookieOfOther(`session.${state.slice(0, 12)}`, state)).toBe(false);
  });

  test("tell its cookies and records from those of another application and another platform", async () => {
    const id = generateState();
    const sealedTexts = await Promise.all(
      logins.map((namespace) => namespace.createSealer(secret, "cookies").seal("session", 1)),
    );
    const keys = await Promise.all(logins.map((namespace) => namespace.sessionKeys(id)));
    const records = await Promise.all(keys.map(({ sealer }) => sealer.seal("record", 1)));
    for (const [at, namespace] of logins.entries()) {
      const sealer = namespace.createSealer(secret, "cookies");
      for (const [of, text] of sealedTexts.entries()) {
        expect(await sealer.open("session", text)).toBe(at === of ? 1 : null);
      }
      for (const [of, text] of records.entries()) {
        expect(await keys[at]?.sealer.open("record", text)).toBe(at === of ? 1 : null);
      }
    }
    const digests = await Promise.all(logins.map((namespace) => namespace.personDigest("7")));
    expect(new Set([...digests, ...keys.map(({ digest }) => digest)]).size).toBe(8);
  });

  test("tell one use of a secret from another", async () => {
    const [namespace] = logins;
    const text = await namespace?.createSealer(secret, "cookies").seal("x", 1);
    expect(await namespace?.createSealer(secret, "tokens").open("x", text)).toBeNull();
  });

  test("say nothing of a session's key or id", async () => {
    const id = generateState();
    const { digest, sealer } = await new Namespace("1", ISSUER, "").sessionKeys(id);
    expect(digest).toMatch(/^[\w-]{43}$/);
    expect(digest).not.toBe(id);
    expect(await sealer.seal(digest, null)).not.toContain(digest);
  });
});

describe("The keys of a session", () => {
  test("are derived once for 1,000 sessions, and begin anew with more", async () => {
    const namespace = new Namespace("1", ISSUER, "");
    const digest = vi.spyOn(crypto.subtle, "digest");
    onTestFinished(() => digest.mockRestore());
    const first = await namespace.sessionKeys("first");
    for (let i = 1; i < 1000; i++) await namespace.sessionKeys(`${i}`);
    expect(digest).toHaveBeenCalledTimes(1000);
    expect(await namespace.sessionKeys("first")).toBe(first);
    expect(digest).toHaveBeenCalledTimes(1000);
    for (let i = 1000; i < 2000; i++) await namespace.sessionKeys(`${i}`);
    expect((await namespace.sessionKeys("first")).digest).toBe(first.digest);
    expect(digest).toHaveBeenCalledTimes(2001);
  });

  test("are not those of another login with the same session id", async () => {
    const keys = await Promise.all(logins.map((login) => login.sessionKeys("same")));
    expect(new Set(keys.map(({ digest }) => digest)).size).toBe(logins.length);
  });
});
