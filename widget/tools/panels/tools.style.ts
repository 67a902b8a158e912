/** Styles of the settings panel and its fields, camera settings, questions and help. */
import { css } from 'lit';
import { layerStyle, shapeStyle } from '../../base/shape.style.ts';

const toolsStyle = css`
  .panel {
    padding: 10px 14px 14px;
    border-top: 1px solid var(--_border);
    max-height: 60vh;
    overflow-y: auto;
    overscroll-behavior: contain;
  }
  .panel header {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px 10px;
    margin-bottom: 8px;
  }
  .panel .preset,
  .panel .fields label {
    display: inline-flex;
    align-items: center;
    gap: 8px;
    color: var(--_muted);
    font-size: 13px;
  }
  .panel header .group:last-child {
    margin-inline-start: auto;
    border-inline-start: 0;
  }
  .parameters {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(270px, 100%), 1fr));
    gap: 14px 28px;
  }
  .parameter {
    display: grid;
    grid-template-columns: 1fr auto auto;
    align-items: center;
    align-content: start;
    gap: 2px 8px;
    min-height: 38px;
  }
  .parameter .label {
    font-size: 14px;
    font-weight: 550;
  }
  .parameter small,
  .panel small {
    color: var(--_muted);
    font-weight: 400;
  }
  .parameter small {
    margin-inline-start: 0.35em;
  }
  .parameter .pair {
    grid-column: 1 / -1;
    grid-row: 2;
    display: flex;
    align-items: center;
    gap: 10px;
  }
  .parameter .default {
    grid-column: 3;
    grid-row: 1;
    min-width: 28px;
    min-height: 28px;
    padding: 0 3px;
    color: var(--_accent);
  }
  .parameter .default svg {
    width: 16px;
    height: 16px;
  }
  .parameter .effect {
    grid-column: 1 / -1;
    margin: 0;
    color: var(--_muted);
    font-size: 12.5px;
    line-height: 1.35;
  }
  .panel .search {
    width: min(340px, 100%);
    min-height: 38px;
    margin-bottom: 6px;
    padding: 4px 10px;
    border: 1px solid var(--_border);
    border-radius: 9px;
    background: var(--_surface);
    color: var(--_text);
    font: inherit;
  }
  .panel .first .fields {
    margin: 0;
  }
  .panel .first .fields:has([type='number']) {
    grid-column: 1 / -1;
  }
  .panel .kind {
    margin: 12px 0 6px;
    color: var(--_muted);
    font-size: 13px;
    font-weight: 600;
  }
  .panel .parameters.first {
    grid-template-columns: repeat(auto-fill, minmax(min(210px, 100%), 1fr));
    margin-bottom: 12px;
  }
  .panel .extras {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(300px, 100%), 1fr));
    align-items: start;
    gap: 0 14px;
  }
  .panel .fields {
    min-width: 0;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 14px;
    margin: 0 0 12px;
    padding: 10px 12px;
    border: 1px solid var(--_border);
    border-radius: 10px;
  }
  .panel .fields legend {
    padding: 0 6px;
    font-size: 14px;
    font-weight: 550;
  }
  .panel .fields p {
    flex-basis: 100%;
    margin: 0;
    color: var(--_muted);
    font-size: 12.5px;
  }
  .panel .fields button {
    border-color: var(--_border);
  }
  .panel .problem,
  .panel .fields .problem {
    margin: 0 0 10px;
    color: var(--_danger);
    font-size: 14px;
    overflow-wrap: anywhere;
  }
  .panel details {
    margin-top: 14px;
  }
  .panel summary {
    width: fit-content;
    margin-bottom: 10px;
    padding: 4px 0;
    color: var(--_accent);
    cursor: pointer;
  }
  .ruler {
    position: absolute;
    height: 18px;
    margin-top: -9px;
    background: linear-gradient(var(--_shape), var(--_shape)) center / 100% 2px no-repeat;
    cursor: move;
    filter: drop-shadow(0 0 1px rgb(0 0 0 / 80%));
    touch-action: none;
    transform-origin: 0 50%;
  }
  .ruler:focus-visible {
    outline: 2px solid var(--_shape);
    outline-offset: 2px;
  }
  .ruler ~ .handle {
    cursor: crosshair;
    touch-action: none;
  }
  .limit {
    position: absolute;
    border: 2px dashed var(--_shape);
    border-radius: 50%;
    filter: drop-shadow(0 0 1px rgb(0 0 0 / 80%));
  }
  .limit.minDiameter {
    border-style: solid;
  }
  .limit .length {
    position: absolute;
    left: 50%;
    bottom: 100%;
    padding: 0 5px;
    border-radius: 5px;
    background: rgb(6 10 14 / 72%);
    color: var(--_shape);
    font-size: 12px;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
    translate: -50% -2px;
  }
  .limit.maxDiameter .length {
    translate: -50% 22px;
  }
  .limit .handle {
    pointer-events: auto;
    touch-action: none;
  }
  .about {
    width: min(420px, calc(100vw - 32px));
    box-sizing: border-box;
    padding: 18px 20px;
    border: 1px solid var(--_border);
    border-radius: 14px;
    background: var(--_surface);
    color: var(--_text);
  }
  .about[open] {
    display: grid;
    gap: 12px;
  }
  .about::backdrop {
    background: rgb(0 0 0 / 40%);
  }
  .about h2,
  .about p {
    margin: 0;
  }
  .about h2 {
    font-size: 17px;
  }
  .about p {
    color: var(--_muted);
    font-size: 13px;
  }
  .about label {
    display: grid;
    gap: 4px;
    font-size: 14px;
  }
  .about :is(input, select, textarea) {
    min-height: 38px;
    padding: 4px 10px;
    border: 1px solid var(--_border);
    border-radius: 8px;
    background: var(--_surface);
    color: var(--_text);
    font: inherit;
  }
  .about textarea {
    min-height: 66px;
    resize: vertical;
  }
  .about button {
    justify-self: end;
    border-color: var(--_border);
  }
  .menu {
    position: fixed;
    inset: auto;
    z-index: 3;
    width: max-content;
    min-width: 200px;
    max-width: min(340px, calc(100vw - 16px));
    max-height: calc(100vh - 16px);
    margin: 0;
    padding: 6px;
    overflow-y: auto;
    border: 1px solid var(--_border);
    border-radius: 12px;
    background: var(--_surface);
    box-shadow: 0 12px 40px rgb(0 0 0 / 28%);
    color: var(--_text);
  }
  .menu > div {
    display: grid;
  }
  .menu button {
    justify-content: space-between;
    gap: 20px;
    text-align: start;
    white-space: normal;
  }
  .menu button:focus {
    outline-offset: -2px;
    background: var(--_hover);
  }
  .menu button[aria-disabled] {
    opacity: 0.45;
    cursor: default;
  }
  .menu:has([aria-checked]) button > span::before {
    display: inline-block;
    width: 20px;
    content: '';
  }
  .menu button[aria-checked='true'] > span::before {
    content: '✓';
  }
  .menu kbd {
    border: 0;
    background: none;
    color: var(--_muted);
  }
  .exported {
    margin: 2px 10px 6px;
    overflow: hidden;
    color: var(--_muted);
    font-size: 12.5px;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .menu .reason {
    width: 0; /* as wide as the items */
    min-width: calc(100% - 20px);
    margin: 2px 10px 6px;
    color: var(--_muted);
    font-size: 12.5px;
  }
  .exported.another {
    color: var(--_danger);
  }
  .status > .summary {
    color: var(--_text);
  }
  @container (max-width: 620px) {
    .status > .summary {
      font-size: 13px;
    }
  }
  .notes {
    position: relative;
  }
  .notes summary {
    padding: 6px 10px;
    border-radius: 9px;
    color: var(--_danger);
    cursor: pointer;
  }
  .notes ul {
    margin: 4px 0 8px;
    padding-inline-start: 18px;
  }
  .notes[open] {
    flex-basis: 100%;
  }
  .ask {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 8px;
    padding: 10px 14px;
    border-top: 1px solid var(--_border);
  }
  .ask p {
    flex: 1 1 240px;
    margin: 0;
    overflow-wrap: anywhere;
  }
  .ask button {
    max-width: 100%;
    border-color: var(--_border);
    overflow-wrap: anywhere;
    white-space: normal;
  }
  .camera {
    display: flex;
    flex-wrap: wrap;
    gap: 8px 14px;
    align-items: end;
    padding: 10px 14px 12px;
    border-top: 1px solid var(--_border);
  }
  .camera label {
    display: grid;
    gap: 3px;
    min-width: 0;
    color: var(--_muted);
    font-size: 12px;
  }
  .camera label.check {
    display: flex;
    align-items: center;
    gap: 7px;
    min-height: 36px;
    color: var(--_text);
    font-size: 14px;
  }
  .help {
    position: absolute;
    inset-inline: 10px;
    bottom: 10px;
    z-index: 3;
    max-width: 380px;
    max-height: calc(100% - 20px);
    overflow-y: auto;
    margin-inline-start: auto;
    padding: 14px 16px;
    border: 1px solid var(--_border);
    border-radius: 12px;
    background: var(--_surface);
    box-shadow: 0 12px 40px rgb(0 0 0 / 28%);
    color: var(--_text);
  }
  .help header {
    display: flex;
    align-items: center;
    justify-content: space-between;
    margin-bottom: 6px;
    font-weight: 650;
  }
  .help dl {
    display: grid;
    grid-template-columns: fit-content(120px) 1fr;
    gap: 6px 14px;
    margin: 0;
  }
  .help dd {
    margin: 0;
  }
  kbd {
    display: inline-block;
    min-width: 24px;
    padding: 0 6px;
    border: 1px solid var(--_border);
    border-radius: 5px;
    background: var(--_hover);
    font: 12px/1.6 var(--_font);
    text-align: center;
  }
`;

/** Strings. Each element creates style sheets from them. */
export const toolStyles: readonly string[] = [layerStyle, shapeStyle, toolsStyle].map(({ cssText }) => cssText);
