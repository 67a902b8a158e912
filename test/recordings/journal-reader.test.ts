/** Writing a recording while it is made, and reading it back. */
import { expect } from 'chai';
import { toCsv, toJson } from '../../src/results/export.ts';
import { pupilColumns } from '../../src/results/export-pupil.ts';
import { Recording } from '../../src/results/recording.ts';
import { toPupilCsv, type PupilExportOptions } from '../../src/pupil/export.ts';
import type { FoveolaError } from '../../src/runtime/error.ts';
import {
  type Block,
  blockBytes,
  blockKinds,
  BlockScanner,
  preambleBytes,
  readRows,
  rowsPayload,
} from '../../src/recordings/blocks.ts';
import { exportFormats, exportParts, exportText } from '../../src/recordings/export.ts';
import { readJournal } from '../../src/recordings/journal-reader.ts';
import { JournalWriter } from '../../src/recordings/journal-writer.ts';
import { addRows, columns, header, inPieces, made, pupilRow, pupils, rowsOf, together } from './made-recordings.ts';
import { itInFull, short } from '../support/full.ts';

const about = { element: 'foveola-pupil', columns, header };
const keyOf = (fill: number) =>
  crypto.subtle.importKey('raw', new Uint8Array(32).fill(fill), 'AES-GCM', false, ['encrypt', 'decrypt']);
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: FoveolaError) => `${error.code}: ${error.message}`,
  );
const unhurt = { tornBytes: 0, damagedBytes: 0, lostBlocks: 0 };

describe('columns of kept rows', () => {
  it('are these bytes', () => {
    const recording = new Recording(columns);
    recording.push([300, 1.5, 1, 1, 0.5]);
    recording.push([301, 2.5, 1, NaN, NaN]);
    const f = (value: number) => new Uint8Array(Float64Array.of(value).buffer);
    expect(Array.from(rowsPayload(recording, 0, 2, { frames: 2, dropped: 5 }))).to.deep.equal([
      ...[2, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0], // rows, first, frames, dropped
      ...[2, 44, 1, 0, 0, 45, 1, 0, 0], // frame: integers
      ...[4, ...f(1.5), ...f(2.5)], // timestamp: doubles
      ...[0, ...f(1)], // clock: constant
      ...[1, 1, 255], // found: bytes, the second is missing
      ...[3, 0, 0, 0, 63, 0, 0, 192, 127], // diameter: singles, 0.5 and NaN
    ]);
  });

  it('come back as they were, in single precision where digits are stated', () => {
    const values = [0, -0, 1, -1, 254, 255, 256, 2 ** 31, 1e300, 0.1, NaN, Infinity, 2 ** 53];
    const full = new Recording([{ name: 'a', type: 'number' }, ...columns]);
    for (let i = 0; i < values.length; i++)
      for (let j = 0; j < values.length; j++) full.push([values[i]!, values[j]!, values[j]!, 0, 1, values[j]!]);
    for (const [from, to] of [
      [0, full.length],
      [5, 6],
      [9, 22],
    ] as const) {
      const read = new Recording(full.columns);
      readRows(rowsPayload(full, from, to, { frames: 1, dropped: 0 }), read);
      const wanted = rowsOf(full).slice(from, to);
      expect(rowsOf(read)).to.deep.equal(wanted.map((row) => row.map((v, i) => (i === 5 ? Math.fround(v) : v))));
    }
  });
});

