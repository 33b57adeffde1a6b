/**
 * A frame that shows the pages of a browser. It keeps one document, so that Back in the real browser leaves the whole demo.
 *
 * @module
 */

import type { OpenedPage, PageBrowser } from "./page_browser.ts";

/** The settings of {@link Frame}. */
export interface FrameSettings {
  /** The address of the invite builder, to which its links lead in a new tab. */
  readonly inviteBuilder: string;
  /** Gets the address of each page that is shown. */
  readonly onOpen: (url: URL) => void;
}

/** No script runs in the frame, and it loads nothing. */
const firstPage = `<!doctype html><meta http-equiv="content-security-policy"
  content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"><title>Demo</title>`;

/** A frame in front of a browser. */
export class Frame {
  readonly element = document.createElement("iframe");
  readonly #browser: PageBrowser;
  readonly #settings: FrameSettings;
  readonly #ready: Promise<void>;
  #url = new URL("about:blank");
  #isOpening = false;

  constructor(browser: PageBrowser, settings: FrameSettings) {
    this.#browser = browser;
    this.#settings = settings;
    this.element.title = "Demo";
    this.element.srcdoc = firstPage;
    this.#ready = new Promise<Event>((resolve) => {
      this.element.addEventListener("load", resolve, { once: true });
    }).then(() => this.#listen());
  }

  /** Opens a page and shows it. The frame must be in the document. A second click does nothing until the page is shown. */
  async open(url: URL, form?: URLSearchParams): Promise<void> {
    if (this.#isOpening) return;
    this.#isOpening = true;
    try {
      await this.#ready;
      await this.#show(await this.#browser.open(url, form));
    } finally {
      this.#isOpening = false;
    }
  }

  /** Opens the links and sends the forms of the pages. */
  #listen(): void {
    const view = this.element.contentDocument?.defaultView;
    if (!view) return;
    view.document.addEventListener("click", (event) => {
      const link = event.target instanceof view.Element ? event.target.closest("a[href]") : null;
      if (!link || link.hasAttribute("target")) return;
      event.preventDefault();
      this.open(new URL(link.getAttribute("href") ?? "", this.#url));
    });
    view.document.addEventListener("submit", (event) => {
      event.preventDefault();
      if (!(event.target instanceof view.HTMLFormElement)) return;
      const url = new URL(event.target.getAttribute("action") ?? "", this.#url);
      const fields = new view.FormData(event.target, event.submitter);
      const form = new URLSearchParams();
      for (const [name, value] of fields) form.append(name, String(value));
      if (event.target.method === "post") return void this.open(url, form);
      url.search = form.toString();
      this.open(url);
    });
  }

  async #show({ url, text }: OpenedPage): Promise<void> {
    this.#url = url;
    const page = new DOMParser().parseFromString(text, "text/html");
    for (const script of page.querySelectorAll("script")) script.remove();
    for (const link of page.querySelectorAll('a[href^="/invite"]')) {
      link.setAttribute("href", this.#settings.inviteBuilder);
      link.setAttribute("target", "_blank");
    }
    for (const image of page.querySelectorAll("img")) {
      const source = new URL(image.getAttribute("src") ?? "", url);
      image.setAttribute("src", await this.#browser.image(source));
    }
    const { contentDocument } = this.element;
    contentDocument?.documentElement.replaceWith(page.documentElement);
    const target = url.hash ? contentDocument?.querySelector<HTMLElement>(url.hash) : null;
    this.element.contentWindow?.scrollTo(0, target?.offsetTop ?? 0);
    this.#settings.onOpen(url);
  }
}
