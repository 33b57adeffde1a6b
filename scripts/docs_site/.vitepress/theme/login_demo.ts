import { withBase } from "vitepress";
import { h, type VNode } from "vue";

/** A button that loads the demo, whose script replaces the content of this element. */
export function LoginDemo(): VNode {
  return h("div", { id: "login-demo", "data-invite-builder": withBase("/invite-builder/") }, [
    h("button", { type: "button", onClick: start }, "Start the demo"),
  ]);
}

function start({ currentTarget }: MouseEvent): void {
  if (!(currentTarget instanceof HTMLButtonElement)) return;
  const button = currentTarget;
  button.disabled = true;
  if (!isSecureContext) {
    // Browsers have no Web Crypto here.
    button.textContent = "The demo needs HTTPS or localhost";
    return;
  }
  button.textContent = "Loading…";
  const script = document.createElement("script");
  script.type = "module";
  // A module runs once for each address, and a visitor may come back to this page.
  script.src = `${withBase("/login-demo.js")}?${Date.now()}`;
  script.addEventListener("error", () => {
    button.disabled = false;
    button.textContent = "It could not be loaded. Try again";
  });
  document.head.append(script);
}
