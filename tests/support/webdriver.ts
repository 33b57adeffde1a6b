/**
 * A small WebDriver client for Debian's WebKit. Playwright can't drive it.
 *
 * @see {@link https://www.w3.org/TR/webdriver2/ | WebDriver}
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { freePort } from "./free_port.ts";

/** Keys without a character, for {@link WebDriver.keys}. */
export const keys = {
  down: "\uE015",
  enter: "\uE007",
  escape: "\uE00C",
  shift: "\uE008",
  tab: "\uE004",
  up: "\uE013",
} as const;

/** The time limit of a command in milliseconds. The slowest one takes seconds on a busy machine. */
const commandTimeout = 45_000;

/** WebDriver's reference to an element of the page. */
export type ElementReference = Readonly<Record<string, string>>;

/** The appearance of the page. */
export interface WebKitOptions {
  /** True if pages see `prefers-color-scheme: dark`. @default {false} */
  readonly dark?: boolean;
  /** The size of the page in pixels. @default {{ width: 1280, height: 900 }} */
  readonly size?: { readonly width: number; readonly height: number };
}

/** Opens WebKit on its own virtual screen, since its MiniBrowser has no headless mode. */
export async function openWebKit(
  { dark = false, size = { width: 1280, height: 900 } }: WebKitOptions = {},
): Promise<WebDriver> {
  const screen = await startScreen();
  try {
    const driver = await WebDriver.start("WebKitWebDriver", {
      DISPLAY: screen.display,
      GTK_THEME: dark ? "Adwaita:dark" : "Adwaita",
      // A virtual screen has no graphics card.
      WEBKIT_DISABLE_COMPOSITING_MODE: "1",
      LIBGL_ALWAYS_SOFTWARE: "1",
      // The sandbox needs namespaces that containers often lack.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
    }, screen.stop);
    await driver.resize(size.width, size.height);
    return driver;
  } catch (error) {
    screen.stop();
    throw error;
  }
}

/** One browser window, controlled through a driver. */
export class WebDriver {
  readonly #base: string;
  readonly #stop: () => void;
  #session = "";
  /** The name of the window of later commands, if it is known. */
  #window = "";

  private constructor(base: string, stop: () => void) {
    this.#base = base;
    this.#stop = stop;
  }

