/**
 * Common look of all elements. Every color is a `--foveola-*` property that a page may set. Default colors follow the
 * page's color-scheme.
 */
import { css } from 'lit';

export const elementStyle = css`
  :host {
    --_surface: var(--foveola-surface, #ffffff);
    --_text: var(--foveola-text, #16202a);
    --_muted: var(--foveola-muted, #5b6875);
    --_border: var(--foveola-border, #dfe4ea);
    --_hover: var(--foveola-hover, #eef2f6);
    --_accent: var(--foveola-accent, #0b6e63);
    --_danger: var(--foveola-danger, #c0362c);
    --_stage: var(--foveola-stage, #0c1117);
    --_ellipse: var(--foveola-ellipse, #43f0b5);
    --_center: var(--foveola-center, #ffffff);
    --_points: var(--foveola-points, #ffd24a);
    --_halo: var(--foveola-halo, rgb(0 0 0 / 45%));
    --_line: var(--foveola-line, #0b8a7a);
    --_line-second: var(--foveola-line-second, #b05a00);
    --_grid: var(--foveola-grid, #eceff3);
    --_blink: var(--foveola-blink, #e3e8f6);
    --_mark: var(--foveola-mark, #a0308a);
    --_shape: var(--foveola-shape, #ffd24a);
    --_radius: var(--foveola-radius, 14px);
    --_font: var(--foveola-font, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif);
    display: block;
    position: relative;
    color: var(--_text);
    font: 14px/1.45 var(--_font);
    container-type: inline-size;
    -webkit-tap-highlight-color: transparent;
  }
  @supports (color: light-dark(#000, #fff)) {
    :host {
      --_surface: var(--foveola-surface, light-dark(#ffffff, #161c23));
      --_text: var(--foveola-text, light-dark(#16202a, #e8edf2));
      --_muted: var(--foveola-muted, light-dark(#5b6875, #9aa7b4));
      --_border: var(--foveola-border, light-dark(#dfe4ea, #2a333d));
      --_hover: var(--foveola-hover, light-dark(#eef2f6, #232c36));
      --_accent: var(--foveola-accent, light-dark(#0b6e63, #4fd8c0));
      --_danger: var(--foveola-danger, light-dark(#c0362c, #ff7d73));
      --_line: var(--foveola-line, light-dark(#0b8a7a, #4fe0c4));
      --_line-second: var(--foveola-line-second, light-dark(#b05a00, #ffb057));
      --_grid: var(--foveola-grid, light-dark(#eceff3, #242d37));
      --_blink: var(--foveola-blink, light-dark(#e3e8f6, #2b3350));
      --_mark: var(--foveola-mark, light-dark(#a0308a, #f39be2));
    }
  }
  :host([hidden]) {
    display: none;
  }
  * {
    box-sizing: border-box;
  }
  .base {
    position: relative;
    overflow: clip;
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
    background: var(--_surface);
  }
  .base.external {
    overflow: visible;
  }
  .stage {
    position: relative;
    display: grid;
    /* Without it a row is as high as its picture: Firefox does not let it shrink to the stage's greatest height. */
    grid-template: minmax(0, 1fr) / minmax(0, 1fr);
    overflow: hidden;
    width: 100%;
    aspect-ratio: var(--_ratio, 4 / 3); /* of the picture, once it is known */
    min-height: 160px;
    max-height: var(--foveola-max-height, 72vh);
    background: var(--_stage);
    color: #e8edf2;
    outline-offset: -3px;
  }
  .external .stage {
    position: static;
    width: auto;
    aspect-ratio: auto;
    overflow: visible;
    min-height: 0;
    background: none;
  }
  .stage > video,
  .stage > img,
  .stage > canvas.media,
  ::slotted([slot='media']) {
    display: block;
    width: 100%;
    height: 100%;
    min-height: 0;
    object-fit: contain;
  }
  .stage > canvas.picture {
    position: absolute;
    inset: 0;
  }
  .mirror > video,
  .mirror > img,
  .mirror > canvas.media,
  .mirror ::slotted([slot='media']) {
    transform: scaleX(-1);
  }
  .overlay {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    direction: ltr; /* of the labels that are drawn, and of places from the left */
    pointer-events: none;
  }
  .external .overlay {
    inset: auto;
    z-index: 1;
  }
  .overlay,
  .tool {
    transform-origin: 0 0;
  }
  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  .stage:focus-visible {
    outline: 3px solid var(--_ellipse);
    outline-offset: -3px;
  }
  .empty {
    position: absolute;
    inset: 0;
    display: flex;
    flex-direction: column;
    align-items: center;
    justify-content: center;
    gap: 10px;
    padding: 20px;
    text-align: center;
  }
  .empty p {
    max-width: 44ch;
    margin: 0;
    color: #aeb9c4;
  }
  .hint {
    margin: 0;
    padding: 0 1rem 0.75rem;
    color: var(--_muted);
    font-size: 0.8125rem;
  }
  .hint button {
    margin-inline-start: 8px;
    border-color: var(--_border);
  }
  .empty .title {
    color: inherit;
    font-size: 16px;
    font-weight: 600;
  }
  .empty svg {
    width: 36px;
    height: 36px;
    color: #7f8c99;
  }
  .choices {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 8px;
    margin-top: 6px;
  }
  .drop {
    position: absolute;
    inset: 8px;
    display: grid;
    place-items: center;
    border: 2px dashed var(--_ellipse);
    border-radius: 10px;
    background: rgb(8 14 20 / 72%);
    font-size: 16px;
    font-weight: 600;
    pointer-events: none;
  }
  .badges {
    position: absolute;
    top: 10px;
    inset-inline-start: 10px;
    display: flex;
    gap: 6px;
    pointer-events: none;
  }
  .external .badges {
    position: static;
    padding: 10px 12px 0;
  }
  .badge {
    display: inline-flex;
    align-items: center;
    gap: 7px;
    padding: 3px 10px 3px 9px;
    border-radius: 999px;
    background: rgb(8 14 20 / 76%);
    color: #f2f5f8;
    font-size: 12px;
    font-weight: 550;
  }
  .badge::before {
    width: 8px;
    height: 8px;
    border-radius: 50%;
    background: #93a1ae;
    content: '';
  }
  :host([tracking]) .badge.state::before {
    background: #43f0b5;
  }
  :host([lost]) .badge.state::before {
    background: #ff8a80;
  }
  :host([blink]) .badge.state::before {
    background: #8ea2ff;
  }
  .badge.rec::before {
    background: #ff5449;
  }
  .spinner::before {
    width: 14px;
    height: 14px;
    border: 2px solid #ffffff55;
    border-top-color: #fff;
    background: none;
    animation: turn 0.9s linear infinite;
  }
  @keyframes turn {
    to {
      rotate: 360deg;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .spinner::before {
      animation: none;
    }
  }
  .error {
    display: flex;
    gap: 12px;
    padding: 14px 16px;
    border-top: 1px solid var(--_border);
    background: color-mix(in srgb, var(--_danger) 9%, var(--_surface));
  }
  .error > button {
    flex: none;
    align-self: center;
    margin-inline-start: auto;
    border-color: var(--_border);
    background: var(--_surface);
  }
  .error svg {
    flex: none;
    margin-top: 1px;
    color: var(--_danger);
  }
  .error p {
    margin: 0;
    overflow-wrap: anywhere;
  }
  .error .detail {
    margin-top: 6px;
    color: var(--_muted);
    font-size: 0.8125rem;
  }
  .error .title {
    color: var(--_danger);
    font-weight: 650;
  }
  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
`;
