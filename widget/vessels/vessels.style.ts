/** Styles of `<foveola-vessels>`: zoomed image, bar, numbers, warnings, list of segments. */
import { css } from 'lit';

export const vesselsStyle = css`
  /* Its shape does not follow the photograph, so that nothing moves when it is opened. The borders of photographs are dark. */
  .stage {
    aspect-ratio: 1;
    max-height: var(--foveola-max-height, 62vh);
  }
  .stage.pannable {
    touch-action: pan-x pan-y;
  }
  .stage.zoomed {
    cursor: grab;
    touch-action: none;
  }
  .stage.zoomed:active {
    cursor: grabbing;
  }
  .media.pixels {
    image-rendering: pixelated;
  }
  .zoom {
    position: absolute;
    inset-inline-end: 10px;
    bottom: 10px;
    z-index: 1;
    display: flex;
    align-items: center;
    gap: 2px;
    padding: 3px;
    border-radius: 11px;
    background: rgb(8 14 20 / 76%);
    color: #fff;
    font-size: 13px;
    font-variant-numeric: tabular-nums;
  }
  .stage .zoom button {
    min-width: 34px;
    min-height: 34px;
    padding: 0 8px;
    border-color: transparent;
    background: none;
  }
  .stage .zoom button:hover:not(:disabled) {
    background: rgb(255 255 255 / 18%);
  }
  .zoom output {
    min-width: 46px;
    text-align: center;
  }
  .doing {
    position: absolute;
    bottom: 10px;
    inset-inline-start: 10px;
    z-index: 1;
    max-width: calc(100% - 20px);
    border-radius: 11px;
    background: rgb(8 14 20 / 82%);
    color: #fff;
    font-size: 13px;
  }
  .doing .progress {
    flex-wrap: nowrap;
    padding: 3px 3px 3px 12px;
    border: 0;
  }
  .doing span {
    min-width: 17ch; /* for the remaining time, which comes later */
    white-space: nowrap;
  }
  .doing progress {
    flex: 0 1 200px;
    min-width: 60px;
    accent-color: #43f0b5;
  }
  .stage .doing button {
    min-height: 34px;
  }
  .tip {
    position: absolute;
    z-index: 1;
    padding: 3px 9px;
    border-radius: 7px;
    background: rgb(8 14 20 / 86%);
    color: #fff;
    font-size: 13px;
    font-variant-numeric: tabular-nums;
    pointer-events: none;
    translate: 0 -100%;
    white-space: nowrap;
  }
  .tip.leftwards {
    translate: -100% -100%;
  }
  .tip[hidden] {
    display: none;
  }
  .vessels {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    gap: 10px 20px;
    padding: 12px 16px;
    border-top: 1px solid var(--_border);
  }
  .slider {
    display: grid;
    flex: 1 1 150px;
    gap: 2px;
    max-width: 280px;
    color: var(--_muted);
    font-size: 13px;
  }
  .slider span {
    display: flex;
    justify-content: space-between;
    gap: 8px;
  }
  .slider output {
    color: var(--_text);
    font-variant-numeric: tabular-nums;
  }
  input[type='color'] {
    width: 40px;
    height: 40px;
    padding: 3px;
    border: 1px solid var(--_border);
    border-radius: 9px;
    background: none;
    cursor: pointer;
  }
  .numbers {
    padding: 12px 16px 4px;
    border-top: 1px solid var(--_border);
  }
  .groups {
    display: grid;
    grid-template-columns: repeat(4, 1fr);
    gap: 12px 28px;
  }
  .groups .kind {
    margin: 0 0 4px;
    font-size: 14px;
    font-weight: 600;
  }
  .groups dl {
    margin: 0;
  }
  .groups dl div {
    display: grid;
    grid-template-columns: minmax(0, 1fr) 112px;
    align-items: baseline;
    gap: 8px;
    padding: 3px 0;
    border-top: 1px solid var(--_border);
  }
  .groups dt {
    color: var(--_muted);
    font-size: 13px;
  }
  .groups dd {
    margin: 0;
    font-variant-numeric: tabular-nums;
    font-weight: 600;
    text-align: end;
    white-space: nowrap;
  }
  .groups small {
    color: var(--_muted);
    font-size: 12px;
    font-weight: 450;
  }
  .corrections {
    margin: 0;
    color: var(--_muted);
    font-size: 13px;
  }
  .scale {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 8px;
    padding: 3px 0;
    border-top: 1px solid var(--_border);
    color: var(--_muted);
    font-size: 13px;
  }
  .scale input[type='number'] {
    width: 112px;
    min-height: 28px;
  }
  .warning {
    display: flex;
    gap: 12px;
    padding: 10px 16px;
    border-top: 1px solid var(--_border);
    color: var(--_muted);
    font-size: 13px;
  }
  .warning svg {
    flex: none;
  }
  .warning p {
    margin: 0;
  }
  .warning .title {
    color: var(--_text);
    font-size: 14px;
    font-weight: 600;
  }
  .warning ul {
    margin: 2px 0 0;
    padding-inline-start: 18px;
  }
  .warning.loud {
    background: color-mix(in srgb, var(--_danger) 9%, var(--_surface));
    color: var(--_text);
  }
  .warning.loud svg,
  .warning.loud .title {
    color: var(--_danger);
  }
  .fold {
    padding: 4px 16px 8px;
    border-top: 1px solid var(--_border);
  }
  .fold summary {
    width: fit-content;
    padding: 8px 0;
    font-weight: 550;
    cursor: pointer;
  }
  .fold summary small {
    color: var(--_muted);
    font-weight: 450;
  }
  .stale {
    opacity: 0.5;
    pointer-events: none;
  }
  .fold[open] {
    padding-bottom: 14px;
  }
  .list {
    max-height: 232px;
    margin: 8px 0 0;
    overflow-y: auto;
    overscroll-behavior: contain;
    border: 1px solid var(--_border);
    border-radius: 10px;
  }
  .list [role='option'] {
    display: grid;
    grid-template-columns: 1fr 1fr 1fr;
    gap: 4px 12px;
    padding: 7px 12px;
    color: var(--_muted);
    font-size: 13px;
    font-variant-numeric: tabular-nums;
    cursor: pointer;
  }
  .list b {
    color: var(--_text);
    font-weight: 550;
  }
  .list [role='option']:hover {
    background: var(--_hover);
  }
  .list [aria-selected='true'] {
    background: color-mix(in srgb, var(--_accent) 16%, var(--_surface));
    box-shadow: inset 3px 0 var(--_accent);
    color: var(--_text);
  }
  .bordered {
    margin-top: 8px;
    border-color: var(--_border);
  }
  .research {
    margin: 0;
    padding: 0 16px 12px;
    color: var(--_muted);
    font-size: 12.5px;
  }
  @container (max-width: 1000px) {
    .groups {
      grid-template-columns: 1fr 1fr;
    }
  }
  @container (max-width: 620px) {
    .doing {
      bottom: 56px;
    }
    .groups {
      grid-template-columns: 1fr;
    }
    .toolbar .edit svg {
      display: none;
    }
    .toolbar .word.edit {
      display: inline;
    }
    .list [role='option'] {
      grid-template-columns: 1fr 1fr;
    }
    .list b {
      grid-column: 1 / -1;
    }
    .slider {
      max-width: none;
    }
  }
  @container (max-width: 300px) {
    .groups dl div {
      grid-template-columns: 1fr;
      gap: 0;
    }
  }
`;
