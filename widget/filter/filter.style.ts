/** Styles of the filter choice, the comparison and the filling. */
import { css } from 'lit';

export const filterStyle = css`
  .filter {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 18px;
    padding: 10px 14px;
    border-top: 1px solid var(--_border);
  }
  .filter label {
    display: inline-flex;
    flex-wrap: wrap;
    align-items: center;
    max-width: 100%;
    gap: 8px;
    color: var(--_muted);
    font-size: 13px;
  }
  .filter.outcome {
    min-height: 59px;
    padding-top: 0;
    border: 0;
  }
  .filter + .filter {
    padding-top: 0;
    border: 0;
  }
  .outcome .figures {
    flex: 0 0 40ch; /* with and without a result, so that nothing moves */
    min-height: 1.45em;
  }
  @container (max-width: 620px) {
    .outcome .figures {
      flex-basis: 100%;
    }
  }
  .filter .group {
    gap: 6px;
  }
  .filter label.compare {
    flex: 1 1 180px;
    flex-wrap: nowrap;
    min-width: 0;
  }
  .compared,
  .compared > div {
    position: absolute;
    transform-origin: 0 0;
    pointer-events: none;
  }
  .compared .divider {
    pointer-events: auto;
  }
  .sides {
    display: flex;
    align-items: center;
    gap: 8px;
    padding: 0 14px 8px;
  }
  .filter select {
    max-width: 100%;
  }
  .filter input[type='range'] {
    min-width: 90px;
  }
  .filter .figures {
    margin: 0;
    color: var(--_muted);
    font-size: 13px;
    font-variant-numeric: tabular-nums;
  }
  .filter .bordered {
    border-color: var(--_border);
  }
  .filter progress {
    flex: 1 1 120px;
    height: 10px;
    accent-color: var(--_accent);
  }
`;
