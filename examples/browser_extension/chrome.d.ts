/** The functions of Chrome that the extension calls. In a project of your own, install `@types/chrome` instead. */
declare const chrome: {
  readonly identity: {
    getRedirectURL(): string;
    launchWebAuthFlow(details: { url: string; interactive: boolean }): Promise<string | undefined>;
  };
  readonly runtime: {
    readonly onMessage: {
      addListener(
        listener: (message: unknown, sender: unknown, respond: (response: unknown) => void) => true,
      ): void;
    };
    sendMessage(message: unknown): Promise<unknown>;
  };
  readonly storage: {
    readonly session: {
      get(key: "token"): Promise<{ readonly token?: string | null }>;
      set(items: { readonly token: string | null }): Promise<void>;
    };
  };
};
