// Runs the suite in an edge function
import { respond } from "./respond.ts";

interface FetchEvent extends Event {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

addEventListener("fetch", (event) => {
  const { request } = event as FetchEvent;
  (event as FetchEvent).respondWith(respond(request));
});
