/**
 * The rules of uPlot 1.6.32 (dist/uPlot.min.css, MIT, (c) Leon Sorokin) that a chart without legend and cursor needs, for
 * the shadow root; a linked style sheet would not reach in there.
 */
import { css } from 'lit';

export const chartStyle = css`
  .uplot,
  .uplot *,
  .uplot *::before,
  .uplot *::after {
    box-sizing: border-box;
  }
  .uplot {
    line-height: 1.5;
    width: min-content;
  }
  .u-wrap {
    position: relative;
    user-select: none;
  }
  .u-over,
  .u-under {
    position: absolute;
  }
  .u-under {
    overflow: hidden;
  }
  .uplot canvas {
    display: block;
    position: relative;
    width: 100%;
    height: 100%;
  }
  .u-axis {
    position: absolute;
  }
  .u-select,
  .u-cursor-x,
  .u-cursor-y,
  .u-cursor-pt,
  .u-legend,
  .u-title {
    display: none;
  }
`;
