/**
 * Rows of a CSV, parsed strictly (RFC 4180): quotes only around whole fields, doubled inside, equally many fields in
 * each row. Throws otherwise.
 */
export function strictRows(text: string, separator = ','): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    let field = '';
    if (text[at] === '"') {
      let end = at + 1;
      for (; text[end] !== '"' || text[end + 1] === '"'; end++) {
        if (end >= text.length) throw new Error(`an open quote in row ${rows.length + 1}`);
        if (text[end] === '"') end++;
        field += text[end]!;
      }
      at = end + 1;
    } else {
      while (at < text.length && text[at] !== separator && text[at] !== '\n') field += text[at++]!;
      if (/["\r]/.test(field)) throw new Error(`a quote within a field of row ${rows.length + 1}: ${field}`);
    }
    row.push(field);
    if (text[at] === separator) {
      at++;
      continue;
    }
    if (at < text.length && text[at] !== '\n') throw new Error(`text after a quoted field in row ${rows.length + 1}`);
    at++;
    rows.push(row);
    if (row.length !== rows[0]!.length) throw new Error(`row ${rows.length} has ${row.length} fields`);
    row = [];
  }
  return rows;
}
