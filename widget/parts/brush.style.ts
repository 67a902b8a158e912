/** The brush over the picture. */
import { css } from 'lit';

export const brushStyle = css`
  .brush {
    cursor: none;
  }
  .brush:focus-visible {
    outline: 3px solid var(--_shape);
    outline-offset: -3px;
  }
  .ring {
    position: absolute;
    border: 2px solid #fff;
    border-radius: 50%;
    box-shadow:
      0 0 0 1px rgb(0 0 0 / 70%),
      inset 0 0 0 1px rgb(0 0 0 / 70%);
    pointer-events: none;
    translate: -50% -50%;
  }
  .ring.down {
    border-color: #ff4060;
  }
`;
