import { expect, test, vi } from "vitest";
import { createLogins, withstandFlood } from "../memory_logins.ts";

test(
  "In a flood of 110,000 logins within ten minutes, the memory is bounded, no code is sent twice, and the last callbacks end the same " +
    "when they are opened again",
  async () => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout"], now: Date.UTC(2030, 0, 1) });
    const logins = createLogins();
    await withstandFlood(logins, {
      maxRecords: 5000,
      maxBytes: 8 * 1024 * 1024,
      maxMarks: 50_000,
    });
    expect(logins.counts.exchange).toBe(110_002);
    vi.useRealTimers();
  },
  120_000,
);
