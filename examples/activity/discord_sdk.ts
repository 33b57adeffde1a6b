/**
 * Stands in for the Embedded App SDK: sends commands to the page around the Activity, which plays Discord.
 *
 * @module
 */

/** A command, with a port for the response. */
export type Command =
  | { readonly name: "authorize"; readonly args: AuthorizeRequest }
  | { readonly name: "authenticate"; readonly args: { readonly access_token: string } };

/** The argument of `commands.authorize`. */
export interface AuthorizeRequest {
  readonly client_id: string;
  readonly scope: readonly string[];
  readonly response_type?: "code";
  readonly state?: string;
  readonly prompt?: "none";
  readonly code_challenge?: string;
  readonly code_challenge_method?: "S256";
}

/** These methods of the class of the SDK. */
export class DiscordSDK {
  readonly clientId: string;

  constructor(clientId: string) {
    this.clientId = clientId;
  }

  /** Resolves at once: the page around the Activity is there before the Activity. */
  ready(): Promise<void> {
    return Promise.resolve();
  }

  readonly commands = {
    authorize: (args: AuthorizeRequest) => send<{ code: string }>({ name: "authorize", args }),
    authenticate: (args: { access_token: string }) => send({ name: "authenticate", args }),
  };
}

function send<Result = unknown>(command: Command): Promise<Result> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve, reject) => {
    port1.onmessage = ({ data }) => data.error ? reject(Error(data.error)) : resolve(data.result);
    // The content security policy of the page names its only possible parent.
    parent.postMessage(command, "*", [port2]);
  });
}
