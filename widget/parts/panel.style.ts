/** The settings panel, its fields, and the progress of an analysis. */
import { css } from 'lit';

export const panelStyle = css`
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
  input[type='range'] {
    flex: 1;
    min-width: 0;
    height: 28px;
    margin: 0;
    accent-color: var(--_accent);
  }
  input[type='checkbox'] {
    width: 20px;
    height: 20px;
    margin: 0;
    accent-color: var(--_accent);
  }
  input[type='number'] {
    width: 92px;
    min-height: 32px;
    padding: 0 8px;
    border: 1px solid var(--_border);
    border-radius: 8px;
    background: var(--_surface);
    color: var(--_text);
    font: inherit;
    font-variant-numeric: tabular-nums;
  }
  input:invalid {
    border-color: var(--_danger);
    outline-color: var(--_danger);
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
  .progress {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 14px;
    padding: 8px 14px;
    border-top: 1px solid var(--_border);
    font-variant-numeric: tabular-nums;
  }
  .progress progress {
    flex: 1 1 160px;
    height: 8px;
    accent-color: var(--_accent);
  }
  .progress button {
    border-color: var(--_border);
  }
  .note {
    margin: 0;
    padding: 8px 16px;
    border-top: 1px solid var(--_border);
    color: var(--_muted);
    overflow-wrap: anywhere;
  }
  .panel summary {
    width: fit-content;
    margin-bottom: 10px;
    padding: 4px 0;
    color: var(--_accent);
    cursor: pointer;
  }
`;
