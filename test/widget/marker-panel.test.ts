/** Markers of an analyzed recording in <foveola-pupil>: by key, from a file, averaged, exported, undone. */
import { expect } from 'chai';
import 'axe-core';
import type { AxeResults } from 'axe-core';
import type { Source } from '../../src/index.ts';
import { type EngineProvider, setEngineProvider } from '../../widget/base/engine.ts';
import '../../widget/pupil/pupil.ts';
import type { FoveolaPupil } from '../../widget/pupil/pupil.ts';
import '../../widget/strings/de.ts';
import { makeClip, steady } from '../support/clips.ts';
import { chooseItem, menuItem, stateOf, waitUntil } from './element-state.ts';
import { fakeCapabilities } from './fake-engine.ts';

declare const axe: { run(on: Element, options: object): Promise<AxeResults> };

const [frames, rate] = [240, 30];
/** A constriction of 6 px from 0.3 s to 1 s after 2 s and after 5 s. */
const diameterAt = (t: number) => 30 - ([2000, 5000].some((flash) => t >= flash + 300 && t < flash + 1000) ? 6 : 0);

const provider: EngineProvider = () => ({
  engine: Promise.resolve({
    capabilities: fakeCapabilities,
    createPupilTracker: () => ({
      process: async (source: Source, { timestamp = 0, dropped = 0 } = {}) => {
        if (source instanceof VideoFrame) source.close();
        const [diameter, at] = [diameterAt(timestamp), { x: 60, y: 60 }];
        const pupil = {
          ...{ eye: 'unknown' as const, found: true, confidence: 0.9, outlineConfidence: 0.8, ...at, diameter },
          ...{ diameterMm: null, blink: false, votes: 18, points: 20, circle: { ...at, r: diameter / 2 } },
          ellipse: { ...at, major: diameter, minor: diameter, angle: 0 },
        };
        return { timestamp, width: 160, height: 120, pupils: [pupil], events: [], dropped, backend: 'wasm' as const };
      },
      reset: async () => undefined,
      setParameters: async () => undefined,
      dispose: async () => undefined,
    }),
  } as never),
  release: () => undefined,
});

