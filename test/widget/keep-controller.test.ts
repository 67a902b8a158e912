// Full run only: further states of an element, some seconds each.
// Own page: it is one of the longest, and starts first.
/** Recordings that are kept on the device while they run: consent, what is on the device, what a full one does. */
import { expect } from 'chai';
import { type FoveolaError } from '../../src/index.ts';
import { liveNames, storages } from '../../src/recordings/storages.ts';
import type { RecordingStorage } from '../../src/recordings/opfs.ts';
import { setEngineProvider } from '../../widget/base/engine.ts';
import type { KeptDetail } from '../../widget/tools/storage/keeping.ts';
import type { FoveolaPupil } from '../../widget/pupil/pupil.ts';
import '../../widget/pupil/pupil.ts';
import type { FoveolaPupilTest } from '../../widget/pupil-test/pupil-test.ts';
import '../../widget/pupil-test/pupil-test.ts';
import '../../widget/strings/de.ts';
import { aloneWithStorage } from '../recordings/alone.ts';
import { fakeEngine, type FakeState } from './fake-engine.ts';

const clip = '/demo/media/sample.webm';
const until = async (what: string, condition: () => unknown, limit = 15_000) => {
  const end = performance.now() + limit;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`waited too long for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};
const filesOf = async (all: readonly RecordingStorage[]) => (await Promise.all(all.map((one) => one.files()))).flat();
const bytesOnDevice = async () => (await filesOf(storages())).reduce((sum, { bytes }) => sum + bytes, 0);
const rowsOf = (csv: string) => csv.split('\n').filter((line) => line && !line.startsWith('#')).length - 1;

describe('recordings that are kept', () => {
  const alone = aloneWithStorage();
  let state: FakeState;
  let element: FoveolaPupil;
  let restore: Parameters<typeof setEngineProvider>[0];
  const undo: (() => void)[] = [];
  const heard: KeptDetail[] = [];
  const errors: FoveolaError[] = [];

  before(alone.before);
  after(alone.after);
  const create = () => {
    const made = document.createElement('foveola-pupil');
    made.controls = made.loop = true;
    Object.assign(made.style, { width: '300px', float: 'left' }); // two on one page are both in sight, else they pause
    made.addEventListener('foveola-kept', ({ detail }) => heard.push(detail));
    made.addEventListener('foveola-error', ({ detail }) => errors.push(detail));
    return made;
  };
  beforeEach(async () => {
    const fake = fakeEngine();
    state = fake.state;
    restore = setEngineProvider(fake.provider);
    for (const storage of storages()) await storage.forget();
    heard.length = errors.length = 0;
    element = create();
  });
  afterEach(async () => {
    element.remove();
    await until('everything is given back', () => state.held === 0 && state.trackers === 0);
    setEngineProvider(restore);
    await until('nothing is written any more', async () => {
      const live = await liveNames();
      return !(await filesOf(storages())).some(live);
    });
    for (const again of undo.splice(0)) again();
    for (const storage of storages()) await storage.forget();
  });
  const replace = <T extends object, K extends keyof T>(on: T, name: K, value: T[K]) => {
    const own = Object.getOwnPropertyDescriptor(on, name);
    Object.defineProperty(on, name, { value, configurable: true, writable: true });
    undo.push(() => (own ? Object.defineProperty(on, name, own) : delete on[name]));
  };
  const kept = () => element.shadowRoot!.querySelector<HTMLElement>('.kept');
  const buttons = () => [...kept()!.querySelectorAll('button')];
  const press = (words: string) =>
    buttons()
      .find((one) => one.textContent === words)!
      .click();
  const begin = async (agreed: string | null = 'agreed') => {
    if (agreed !== null) element.saveRecordings = agreed;
    element.src = clip;
    document.body.append(element);
    await until('it tracks', () => state.processed.length > 1);
    if (agreed !== null) await until('the note is there', kept);
    element.record();
  };
  const record = async (rows: number) => {
    const before = element.exportCsv;
    expect(before).to.be.a('function');
    await until(`${rows} rows`, async () => rowsOf(await element.exportCsv()) >= rows);
  };

  it('are none without the attribute: no storage is as much as looked at', async () => {
    const touched: string[] = [];
    const { getDirectory } = navigator.storage;
    replace(navigator.storage, 'getDirectory', () => (touched.push('directory'), getDirectory.call(navigator.storage)));
    replace(navigator.storage, 'persist', () => (touched.push('persist'), Promise.resolve(false)));
    const { open } = indexedDB;
    replace(indexedDB, 'open', (...args) => (touched.push('database'), open.apply(indexedDB, args)));
    await begin(null);
    await record(20);
    element.record();
    expect(await element.savedRecordings()).to.deep.equal([]);
    expect(kept()).to.equal(null);
    expect(touched).to.deep.equal([]);
    expect(heard).to.deep.equal([]);
  });

  it('are none before the person has agreed; then the one that runs is kept from its first row', async () => {
    let persisted = 0;
    replace(navigator.storage, 'persist', () => (persisted++, Promise.resolve(true)));
    await begin('');
    await record(20);
    expect(await filesOf(storages())).to.deep.equal([]);
    for (const storage of storages()) expect(await storage.exists()).to.equal(false);
    expect(persisted).to.equal(0);
    expect(kept()!.textContent)
      .to.match(/can be saved on this device/)
      .and.match(/no images, until you delete them/);
    press('Save recordings on this device');
    await until('it is kept', async () => (await bytesOnDevice()) > 0);
    expect(persisted).to.equal(1);
    element.record();
    const rows = rowsOf(await element.exportCsv());
    await until('it is offered', async () => (await element.savedRecordings()).length === 1);
    const [one] = await element.savedRecordings();
    expect(one).to.include({ ended: true, storage: 'opfs' });
    expect(Date.now() - one!.started.getTime()).to.be.within(0, 120_000);
    const csv = await (await one!.export('csv')).text();
    expect(rowsOf(csv)).to.equal(rows);
    const { recovery } = JSON.parse(await (await one!.export('csv.json')).text()) as { recovery: object };
    expect(recovery).to.include({ ended: true, tornBytes: 0, damagedBytes: 0, lostBlocks: 0 });
    expect(heard.at(-1)!.recordings.map(({ name }) => name)).to.deep.equal([one!.name]);
  });

  for (const [what, prepare, kind] of [
    ['files', () => {}, 'opfs'],
    [
      'a database, where there are no files',
      () => replace(navigator.storage, 'getDirectory', undefined as never),
      'indexeddb',
    ],
    [
      'a database, where no worker starts',
      () =>
        replace(
          window,
          'Worker',
          class {
            constructor() {
              throw new DOMException('', 'SecurityError');
            }
          } as unknown as typeof Worker,
        ),
      'indexeddb',
    ],
  ] as const)
    it(`are on the device within a second, with their markers: in ${what}`, async () => {
      prepare();
      await begin();
      await record(10);
      element.mark('flash');
      await until('there is more than a second of it', () => rowsLater(30));
      const rows = rowsOf(await element.exportCsv());
      await new Promise((resolve) => setTimeout(resolve, 500));
      const place = storages().find((storage) => storage.kind === kind)!;
      const [file] = await place.files();
      expect(file!.ended).to.equal(false);
      const { readJournal } = await import('../../src/index.ts');
      const read = await readJournal(place.bytes(file!.name));
      expect(read.rows).to.be.at.least(rows);
      expect(read.markers.map(({ label }) => label)).to.deep.equal(['flash']);
      expect(read.header.recovery).to.include({ ended: false, tornBytes: 0 });
      expect(read.header.source.name).to.equal('sample.webm');
      expect(await element.savedRecordings(), 'what is being written is not offered').to.deep.equal([]);
      expect(errors).to.deep.equal([]);
    });
  const rowsLater = async (more: number) => {
    const before = rowsOf(await element.exportCsv());
    await record(before + more);
    return true;
  };

  it('end with their element, and are offered by the next one', async () => {
    await begin();
    await record(15);
    element.remove();
    await until('the first has ended', async () => (await filesOf(storages())).some(({ ended }) => ended));
    element = create();
    element.saveRecordings = '';
    document.body.append(element);
    await until('the note is there', kept);
    await until('it is offered', () => kept()!.querySelector('li'));
    expect(kept()!.textContent).to.match(/are saved on this device while they run/);
    expect(buttons().map((one) => one.textContent)).to.deep.equal([
      'CSV',
      'JSON',
      'Delete',
      'Delete all and stop saving',
    ]);
    press('Delete');
    expect((await element.savedRecordings()).length).to.equal(1);
    press('Really delete?');
    await until('it is gone', async () => (await filesOf(storages())).length === 0);
    await until('so is the list', () => !kept()!.querySelector('li'));
    press('Delete all and stop saving');
    press('Really delete?');
    await until('so is the place', async () => !(await storages()[0]!.exists()));
    await until('it asks again', () => buttons()[0]?.textContent === 'Save recordings on this device');
  });

  it('stay as they are where the storage is full, which is announced; nothing is lost', async () => {
    let room = Infinity;
    replace(
      window,
      'Worker',
      class extends Worker {
        override postMessage(order: unknown) {
          const { append } = order as { append?: Uint8Array };
          if (append && (room -= append.length) < 0)
            this.onmessage?.({ data: { error: { name: 'QuotaExceededError', message: '' } } } as MessageEvent);
          else super.postMessage(order);
        }
      },
    );
    await begin();
    await record(15);
    await until('something is kept', async () => (await bytesOnDevice()) > 0);
    room = 0;
    await until('it is announced', () => errors.some(({ code }) => code === 'storage-full'));
    await until('it is shown', () => kept()!.querySelector('[role=status]'));
    expect(kept()!.textContent).to.match(/storage is full\. Recording continues in memory/);
    expect(element.recording).to.equal(true);
    const bytes = await bytesOnDevice();
    await until('it goes on', () => rowsLater(20));
    element.record();
    const rows = rowsOf(await element.exportCsv());
    await until('it is offered', async () => (await element.savedRecordings()).length === 1);
    expect(await bytesOnDevice()).to.equal(bytes);
    const [one] = await element.savedRecordings();
    expect(one!.ended).to.equal(false);
    const readBack = rowsOf(await (await one!.export('csv')).text());
    expect(readBack).to.be.within(1, rows - 20);
    expect(errors.filter(({ code }) => code === 'storage-full').length).to.equal(1);
  });

  it('are encrypted with the key of the page, and never in the clear without it', async () => {
    const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
    element.recordingKey = () => Promise.resolve(key);
    await begin();
    await record(15);
    expect(kept()!.textContent).to.match(/Only this page has the key/);
    element.record();
    await until('it is offered', async () => (await element.savedRecordings()).length === 1);
    const [one] = await element.savedRecordings();
    const parts: BlobPart[] = [];
    for await (const part of storages()[0]!.bytes(one!.name)()) parts.push(part as BlobPart);
    expect(await new Blob(parts).text()).not.to.match(/sample\.webm|timestamp/);
    expect(rowsOf(await (await one!.export('csv')).text())).to.be.at.least(15);
    const refused = (given: CryptoKey | null) => one!.read(given).catch(({ code }: FoveolaError) => code);
    expect(await refused(null)).to.equal('invalid-argument');
    const other = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['decrypt']);
    expect(await refused(other)).to.equal('invalid-argument');
    await one!.remove();
    element.recordingKey = {} as CryptoKey;
    element.record();
    await until('the key is refused', () => errors.some(({ code }) => code === 'invalid-argument'));
    expect(await filesOf(storages())).to.deep.equal([]);
    expect(kept()!.textContent).to.match(/This recording is not saved/);
  });

  it('do not mix where two elements record at once', async () => {
    const other = create();
    other.saveRecordings = 'agreed';
    other.src = clip;
    document.body.append(other);
    await begin();
    other.record();
    await until('both are kept', async () => (await filesOf(storages())).length === 2);
    element.mark('of the first');
    other.mark('of the second');
    await record(30);
    element.record();
    other.record();
    await until('both are offered', async () => (await element.savedRecordings()).length === 2);
    const labels = await Promise.all(
      (await element.savedRecordings()).map(async (one) => (await one.read()).markers.map(({ label }) => label)),
    );
    expect(labels.flat().sort()).to.deep.equal(['of the first', 'of the second']);
    expect(labels.map(({ length }) => length)).to.deep.equal([1, 1]);
    other.remove();
  });

  it('are those of a test as well, where it has the attribute', async () => {
    const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt']);
    const test = document.createElement('foveola-pupil-test') as FoveolaPupilTest;
    document.body.append(test);
    await test.updateComplete;
    expect(test.tracker!.saveRecordings).to.equal(null);
    test.setAttribute('save-recordings', '');
    test.recordingKey = key;
    await test.updateComplete;
    expect(test.tracker!.saveRecordings).to.equal('');
    expect(test.tracker!.recordingKey).to.equal(key);
    await until('it asks', () => test.tracker!.shadowRoot!.querySelector('.kept button'));
    test.remove();
  });

  it('speak German where the page does', async () => {
    element.lang = 'de';
    await begin('');
    expect(kept()!.textContent).to.match(/lassen sich auf diesem Gerät speichern/);
    element.lang = 'en';
    await element.updateComplete;
    expect(kept()!.textContent).to.match(/can be saved/);
  });
});
