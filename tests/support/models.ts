/**
 * Reads models through the public clients, and what the clients report while they do.
 *
 * @module
 */

import {
  type GuildObj,
  type PartialGuildObj,
  type PayloadIssue,
  PlatformApi,
  type TokenObj,
  User,
  type UserObj,
} from "../../mod.ts";
import { answering, saying } from "./answers.ts";

/** A model, and the issues that were reported while it was read. */
export interface Reading<Model> {
  readonly model: Model;
  readonly issues: readonly PayloadIssue[];
}

/** The model of a `GET /users/@me` answer: its text, or what is its JSON. */
export function readUser(payload: unknown): Promise<Reading<UserObj>> {
  return recording((onUnexpected) =>
    new User("t0ken", { ...answering(saying(payload)), onUnexpected }).getCurrentUser()
  );
}

/** The models of a `GET /users/@me/guilds` answer. */
export function readGuilds(payload: unknown): Promise<Reading<PartialGuildObj[]>> {
  return recording((onUnexpected) =>
    new User("t0ken", { ...answering(saying(payload)), onUnexpected }).getUserGuilds()
  );
}

/** The model of a `GET /guilds/{id}` answer. */
export function readGuild(payload: unknown): Promise<Reading<GuildObj>> {
  return recording((onUnexpected) =>
    new User("t0ken", { ...answering(saying(payload)), onUnexpected }).getGuild("1")
  );
}

/** The model of a token answer. */
export function readToken(payload: unknown): Promise<Reading<TokenObj>> {
  return recording((onUnexpected) =>
    new PlatformApi("1", "s3cret", ["identify"], "https://app.example/", {
      ...answering(saying(payload)),
      onUnexpected,
    }).accessToken("c0de")
  );
}

async function recording<Model>(
  read: (onUnexpected: (issues: readonly PayloadIssue[]) => void) => Promise<Model>,
): Promise<Reading<Model>> {
  const issues: PayloadIssue[] = [];
  const model = await read((found) => issues.push(...found));
  return { model, issues };
}

/** The parts of a value, at any depth, that can still be changed. */
export function unfrozenPartsOf(value: unknown): unknown[] {
  const unfrozen: unknown[] = [];
  const pending = [value];
  while (pending.length) {
    const part = pending.pop();
    if (typeof part !== "object" || part === null) continue;
    if (!Object.isFrozen(part)) unfrozen.push(part);
    for (const inner of Object.values(part)) pending.push(inner);
  }
  return unfrozen;
}
