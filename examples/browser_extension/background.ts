/// <reference path="./chrome.d.ts" />
/**
 * The background script. It does the work of the popup, which closes while the consent page is open.
 *
 * @module
 */

import { currentPerson, logIn, logOut, type Person } from "./login.ts";

/** The response to the popup. */
export interface Outcome {
  /** `null` without a login. */
  readonly person: Person | null;
  /** True if the action failed. */
  readonly hasFailed: boolean;
}

const actions: Readonly<Record<string, () => Promise<Person | null>>> = {
  read: currentPerson,
  "log in": logIn,
  "log out": logOut,
};

chrome.runtime.onMessage.addListener((action, _sender, respond) => {
  run(String(action)).then(respond);
  return true; // the response comes later
});

async function run(action: string): Promise<Outcome> {
  try {
    return { person: await actions[action]?.() ?? null, hasFailed: false };
  } catch (error) {
    console.error(error);
    return { person: await currentPerson(), hasFailed: true };
  }
}
