/** What is exported is named on the screen, and asked about where another source is shown. */
import { expect } from 'chai';
import { setEngineProvider } from '../../widget/base/engine.ts';
import '../../widget/pupil/pupil.ts';
import type { FoveolaPupil } from '../../widget/pupil/pupil.ts';
import '../../widget/strings/de.ts';
import { makeClip, steady } from '../support/clips.ts';
import { chooseItem, menuItems, stateOf, waitUntil } from './element-state.ts';
import { fakeEngine, type FakeState } from './fake-engine.ts';

describe('exports of a recording', () => {
  let state: FakeState;
  let element: FoveolaPupil;
  let restore: Parameters<typeof setEngineProvider>[0];
  let saved: { name: string; text: Promise<string> }[];
  const { click } = HTMLAnchorElement.prototype;
  const until = (what: string, done: () => unknown) => waitUntil(what, done, () => stateOf(element));
  const named = async (name: string, count = 40) => new File([await makeClip({ times: steady(count) })], name);
  const picture = (name: string) =>
    new Promise<File>((resolve) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 48 });
      canvas.getContext('2d')!.fillRect(0, 0, 64, 48);
      canvas.toBlob((blob) => resolve(new File([blob!], name, { type: 'image/png' })));
    });

  beforeEach(() => {
    const fake = fakeEngine();
    state = fake.state;
    restore = setEngineProvider(fake.provider);
    saved = [];
    HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
      saved.push({ name: this.download, text: fetch(this.href).then((answer) => answer.text()) });
    };
    element = document.createElement('foveola-pupil');
    Object.assign(element, { controls: true, loop: true });
    document.body.append(element);
  });
  afterEach(() => {
    HTMLAnchorElement.prototype.click = click;
    element.remove();
    setEngineProvider(restore);
  });

  const find = (selector: string) => element.renderRoot.querySelector<HTMLElement>(selector);
  const saves = (word: string) => chooseItem(element, 'exports', word);
  /** The name in the export menu. */
  const exported = async () => {
    await menuItems(element, 'exports');
    return find('[part=exported]')?.textContent.trim() ?? '';
  };
  const answers = () => [...element.renderRoot.querySelectorAll<HTMLElement>('.ask button')];
  const sourceOf = async (index: number) =>
    (JSON.parse(await saved[index]!.text) as { source: { name: string } }).source.name;
  const opens = async (file: File) => {
    const { length } = state.timestamps;
    element.source = file;
    await until(`${file.name} is open`, () => element.sourceName === file.name && state.timestamps.length > length);
    await element.updateComplete;
  };
  const records = async (file: File) => {
    await opens(file);
    element.record();
    const { length } = state.timestamps;
    await until('there are rows', () => state.timestamps.length > length + 2);
    element.record();
    await element.updateComplete;
  };

  it('names no file with exports="no-file-names"', async () => {
    element.setAttribute('exports', 'no-file-names');
    element.source = await named('Zyxwara-Quillon.webm');
    await until('it is open', () => state.timestamps.length > 0);
    element.record();
    await until('there are rows', () => state.timestamps.length > 4);
    element.record();
    await element.updateComplete;
    const texts = [await element.exportCsv(), await element.exportJson(), element.exportedName];
    texts.push(
      await element.exportCsvJson(),
      await element.exportCsv({ format: 'comments' }),
      await element.exportEvents(),
    );
    await saves('Table (CSV)');
    await until('both are saved', () => saved.length === 2);
    for (const { name, text } of saved) texts.push(name, await text);
    expect(saved[1]!.name).to.equal(`${saved[0]!.name}.json`);
    for (const text of texts) expect(text).not.to.match(/Zyxwara|Quillon/);
    expect(saved[0]!.name).to.match(/^video-\d/);
    expect(texts[4]).to.contain('# source: video (video,');
    expect(JSON.parse(texts[3]!).source.name).to.equal('video');
  });

  it('says whose they are, and asks nothing while that source is shown', async () => {
    await opens(await named('first.webm'));
    expect([await exported(), element.exportedName]).to.deep.equal(['', '']);
    await records(await named('first.webm'));
    expect([await exported(), element.exportedName]).to.deep.equal(['first.webm', 'first.webm']);
    await saves('All data (JSON)');
    await until('it is saved', () => saved.length === 1);
    expect(find('.ask')).to.equal(null);
    expect(saved[0]!.name).to.match(/^first-\d/);
  });

  it('asks where another recording is shown', async () => {
    await records(await named('first.webm'));
    await opens(await named('second.webm'));
    expect([await exported(), element.sourceName]).to.deep.equal(['first.webm', 'second.webm']);
    expect(find('[part=exported]')!.classList.contains('another')).to.equal(true);
    await saves('All data (JSON)');
    await until('it asks', () => find('.ask'));
    expect(find('.ask p')!.textContent).to.equal('The recording is of “first.webm”, but “second.webm” is shown.');
    expect(answers().map((answer) => answer.textContent.trim())).to.deep.equal(['Export “first.webm”', 'Cancel']);
    await until('it has the focus', () => element.shadowRoot!.activeElement === answers()[0]);
    expect(saved).to.deep.equal([]);
    answers()[1]!.click();
    await element.updateComplete;
    expect(find('.ask')).to.equal(null);
    await saves('Table (CSV)');
    await until('it asks', () => find('.ask'));
    find('.ask')!.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true }));
    await element.updateComplete;
    expect([find('.ask'), saved.length]).to.deep.equal([null, 0]);
    await saves('All data (JSON)');
    await until('it asks', () => find('.ask'));
    answers()[0]!.click();
    await until('it is saved', () => saved.length === 1);
    expect(saved[0]!.name).to.match(/^first-\d/);
    expect(await sourceOf(0)).to.equal('first.webm');
  });

  it('offers the picture that is shown as well, in the words of the page', async () => {
    await records(await named('first.webm'));
    element.lang = 'de';
    await opens(await picture('second.png'));
    await saves('Alle Daten (JSON)');
    await until('it asks', () => find('.ask'));
    expect(find('.ask p')!.textContent).to.include('stammt von „first.webm“');
    expect(answers().map((answer) => answer.textContent.trim())).to.deep.equal([
      '„first.webm“ exportieren',
      '„second.png“ exportieren',
      'Abbrechen',
    ]);
    answers()[1]!.click();
    await until('it is saved', () => saved.length === 1);
    expect(saved[0]!.name).to.match(/^second-\d/);
    expect(await sourceOf(0)).to.equal('second.png');
    expect(JSON.parse(await element.exportJson())).to.have.nested.property('source.name', 'first.webm');
  });

  it('forgets its question with the source', async () => {
    await records(await named('first.webm'));
    await opens(await named('second.webm'));
    await saves('Table (CSV)');
    await until('it asks', () => find('.ask'));
    await opens(await named('third.webm'));
    expect(find('.ask')).to.equal(null);
  });

  it('names other files after what is shown', async () => {
    await records(await named('first.webm'));
    await opens(await picture('second.png'));
    await saves('Image with overlay (PNG)');
    await until('it is saved', () => saved.length === 1);
    expect(saved[0]!.name).to.match(/^second-\d.*\.png$/);
  });

  it('knows a source that is opened again', async () => {
    const file = await named('first.webm');
    await records(file);
    element.source = null;
    await opens(file);
    await saves('All data (JSON)');
    await until('it is saved', () => saved.length === 1);
    await records(await named('other.webm'));
    await opens(await named('other.webm')); // of the same name, another file
    await saves('All data (JSON)');
    await until('it asks', () => find('.ask'));
  });
});
