/** The styles that all elements share. */
import { css } from 'lit';
import { controlsStyle } from './controls.style.ts';
import { elementStyle } from './element.style.ts';

/**
 * Forced colors (high contrast): the browser takes backgrounds and shadows away, so what only they showed is shown by the
 * system's own colors here. What is drawn on the picture keeps its colors: the picture does, too.
 */
const forcedStyle = css`
  @media (forced-colors: active) {
    :host {
      --_surface: Canvas;
      --_text: CanvasText;
      --_muted: CanvasText;
      --_border: ButtonBorder;
      --_accent: Highlight;
      --_danger: CanvasText;
      --_line: LinkText;
      --_line-second: CanvasText;
      --_grid: GrayText;
      --_blink: color-mix(in srgb, GrayText 40%, Canvas);
      --_mark: CanvasText;
    }
    .switch button[aria-checked='true'],
    button[aria-pressed='true'],
    button.record.on,
    button.primary,
    .list [role='option'][aria-selected='true'] {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }
    .list [role='option'][aria-selected='true'] b {
      color: inherit;
    }
    .badge {
      border: 1px solid CanvasText;
    }
    .badge:not(.spinner)::before {
      forced-color-adjust: none;
      border: 1px solid CanvasText;
      background: Canvas;
    }
    .badge.rec::before,
    :host([blink]) .badge.state:not(.spinner)::before {
      background: CanvasText;
    }
    :host([tracking]) .badge.state:not(.spinner)::before {
      background: Highlight;
    }
    .spinner::before,
    .tool,
    .divider,
    .drop {
      forced-color-adjust: none;
    }
    .stage,
    .zoom,
    .tip,
    .doing {
      border: 1px solid CanvasText;
    }
    .stage {
      border-width: 0 0 1px;
    }
    button:disabled {
      color: GrayText;
      opacity: 1;
    }
    .stale {
      color: GrayText;
      opacity: 1;
    }
  }
`;

// Boxes and discs over the picture.

const shapeStyle = css`
  .tool {
    position: absolute;
    z-index: 2;
    overflow: hidden;
    pointer-events: none;
  }
  .tool[hidden] {
    display: none;
  }
  .tool.armed {
    pointer-events: auto;
    cursor: crosshair;
    touch-action: none;
  }
  .shape {
    position: absolute;
    border: 2px solid var(--_shape);
    box-shadow: 0 0 0 9999px rgb(0 0 0 / 34%);
    cursor: move;
    pointer-events: auto;
    touch-action: none;
  }
  .shape[hidden] {
    display: none;
  }
  .shape.disc {
    border-radius: 50%;
    box-shadow:
      0 0 0 1px rgb(0 0 0 / 60%),
      inset 0 0 0 1px rgb(0 0 0 / 60%);
  }
  .shape.disc::before,
  .shape.disc::after {
    position: absolute;
    inset: 50% auto auto 50%;
    width: 13px;
    height: 1px;
    background: var(--_shape);
    content: '';
    translate: -50% -50%;
  }
  .shape.disc::after {
    rotate: 90deg;
  }
  .shape:focus-visible {
    outline: 3px solid var(--_shape);
    outline-offset: 1px;
  }
  .handle {
    position: absolute;
    width: 28px;
    height: 28px;
    translate: -50% -50%;
  }
  .handle::before {
    position: absolute;
    inset: 8px;
    border: 1px solid #06251c;
    border-radius: 3px;
    background: var(--_shape);
    content: '';
  }
  .disc .handle::before {
    border-radius: 50%;
  }
  .handle.n,
  .handle.s {
    left: 50%;
    cursor: ns-resize;
  }
  .handle.e,
  .handle.w {
    top: 50%;
    cursor: ew-resize;
  }
  .handle.nw,
  .handle.n,
  .handle.ne {
    top: 0;
  }
  .handle.sw,
  .handle.s,
  .handle.se {
    top: 100%;
  }
  .handle.nw,
  .handle.w,
  .handle.sw {
    left: 0;
  }
  .handle.ne,
  .handle.e,
  .handle.se {
    left: 100%;
  }
  .handle.nw,
  .handle.se {
    cursor: nwse-resize;
  }
  .handle.ne,
  .handle.sw {
    cursor: nesw-resize;
  }
`;

export const commonStyles = [elementStyle, controlsStyle, shapeStyle, forcedStyle];
