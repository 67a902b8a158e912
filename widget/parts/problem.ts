/** What went wrong in the words of the page; the library's own message, which names the exact thing, stands below. */
import { html, type TemplateResult } from 'lit';
import type { FoveolaError } from '../../src/index.ts';
import type { Strings } from '../strings/index.ts';
import { icon } from './icons.ts';

/** The library speaks English. */
const own = (error: FoveolaError) => html`<span lang="en" dir="ltr">${error.message}</span>`;

/** On one line, for the place where it happened. */
export const problemText = (s: Strings, error: FoveolaError): TemplateResult =>
  html`${s.errors[error.code]}. ${own(error)}`;

export const errorPanel = (s: Strings, error: FoveolaError): TemplateResult =>
  html`<div class="error" part="error" role="alert" dir=${s.direction}>
    ${icon('warning')}
    <div>
      <p class="title">${s.errors[error.code]}</p>
      <p>${s.errorHelp[error.code]}</p>
      <p class="detail">${own(error)}</p>
    </div>
  </div>`;
