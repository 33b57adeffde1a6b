// An edge function
import { answer } from "./respond.ts";

interface FetchEvent extends Event {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

addEventListener("fetch", (event) => {
  const { request } = event as FetchEvent;
  (event as FetchEvent).respondWith(answer(request));
});
