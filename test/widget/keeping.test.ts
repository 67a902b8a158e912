// Full run only: further states of an element, some seconds each.
/** One recording while it is kept: what leaves the memory, and its exports from both places. */
import { expect } from 'chai';
import { FoveolaError, readJournal, Recording, toCsv, toJson } from '../../src/index.ts';
import type { RecordingStorage } from '../../src/recordings/opfs.ts';
import { Keeping } from '../../widget/tools/storage/keeping.ts';
import { addRows, columns, header, together } from '../recordings/made-recordings.ts';

/** A storage in memory, with so much room. */
function fakeStorage() {
  const parts: Uint8Array[] = [];
  const state = { room: Infinity, ended: false, closed: 0, parts };
  const storage: RecordingStorage = {
    kind: 'opfs',
    exists: () => Promise.resolve(true),
    prepare: () => Promise.resolve(),
    files: () => Promise.resolve([]),
    create: () =>
      Promise.resolve({
        append(bytes) {
          if ((state.room -= bytes.length) < 0) return Promise.reject(new DOMException('', 'QuotaExceededError'));
          parts.push(bytes);
          return Promise.resolve();
        },
        close: () => (state.closed++, Promise.resolve()),
      }),
    ended: () => ((state.ended = true), Promise.resolve()),
    bytes: () => () => parts,
    remove: () => ((parts.length = 0), Promise.resolve()),
    forget: () => Promise.resolve(),
  };
  return { storage, state };
}

describe('a recording while it is kept', () => {
  const begin = async (recording: Recording, storages: RecordingStorage[]) =>
    Keeping.begin('foveola-pupil', recording, header, null, storages);
  const text = async (keeping: Keeping, format: 'csv' | 'json') => {
    let all = '';
    for await (const part of keeping.export(Promise.resolve(header), format, {})) all += part;
    return all;
  };
  /** Single precision, as it is kept. */
  const rounded = (rows: number) => {
    const given = new Recording(columns);
    addRows(given, rows);
    const made = new Recording(columns);
    for (let row = 0; row < rows; row++)
      made.push(columns.map((_, i) => (i === 4 ? Math.fround(given.at(row, i)) : given.at(row, i))));
    return made;
  };

  it('gives back the memory of what is on the device, and exports the whole', async () => {
    const { storage, state } = fakeStorage();
    const recording = new Recording(columns);
    const keeping = await begin(recording, [storage]);
    for (let round = 0; round < 11; round++) {
      addRows(recording, 7000);
      await keeping.write();
      expect(recording.length - recording.first, `${round}`).to.be.at.most(2 * 32768);
    }
    const mark = recording.mark('late', 640_000);
    addRows(recording, 100); // not written yet
    expect(recording.first).to.be.above(30_000);
    expect(() => recording.at(0, 0)).to.throw(FoveolaError, /savedRecordings/);
    const whole = rounded(77_100);
    for (let row = keeping.stored; row < whole.length; row++)
      expect(recording.at(row, 0), 'what is in memory stays').to.equal(whole.at(row, 0));
    whole.markers.push(mark);
    const csv = await text(keeping, 'csv');
    expect(csv === toCsv(whole, header), 'CSV').to.equal(true);
    expect((await text(keeping, 'json')) === toJson(whole, header), 'JSON').to.equal(true);
    await keeping.write(true);
    await keeping.close(true);
    expect(state).to.include({ ended: true, closed: 1 });
    expect((await readJournal(() => state.parts)).rows).to.equal(77_100);
  });

  it('keeps in memory what a full storage did not take, and loses nothing of either', async () => {
    const { storage, state } = fakeStorage();
    const recording = new Recording(columns);
    const keeping = await begin(recording, [storage]);
    for (let round = 0; round < 10; round++) {
      addRows(recording, 7000);
      await keeping.write();
    }
    state.room = 10;
    addRows(recording, 7000);
    const refused = await keeping.write().catch((error: DOMException) => error.name);
    expect(refused).to.equal('QuotaExceededError');
    expect(keeping).to.include({ refused: true, stored: 70_000 });
    state.room = Infinity;
    for (let round = 0; round < 12; round++) {
      addRows(recording, 7000);
      await keeping.write();
    }
    expect(keeping.stored, 'nothing more is written').to.equal(70_000);
    expect(recording.first, 'nor given back').to.be.at.most(70_000);
    expect((await text(keeping, 'csv')) === toCsv(rounded(161_000), header)).to.equal(true);
    await keeping.close(true);
    expect(state.ended).to.equal(false);
    expect((await readJournal(() => [together(state.parts)])).rows).to.equal(70_000);
    keeping.deleted = true;
    const left = (await text(keeping, 'csv')).split('\n');
    expect(left.filter((line) => /^\d/.test(line)).length).to.equal(161_000 - recording.first);
  });

  it('gives nothing back while an export reads', async () => {
    const { storage } = fakeStorage();
    const recording = new Recording(columns);
    const keeping = await begin(recording, [storage]);
    addRows(recording, 70_000);
    await keeping.write();
    const { first } = recording;
    const parts = keeping.export(Promise.resolve(header), 'csv', {});
    let csv = (await parts.next()).value as string;
    addRows(recording, 70_000);
    await keeping.write();
    expect(recording.first).to.equal(first);
    for await (const part of parts) csv += part;
    expect(csv === toCsv(rounded(70_000), header)).to.equal(true);
    await keeping.write();
    expect(recording.first).to.be.above(first);
  });

  it('takes the next storage where the first cannot be used, and says why where none can', async () => {
    const bad: RecordingStorage = {
      ...fakeStorage().storage,
      create: () => Promise.reject(new DOMException('no', 'SecurityError')),
    };
    const { storage } = fakeStorage();
    expect((await begin(new Recording(columns), [bad, storage])).storage).to.equal(storage);
    const why = (storages: RecordingStorage[]) =>
      begin(new Recording(columns), storages).catch((error: Error) => error.name);
    expect(await why([bad])).to.equal('SecurityError');
    expect(await why([])).to.equal('FoveolaError');
  });
});
