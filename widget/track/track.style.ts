import { css } from 'lit';

/** The list of targets below the picture. */
export const trackStyle = css`
  .readout.targets {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem 1rem;
  }
  .readout.targets dl {
    display: flex;
    gap: 1rem;
    margin: 0;
    margin-inline-start: auto;
  }
  ul.targets {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  ul.targets li {
    display: flex;
  }
  ul.targets button[aria-pressed='true'] {
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
