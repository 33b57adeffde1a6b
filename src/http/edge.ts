/**
 * Pauses all requests after a block by the edge in front of the platform.
 *
 * @module
 */

import type { AttemptResult } from "./attempt.ts";
import type { Call } from "./gate.ts";
import type { CheckedOptions } from "./options.ts";
import { attemptUnlessPaused, newPause, type PauseRules } from "./pause.ts";
import { PerPlatform } from "./per_platform.ts";
import { waitRejection } from "./rejections.ts";

const blocks = /* @__PURE__ */ new PerPlatform(newPause);

/** The hint for a block. */
export const edgeHint =
  "The edge in front of the platform blocked this client or its IP address. Others at the address can " +
  "cause it, as on Cloudflare Workers, Render or Cloud Run: a fixed outgoing address or a proxy helps. " +
  "Otherwise send fewer requests that get 401, 403 or 429, check the userAgent option, and wait";

const rules: PauseRules = {
  isForBlocks: true,
  reject: (call, wait) =>
    waitRejection(call, "the edge in front of the platform has blocked a request before", wait, {
      blockedByEdge: true,
      hint: edgeHint,
    }),
};

/**
 * Makes an attempt, unless requests are paused after a block. After the pause, one request is sent, and the others wait for its
 * outcome. If a visitor or the caller shaped the request, a block does not pause other requests.
 */
export function attemptUnlessBlocked(
  options: CheckedOptions,
  call: Call,
  attempt: () => Promise<AttemptResult>,
): Promise<AttemptResult> {
  const isAlone = call.request.isShapedByCaller === true;
  return attemptUnlessPaused(blocks.for(options), call, attempt, rules, isAlone);
}