  /**
   * Starts a driver that accepts `--port`, and a session with its browser.
   *
   * @param onClose Called after the driver has ended.
   */
  static async start(
    command: string,
    env: Readonly<Record<string, string>> = {},
    onClose: () => void = () => {},
    capabilities: Readonly<Record<string, unknown>> = {},
  ): Promise<WebDriver> {
    const port = await freePort();
    const child = await started(command, [`--port=${port}`], env);
    const driver = new WebDriver(`http://127.0.0.1:${port}`, () => {
      child.kill();
      onClose();
    });
    try {
      await driver.#ready(child);
      const { sessionId } = await driver.#request("POST", "/session", {
        capabilities: { alwaysMatch: capabilities },
      }) as { sessionId: string };
      driver.#session = `/session/${sessionId}`;
      return driver;
    } catch (error) {
      child.kill();
      throw error;
    }
  }

  /** Opens an address and waits until it is loaded. */
  async goto(url: string): Promise<void> {
    await this.#command("POST", "/url", { url });
  }

  /** Loads the page again. */
  async reload(): Promise<void> {
    await this.#command("POST", "/refresh", {});
  }

  /** Goes one step back in the history. */
  async back(): Promise<void> {
    await this.#command("POST", "/back", {});
  }

  /** Returns the address of the page. */
  async url(): Promise<string> {
    return await this.#command("GET", "/url") as string;
  }

  /**
   * Runs the body of a function in the page with `arguments`, and returns its result. A promise is awaited.
   *
   * @throws {Error} If the script throws, with its error.
   */
  async execute(script: string, ...args: readonly unknown[]): Promise<unknown> {
    return await this.#command("POST", "/execute/sync", { script, args });
  }

  /** Finds the first element for a CSS selector, for an argument of {@link WebDriver.execute}. */
  async element(selector: string): Promise<ElementReference> {
    return await this.#command("POST", "/element", {
      using: "css selector",
      value: selector,
    }) as ElementReference;
  }

  /** Directs later commands to the frame of a CSS selector, or to the page itself for `null`. */
  async frame(selector: string | null): Promise<void> {
    await this.#command("POST", "/frame", { id: selector && await this.element(selector) });
  }

  /** Returns the names of all windows. */
  async windows(): Promise<readonly string[]> {
    return await this.#command("GET", "/window/handles") as readonly string[];
  }

  /** Directs later commands to a window. */
  async switchTo(handle: string): Promise<void> {
    await this.#command("POST", "/window", { handle });
    this.#window = handle;
  }

  /** Scrolls an element into view and clicks its middle. */
  async click(selector: string): Promise<void> {
    // The driver does not scroll if the upper half of the element is in view. Then it can't reach its middle.
    await this.execute(
      `arguments[0].scrollIntoView({ block: "center" })`,
      await this.element(selector),
    );
    await this.#command("POST", `${await this.#path(selector)}/click`, {});
  }

  /** Types into an element. */
  async type(selector: string, text: string): Promise<void> {
    await this.#command("POST", `${await this.#path(selector)}/value`, { text });
  }

  /** Presses keys one after the other, in the element with the focus. Keys in a list are held down together. */
  async keys(...pressed: readonly (string | readonly string[])[]): Promise<void> {
    const actions = pressed.flatMap((chord) => {
      const held = typeof chord === "string" ? [chord] : chord;
      return [
        ...held.map((value) => ({ type: "keyDown", value })),
        ...held.toReversed().map((value) => ({ type: "keyUp", value })),
      ];
    });
    await this.#command("POST", "/actions", {
      actions: [{ type: "key", id: "keyboard", actions }],
    });
  }

  /** Returns the name of the window of later commands. */
  async window(): Promise<string> {
    return this.#window ||= await this.#command("GET", "/window") as string;
  }

  /** Opens a window, and returns its name. Later commands still go to the current one. */
  async openWindow(): Promise<string> {
    const { handle } = await this.#command("POST", "/window/new", { type: "window" }) as {
      handle: string;
    };
    return handle;
  }

  /** Gives the page a size in pixels; the window around it is larger. */
  async resize(width: number, height: number): Promise<void> {
    await this.#command("POST", "/window/rect", { width, height });
    const [outerWidth, outerHeight] = await this.execute(
      "return [innerWidth, innerHeight]",
    ) as [number, number];
    await this.#command("POST", "/window/rect", {
      width: 2 * width - outerWidth,
      height: 2 * height - outerHeight,
    });
  }

  /** Takes a PNG image of the window. */
  async screenshot(): Promise<Uint8Array> {
    return Buffer.from(await this.#command("GET", "/screenshot") as string, "base64");
  }

  /** Ends the session, the browser and the driver. */
  async close(): Promise<void> {
    try {
      await this.#command("DELETE", "");
    } finally {
      this.#stop();
    }
  }

  async #ready(child: ChildProcess): Promise<void> {
    for (let tries = 0; child.exitCode === null && tries < 600; tries++) {
      try {
        await fetch(`${this.#base}/status`).then((response) => response.body?.cancel());
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
    throw Error("The driver did not respond within a minute");
  }

  async #path(selector: string): Promise<string> {
    return `/element/${Object.values(await this.element(selector))[0]}`;
  }

  #command(method: string, path: string, body?: unknown): Promise<unknown> {
    return this.#request(method, this.#session + path, body);
  }

  async #request(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(this.#base + path, {
      method,
      signal: AbortSignal.timeout(commandTimeout),
      ...(body === undefined ? {} : {
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
      }),
    }).catch((error: unknown) => {
      throw Error(`The driver did not respond to ${method} ${path}`, { cause: error });
    });
    const { value } = await response.json() as { value: unknown };
    if (response.ok) return value;
    const { error, message } = value as { error?: string; message?: string };
    throw Error(`The driver refused ${method} ${path}: ${error} ${message}`);
  }
}

/** Starts a virtual screen with a free number. */
async function startScreen(): Promise<{ display: string; stop: () => void }> {
  const child = await started("Xvfb", ["-displayfd", "1", "-screen", "0", "1920x1400x24"]);
  const number = await new Promise<string>((resolve, reject) => {
    let printed = "";
    child.stdout?.on("data", (chunk) => {
      printed += chunk;
      if (printed.endsWith("\n")) resolve(printed.trim());
    });
    child.once("exit", () => reject(Error("Xvfb ended before it had a screen")));
  });
  return { display: `:${number}`, stop: () => child.kill() };
}

async function started(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ChildProcess> {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  await new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (error) => reject(Error(`Could not start ${command}: ${error.message}`)));
  });
  return child;
}
