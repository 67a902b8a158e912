/** Styles of the numbers of a face, and of the progress of its model over the image. */
import { css } from 'lit';

export const faceStyle = css`
  .readout {
    display: flex;
    flex-wrap: wrap;
    gap: 6px 26px;
    margin: 0;
    padding: 12px 16px 4px;
  }
  .readout div {
    display: flex;
    flex-wrap: wrap;
    column-gap: 14px;
  }
  .readout div:nth-child(-n + 3) {
    flex: 0 0 6.5em;
  }
  .readout dt {
    flex: 0 0 100%;
  }
  .readout dt,
  .readout small {
    color: var(--_muted);
    font-size: 12px;
    font-weight: 450;
  }
  .readout dd {
    margin: 0;
    font-size: 15px;
    font-weight: 600;
    font-variant-numeric: tabular-nums;
  }
  .readout dd:has(small:not(:empty)) bdi > span {
    display: inline-block;
    min-width: 3.2ch; /* so that nothing moves when a figure gets longer */
    text-align: end;
  }
  .stage .progress {
    position: absolute;
    inset: auto 0 0;
    flex-wrap: nowrap;
    white-space: nowrap;
    border: 0;
    background: rgb(8 14 20 / 76%);
  }
  .external .stage .progress {
    position: static;
  }
`;
