import { describe, expectTypeOf, test } from "vitest";
import type {
  EmojiPayload,
  Failure,
  FakeActivityConsent,
  FakeApplication,
  FakeBrowserOptions,
  FakeConnection,
  FakeConsent,
  FakeGuild,
  FakeGuildUpdate,
  FakeInstallParams,
  FakeLoginOptions,
  FakeMember,
  FakePlatformOptions,
  FakeRateLimit,
  FakeRateLimits,
  FakeRole,
  FakeTokenRequest,
  FakeUpdate,
  FakeUser,
  FakeUserUpdate,
  FakeWebhookEvent,
  NodeListenerOptions,
  StickerPayload,
} from "../../src/testing/mod.ts";

/** The same type with only `undefined` in its optional properties. */
type AllUndefined<T> = {
  [Key in keyof T]: Partial<T> extends Pick<T, Key> ? undefined : T[Key];
};

describe("the optional properties of the options", () => {
  test("accept undefined", () => {
    expectTypeOf<AllUndefined<FakePlatformOptions>>().toExtend<FakePlatformOptions>();
    expectTypeOf<AllUndefined<FakeApplication>>().toExtend<FakeApplication>();
    expectTypeOf<AllUndefined<FakeInstallParams>>().toExtend<FakeInstallParams>();
    expectTypeOf<AllUndefined<FakeUser>>().toExtend<FakeUser>();
    expectTypeOf<AllUndefined<FakeConnection>>().toExtend<FakeConnection>();
    expectTypeOf<AllUndefined<FakeGuild>>().toExtend<FakeGuild>();
    expectTypeOf<AllUndefined<FakeMember>>().toExtend<FakeMember>();
    expectTypeOf<AllUndefined<FakeRole>>().toExtend<FakeRole>();
    expectTypeOf<AllUndefined<FakeRateLimit>>().toExtend<FakeRateLimit>();
    expectTypeOf<AllUndefined<FakeRateLimits>>().toExtend<FakeRateLimits>();
    expectTypeOf<AllUndefined<FakeConsent>>().toExtend<FakeConsent>();
    expectTypeOf<AllUndefined<FakeLoginOptions>>().toExtend<FakeLoginOptions>();
    expectTypeOf<AllUndefined<FakeBrowserOptions>>().toExtend<FakeBrowserOptions>();
    expectTypeOf<AllUndefined<FakeActivityConsent>>().toExtend<FakeActivityConsent>();
    expectTypeOf<AllUndefined<FakeTokenRequest>>().toExtend<FakeTokenRequest>();
    expectTypeOf<AllUndefined<FakeUpdate>>().toExtend<FakeUpdate>();
    expectTypeOf<AllUndefined<FakeUserUpdate>>().toExtend<FakeUserUpdate>();
    expectTypeOf<AllUndefined<FakeGuildUpdate>>().toExtend<FakeGuildUpdate>();
    expectTypeOf<AllUndefined<FakeWebhookEvent>>().toExtend<FakeWebhookEvent>();
    expectTypeOf<AllUndefined<Failure>>().toExtend<Failure>();
    expectTypeOf<AllUndefined<NodeListenerOptions>>().toExtend<NodeListenerOptions>();
  });

  test("accept undefined inside the objects of an option", () => {
    type Tags = NonNullable<FakeRole["tags"]>;
    type Collectibles = NonNullable<FakeUser["collectibles"]>;
    expectTypeOf<AllUndefined<Tags>>().toExtend<Tags>();
    expectTypeOf<AllUndefined<Collectibles>>().toExtend<Collectibles>();
    expectTypeOf<AllUndefined<EmojiPayload>>().toExtend<EmojiPayload>();
    expectTypeOf<AllUndefined<StickerPayload>>().toExtend<StickerPayload>();
  });
});
