/**
 * The colors and fonts of all examples, in light and dark, as CSS custom properties.
 *
 * @module
 */

/** The custom properties. Put them before a page's own style. Text has a contrast of at least 4.5 to 1, a field's border 3 to 1. */
export const tokens = `
:root {
  color-scheme: light dark;
  --page: #f3f0e9;
  --card: #fffdf9;
  --field: #ffffff;
  --text: #231f2e;
  --quiet-text: #5f596c;
  --border: #e3ddd0;
  --field-border: #8c8598;
  --accent: #473bb8;
  --on-accent: #fffdf9;
  --accent-background: #f0eefb;
  --accent-border: #c9c3f0;
  --warning: #7a4b00;
  --warning-background: #fbeed3;
  --error: #a3232f;
  --ticket: #2b2560;
  --ticket-text: #f6f3ff;
  --ticket-quiet-text: #c6c0ea;
  --ticket-border: #5a5296;
  --ticket-button: #f6f3ff;
  --ticket-button-text: #2b2560;
  --ticket-highlight: #ffd58a;
  --shadow: 0 1px 2px rgb(35 31 46 / 5%), 0 8px 24px -12px rgb(35 31 46 / 12%);
  --ticket-shadow: drop-shadow(0 14px 22px rgb(43 37 96 / 28%));
  --sans: Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #15141a;
    --card: #1d1b24;
    --field: #15141a;
    --text: #eeebf5;
    --quiet-text: #aaa4b8;
    --border: #32303c;
    --field-border: #757083;
    --accent: #b3a8ff;
    --on-accent: #1d1b24;
    --accent-background: #272441;
    --accent-border: #4d4780;
    --warning: #f3c56f;
    --warning-background: #3a2f1a;
    --error: #ff9ba2;
    --ticket: #332c70;
    --ticket-border: #675eab;
    --shadow: none;
    --ticket-shadow: drop-shadow(0 14px 24px rgb(0 0 0 / 45%));
  }
}
`;
