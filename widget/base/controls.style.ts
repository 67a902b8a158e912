/** Styles of toolbar, fields, and the progress of an analysis. */
import { css } from 'lit';

export const controlsStyle = css`
  button,
  select {
    font: inherit;
    color: inherit;
  }
  button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 7px;
    min-width: 38px;
    min-height: 38px;
    padding: 0 9px;
    border: 1px solid transparent;
    border-radius: 9px;
    background: none;
    cursor: pointer;
    touch-action: manipulation;
    white-space: nowrap;
  }
  button:hover:not(:disabled) {
    background: var(--_hover);
  }
  button:disabled {
    opacity: 0.38;
    cursor: default;
  }
  button[aria-pressed='true'] {
    background: var(--_hover);
    color: var(--_accent);
  }
  button.primary {
    padding: 0 16px;
    background: var(--_accent);
    color: var(--_surface);
    font-weight: 600;
  }
  button.primary:hover:not(:disabled),
  button.primary[aria-pressed='true'] {
    background: color-mix(in srgb, var(--_accent) 86%, var(--_text));
    color: var(--_surface);
  }
  button.primary.record.on {
    background: var(--_danger);
  }
  button.primary.record > span::before {
    display: inline-block;
    width: 10px;
    height: 10px;
    margin-inline-end: 8px;
    border-radius: 50%;
    background: currentColor;
    content: '';
  }
  button.primary.record.on > span::before {
    border-radius: 2px;
  }
  button.primary.quiet {
    border-color: var(--_accent);
    background: none;
    color: var(--_accent);
  }
  .stage button {
    border-color: rgb(255 255 255 / 28%);
    background: rgb(255 255 255 / 8%);
    color: #fff;
    padding: 0 14px;
  }
  .stage button:hover:not(:disabled) {
    background: rgb(255 255 255 / 18%);
  }
  .stage button.primary {
    border-color: transparent;
    background: #43f0b5;
    color: #06251c;
    font-weight: 600;
  }
  .stage button.primary:hover {
    background: #7bf6cd;
  }
  .toolbar {
    display: flex;
    align-items: center;
    gap: 4px;
    padding: 8px;
    border-top: 1px solid var(--_border);
  }
  .toolbar > button {
    flex: none;
  }
  .toolbar .primary {
    flex: 0 1 auto;
    margin-inline: 6px;
    overflow: hidden;
  }
  .primary > span {
    line-height: 1.15;
    white-space: normal; /* two lines in a narrow element */
  }
  .toolbar .space {
    flex: 1;
  }
  .group {
    display: flex;
    align-items: center;
    gap: 2px;
  }
  .word {
    font-size: 14px;
  }
  .switch {
    display: inline-flex;
    flex-wrap: wrap;
    gap: 2px;
    margin: 0;
    padding: 3px;
    border: 1px solid var(--_border);
    border-radius: 11px;
  }
  .switch button {
    min-height: 34px;
    padding: 0 12px;
  }
  .switch button[aria-checked='true'] {
    background: var(--_accent);
    color: var(--_surface);
    font-weight: 600;
  }
  select {
    min-height: 36px;
    max-width: 220px;
    padding: 0 8px;
    border: 1px solid var(--_border);
    border-radius: 8px;
    background: var(--_surface);
    color: var(--_text);
    font-size: 14px;
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
  .progress,
  .status {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 14px;
    min-height: 45px;
    padding: 4px 16px;
    border-top: 1px solid var(--_border);
    font-variant-numeric: tabular-nums;
  }
  .status .progress {
    flex: 1;
    min-height: 34px;
    padding: 0;
    border: 0;
  }
  .status > p {
    flex: 1;
    min-width: 0;
    margin: 0;
    color: var(--_muted);
  }
  .progress > span {
    display: flex;
    gap: 0.5ch;
  }
  .progress bdi,
  .progress b {
    display: inline-block; /* in columns, so that the text stays in its place */
    min-width: 10.5ch;
  }
  .progress b,
  .progress b bdi {
    min-width: 5ch;
  }
  .status .progress {
    flex-wrap: nowrap;
    white-space: nowrap;
  }
  .status .progress > span {
    flex: 0 0 29ch;
  }
  .status .progress progress {
    flex: 1 1 40px;
    min-width: 40px;
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
  .timeline {
    min-height: 119px; /* also while it loads */
  }
  @container (max-width: 620px) {
    .toolbar .word {
      display: none;
    }
  }
  @container (max-width: 430px) {
    .status {
      min-height: 66px; /* three lines of the summary */
    }
    .toolbar {
      gap: 0;
      padding-inline: 4px;
    }
    .toolbar .primary {
      margin-inline: 4px;
      padding: 0 10px;
    }
    .group {
      flex-wrap: wrap;
    }
  }
  @container (max-width: 300px) {
    .toolbar {
      flex-wrap: wrap;
    }
  }
`;