describe('the journal of a recording', () => {
  async function written(key: CryptoKey | null = null) {
    const recording = made(0);
    const writer = await JournalWriter.create(about, recording, key);
    const parts = [await writer.take(header)];
    for (let round = 1; round <= 4; round++) {
      addRows(recording, 60);
      if (round === 2) recording.mark('flash', 900);
      parts.push(
        await writer.take({ ...header, frames: round * 60, dropped: round, ...(round > 2 && { backend: 'both' }) }),
      );
    }
    recording.mark('end', 1e9);
    parts.push(await writer.take({ ...header, frames: 240, dropped: 4, backend: 'both' }, true));
    return { recording, writer, parts };
  }

  it('gives back rows, markers and header, and says that it was ended', async () => {
    const { recording, writer, parts } = await written();
    expect(writer.rows).to.equal(240);
    const read = await readJournal(inPieces(together(parts)));
    expect(read.about).to.deep.equal(about);
    expect(read.rows).to.equal(240);
    expect(read.markers).to.deep.equal(recording.markers);
    expect(read.header).to.deep.equal({
      ...{ ...header, backend: 'both', frames: 240, dropped: 4, recovery: { ended: true, ...unhurt } },
    });
    const whole = await read.recording();
    expect(rowsOf(whole)).to.deep.equal(
      rowsOf(recording).map((row) => row.map((value, i) => (i === 4 ? Math.fround(value) : value))),
    );
    expect(whole.markers).to.deep.equal(recording.markers);
  });

  it('writes nothing where nothing has come, and takes a marker back', async () => {
    const recording = made(3);
    const writer = await JournalWriter.create(about, recording);
    const [first, second] = [recording.mark('a', 1), recording.mark('b', 2)];
    const parts = [await writer.take(header)];
    expect((await writer.take(header)).length).to.equal(0);
    recording.markers.splice(0, 1);
    parts.push(await writer.take(header));
    expect((await readJournal(inPieces(together(parts)))).markers).to.deep.equal([second]);
    recording.markers.push(first);
    parts.push(await writer.take({ ...header, changes: [{ timestamp: 4, parameters: { a: 1 } }] }));
    const read = await readJournal(inPieces(together(parts)));
    expect(read.markers).to.deep.equal([second, first]);
    expect(read.header.changes).to.deep.equal([{ timestamp: 4, parameters: { a: 1 } }]);
    expect(read.header.recovery).to.deep.equal({ ended: false, ...unhurt });
  });

  it('refuses blocks whose checksum is right and whose contents were never written here', async () => {
    const { parts } = await written();
    const rows = (head: number[], ...rest: number[]) =>
      Uint8Array.from([...new Uint8Array(Uint32Array.from(head).buffer), ...rest]);
    const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
    const about1 = (value: unknown) => ({ kind: blockKinds.about, number: 0, payload: json(value) });
    const after = (kind: 2 | 3, payload: Uint8Array<ArrayBuffer>) => [
      { kind: blockKinds.about, number: 0, payload: json(about) },
      { kind, number: 1, payload },
    ];
    const beginning = parts[0]!.slice(0, preambleBytes);
    for (const blocks of [
      [{ kind: blockKinds.about, number: 0, payload: Uint8Array.of(1, 2) }],
      [about1(null)],
      [about1({ columns: [], header })],
      [about1({ columns: [{ name: 'a', type: 'word' }], header })],
      [about1({ columns })],
      after(blockKinds.note, json({ markers: [{ label: 3 }] })),
      after(blockKinds.note, Uint8Array.of(123)),
      after(blockKinds.rows, Uint8Array.of(1)),
      after(blockKinds.rows, rows([2 ** 32 - 1, 0, 0, 0])),
      after(blockKinds.rows, rows([5, 0, 0, 0], 1, 2)),
      after(blockKinds.rows, rows([1, 0, 0, 0], 5, 77)),
    ]) {
      const file = together([beginning, ...blocks.map((block) => blockBytes(block))]);
      expect(await failure(readJournal(inPieces(file)).then((read) => read.recording()))).to.match(
        /^decode-failed: The recording/,
      );
    }
  });

  itInFull('is read up to where it was torn, at every byte after its beginning', async () => {
    const { recording, parts } = await written();
    const bytes = together(parts);
    const rows = rowsOf(recording);
    const ends = parts.map((_, i) => together(parts.slice(0, i + 1)).length);
    for (let length = 0; length < bytes.length; length++) {
      const torn = inPieces(bytes.slice(0, length));
      if (length < ends[0]!) {
        expect(await failure(readJournal(torn)), `torn at ${length}`).to.match(/^decode-failed: .*cannot be read/);
        continue;
      }
      const read = await readJournal(torn);
      const last = ends.filter((end) => end <= length).length - 1;
      expect(read.rows, `torn at ${length}`).to.be.at.least(Math.min(4, last) * 60);
      if (length % 97 === 0)
        expect(rowsOf(await read.recording()).map(([frame]) => frame)).to.deep.equal(
          rows.slice(0, read.rows).map(([frame]) => frame),
        );
      expect(read.header.recovery!.damagedBytes).to.equal(0);
      expect(read.header.recovery!.ended).to.equal(false);
    }
  });

  itInFull('never throws on damage past its beginning, and counts it', async () => {
    const { parts } = await written();
    const bytes = together(parts);
    for (let at = parts[0]!.length; at < bytes.length; at += 3) {
      const damaged = bytes.slice();
      damaged[at]! ^= 0x10;
      const { rows, header } = await readJournal(inPieces(damaged, 400));
      const { tornBytes, damagedBytes, lostBlocks } = header.recovery!;
      expect(tornBytes + damagedBytes, `byte ${at}`).to.be.above(0);
      expect(tornBytes ? 1 : lostBlocks, `byte ${at}`).to.equal(1);
      expect([180, 240], `byte ${at}`).to.include(rows);
    }
  });

  it('opens with its key alone', async () => {
    const [key, other] = [await keyOf(7), await keyOf(8)];
    const { recording, parts } = await written(key);
    const bytes = together(parts);
    expect(new TextDecoder().decode(bytes)).not.to.match(/robust|eye\.webm|flash/);
    const read = await readJournal(inPieces(bytes), async () => key);
    expect(read.rows).to.equal(240);
    expect(read.markers).to.deep.equal(recording.markers);
    expect((await read.recording()).at(239, 0)).to.equal(239);
    expect(await failure(readJournal(inPieces(bytes), other))).to.match(
      /^invalid-argument: The recording is intact but encrypted with another key/,
    );
    expect(await failure(readJournal(inPieces(bytes)))).to.match(/^invalid-argument: This recording is encrypted/);
    const signing = await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    expect(await failure(JournalWriter.create(about, recording, signing))).to.match(/for AES-GCM, not HMAC/);
    // Torn: what is whole opens.
    expect((await readJournal(inPieces(bytes.slice(0, -30)), key)).header.recovery!.tornBytes).to.be.above(0);
  });

  it('leaves out a sealed block that was given another place or kind', async () => {
    const key = await keyOf(7);
    const { parts } = await written(key);
    const bytes = together(parts);
    const blocks = new BlockScanner().push(bytes.slice(preambleBytes));
    const forged = (change: (block: Block) => Partial<Block>) =>
      readJournal(
        inPieces(
          together([
            bytes.slice(0, preambleBytes),
            ...blocks.map((block) => blockBytes({ ...block, ...(block.number === 1 && change(block)) })),
          ]),
        ),
        key,
      );
    expect((await forged(() => ({}))).rows).to.equal(240);
    for (const change of [
      (): Partial<Block> => ({ kind: 3 }),
      (): Partial<Block> => ({ payload: blocks[2]!.payload }),
    ]) {
      const { rows, header } = await forged(change);
      expect(rows).to.equal(180);
      expect(header.recovery!.lostBlocks).to.equal(1);
    }
  });

  it('encrypts nothing twice with the same nonce', async () => {
    const nonces: string[] = [];
    const { encrypt } = crypto.subtle;
    crypto.subtle.encrypt = function (how, ...rest) {
      nonces.push(String((how as AesGcmParams).iv));
      return encrypt.call(this, how, ...rest);
    };
    try {
      const key = await keyOf(7);
      await written(key);
      await written(key);
    } finally {
      crypto.subtle.encrypt = encrypt;
    }
    expect(nonces.length).to.be.above(10);
    expect(new Set(nonces).size).to.equal(nonces.length);
  });
});

