/** What went wrong in the words of the page; the library's own message, which names the exact thing, stands below. */
import { html, nothing, type TemplateResult } from 'lit';
import type { FoveolaError } from '../../src/index.ts';
import type { Strings } from '../strings/index.ts';
import { icon } from './icons.ts';

/** The library speaks English. */
const own = (error: FoveolaError) => html`<span lang="en" dir="ltr">${error.message}</span>`;

/** On one line, for the place where it happened. */
export const problemText = (s: Strings, error: FoveolaError): TemplateResult =>
  html`${s.errors[error.code]}. ${own(error)}`;

/** `advice`: what to do about it; absent until these words are loaded. */
export const errorPanel = (s: Strings, error: FoveolaError, advice?: string): TemplateResult =>
  html`<div class="error" part="error" role="alert" dir=${s.direction}>
    ${icon('warning')}
    <div>
      <p class="title">${s.errors[error.code]}</p>
      ${advice ? html`<p>${advice}</p>` : nothing}
      <p class="detail">${own(error)}</p>
    </div>
  </div>`;