describe('markers of a recording', () => {
  let element: FoveolaPupil;
  let clip: File;
  let restore: Parameters<typeof setEngineProvider>[0];
  let saved: { name: string; text: string }[];
  const { createObjectURL } = URL;

  before(async () => (clip = await makeClip({ times: steady(frames, rate) })));
  beforeEach(async () => {
    restore = setEngineProvider(provider);
    saved = [];
    element = document.createElement('foveola-pupil');
    Object.assign(element, { controls: true, paused: true, source: clip });
    element.style.width = '640px';
    document.body.append(element);
    await until('the timeline', () => find('.timeline [role=slider]') && element.state === 'paused');
    expect((await element.analyse()).complete).to.equal(true);
  });
  afterEach(() => {
    URL.createObjectURL = createObjectURL;
    element.remove();
    setEngineProvider(restore);
  });

  const until = (what: string, done: () => unknown) => waitUntil(what, done, () => stateOf(element));
  const find = <E extends HTMLElement = HTMLElement>(selector: string) =>
    element.renderRoot.querySelector<E>(selector)!;
  const all = <E extends HTMLElement = HTMLElement>(selector: string) => [
    ...element.renderRoot.querySelectorAll<E>(selector),
  ];
  const press = async (key: string, more: KeyboardEventInit = {}) => {
    const on = element.shadowRoot!.activeElement ?? find('.stage');
    on.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true, ...more }));
    await element.updateComplete;
  };
  const button = (word: string) =>
    all<HTMLButtonElement>('.markers button').find((one) => one.textContent.includes(word))!;
  const markers = async () => {
    const { markers } = JSON.parse(await element.exportJson()) as { markers: { label: string; timestamp: number }[] };
    return markers.map(({ label, timestamp }) => `${label} ${Math.round(timestamp)}`);
  };
  const give = async (text: string) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'stimuli.tsv'));
    const input = find<HTMLInputElement>('.markers input[type=file]');
    input.files = data.files;
    input.dispatchEvent(new Event('change'));
  };
  const open = async () => {
    await chooseItem(element, 'more', 'Markers and averages');
    await until('the panel', () => find('.markers'));
  };
  const events = 'onset\ttrial_type\n2\tflash\n5\tflash\n99\tflash\n';

  it('are set by key at the displayed frame, are in every export, and can be undone', async () => {
    expect(await element.seek(2000.5)).to.have.property('timestamp');
    element.focus();
    await press('m');
    await until('a marker', () => find('[role=status][aria-live]').textContent === 'Marker M1');
    await element.seek(5000.5);
    await press('m');
    expect(await markers()).to.deep.equal(['M1 2000', 'M2 5000']);
    expect(await element.exportEvents()).to.match(/marker,2000,.*M1/);
    await until('the legend has markers', () => find('.legend .marker'));
    element.undo();
    expect(await markers()).to.deep.equal(['M1 2000']);
    element.redo();
    expect((await element.analyse()).complete).to.equal(true); // which begins new rows
    expect(await markers()).to.deep.equal(['M1 2000', 'M2 5000']);
  });

  it('are imported from a file, averaged, and exported as epochs', async () => {
    await open();
    expect(find('.markers').textContent).to.include('Import a table').and.include('0 markers');
    await give(events);
    await until('the markers', () => find('.markers header').textContent.includes('2 markers'));
    expect(find('[role=status][aria-live]').textContent).to.equal('2 markers added, 1 outside the recording left out');
    const picture = find('.markers svg[role=img]');
    expect(picture.getAttribute('aria-label')).to.equal('Mean diameter around the markers, px');
    expect(picture.querySelectorAll('.mean')).to.have.length(1);
    expect(find('.markers').textContent).to.include('Mean of 2 of 2');
    const lists = all<HTMLSelectElement>('.markers select');
    expect(lists.map(({ labels }) => labels[0]!.textContent.trim().split(/\s/)[0])).to.deep.equal([
      ...['Markers', 'Before', 'After', 'Baseline', 'Length'],
    ]);
    lists[3]!.value = 'percent';
    lists[3]!.dispatchEvent(new Event('change'));
    await element.updateComplete;
    expect(find('.markers svg').getAttribute('aria-label')).to.equal('Mean diameter around the markers, %');
    const texts: Blob[] = [];
    URL.createObjectURL = (blob) => (texts.push(blob as Blob), createObjectURL.call(URL, blob));
    button('Export epochs').click();
    await until('both files', () => texts.length === 2);
    saved = await Promise.all(texts.map(async (blob) => ({ name: '', text: await blob.text() })));
    const table = saved.find(({ text }) => text.startsWith('marker,label'))!.text;
    expect(table).to.match(/\n0,flash,2000,0,unknown,/);
    expect(JSON.parse(saved.find(({ text }) => text.startsWith('{'))!.text)).to.nested.include({
      'epochs.baseline': 'percent',
      'epochs.unit': '%',
    });
    button('Remove all').click();
    await element.updateComplete;
    expect(await markers()).to.deep.equal([]);
    element.undo();
    expect(await markers()).to.deep.equal(['flash 2000', 'flash 5000']);
  });

  it('say what is wrong with a file', async () => {
    await open();
    await give('a,b\nx,y\n');
    await until('the problem', () => find('.markers .problem'));
    expect(find('.markers .problem').textContent).to.include('no column of times');
    await give('onset\n99\n');
    await until('another problem', () => find('.markers .problem')?.textContent.includes('outside'));
    expect(await markers()).to.deep.equal([]);
    await give(events);
    await until('none', () => !find('.markers .problem'));
  });

  for (const language of ['en', 'de', 'ar'])
    it(`have a panel that is one tab stop, without faults for axe (${language})`, async () => {
      element.lang = language;
      await open2(language);
      await give(events);
      await until('the markers', () => find('.markers svg'));
      element.focus();
      await element.updateComplete;
      const stops = all('.markers :is(button, select, input)').filter(
        ({ tabIndex, hidden }) => tabIndex === 0 && !hidden,
      );
      expect(stops.filter((one) => !(one as HTMLButtonElement).disabled)).to.have.length(1);
      for (const width of [390, 768]) {
        element.style.width = `${width}px`;
        await new Promise(requestAnimationFrame);
        expect(find('.markers').scrollWidth, `${width}`).to.be.at.most(find('.markers').clientWidth);
      }
      const { violations } = await axe.run(element, { rules: { region: { enabled: false } } });
      expect(violations.map(({ id }) => id)).to.deep.equal([]);
      await press('Escape');
      await until('it is closed', () => !find('.markers'));
    });

  const open2 = async (language: string) => {
    const word = language === 'de' ? 'Markierungen und Mittelwerte' : 'Markers and averages';
    await until('the language', () => element['strings'].language === (language === 'ar' ? 'en' : language));
    (await menuItem(element, 'more', word)).click();
    await until('the panel', () => find('.markers'));
  };
});
