/** Tables of results in each format. All carry the header: as comments (CSV), around the rows (JSON), as the first line (JSON lines), as metadata (Parquet). */
import { Recording, toCsv, toJson, type RecordingHeader } from '../node/index.ts';
import type { Format, Table } from './analyses/analysis.ts';

const ROWS_AT_ONCE = 10_000;

export async function tableData(
  { recording, texts }: Table,
  header: RecordingHeader,
  format: Format,
): Promise<Uint8Array | string | Iterable<string>> {
  const text = texts?.[format];
  if (text) return text(header);
  if (format === 'csv') return toCsv(recording, header);
  if (format === 'json') return toJson(recording, header);
  return format === 'jsonl' ? lines(recording, header) : parquet(recording, header);
}

/** JSON lines: `{"header": ...}`, then one row a line. */
function* lines(recording: Recording, header: RecordingHeader): Generator<string> {
  yield `${JSON.stringify({ header })}\n`;
  let text = '';
  for (let row = 0; row < recording.length; row++) {
    const cells = recording.columns.map(({ name }, column) => [name, recording.cell(row, column)]);
    text += `${JSON.stringify(Object.fromEntries(cells))}\n`;
    if (row % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) {
      yield text;
      text = '';
    }
  }
  yield text;
}

/** Apache Parquet; the header under the key 'foveola'. */
async function parquet(recording: Recording, header: RecordingHeader): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const types = { number: 'DOUBLE', boolean: 'BOOLEAN', choice: 'STRING' } as const;
  const columnData = recording.columns.map(({ name, type }, column) => ({
    name,
    type: types[type],
    nullable: true,
    data: Array.from({ length: recording.length }, (_, row) => recording.cell(row, column)),
  }));
  const kvMetadata = [{ key: 'foveola', value: JSON.stringify(header) }];
  return new Uint8Array(parquetWriteBuffer({ columnData, kvMetadata }));
}
