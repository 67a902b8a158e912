/** Common styles of all elements. */
import { css } from 'lit';
import { controlsStyle } from './controls.style.ts';
import { elementStyle } from './element.style.ts';

/**
 * Forced colors (high contrast): the browser removes backgrounds and shadows, so states that only these show get system
 * colors here. Drawings on the image keep their colors, like the image itself.
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
    .menu,
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

export const commonStyles = [elementStyle, controlsStyle, forcedStyle];
