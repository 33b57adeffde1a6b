import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { h } from "vue";
import { HeroStart } from "./hero_start.ts";
import { LoginDemo } from "./login_demo.ts";
import "./style.css";

const theme: Theme = {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { "home-hero-info-after": () => h(HeroStart) }),
  enhanceApp({ app }) {
    app.component("LoginDemo", LoginDemo);
  },
};

export default theme;
