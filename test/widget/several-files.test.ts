// Full run only: further states of an element, some seconds each.
/** Several files at once: one result each, one bad file among them, cancel, the list, folders and the joined table. */
import { expect } from 'chai';
import { setEngineProvider } from '../../widget/base/engine.ts';
import '../../widget/pupil/pupil.ts';
import '../../widget/track/track.ts';
import '../../widget/vessels/vessels.ts';
import '../../widget/strings/de.ts';
import { gather } from '../../widget/tools/batch/sequence.ts';
import { joinedCsv, joinedJson } from '../../widget/tools/batch/file-list.ts';
import { frames } from '../../src/index.ts';
import { makeClip, steady } from '../support/clips.ts';
import { fakeForAll } from './fake-elements.ts';

const until = async (what: string, condition: () => unknown) => {
  const end = performance.now() + 50_000; // also on a busy machine
  while (!condition()) {
    if (performance.now() > end) throw new Error(`waited too long for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

/** A dark disc at x in a light picture. */
async function picture(name: string, x: number): Promise<File> {
  const canvas = new OffscreenCanvas(64, 48);
  const context = canvas.getContext('2d')!;
  context.fillStyle = '#ccc';
  context.fillRect(0, 0, 64, 48);
  context.fillStyle = '#111';
  context.fillRect(x - 4, 20, 9, 9);
  return new File([await canvas.convertToBlob()], name, { type: 'image/png' });
}
const clip = async () => new File([await makeClip({ times: steady(30) })], 'sample.webm', { type: 'video/webm' });
const bad = () => new File(['this is text and no picture'], 'broken.png', { type: 'image/png' });
const tableOf = (csv: string) => csv.split('\n').filter((line) => line && !line.startsWith('#'));

describe('what was dropped', () => {
  it('is sorted by its numbers; other files and hidden ones are left out, settings are found', async () => {
    const files = ['eye10.png', 'eye9.png', '.DS_Store', 'notes.txt', 'IM0001', 'set.json'].map(
      (name) => new File([], name),
    );
    const folder = {
      isFile: false,
      isDirectory: true,
      name: 'left',
      createReader: () => {
        const parts = [[files[0]!], [files[1]!], []];
        const entry = (file: File) => ({
          isFile: true,
          name: file.name,
          file: (give: (f: File) => void) => give(file),
        });
        return { readEntries: (give: (entries: unknown[]) => void) => give(parts.shift()!.map(entry)) };
      },
    } as unknown as FileSystemEntry;
    const { media, settings } = await gather([...files.slice(2), folder]);
    expect(media.map(({ name }) => name)).to.deep.equal(['IM0001', 'left/eye9.png', 'left/eye10.png']);
    expect(settings?.name).to.equal('set.json');
  });

  it('becomes one table and one list', async () => {
    const one = (name: string, csv: string) => {
      const json = new Blob([`{"of":"${csv[3]}"}`]);
      return { name, csv: new Blob([csv]), json, csvJson: json };
    };
    const all = [one('a,1.png', '#  x\nframe,x\n0,4\n'), one('b.png', '#  y\nframe,x\n0,5\n1,6\n')];
    expect(await (await joinedCsv(all)).text()).to.equal('file,frame,x\n"a,1.png",0,4\nb.png,0,5\nb.png,1,6\n');
    expect(await (await joinedCsv([one('=1,2.png', 'frame,x\n0,4\n'), one('@b', 'frame,x\n0,4\n')])).text()).to.equal(
      `file,frame,x\n"'=1,2.png",0,4\n'@b,0,4\n`,
    );
    const excel = [one('a;1.png', '\uFEFFframe;x\n0;4,5\n'), one('b.png', '\uFEFFframe;x\n0;5\n')];
    const bytes = new Uint8Array(await (await joinedCsv(excel, ';')).arrayBuffer());
    expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)).to.equal(
      '\uFEFFfile;frame;x\n"a;1.png";0;4,5\nb.png;0;5\n',
    );
    expect(JSON.parse(await joinedJson(all).text())).to.deep.equal([
      { file: 'a,1.png', result: { of: 'x' } },
      { file: 'b.png', result: { of: 'y' } },
    ]);
  });
});

