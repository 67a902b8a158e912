// Text of pages: what is put into html`...` is escaped unless it came out of html or raw.
class Markup extends String {}

const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escaped = (text) => String(text).replace(/[&<>"]/g, (sign) => escapes[sign]);
export const raw = (text) => new Markup(text);

const textOf = (value) => {
  if (value === null || value === undefined || value === false) return '';
  if (Array.isArray(value)) return value.map(textOf).join('');
  return value instanceof Markup ? String(value) : escaped(value);
};

export const html = (parts, ...values) =>
  raw(parts.map((part, i) => part + (i < values.length ? textOf(values[i]) : '')).join(''));

/** A table that scrolls by itself where the page is narrow; cells are text or markup. Without rows nothing. */
export const table = (head, rows, label) =>
  rows.length
    ? html`<div class="scroll listed" tabindex="0" role="group" aria-label="${label}">
        <table>
          <thead>
            <tr>
              ${head.map((cell) => html`<th scope="col">${cell}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              (row) =>
                html`<tr>
                  ${row.map((cell, i) => html`<td data-head="${head[i]}">${cell}</td>`)}
                </tr> `,
            )}
          </tbody>
        </table>
      </div>`
    : '';

/** Anchors as GitHub makes them, so that links of docs/ hold in both places. */
export const slugOf = (title) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
