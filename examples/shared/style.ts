/**
 * The look of all examples: put `style` into a page and use these classes. A page that needs more rules adds them after
 * it. `page.ts` does this for pages of a server.
 *
 * | class                  | use                                                                                |
 * | ---------------------- | ---------------------------------------------------------------------------------- |
 * | `masthead`             | the header; it has the `brand` (logo and name), and links or buttons beside it      |
 * | `page`                 | everything below the header; `narrow` on the body for pages with little in them    |
 * | `stack`                | stacks its elements, with a gap                                                    |
 * | `card`                 | a white sheet on the paper                                                         |
 * | `ticket`               | the dark ticket: a `stub`, a `tear`, another `stub`; with `wide` they are in a row |
 * | `button`               | a link or button, once a page; with `quiet` for the others, with `small` in a list  |
 * | `actions`              | buttons beside each other                                                          |
 * | `chips`, `chip`        | small words beside each other; a `<button class="chip">` can be pressed            |
 * | `entries`              | a list of cards in columns                                                         |
 * | `entry`                | a picture, a name and buttons in a row                                             |
 * | `picture`              | an icon or initials; with `large`, and `round` for a person                        |
 * | `note`, `alert`        | a remark; an error                                                                 |
 * | `lead`, `muted`        | the sentence below a heading; less important text                                  |
 * | `heading`              | a heading with a `count`, and a button at the other end                            |
 * | `search`               | a form to filter a list: a field, a button and a status                            |
 * | `steps`                | an `<ol>` of folded steps, each with a list of its parts                           |
 * | `facts`                | a `<dl>` with numbers; each pair in a `<div>`                                      |
 * | `visually-hidden`      | text for screen readers only                                                       |
 *
 * @module
 */

import { tokens } from "./tokens.ts";

