import { describe, expect, test } from "vitest";
import { ApiError, MissingScopeError, PayloadError } from "../../mod.ts";
import { AuthorizedHttp, type AuthorizedRequest } from "../../src/server/authorized_http.ts";
import { answering, saying, thrownBy } from "../support/answers.ts";

const request: AuthorizedRequest = { operation: "getIt()", scope: null, path: "/it" };

const token = {
  access_token: "t0ken",
  token_type: "Bearer",
  expires_in: null,
  expires_at: null,
  refresh_token: null,
  scope: "guilds",
  scopes: ["guilds"],
  guild: null,
  webhook: null,
  id_token: null,
};

describe("a request with a token", () => {
  test("carries it, and hands the payload on", async () => {
    const { fetch, requests } = answering(saying({ is: "it" }));
    const http = new AuthorizedHttp("b0t", { fetch, tokenType: "Bot" });
    expect(await http.request(request, (payload) => payload)).toEqual({ is: "it" });
    expect(requests[0]?.headers.get("authorization")).toBe("Bot b0t");
  });

  test("is not sent without the scope that it needs", async () => {
    const { fetch, requests } = answering(saying({}));
    const http = new AuthorizedHttp(token, { fetch });
    const needing = { ...request, scope: "identify" };
    await expect(http.request(needing, String)).rejects.toThrow(MissingScopeError);
    expect(requests).toEqual([]);
  });

  test.each([[401, "expired or revoked"], [404, "that the token may do this"]])(
    "that is refused with %i names a scope only where one is needed",
    async (status, hint) => {
      const http = new AuthorizedHttp("t0ken", answering(saying("{}", { status })));
      const without = await thrownBy(() => http.request(request, String));
      expect(without).toBeInstanceOf(ApiError);
      expect(without).toMatchObject({ hint: expect.stringMatching(`${hint}$`) });
      const needing = { ...request, scope: "guilds" };
      expect(await thrownBy(() => http.request(needing, String)))
        .toMatchObject({ hint: expect.stringMatching(`${hint}, and .* scope guilds$`) });
    },
  );

  test("reports what was repaired in its answer, with its method and path", async () => {
    const reported: unknown[] = [];
    const onUnexpected = (...report: unknown[]) => reported.push(report);
    const http = new AuthorizedHttp("t0ken", { ...answering(saying({})), onUnexpected });
    const issues = [{ path: "a", message: "b" }];
    const put: AuthorizedRequest = { ...request, method: "PUT", json: {} };
    await http.request(put, (_payload, report) => report(issues));
    expect(reported).toEqual([[issues, { method: "PUT", path: "/it" }]]);
  });

  test("fails as its reader does", async () => {
    const http = new AuthorizedHttp("t0ken", answering(saying({})));
    const reader = () => {
      throw new PayloadError("unreadable", []);
    };
    await expect(http.request(request, reader)).rejects.toThrow("unreadable");
  });
});
