/** Rows of cells as aligned columns; numbers to the right. The first row is the heading. */
export function table(rows) {
  const cells = rows.map((row) =>
    row.map((cell) => (typeof cell === 'number' && !Number.isInteger(cell) ? cell.toPrecision(3) : String(cell ?? ''))),
  );
  const widths = cells[0].map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)));
  const right = cells[0].map((_, column) =>
    rows.slice(1).every((row) => typeof row[column] === 'number' || /^[\d.,%–-]*$/.test(String(row[column] ?? ''))),
  );
  const line = (row) =>
    row
      .map((cell, column) => (right[column] ? cell.padStart(widths[column]) : cell.padEnd(widths[column])))
      .join('  ')
      .trimEnd();
  return [line(cells[0]), widths.map((width) => '-'.repeat(width)).join('  '), ...cells.slice(1).map(line)].join('\n');
}
