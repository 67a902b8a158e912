/** Styles of the numbers below the image. */
import { css } from 'lit';

export const readoutStyle = css`
  .readout {
    display: grid;
    grid-template-columns: repeat(5, minmax(max-content, 1fr));
    gap: 4px 20px;
    margin: 0;
    padding: 12px 16px 4px;
  }
  .readout div {
    min-width: 0;
  }
  .readout dt {
    color: var(--_muted);
    font-size: 12px;
  }
  .readout dd {
    margin: 0;
    font-size: 18px;
    font-weight: 600;
    font-variant-numeric: tabular-nums;
    letter-spacing: -0.01em;
    white-space: nowrap;
  }
  .readout dd small {
    margin-inline-start: 0.35em;
    color: var(--_muted);
    font-size: 12px;
    font-weight: 450;
  }
  @container (min-width: 621px) {
    .readout:has(> :nth-child(6)) {
      grid-template-columns: repeat(6, minmax(max-content, 1fr));
    }
  }
  @container (max-width: 620px) {
    .readout {
      grid-template-columns: minmax(min-content, 1fr) minmax(max-content, 1.2fr) minmax(min-content, 1fr);
      column-gap: 14px;
      padding-inline: 12px;
    }
    .readout dd {
      font-size: 16px;
      white-space: normal;
    }
  }
  @container (max-width: 430px) {
    .readout {
      grid-template-columns: minmax(min-content, 1fr) minmax(min-content, 1.6fr) minmax(min-content, 1fr);
    }
    .readout dd {
      font-size: 15px;
    }
  }
  @container (max-width: 350px) {
    .readout,
    .numbers .readout {
      grid-template-columns: repeat(2, minmax(min-content, auto));
      gap: 4px 14px;
    }
  }
`;
