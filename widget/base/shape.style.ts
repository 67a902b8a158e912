/** Styles of drawing layers over the image, and of boxes and discs in them. */
import { css } from 'lit';

export const layerStyle = css`
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
`;

export const shapeStyle = css`
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
