import { afterEach, expect, test, vi } from "vitest";
import { SessionClient } from "../../src/browser/mod.ts";

afterEach(() => void vi.unstubAllGlobals());

test.each(["/session", "https://api.app.example/session"])(
  "A client of %s on a server keeps its first state and sends nothing",
  async (url) => {
    const fetch = vi.fn();
    const BroadcastChannel = vi.fn();
    vi.stubGlobal("fetch", fetch);
    vi.stubGlobal("BroadcastChannel", BroadcastChannel);
    const user = { id: "1", username: "ada", global_name: null, avatar: null, avatar_url: "" };
    const initial = { user, scopes: [], endsAt: Date.now() + 5_000 };
    const addListener = vi.fn();
    vi.stubGlobal("addEventListener", addListener);
    const client = new SessionClient({ url, initial });
    const listener = vi.fn();
    const stop = client.subscribe(listener);
    expect(listener.mock.calls).toEqual([[client.state]]);
    expect(await client.refresh()).toBe(client.state);
    expect(client.state).toEqual({ status: "logged_in", ...initial });
    stop();
    expect(addListener).not.toHaveBeenCalled();
    expect(fetch).not.toHaveBeenCalled();
    expect(BroadcastChannel).not.toHaveBeenCalled();
    await expect(client.logOut()).rejects.toThrow("Could not log out: no response");
    const needsPage = new TypeError("SessionClient needs a page: here, use Login");
    await expect(client.fetch("/api")).rejects.toThrow(needsPage);
    expect(() => client.logIn()).toThrow(needsPage);
    expect(fetch).not.toHaveBeenCalled();
    expect(client.state.status).toBe("logged_in");
  },
);
