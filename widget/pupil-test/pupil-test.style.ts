import { css } from 'lit';

/** Styles in addition to the ones that all elements share. */
export const pupilTestStyle = css`
  foveola-pupil::part(primary) {
    display: none; /* the test starts below, and records by itself */
  }
  .panel,
  .summary {
    padding: 14px 16px;
    display: grid;
    gap: 10px;
  }
  h2 {
    margin: 0;
    font-size: 18px;
  }
  p {
    margin: 0;
    max-width: 70ch;
  }
  .warning {
    border-inline-start: 4px solid var(--_danger);
    padding-inline-start: 10px;
  }
  .notice,
  .keys {
    color: var(--_muted);
  }
  .faults {
    list-style: disc;
    margin: 0;
    padding-inline-start: 20px;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
  }
  .stages {
    display: grid;
    gap: 12px;
    margin: 4px 0;
    padding: 0;
    list-style: none;
    counter-reset: stage;
  }
  .stages > li {
    display: grid;
    grid-template-columns: 28px minmax(0, 1fr);
    gap: 6px 12px;
    counter-increment: stage;
  }
  .stages > li::before {
    content: counter(stage);
    display: grid;
    place-items: center;
    width: 28px;
    height: 28px;
    border: 1.5px solid var(--_border);
    border-radius: 50%;
    color: var(--_muted);
    font-weight: 600;
  }
  .stages > .done::before {
    content: '✓' / '';
    border-color: var(--_accent);
    background: var(--_accent);
    color: var(--_surface);
  }
  .stages > li > * {
    grid-column: 2;
    justify-self: start;
  }
  .stages h3 {
    margin: 4px 0 0;
    font-size: 15px;
    line-height: 20px;
  }
  .row .why {
    align-self: center;
    flex: 1 1 200px;
    color: var(--_muted);
  }
  button[aria-disabled] {
    opacity: 0.55;
    cursor: default;
  }
  .question select,
  .row button {
    font: inherit;
    min-height: 40px;
    padding: 6px 16px;
    border: 1px solid var(--_border);
    border-radius: 10px;
    background: var(--_surface);
    color: var(--_text);
    cursor: pointer;
  }
  .row button.first {
    background: var(--_accent);
    border-color: var(--_accent);
    color: var(--_surface);
    font-weight: 600;
  }
  .row button:hover {
    filter: brightness(0.96);
  }
  button:focus-visible,
  .screen:focus-visible {
    outline: 3px solid var(--_accent);
    outline-offset: 2px;
  }
  .screen[open] {
    display: grid;
  }
  .screen {
    position: fixed;
    inset: 0;
    width: 100vw;
    height: 100dvh;
    max-width: none;
    max-height: none;
    margin: 0;
    padding: 0;
    border: 0;
    place-items: center;
    grid-template: 1fr / 1fr 1fr;
    background: #000;
    color: #808080;
    cursor: none;
    user-select: none;
  }
  .screen:focus-visible {
    outline: none;
  }
  .screen .half {
    position: absolute;
    inset-block: 0;
    width: 50%;
  }
  .screen .half.left {
    left: 0;
  }
  .screen .half.right {
    right: 0;
  }
  .screen .words {
    position: relative;
    grid-column: 1 / -1;
    max-width: 40ch;
    padding: 24px;
    font-size: clamp(20px, 3vw, 34px);
    line-height: 1.4;
    text-align: center;
  }
  .screen .buttons {
    position: absolute;
    inset-inline: 0;
    bottom: 0;
    z-index: 1;
    display: flex;
    justify-content: center;
    gap: 12px;
    padding: 20px;
    opacity: 0;
    pointer-events: none; /* a touch of the screen answers, and does not meet buttons that are not visible */
  }
  .screen.awake {
    cursor: auto;
  }
  .screen.awake .buttons,
  .screen .buttons:focus-within {
    opacity: 1;
    pointer-events: auto;
  }
  .screen .buttons button {
    min-height: 44px;
    padding: 6px 22px;
    border: 1px solid currentColor;
    border-radius: 10px;
    background: transparent;
    color: inherit;
    font: inherit;
    font-size: 16px;
    cursor: pointer;
  }
  .screen .time {
    position: absolute;
    inset-inline: 0;
    top: 60%;
    color: #500; /* hardly any light, and none for the rods */
    text-align: center;
    font-size: 24px;
    font-variant-numeric: tabular-nums;
  }
  .screen .cross {
    position: relative;
    grid-column: 1 / -1;
    font-size: 36px;
    line-height: 1;
  }
`;
