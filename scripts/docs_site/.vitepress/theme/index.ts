import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import "./style.css";

const theme: Theme = DefaultTheme;

export default theme;
