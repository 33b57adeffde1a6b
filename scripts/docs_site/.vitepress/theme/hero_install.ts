import { useData, withBase } from "vitepress";
import { h, type VNode } from "vue";

/** The command that installs this package, below the text of the home page's hero. */
export function HeroInstall(): VNode | undefined {
  const { install } = useData().frontmatter.value;
  if (!install) return;
  const { command, note, link } = install;
  const href = withBase(link).replace("#", ".html#");
  return h("div", { class: "hero-install" }, [
    h("code", command),
    h("p", [`${note} `, h("a", { href }, "install it from a clone")]),
  ]);
}
