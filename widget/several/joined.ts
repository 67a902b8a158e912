/** The exports of several files as one: a table with the name of the file in its first column, or a list. */
export interface Export {
  name: string;
  csv: Blob;
  json: Blob;
}

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
/** Spreadsheets take what begins like a formula for one. */
const textField = (text: string) => quoted(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

/** The heads of the tables, which begin with `#`, are left out; one stands for all of them. */
export async function joinedCsv(all: readonly Export[]): Promise<Blob> {
  const pieces: string[] = [];
  let columns = '';
  for (const { name, csv } of all) {
    const [head = '', ...rows] = (await csv.text()).split('\n').filter((line) => line && !line.startsWith('#'));
    if (head !== columns) pieces.push(`file,${head}\n`); // of tables with other columns these stand before their rows
    columns = head;
    const file = textField(name);
    pieces.push(rows.map((row) => `${file},${row}\n`).join(''));
  }
  return new Blob(pieces, { type: 'text/csv' });
}

export function joinedJson(all: readonly Export[]): Blob {
  const pieces = all.flatMap(({ name, json }, i): BlobPart[] => [
    `${i ? ',\n' : ''}{ "file": ${JSON.stringify(name)}, "result": `,
    json,
    '}',
  ]);
  return new Blob(['[\n', ...pieces, '\n]\n'], { type: 'application/json' });
}
