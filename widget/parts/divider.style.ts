/** The line between two pictures, with its handle. */
import { css } from 'lit';

export const dividerStyle = css`
  .divider {
    position: absolute;
    top: 0;
    bottom: 0;
    z-index: 1;
    width: 36px;
    translate: -50% 0;
    cursor: ew-resize;
    touch-action: none;
  }
  .divider[hidden] {
    display: none;
  }
  .divider::before {
    position: absolute;
    inset: 0 auto 0 50%;
    width: 2px;
    background: #fff;
    box-shadow: 0 0 0 1px rgb(0 0 0 / 45%);
    content: '';
    translate: -50% 0;
  }
  .divider span {
    position: absolute;
    top: 50%;
    left: 50%;
    width: 34px;
    height: 34px;
    border: 2px solid #fff;
    border-radius: 50%;
    background: rgb(8 14 20 / 76%);
    translate: -50% -50%;
  }
  .divider span::before,
  .divider span::after {
    position: absolute;
    top: 50%;
    left: 9px;
    width: 6px;
    height: 6px;
    border: solid #fff;
    border-width: 0 0 2px 2px;
    content: '';
    transform: translateY(-50%) rotate(45deg);
  }
  .divider span::after {
    right: 9px;
    left: auto;
    transform: translateY(-50%) rotate(225deg);
  }
  .divider:focus-visible {
    outline: none;
  }
  .divider:focus-visible span {
    outline: 3px solid var(--_ellipse);
    outline-offset: 2px;
  }
`;
