/**
 * Icons of the buttons: 20 x 20, drawn with the text color. Each is a function, so that a script contains only those that
 * it uses.
 */
import { html, svg, type TemplateResult } from 'lit';

export type Icon = () => TemplateResult;

export const playIcon: Icon = () =>
  svg`<path d="M6.5 4.2v11.6a.6.6 0 0 0 .9.5l9.2-5.8a.6.6 0 0 0 0-1L7.4 3.7a.6.6 0 0 0-.9.5Z" fill="currentColor" stroke="none"></path>`;
export const pauseIcon: Icon = () => svg`<path d="M6.8 4.5v11M13.2 4.5v11" stroke-width="2.6"></path>`;
export const downloadIcon: Icon = () => svg`<path d="M10 3v9.2M6.2 8.8 10 12.6l3.8-3.8M3.6 16.6h12.8"></path>`;
export const fileIcon: Icon = () =>
  svg`<path d="M2.8 15V5.2c0-.8.6-1.4 1.4-1.4h3.4l1.8 2h6.4c.8 0 1.4.6 1.4 1.4V15c0 .8-.6 1.4-1.4 1.4H4.2c-.8 0-1.4-.6-1.4-1.4Z"></path>`;
export const cameraIcon: Icon = () =>
  svg`<rect x="2.4" y="5.2" width="10.8" height="9.6" rx="1.8"></rect><path d="m13.2 9 4.4-2.6v7.2L13.2 11"></path>`;
export const flipIcon: Icon = () =>
  svg`<path d="M4 8.4A6.4 6.4 0 0 1 15.2 6M16 11.6A6.4 6.4 0 0 1 4.8 14M15.6 3v3.2h-3.2M4.4 17v-3.2h3.2"></path>`;
export const undoIcon: Icon = () => svg`<path d="M7.4 4 4 7.4l3.4 3.4M4.4 7.4h7a4.6 4.6 0 0 1 0 9.2H7.6"></path>`;
export const redoIcon: Icon = () => svg`<path d="M12.6 4 16 7.4l-3.4 3.4M15.6 7.4h-7a4.6 4.6 0 0 0 0 9.2h3.8"></path>`;
export const moreIcon: Icon = () => svg`<path d="M4.6 10h.1M10 10h.1M15.4 10h.1" stroke-width="3"></path>`;
export const settingsIcon: Icon = () =>
  svg`<path d="M3 6h7.4M14.6 6H17M3 14h2.4M9.6 14H17"></path><circle cx="12.5" cy="6" r="2.1"></circle><circle cx="7.5" cy="14" r="2.1"></circle>`;
export const penIcon: Icon = () =>
  svg`<path d="m3.4 16.6.8-3.8 9-9a1.6 1.6 0 0 1 2.2 0l.8.8a1.6 1.6 0 0 1 0 2.2l-9 9-3.8.8ZM11.6 5.4l3 3"></path>`;
export const eraserIcon: Icon = () =>
  svg`<path d="m8.2 16.4-4.6-4.6a1.4 1.4 0 0 1 0-2l6.2-6.2a1.4 1.4 0 0 1 2 0l4.6 4.6a1.4 1.4 0 0 1 0 2l-6.2 6.2H8.2ZM6.6 6.8l6.6 6.6M10 16.4h7"></path>`;
export const clearIcon: Icon = () =>
  svg`<path d="M4.4 5.6h11.2M8 5.4V3.6h4v1.8M5.8 5.8l.7 10.6h7l.7-10.6M8.6 8.6v5M11.4 8.6v5"></path>`;
export const warningIcon: Icon = () => svg`<path d="M10 3.2 2.6 16.4h14.8L10 3.2ZM10 8.4v3.8M10 14.2v.2"></path>`;
export const eyeIcon: Icon = () =>
  svg`<path d="M1.8 10S4.8 4.6 10 4.6 18.2 10 18.2 10 15.2 15.4 10 15.4 1.8 10 1.8 10Z"></path><circle cx="10" cy="10" r="2.7"></circle>`;

export const icon = (sign: Icon): TemplateResult =>
  html`<svg
    viewBox="0 0 20 20"
    width="20"
    height="20"
    fill="none"
    stroke="currentColor"
    stroke-width="1.6"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    ${sign()}
  </svg>`;
