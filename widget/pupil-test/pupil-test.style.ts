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
    margin: 0;
    padding-inline-start: 20px;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
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
  .screen .cross {
    position: relative;
    grid-column: 1 / -1;
    font-size: 36px;
    line-height: 1;
  }
  table {
    border-collapse: collapse;
    font-variant-numeric: tabular-nums;
  }
  caption {
    text-align: start;
    color: var(--_muted);
    padding-block-end: 4px;
  }
  th,
  td {
    text-align: start;
    padding: 3px 14px 3px 0;
    border-block-end: 1px solid var(--_border);
  }
  .scroll {
    max-height: 280px;
    overflow: auto;
  }
  progress {
    width: 100%;
    accent-color: var(--_accent);
  }
`;
