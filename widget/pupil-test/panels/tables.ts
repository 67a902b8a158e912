/** Tables of the result of a test, and the reasons of missing values. */
import { html, nothing, type TemplateResult } from 'lit';
import type { PanelWords } from './words.ts';

export type Cell = string | TemplateResult;
export type Numbers = (value: number, digits: number) => string;

/** A table whose first column has the row headers. */
export function table(caption: string, heads: readonly string[], rows: readonly (readonly Cell[])[]): TemplateResult {
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${caption}>
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([first, ...others]) =>
            html`<tr>
              <th scope="row">${first}</th>
              ${others.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Numbered reasons of missing values. Equal reasons have one number. */
export class Reasons {
  readonly list: string[] = [];

  missing(reason: string): Cell {
    if (!this.list.includes(reason)) this.list.push(reason);
    return html`–<sup>${this.list.indexOf(reason) + 1}</sup>`;
  }

  render(words: PanelWords): TemplateResult | typeof nothing {
    if (!this.list.length) return nothing;
    return html`<ol class="reasons" aria-label=${words.reasonsOf}>
      ${this.list.map((reason) => html`<li>${reason}</li>`)}
    </ol>`;
  }
}