describe('exports of a kept recording', () => {
  const text = async (parts: AsyncIterable<string>) => {
    let all = '';
    for await (const part of parts) all += part;
    return all;
  };
  /** In pieces of so many frames, as they come from the store. */
  const piecewise = (recording: Recording, eyes: number, size: number) => ({
    columns: recording.columns,
    header,
    markers: recording.markers,
    events: recording.events.all,
    async *pieces() {
      for (let row = 0; row < recording.length; row += size * eyes) {
        const piece = new Recording(recording.columns);
        for (let i = row; i < Math.min(recording.length, row + size * eyes); i++)
          piece.push(recording.columns.map((_, column) => recording.at(i, column)));
        yield piece;
      }
    },
  });

  it('are those of the same recording in memory: any columns', async () => {
    const recording = made(500);
    for (const at of [-5, 0, 100.2, 833.37, 1e9]) recording.mark(`m${at}`, at);
    for (const size of [1, 7, 100, 1000]) {
      const stored = piecewise(recording, 1, size);
      expect(await text(exportParts(stored, 'csv'))).to.equal(toCsv(recording, header));
      expect(await text(exportParts(stored, 'json'))).to.equal(toJson(recording, header));
    }
    const none = piecewise(made(0), 1, 10);
    expect(await text(exportParts(none, 'csv'))).to.equal(toCsv(made(0), header));
    expect(await text(exportParts(none, 'json'))).to.equal(toJson(made(0), header));
  });

  const smooth = { minCutoff: 1, beta: 0.01 };
  const asked: PupilExportOptions[] = [
    {},
    { format: 'pupilext' },
    { format: 'comments' },
    { format: 'excel' },
    { series: { interpolate: 'linear' } },
    { series: { interpolate: 'linear', longestGap: 120, smooth } },
    { series: { smooth } },
  ];
  for (const eyes of [1, 2])
    for (const millimetres of [false, true])
      it(`are those of the same recording in memory: ${eyes} eyes${millimetres ? ', calibrated midway' : ''}`, async () => {
        const recording = pupils(short ? 800 : 2000, { eyes, millimetres });
        for (const at of [0, 5000, 5000.5, 1e9]) recording.mark(`m${at}`, at);
        for (const options of asked)
          for (const size of [50, 777]) {
            const stored = piecewise(recording, eyes, size);
            const name = JSON.stringify(options);
            expect(await text(exportParts(stored, 'csv', options)), name).to.equal(
              toPupilCsv(recording, header, options),
            );
            if (size === 777)
              for (const format of exportFormats)
                expect(await text(exportParts(stored, format, options)), `${format} ${name}`).to.equal(
                  exportText(recording, header, format, options),
                );
          }
      });

  it('refuse options that are out of their range', async () => {
    const stored = piecewise(pupils(10), 1, 5);
    expect(await failure(text(exportParts(stored, 'csv', { series: { longestGap: -1 } })))).to.match(/longestGap/);
    expect(await failure(text(exportParts(stored, 'csv', { format: 'x' as 'plain' })))).to.match(/format must be/);
  });

  itInFull('hold some tens of megabytes for two hours of two eyes at 120 Hz', async () => {
    const recording = new Recording(pupilColumns);
    const writer = await JournalWriter.create({ ...about, columns: pupilColumns }, recording);
    await writer.take(header);
    let bytes = 0;
    for (let round = 0; round < 20; round++) {
      for (let i = 0; i < 30; i++)
        for (let eye = 0; eye < 2; eye++) recording.push(pupilRow(round * 30 + i, eye, false));
      bytes += (await writer.take(header)).length;
      recording.release(recording.length);
    }
    const twoHours = (bytes / (20 * 30)) * 120 * 7200;
    expect(twoHours / 1e6).to.be.below(90);
  });
});
