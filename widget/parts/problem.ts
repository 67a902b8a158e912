/** Shows an error in the language of the page. The library's message with the exact details is below. */
import { html, nothing, type TemplateResult } from 'lit';
import type { FoveolaError } from '../../src/index.ts';
import type { Strings } from '../strings/index.ts';
import { icon } from './icons.ts';

/** The library's messages are in English. */
const own = (error: FoveolaError) => html`<span lang="en" dir="ltr">${error.message}</span>`;

/** On one line, next to the control that caused it. */
export const problemText = (s: Strings, error: FoveolaError): TemplateResult =>
  html`${s.errors[error.code]}. ${own(error)}`;

/** `advice`: how to fix the error. Absent until these strings have loaded. */
export const errorPanel = (s: Strings, error: FoveolaError, advice?: string): TemplateResult =>
  html`<div class="error" part="error" role="alert" dir=${s.direction}>
    ${icon('warning')}
    <div>
      <p class="title">${s.errors[error.code]}</p>
      ${advice ? html`<p>${advice}</p>` : nothing}
      <p class="detail">${own(error)}</p>
    </div>
  </div>`;
