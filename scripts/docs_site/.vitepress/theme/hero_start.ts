import { useData, withBase } from "vitepress";
import { h, type VNode } from "vue";

/** The first commands for a newcomer, below the text of the home page's hero. They look like code in a guide, and copy like it. */
export function HeroStart(): VNode | undefined {
  const { start } = useData().frontmatter.value;
  if (!start) return;
  const { commands, note, text, link } = start;
  const lines = commands.flatMap((
    command: string,
  ) => [h("span", { class: "line" }, command), "\n"]);
  return h("div", { class: "hero-start vp-doc" }, [
    h("div", { class: "language-sh" }, [
      h("button", { class: "copy", title: "Copy code" }),
      // The theme copies the second element after the button.
      h("span", { class: "lang" }, "sh"),
      h("pre", { tabindex: 0 }, h("code", lines)),
    ]),
    h("p", [`${note} `, h("a", { href: withBase(link).replace("#", ".html#") }, text)]),
  ]);
}