type Opened = 'foveola-pupil' | 'foveola-track' | 'foveola-vessels';

describe('several files', () => {
  let fake: ReturnType<typeof fakeForAll>;
  let restore: Parameters<typeof setEngineProvider>[0];
  let element: HTMLElementTagNameMap[Opened];
  const open = <Name extends Opened>(name: Name) => {
    element = document.createElement(name);
    element.controls = true;
    element.style.width = '400px';
    document.body.append(element);
    return element as HTMLElementTagNameMap[Name];
  };
  const all = (selector: string) => [...element.renderRoot.querySelectorAll<HTMLElement>(selector)];
  const states = () => all('.several .how').map(({ textContent }) => textContent);

  beforeEach(() => {
    fake = fakeForAll();
    restore = setEngineProvider(fake.provider);
  });
  afterEach(() => {
    element.remove();
    setEngineProvider(restore);
  });

  it('give one result each, in order; a bad one is said and the others go on', async () => {
    open('foveola-pupil');
    const transfer = new DataTransfer();
    for (const file of [await picture('p10.png', 40), bad(), await picture('p9.png', 20), await clip()])
      transfer.items.add(file);
    element.renderRoot
      .querySelector('.base')!
      .dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true, bubbles: true }));
    await until('the list', () => all('.several').length);
    await until('the end', () => all('.several .does button').length === 2);
    expect(all('.several .name').map(({ textContent }) => textContent)).to.deep.equal([
      'broken.png',
      'p9.png',
      'p10.png',
      'sample.webm',
    ]);
    const [broken, ninth, , recording] = states();
    expect(broken).to.include('could not be decoded');
    expect(ninth).to.equal('done');
    expect(recording).to.match(/^done, \d\d+ frames$/);
    expect(all('.several b')[0]!.textContent).to.equal('4 of 4 files done · 1 file failed');
    expect(all('.several li')[0]!.querySelectorAll('button')).to.have.length(1); // only its name
    expect(all('.several li')[1]!.querySelectorAll('button')).to.have.length(3);
    element.lang = 'de';
    await until(
      'German',
      () => all('.several b')[0]!.textContent === '4 von 4 Dateien fertig · 1 Datei fehlgeschlagen',
    );
    all('.several .head button')[0]!.click();
    await until('it is closed', () => !all('.several').length);
  });

  it('are one recording where they are pictures of one: in order, at the rate that was said, gray as they were', async () => {
    const pupil = open('foveola-pupil');
    const files = await Promise.all([10, 9, 11, 8].map((i) => picture(`eye_${i}.png`, 4 * i)));
    await pupil.openPictures(files, 20);
    await until('its duration', () => pupil.duration > 0);
    expect(pupil.duration).to.be.closeTo(0.2, 0.02);
    const { frames: count, complete } = await pupil.analyse();
    expect([count, complete]).to.deep.equal([4, true]);
    expect(await pupil.exportJson()).to.include('eye (4).webm');
    const video = pupil.renderRoot.querySelector('video')!;
    const written = await (await fetch(video.src)).blob();
    const shades: number[][] = [];
    for await (const { frame, mediaTime } of frames(written, { everyFrame: true })) {
      const bytes = new Uint8Array((frame as VideoFrame).allocationSize());
      const [luma] = await (frame as VideoFrame).copyTo(bytes);
      const row = bytes.subarray(luma!.offset + 24 * luma!.stride, luma!.offset + 24 * luma!.stride + 64);
      shades.push([Math.round(mediaTime), row.indexOf(0x11) + 4, row[0]!]);
    }
    expect(shades).to.deep.equal([8, 9, 10, 11].map((i, frame) => [50 * frame, 4 * i, 0xcc]));

    const large = await picture('eye_12.png', 20);
    const other = new OffscreenCanvas(32, 32);
    other.getContext('2d');
    const small = new File([await other.convertToBlob()], 'eye_13.png', { type: 'image/png' });
    const refused = (work: Promise<unknown>) => work.catch(({ code, message }) => `${code}: ${message}`);
    expect(await refused(pupil.openPictures([large, small]))).to.match(/^invalid-argument: eye_13.png has 32x32/);
    expect(await refused(pupil.openPictures([large], -1))).to.match(/^invalid-argument/);
    expect(await refused(pupil.openPictures([]))).to.match(/^invalid-argument/);
  });

  it('offer that in their list, where all of them are pictures', async () => {
    const pupil = open('foveola-pupil');
    const files = await Promise.all([picture('a1.png', 20), picture('a2.png', 40)]);
    await pupil.analyseFiles([...files, await clip()].slice(0, 2));
    for (const wrong of [[{}], [null], 'a.webm'])
      await pupil.analyseFiles(wrong as unknown as File[]).then(
        () => expect.fail(),
        ({ code, message }) =>
          expect([code, message]).to.deep.equal(['invalid-argument', 'analyseFiles: pass an array of files.']),
      );
    const join = all('.several .join button')[0]!;
    expect(join.textContent).to.equal('Open as one recording');
    (all('.several .join input')[0] as HTMLInputElement).value = '4';
    join.click();
    await until('it is open', () => pupil.duration > 0.4 && pupil.duration < 0.6 && !all('.several').length);
  });

  it('resolve with rows of the right picture, and end when they are cancelled', async () => {
    const pupil = open('foveola-pupil');
    const files = await Promise.all([picture('a.png', 20), picture('b.png', 40)]);
    const [a, b] = await pupil.analyseFiles([...files, bad()]);
    const rows = await Promise.all([a!, b!].map(async ({ csv }) => tableOf(await csv!.text())));
    expect(rows.map((lines) => [lines.length, lines[1]!.split(',')[0]])).to.deep.equal([
      [2, 'a.png'],
      [2, 'b.png'],
    ]);
    expect(JSON.parse(await b!.json!.text()).source.name).to.equal('b.png');

    fake.state.delay = 40;
    const running = pupil.analyseFiles([await clip(), ...files]);
    await until('it is processing', () => /[1-9]\d* %/.test(states()[2] ?? ''));
    all('.several .head button')[0]!.click();
    const results = await running;
    expect(results.map(({ name, complete }) => [name, complete])).to.deep.equal([
      ['a.png', true],
      ['b.png', true],
      ['sample.webm', false],
    ]);
    expect(results[2]!.frames).to.be.above(0);
    expect(states()[2]).to.equal('cancelled');
  });

  it('begin each recording with the box of a tracker', async () => {
    const track = open('foveola-track');
    track.box = { x: 4, y: 5, width: 20, height: 10 };
    const results = await track.analyseFiles([
      await clip(),
      new File([await clip()], 'z.webm', { type: 'video/webm' }),
    ]);
    expect(results.map(({ name, error }) => [name, error])).to.deep.equal([
      ['sample.webm', null],
      ['z.webm', null],
    ]);
    const rows = await Promise.all(results.map(async ({ csv }) => tableOf(await csv!.text())));
    for (const [head, first] of rows) {
      const at = head!.split(',').indexOf('x');
      expect(
        first!
          .split(',')
          .slice(at, at + 4)
          .map(Number),
      ).to.deep.equal([4, 5, 20, 10]);
    }
  });

  it('give what an element exports of its own', async () => {
    const vessels = open('foveola-vessels');
    const [one, two] = await vessels.analyseFiles([await picture('a.png', 20), await picture('b.png', 40)]);
    expect([one!.complete, two!.complete, one!.error]).to.deep.equal([true, true, null]);
    expect(tableOf(await one!.csv!.text())[0]).to.include('segment');
  });
});
