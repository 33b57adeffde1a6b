/**
 * The token in the record of a session.
 *
 * @module
 */

import type { TokenObj } from "../../resources/token.ts";
import type { SaveOptions, Store, StoredValue } from "../../stores/store.ts";
import { isRemoved, newRecord } from "../../tokens/token_record.ts";
import { noSessionError } from "../base/login_error.ts";
import type { SessionKeys } from "../site/namespace.ts";
import type { SessionRecords, StoredSession } from "./session_records.ts";

/** The name of the encrypted token. */
const name = "session token";

/** Encrypts the token of a login or a consent for the record of its session. */
export async function sealToken({ sealer }: SessionKeys, token: TokenObj): Promise<string> {
  return await sealer.seal(name, newRecord(token, Date.now()));
}

/**
 * The store for the `TokenSource` of a session. Its only value is the token, with the version of the session's record: a change of the
 * session counts as a change of the token. The record expires with the session, and never with the token. Without a token, the value is the
 * empty object that a source saves for a removed one.
 */
export class SessionTokenStore implements Store {
  readonly #records: Pick<SessionRecords, "load" | "replace">;
  readonly #keys: SessionKeys;
  /** The record that was read or saved last, so that a save need not read it again. */
  #latest: StoredSession | null = null;

  constructor(records: Pick<SessionRecords, "load" | "replace">, keys: SessionKeys) {
    this.#records = records;
    this.#keys = keys;
  }

  /** See {@link Store.load}. */
  async load(): Promise<StoredValue | null> {
    const session = this.#latest = await this.#records.load(this.#keys);
    if (!session) return null;
    const { record: { token }, version } = session;
    return { value: token === null ? {} : await this.#keys.sealer.open(name, token), version };
  }

  /**
   * See {@link Store.save}.
   *
   * @throws {LoginError} If the session has ended: only a login creates a record, so that a token never brings an ended session back.
   */
  async save(_key: string, value: unknown, { version }: SaveOptions): Promise<string | null> {
    const session = this.#latest ?? await this.#records.load(this.#keys);
    if (!session) throw noSessionError();
    if (session.version !== version) return null;
    const token = isRemoved(value) ? null : await this.#keys.sealer.seal(name, value);
    const record = { ...session.record, token };
    const saved = await this.#records.replace(session, record);
    this.#latest = saved === null ? null : { ...session, record, version: saved };
    return saved;
  }

  /** See {@link Store.delete}. */
  async delete(key: string): Promise<void> {
    await this.load();
    if (this.#latest) await this.save(key, {}, this.#latest);
  }
}
