/** Both places where recordings are kept, in this browser. */
import { expect } from 'chai';
import { indexedDbStorage, holdName, liveNames, storageError, storages } from '../../src/recordings/storages.ts';
import { opfsStorage, placeName, type RecordingStorage } from '../../src/recordings/opfs.ts';
import { aloneWithStorage } from './alone.ts';
import { together } from './made-recordings.ts';

const all = async (storage: RecordingStorage, name: string) => {
  const parts: Uint8Array[] = [];
  for await (const part of storage.bytes(name)()) parts.push(part);
  return together(parts);
};
const places: [string, () => RecordingStorage][] = [
  ['the private files of the origin', () => opfsStorage({ trusted: (url) => url })],
  ['a database', indexedDbStorage],
];

const alone = aloneWithStorage();
before(alone.before);
after(alone.after);

for (const [name, make] of places)
  describe(`recordings in ${name}`, () => {
    let storage: RecordingStorage;
    beforeEach(async () => {
      storage = make();
      await storage.forget();
    });
    afterEach(() => storage.forget());

    it('are not looked for by making a place for them', async () => {
      expect(await storage.exists()).to.equal(false);
      expect(await storage.files()).to.deep.equal([]);
      await storage.remove('none');
      expect((await all(storage, 'none')).length).to.equal(0);
      expect(await storage.exists()).to.equal(false);
      const databases = (await indexedDB.databases()).map((database) => database.name);
      expect(databases).not.to.include(placeName);
      const root = await navigator.storage.getDirectory();
      expect(await root.getDirectoryHandle(placeName).catch((error: Error) => error.name)).to.equal('NotFoundError');
    });

    it('are there after each append, before they are closed', async () => {
      await storage.prepare();
      expect(await storage.exists()).to.equal(true);
      const appender = await storage.create('one');
      await appender.append(Uint8Array.of(1, 2, 3));
      expect(Array.from(await all(storage, 'one'))).to.deep.equal([1, 2, 3]);
      for (let i = 0; i < 200; i++) await appender.append(Uint8Array.of(i));
      const [file] = await storage.files();
      expect(file).to.include({ name: 'one', bytes: 203, ended: false });
      expect(Date.now() - file!.modified).to.be.within(-1000, 60_000);
      await appender.close();
      expect(Array.from(await all(storage, 'one'))).to.deep.equal([1, 2, 3, ...Array(200).keys()]);
      await storage.ended('one');
      expect((await storage.files())[0]!.ended).to.equal(true);
    });

    it('can be read while they are written', async () => {
      const appender = await storage.create('long');
      const blocks = Array.from({ length: 40 }, (_, i) => new Uint8Array(65_536).fill(i + 1));
      for (const block of blocks) await appender.append(block);
      const parts: Uint8Array[] = [];
      for await (const part of storage.bytes('long')()) {
        parts.push(part);
        if (parts.length <= 5) await appender.append(Uint8Array.of(99));
      }
      await appender.close();
      expect(parts.length, 'pieces').to.be.at.least(3);
      const read = together(parts);
      expect(read.length).to.be.at.least(40 * 65_536);
      blocks.forEach((_, i) => expect([read[65_536 * i], read[65_536 * (i + 1) - 1]]).to.deep.equal([i + 1, i + 1]));
    });

    it('do not mix, and go one by one or all at once', async () => {
      const [a, b] = [await storage.create('a'), await storage.create('b')];
      await Promise.all([a.append(Uint8Array.of(1)), b.append(Uint8Array.of(2))]);
      await Promise.all([a.append(Uint8Array.of(1)), b.append(Uint8Array.of(2))]);
      await Promise.all([a.close(), b.close()]);
      await storage.ended('b');
      expect(Array.from(await all(storage, 'a'))).to.deep.equal([1, 1]);
      expect(Array.from(await all(storage, 'b'))).to.deep.equal([2, 2]);
      await storage.remove('b');
      expect((await storage.files()).map((file) => file.name)).to.deep.equal(['a']);
      expect((await all(storage, 'b')).length).to.equal(0);
      const again = await storage.create('b');
      expect((await storage.files()).find((file) => file.name === 'b')?.ended ?? false).to.equal(false);
      await again.close();
      await storage.forget();
      expect(await storage.exists()).to.equal(false);
    });
  });

describe('the storages of a browser', () => {
  it('are files first, then the database', () => {
    expect(storages().map(({ kind }) => kind)).to.deep.equal(['opfs', 'indexeddb']);
  });

  it('know what is being written by its lock, in any tab', async () => {
    const file = { name: 'held', bytes: 1, ended: false, modified: 0 };
    expect((await liveNames())(file)).to.equal(false);
    const release = await holdName('held');
    const live = await liveNames();
    expect(live(file)).to.equal(true);
    expect(live({ ...file, name: 'other' })).to.equal(false);
    release();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await liveNames())(file)).to.equal(false);
  });

  it('say what is full and what was refused', () => {
    const full = storageError(new DOMException('', 'QuotaExceededError'), 'Keeping the recording');
    expect(full.code).to.equal('storage-full');
    expect(full.message).to.match(/Recording continues in memory/);
    expect(storageError(new DOMException('no', 'SecurityError'), 'Keeping').code).to.equal('storage-failed');
    expect(storageError(new Error('x'), 'Keeping').code).to.equal('internal');
    expect(storageError(full, 'x')).to.equal(full);
  });
});
