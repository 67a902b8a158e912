import { css } from 'lit';

/** Styles of the panels that load later. */
export const panelsCss: string = css`
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
    padding: 4px 14px 4px 0;
    border-block-end: 1px solid var(--_border);
  }
  tbody th {
    font-weight: 400;
  }
  .scroll tbody th {
    white-space: nowrap;
  }
  .scroll {
    max-height: 320px;
    overflow: auto;
  }
  sup {
    color: var(--_muted);
  }
  .reasons {
    margin: 0;
    padding-inline-start: 20px;
    color: var(--_muted);
  }
  summary {
    width: fit-content;
    padding: 6px 0;
    color: var(--_accent);
    cursor: pointer;
  }
  .openers button::before {
    content: '▸' / '';
    margin-inline-end: 8px;
  }
  :dir(rtl) .openers button::before {
    content: '◂' / '';
  }
  .openers button[aria-expanded='true']::before {
    content: '▾' / '';
  }
  section:not([hidden]) {
    display: grid;
    gap: 10px;
    padding: 12px 14px;
    border: 1px solid var(--_border);
    border-radius: 10px;
  }
  details[open] {
    display: grid;
    gap: 10px;
  }
  .steps {
    max-width: 70ch;
  }
  .steps .inner th {
    padding-inline-start: 20px;
  }
  .steps td {
    white-space: nowrap;
  }
  .fields {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(150px, 1fr));
    gap: 10px 18px;
  }
  .fields label {
    display: grid;
    gap: 4px;
  }
  .fields :is(input, select) {
    width: 100%;
    box-sizing: border-box;
  }
  .steps input {
    width: 88px;
  }
  .steps input,
  .fields :is(input, select) {
    min-height: 32px;
    padding: 2px 8px;
    border: 1px solid var(--_border);
    border-radius: 8px;
    background: var(--_surface);
    color: var(--_text);
    font: inherit;
  }
  .curves {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(300px, 100%), 1fr));
    gap: 14px 24px;
  }
  figure {
    min-width: 0;
    max-width: 480px;
    margin: 0;
  }
  figcaption {
    font-weight: 550;
  }
  figure svg {
    display: block;
    width: 100%;
    height: auto;
    direction: ltr;
  }
  svg text {
    fill: var(--_muted);
    font-size: 11px;
  }
  .grid {
    stroke: var(--_grid);
  }
  .one,
  .mean {
    fill: none;
    stroke: var(--_line);
  }
  .one {
    opacity: 0.5;
  }
  .mean {
    stroke-width: 2.5;
  }
  .light {
    fill: var(--_points);
    opacity: 0.3;
  }
  .latency,
  .recovery {
    fill: var(--_surface);
    stroke: var(--_mark);
    stroke-width: 1.5;
  }
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 18px;
    margin: 0;
    padding: 0;
    list-style: none;
    color: var(--_muted);
  }
  .legend svg {
    width: 20px;
    height: 12px;
    margin-inline-end: 6px;
  }
  @media (forced-colors: active) {
    .one,
    .mean {
      stroke: CanvasText;
    }
    .one {
      stroke-dasharray: 4 2;
      opacity: 1;
    }
    .latency,
    .recovery {
      fill: Canvas;
      stroke: Highlight;
    }
    .light {
      fill: GrayText;
    }
    .grid {
      stroke: GrayText;
      opacity: 0.4;
    }
    svg text {
      fill: CanvasText;
    }
  }
`.cssText;
