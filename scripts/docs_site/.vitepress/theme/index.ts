import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { LoginDemo } from "./login_demo.ts";
import "./style.css";

const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component("LoginDemo", LoginDemo);
  },
};

export default theme;
