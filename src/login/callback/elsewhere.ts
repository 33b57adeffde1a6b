/**
 * Logins that end elsewhere: their state names the target, and the registered callback shows a page with one button to it. The page does
 * not read the code. Only the app or preview with the pending login can use the code, since only it has the PKCE verifier.
 *
 * @module
 */

import { generateState } from "../../links/pkce.ts";
import type { Sealer } from "../../stores/sealed.ts";
import { htmlResponse } from "../pages/message_page.ts";
import { isListedTarget, isPreview } from "../site/targets.ts";
import type { LoginParts } from "./login_parts.ts";
import { openPending, sealPending } from "./pending_logins.ts";

/** The parameters of a callback that its target gets. */
const passedOn = [
  "code",
  "state",
  "error",
  "error_description",
  "iss",
  "guild_id",
  "permissions",
];

/** The length of the random part of a state. */
const randomLength = 43;

/** Returns a state that names the target of its login. */
export async function stateFor(sealer: Sealer, target: string): Promise<string> {
  const random = generateState();
  return `${random}.${await sealPending(sealer, random, { target, startedAt: Date.now() })}`;
}

/** Returns true for a state that names the target of its login. */
export function namesTarget(state: string): boolean {
  return state[randomLength] === ".";
}

/**
 * Returns the page for a callback of a login that ends elsewhere. Returns `null` for any other callback, and if Discord can't have sent it.
 * The page can be opened again, since nothing is stored.
 */
export async function pageForElsewhere(
  parts: LoginParts,
  { url }: Request,
): Promise<Response | null> {
  const { searchParams } = new URL(url);
  const query = new URLSearchParams([...searchParams].filter(([name]) => passedOn.includes(name)));
  const isComplete = (query.get("code") || query.get("error")) &&
    passedOn.every((name) => query.getAll(name).length <= 1);
  const target = isComplete ? await targetOf(parts, query.get("state") ?? "") : null;
  if (target === null) return null;
  return htmlResponse({
    status: 200,
    code: "",
    title: "Finish your login",
    text: `You began this login ${placeOf(target)}. Continue there only if that was you.`,
    actions: [{ label: "Continue", href: `${target}?${query}` }],
  }, "no-referrer");
}

/** Returns the target that a state names, or `null` if it names none, is too old, or its target is not on the list. */
export async function targetOf(
  { options: { appTargets, relay }, targetSealer, relaySealer }: LoginParts,
  state: string,
): Promise<string | null> {
  const app = await openState(targetSealer, state);
  if (app !== null) return isListedTarget(app, appTargets) ? app : null;
  if (!relaySealer || !relay?.isMain) return null;
  const preview = await openState(relaySealer, state);
  return preview !== null && isPreview(new URL(preview).origin, relay.origins) ? preview : null;
}

/** Returns the target in a state of the last ten minutes, or `null`. */
async function openState(sealer: Sealer, state: string): Promise<string | null> {
  if (!namesTarget(state)) return null;
  const [random, sealed] = [state.slice(0, randomLength), state.slice(randomLength + 1)];
  return (await openPending(sealer, random, sealed))?.target ?? null;
}

/** Returns the name of a target for the visitor. */
function placeOf(target: string): string {
  const { protocol, host } = new URL(target);
  if (protocol === "https:") return `at ${host}`;
  return protocol === "http:"
    ? "in an app on this computer"
    : `in the app that opens ${protocol}//${host}`;
}