/** The colors, the fonts, and the parts of a page. */
export const style = `${tokens}
*,
*::before,
*::after {
  box-sizing: border-box;
}
[hidden] {
  display: none !important;
}
html {
  -webkit-text-size-adjust: 100%;
}
body {
  margin: 0;
  background: var(--page);
  color: var(--text);
  font: 1rem/1.5 var(--sans);
  overflow-wrap: break-word;
}
h1, h2, h3, p, ul, dl, dd, form, fieldset, legend {
  margin: 0;
  padding: 0;
  border: 0;
}
h1 {
  font-size: clamp(1.75rem, 1.4rem + 1.6vw, 2.5rem);
  font-weight: 700;
  letter-spacing: -0.03em;
  line-height: 1.1;
  overflow-wrap: anywhere;
  text-wrap: balance;
}
h2 {
  font-size: 1.125rem;
  font-weight: 650;
  letter-spacing: -0.012em;
  line-height: 1.3;
}
h3 {
  font-size: 1rem;
  font-weight: 650;
  line-height: 1.3;
}
a {
  color: var(--accent);
  text-underline-offset: 0.2em;
}
code {
  font: 0.9em var(--mono);
  overflow-wrap: anywhere;
}
summary {
  width: fit-content;
  padding: 4px 0;
  color: var(--accent);
  font-size: 0.9375rem;
  font-weight: 600;
  cursor: pointer;
}
summary ~ * {
  margin-block: 4px 8px;
}
:focus-visible {
  outline: 3px solid var(--accent);
  outline-offset: 2px;
  border-radius: 4px;
}
.visually-hidden {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}
.lead {
  max-width: 34em;
  color: var(--quiet-text);
  font-size: 1.0625rem;
  text-wrap: pretty;
}
.muted {
  color: var(--quiet-text);
  font-size: 0.875rem;
}
.count {
  margin-left: 0.3em;
  color: var(--quiet-text);
  font-size: 0.8125rem;
  font-weight: 500;
  font-variant-numeric: tabular-nums;
}

/* The page */

.masthead,
.page {
  max-width: var(--width, 64rem);
  margin-inline: auto;
  padding-inline: clamp(16px, 3vw, 40px);
}
.narrow {
  --width: 47rem;
}
.masthead,
.heading {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 8px 24px;
}
.masthead {
  padding-block: clamp(20px, 3vw, 36px);
}
.brand,
.brand a {
  display: flex;
  align-items: center;
  gap: 8px;
  color: var(--accent);
  font-size: 0.9375rem;
  font-weight: 650;
  text-decoration: none;
}
.brand .muted {
  font-weight: 400;
}
.page {
  padding-bottom: 64px;
}
.stack {
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 14px;
  align-content: start;
}
.page.stack {
  gap: 20px;
}
.icon {
  width: 1.25em;
  height: 1.25em;
  flex: none;
  fill: none;
  stroke: currentColor;
  stroke-width: 1.8;
  stroke-linecap: round;
  stroke-linejoin: round;
}

/* Sheets */

.card {
  padding: clamp(18px, 2.4vw, 28px);
  border: 1px solid var(--border);
  border-radius: 18px;
  background: var(--card);
  box-shadow: var(--shadow);
}
.note,
.alert {
  padding: 12px 16px;
  border: 1px solid var(--accent-border);
  border-radius: 12px;
  background: var(--accent-background);
  font-size: 0.9375rem;
}
.alert {
  border-color: var(--warning);
  background: var(--warning-background);
  color: var(--warning);
}
.ticket {
  --notch: 11px;
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  color: var(--ticket-text);
  filter: var(--ticket-shadow);
}
.ticket .lead,
.ticket .muted {
  color: var(--ticket-quiet-text);
}
.ticket :focus-visible {
  outline-color: var(--ticket-highlight);
}
.stub {
  padding: clamp(20px, 3vw, 32px);
  background: var(--ticket);
}
.stub:first-child {
  padding-bottom: 14px;
  border-radius: 20px 20px 0 0;
}
.stub:last-child {
  padding-top: 14px;
  border-radius: 0 0 20px 20px;
}
.tear {
  position: relative;
  height: calc(2 * var(--notch));
  background:
    radial-gradient(circle at 0 50%, transparent var(--notch), var(--ticket) calc(var(--notch) + 0.5px))
      left / 51% 100% no-repeat,
    radial-gradient(circle at 100% 50%, transparent var(--notch), var(--ticket) calc(var(--notch) + 0.5px))
      right / 51% 100% no-repeat;
}
.tear::after {
  content: "";
  position: absolute;
  inset: calc(50% - 1px) 24px auto;
  border-top: 2px dashed var(--ticket-border);
}
@media (min-width: 640px) {
  .ticket.wide {
    grid-template-columns: minmax(0, 1fr) auto auto;
  }
  .wide > .stub {
    display: grid;
    align-content: center;
  }
  .wide > .stub:first-child {
    padding: 28px 14px 28px 32px;
    border-radius: 20px 0 0 20px;
  }
  .wide > .stub:last-child {
    padding: 28px 32px 28px 14px;
    border-radius: 0 20px 20px 0;
  }
  .wide > .tear {
    width: calc(2 * var(--notch));
    height: auto;
    background:
      radial-gradient(circle at 50% 0, transparent var(--notch), var(--ticket) calc(var(--notch) + 0.5px))
        top / 100% 51% no-repeat,
      radial-gradient(circle at 50% 100%, transparent var(--notch), var(--ticket) calc(var(--notch) + 0.5px))
        bottom / 100% 51% no-repeat;
  }
  .wide > .tear::after {
    inset: 20px auto 20px calc(50% - 1px);
    border-top: 0;
    border-left: 2px dashed var(--ticket-border);
  }
}

/* Buttons */

.button {
  display: inline-flex;
  align-items: center;
  justify-content: center;
  gap: 8px;
  min-height: 44px;
  padding: 6px 18px;
  border: 1px solid var(--accent);
  border-radius: 11px;
  background: var(--accent);
  color: var(--on-accent);
  font: 600 1rem/1.3 var(--sans);
  text-align: center;
  text-decoration: none;
  text-wrap: balance;
  cursor: pointer;
}
.button.quiet {
  border-color: var(--accent-border);
  background: none;
  color: var(--accent);
}
.button.small {
  min-height: 38px;
  padding: 4px 14px;
  font-size: 0.9375rem;
}
.button:hover {
  box-shadow: inset 0 0 0 1px currentColor;
}
.button:focus-visible {
  border-radius: 11px;
}
.ticket .button {
  border-color: var(--ticket-button);
  background: var(--ticket-button);
  color: var(--ticket-button-text);
}
.ticket .button.quiet {
  border-color: var(--ticket-border);
  background: none;
  color: var(--ticket-text);
}
.actions {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 10px;
}

/* Fields */

.search {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 10px;
}
.search input {
  flex: 0 1 24rem;
  min-width: 0;
  height: 44px;
  padding: 0 14px;
  border: 1px solid var(--field-border);
  border-radius: 11px;
  background: var(--field);
  color: inherit;
  font: inherit;
}
.search input::placeholder {
  color: var(--quiet-text);
  opacity: 1;
}
.search .button {
  min-height: 44px;
}

/* Small words */

.chips {
  display: flex;
  flex-wrap: wrap;
  gap: 8px;
  list-style: none;
}
.chip {
  min-width: 0;
  overflow-wrap: anywhere;
  padding: 2px 12px;
  border: 1px solid var(--accent-border);
  border-radius: 19px;
  background: var(--accent-background);
  color: var(--accent);
  font-size: 0.875rem;
  font-weight: 550;
}
.chip.warning {
  border-color: var(--warning);
  background: var(--warning-background);
  color: var(--warning);
}
button.chip {
  min-height: 38px;
  padding: 0 15px;
  font: 550 0.9375rem/1.3 var(--sans);
  cursor: pointer;
}
button.chip:hover {
  border-color: var(--accent);
}
button.chip[aria-pressed="true"] {
  border-color: var(--accent);
  background: var(--accent);
  color: var(--on-accent);
}

/* Lists */

.entries {
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 24rem), 1fr));
  gap: 14px;
  align-items: start;
  list-style: none;
}
.entry {
  display: flex;
  align-items: center;
  gap: 14px;
  color: inherit;
  text-decoration: none;
}
.entry > :not(.picture) {
  min-width: 0;
  overflow-wrap: anywhere;
}
/* In a narrow window, the name goes below the picture. */
.stub > .entry {
  flex-wrap: wrap;
}
.stub > .entry > :not(.picture) {
  flex: 1 1 11rem;
}
a.entry:hover strong {
  text-decoration: underline;
}
.picture {
  display: grid;
  place-items: center;
  flex: none;
  width: 48px;
  height: 48px;
  border-radius: 14px;
  background: var(--border);
  color: var(--quiet-text);
  font-weight: 650;
  object-fit: cover;
}
.picture.large {
  width: 72px;
  height: 72px;
  border-radius: 20px;
  font-size: 1.5rem;
}
.picture.round {
  border-radius: 50%;
}
.steps {
  margin: 8px 0 12px;
  padding-left: 1.6em;
}
.steps ul {
  list-style: none;
}
.facts {
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(max(7.5rem, 20%), 1fr));
  gap: 16px;
}
.facts dt {
  color: var(--quiet-text);
  font-size: 0.875rem;
}
.facts dd {
  font-size: 1.25rem;
  font-weight: 650;
}
@media (forced-colors: active) {
  .ticket,
  .chip {
    border: 1px solid;
  }
  button.chip[aria-pressed="true"] {
    border: 2px solid Highlight;
  }
}
@media (prefers-reduced-motion: reduce) {
  * {
    transition: none !important;
  }
}
`;
