/**
 * Counts the views of a visitor in a session of h3's own.
 *
 * @module
 */

import type { EventHandlerRequest } from "h3";

type Event = Parameters<Parameters<typeof defineEventHandler<EventHandlerRequest>>[0]>[0];

export async function countViews(event: Event): Promise<void> {
  const session = await useSession<{ views?: number }>(event, {
    name: "views",
    password: "a password of 32 characters at least",
  });
  await session.update(({ views = 0 }) => ({ views: views + 1 }));
  setResponseHeader(event, "x-views", session.data.views ?? 0);
}
