import { describe, expect, test } from "vitest";
import { MemoryStore } from "../../mod.ts";
import { TokenEntry } from "../../src/tokens/token_entry.ts";
import { newRecord, type TokenRecord } from "../../src/tokens/token_record.ts";
import { ModelPlatform } from "../support/model_platform.ts";

/** Creates the entry of a process that has leased its token. */
async function createEntry() {
  const entry = new TokenEntry(new MemoryStore(), "ada", 10_000);
  const record = newRecord(new ModelPlatform().issue(), 0);
  const leased = { ...record, lease: { id: "own", duration: 20_000, until: Date.now() + 20_000 } };
  const version = await entry.write(leased, null) ?? "";
  return { entry, leased, version };
}

const withoutLease = (record: TokenRecord): TokenRecord => ({ ...record, lease: null });

describe("The release of a lease", () => {
  test("changes what another process has saved meanwhile, and keeps the rest of it", async () => {
    const { entry, leased, version } = await createEntry();
    await entry.write({ ...leased, startedAt: 5 }, version);
    await entry.release({ leased, version }, withoutLease);
    expect((await entry.load()).record).toMatchObject({ startedAt: 5, lease: null });
  });

  test("leaves the lease that another process has taken after the end of this one", async () => {
    const { entry, leased, version } = await createEntry();
    const other = { ...leased.lease, id: "other" };
    await entry.write({ ...leased, lease: other }, version);
    await entry.release({ leased, version }, withoutLease);
    expect((await entry.load()).record?.lease).toEqual(other);
  });

  test("leaves a token that was saved meanwhile", async () => {
    const { entry, leased, version } = await createEntry();
    const later = newRecord(new ModelPlatform().issue({ access_token: "later" }), 0);
    await entry.write(later, version);
    await entry.release({ leased, version }, () => null);
    expect((await entry.load()).record?.token.access_token).toBe("later");
  });
});
