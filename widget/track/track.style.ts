/** Styles of the prompt on the image, and of the list of targets below it. */
import { css } from 'lit';

export const trackStyle = css`
  .readout.targets {
    display: flex;
    min-height: 54px; /* with and without targets */
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem 1rem;
  }
  @container (max-width: 620px) {
    .readout.targets {
      min-height: 108px;
      align-content: start;
    }
    .readout.targets dl {
      flex: 0 0 100%;
      order: -1; /* targets come and go below */
    }
  }
  @container (max-width: 430px) {
    .readout.targets {
      min-height: 152px;
    }
  }
  .readout.targets dl {
    display: flex;
    gap: 1rem;
    margin: 0;
    margin-inline-start: auto;
  }
  .prompt {
    position: absolute;
    inset: auto 0 14px;
    z-index: 2;
    height: 38px;
    text-align: center;
    pointer-events: none;
  }
  .prompt p {
    display: inline-block;
    margin: 0 12px;
    padding: 5px 14px;
    border-radius: 999px;
    background: rgb(8 14 20 / 76%);
    color: #f2f5f8;
    font-weight: 550;
  }
  .prompt button {
    pointer-events: auto;
  }
  .external .prompt {
    position: static;
  }
  .targets [role='toolbar'] {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
  }
  .targets .target {
    display: flex;
  }
  .targets .target > button:first-child {
    justify-content: start;
    min-width: 10ch; /* also for 100 % */
  }
  .targets button[aria-pressed='true'] {
    outline: 2px solid var(--_accent);
    outline-offset: -2px;
  }
  .truth {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
    padding: 8px 14px;
    border-top: 1px solid var(--_border);
    font-variant-numeric: tabular-nums;
  }
  .readout.targets .hint {
    margin: 0;
    color: var(--_muted);
  }
`;
