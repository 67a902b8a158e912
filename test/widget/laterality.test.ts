// Full run only: further states of an element, some seconds each.
/**
 * What elements show and export of two eyes, over a rendered person whose left pupil is larger. Other places: test/node/laterality.
 */
import { expect } from 'chai';
import { render } from 'lit';
import { createEngine } from '../../src/engine.ts';
import type { Engine, Face, PupilResult } from '../../src/index.ts';
import { eyeBox } from '../../widget/face/eyes.ts';
import { setEngineProvider, type ElementEngine } from '../../widget/base/engine.ts';
import { type Feed, viewOf } from '../../widget/base/feed.ts';
import type { Colors, View as Placed } from '../../widget/base/overlay.ts';
import { type Sample, tabbed } from '../../widget/tools/player/chart-drawing.ts';
import type { Chart } from '../../widget/tools/chart/chart.ts';
import { drawPupils } from '../../widget/pupil/results.ts';
import '../../widget/pupil/pupil.ts';
import type { FoveolaPupil } from '../../widget/pupil/pupil.ts';
import '../../widget/pupil-test/pupil-test.ts';
import type { FoveolaPupilTest } from '../../widget/pupil-test/pupil-test.ts';
import { words } from '../../widget/pupil-test/pupil-test.en.ts';
import { summary } from '../../widget/pupil-test/panels/summary.ts';
import { panelWords } from '../../widget/pupil-test/panels/words.ts';
import { Steady } from '../../widget/pupil-test/steady.ts';
import type { Asked, TestActions } from '../../widget/pupil-test/views.ts';
import {
  type Case,
  caseOf,
  largest,
  oneEye,
  type Picture,
  pictureOf,
  type Said,
  tableOf,
  track,
  type View,
  views,
} from '../support/laterality.ts';
import { stateOf, waitUntil } from './element-state.ts';

const usual = { facing: 'left', mirrored: 'left', unknown: 'unknown' } as const;
const letters = { left: 'L', right: 'R' };
/** The name of an eye in a text. */
const sideIn = (text: string): string =>
  /left eye|\bL\b|\bleft$/.test(text) && !/picture/.test(text)
    ? 'left'
    : /right eye|\bR\b|\bright$/.test(text) && !/picture/.test(text)
      ? 'right'
      : 'unknown';

let [right, all] = [0, 0];
const row = (name: string, view: string, says: () => unknown, wanted: unknown) =>
  it(`${name}, ${view}`, async () => {
    all++;
    expect(await says()).to.deep.equal(wanted);
    right++;
  });

/** A canvas as a live source: nobody knows which way it shows the person. */
function streamOf({ width, height, data }: Picture): { stream: MediaStream; end: () => void } {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d')!;
  const image = context.createImageData(width, height);
  data.forEach((level, i) => image.data.set([level, level, level, 255], 4 * i));
  const paint = () => context.putImageData(image, 0, 0);
  paint();
  const timer = setInterval(paint, 30);
  const stream = canvas.captureStream();
  const end = () => {
    clearInterval(timer);
    for (const one of stream.getTracks()) one.stop();
  };
  return { stream, end };
}

/** What an element with such a source shows and exports. */
interface Shown {
  result: PupilResult;
  charts: string[];
  labels: string[];
  readout: string;
  csv: string;
  json: { rows: { eye: string; diameter: number; frame: number }[]; parameters: Record<string, unknown> };
}

async function shownOf(picture: Picture, settings: Partial<FoveolaPupil>): Promise<Shown> {
  const element = document.createElement('foveola-pupil');
  Object.assign(element, { controls: true, lang: 'en', ...settings });
  const { stream, end } = streamOf(picture);
  element.source = stream;
  document.body.append(element);
  const all: PupilResult[] = [];
  element.addEventListener('foveola-result', ({ detail }) => all.push(detail));
  const enough = (count: number) =>
    waitUntil(
      `${count} results`,
      () => all.length >= count,
      () => stateOf(element),
    );
  await enough(1);
  element.record();
  await enough(4);
  element.record();
  const texts = () => element.renderRoot.querySelector('[data-value=diameter]')?.textContent ?? '';
  await waitUntil(
    'the readout',
    () => /\d/.test(texts()),
    () => stateOf(element),
  );
  const charts = [...element.renderRoot.querySelectorAll('.chart')];
  const shown = {
    result: all.at(-1)!,
    charts: charts.map((chart) => chart.querySelector('.side')?.textContent ?? ''),
    labels: charts.map((chart) => chart.getAttribute('aria-label') ?? ''),
    readout: texts(),
    csv: await element.exportCsv(),
    json: JSON.parse(await element.exportJson()) as Shown['json'],
  };
  element.remove();
  end();
  return shown;
}

/** By the letters beside the figures, as in `L 43.0 | R 20.1`. */
const ofReadout = (text: string) =>
  largest(text.split('|').map((part) => [sideIn(part.trim().replace(/[\d.]+/, '')), /[\d.]+/.exec(part)?.[0]]));

/** The letter that is drawn nearest to the larger pupil; as on the screen, where it may be mirrored. */
function drawn({ pupils }: PupilResult, mirror: boolean): string {
  const texts: { text: string; x: number }[] = [];
  const context = new Proxy({} as CanvasRenderingContext2D, {
    get: (_, name) => (name === 'fillText' ? (text: string, x: number) => texts.push({ text, x }) : () => {}),
    set: () => true,
  });
  const view: Placed = { scale: 1, scaleY: 1, left: 0, top: 0, mirror, width: 640, height: 240, ratio: 1 };
  drawPupils(context, view, {} as Colors, pupils, false, letters);
  const larger = [...pupils].sort((a, b) => b.diameter - a.diameter)[0]!;
  const x = mirror ? 640 - larger.x : larger.x;
  const near = texts.filter((one) => Math.abs(one.x - x) < 80).map(({ text }) => text);
  return near.length === 1 && texts.length === 2 ? sideIn(near[0]!) : texts.length ? 'nothing' : 'unknown';
}

describe("elements call the person's eyes left and right", () => {
  let engine: ElementEngine;
  let restore: Parameters<typeof setEngineProvider>[0];
  const shown: Record<string, Shown> = {};
  const cases: Record<string, Case> = {};
  before(async function () {
    this.timeout(60_000);
    engine = (await createEngine({ worker: false, backend: 'wasm' })) as ElementEngine;
    restore = setEngineProvider(() => ({ engine: Promise.resolve(engine), release: () => {} }));
    for (const view of views) {
      shown[view] = await shownOf(pictureOf(view), { eyes: 2, view });
      shown[`${view}, shown mirrored`] = await shownOf(pictureOf(view), { eyes: 2, view, mirror: true });
      const results = await track(engine as unknown as Engine, { eyes: 2, view }, pictureOf(view), pictureOf(view));
      cases[view] = await caseOf(view, { eyes: 2, view }, results);
    }
    for (const eye of ['left', 'right', 'unknown'] as const) shown[`one, ${eye}`] = await shownOf(oneEye(), { eye });
    shown.nothing = await shownOf(pictureOf('facing'), { eyes: 2 });
  });
  after(async () => {
    setEngineProvider(restore);
    await engine.dispose();
    console.log(`laterality of elements: ${right} of ${all} right`);
  });

  const ofPupils = (name: string, names: (one: Shown) => string[]) => {
    const one = shown[name]!;
    return largest(one.result.pupils.map(({ diameter }, i) => [sideIn(names(one)[i]!), diameter]));
  };
  for (const view of views)
    for (const name of [view, `${view}, shown mirrored`]) {
      const mirror = name !== view;
      const wanted = usual[view];
      row(
        'result',
        name,
        () => largest(shown[name]!.result.pupils.map(({ eye, diameter }) => [eye, diameter])),
        wanted,
      );
      row('names of charts', name, () => ofPupils(name, ({ charts }) => charts), wanted);
      row('labels of charts', name, () => ofPupils(name, ({ labels }) => labels), wanted);
      row('readout', name, () => ofReadout(shown[name]!.readout), wanted);
      row('letters over the picture', name, () => drawn(shown[name]!.result, mirror), wanted);
      row(
        'CSV',
        name,
        () => {
          const [first] = tableOf(shown[name]!.csv);
          const columns = Object.keys(first!).filter((column) => column.startsWith('diameter_px_'));
          return largest(columns.map((column) => [column.slice(12).replace(/pupil\d/, 'unknown'), first![column]]));
        },
        wanted,
      );
      row(
        'JSON',
        name,
        () => largest(shown[name]!.json.rows.slice(0, 2).map(({ eye, diameter }) => [eye, diameter])),
        wanted,
      );
      row('view in the JSON', name, () => shown[name]!.json.parameters.view, view);
    }
  // Where no one knows whose eyes they are, charts are named after the halves, as they are seen.
  row('halves', 'unknown', () => shown.unknown!.charts, ['left in the image', 'right in the image']);
  row('halves', 'unknown, shown mirrored', () => shown['unknown, shown mirrored']!.charts, [
    ...['right in the image', 'left in the image'],
  ]);
  row('a stream from elsewhere', 'nothing said', () => shown.nothing!.result.pupils.map(({ eye }) => eye), [
    ...['unknown', 'unknown'],
  ]);

  for (const eye of ['left', 'right', 'unknown'] as const) {
    row('result of one eye', eye, () => shown[`one, ${eye}`]!.result.pupils.map((pupil) => pupil.eye), [eye]);
    row('name of the chart of one eye', eye, () => shown[`one, ${eye}`]!.charts, [
      eye === 'unknown' ? '' : `${eye} eye`,
    ]);
    row('readout of one eye', eye, () => ofReadout(shown[`one, ${eye}`]!.readout), eye);
    row('letter over one eye', eye, () => sideOfOne(shown[`one, ${eye}`]!.result), eye);
    row('CSV of one eye', eye, () => tableOf(shown[`one, ${eye}`]!.csv)[0]!.eye, eye);
    row('JSON of one eye', eye, () => shown[`one, ${eye}`]!.json.rows[0]!.eye, eye);
  }

  /** A live source, as far as its view goes. */
  const feed = (more: Partial<Feed>) => ({ live: true, kind: 'camera', ...more }) as Feed;
  row('view of a camera', 'nothing said', () => viewOf(feed({})), 'facing');
  row('view of a file', 'nothing said', () => viewOf(feed({ live: false, kind: 'video' })), 'unknown');
  row('view of no source', 'nothing said', () => viewOf(null), 'unknown');

  const landmarks = Float32Array.from({ length: 136 }, (_, i) => (i % 2 ? 50 : i < 84 ? 20 + (i % 12) : 70 + (i % 12)));
  const face = { id: 0, landmarks } as unknown as Face;
  const ofFace = { facing: ['right', 'left'], mirrored: ['left', 'right'], unknown: ['unknown', 'unknown'] };
  for (const view of views)
    row(
      'eyes of a face',
      view,
      () => (['left', 'right'] as const).map((side) => eyeBox(face, side, view)!.eye),
      ofFace[view],
    );

  const actions = {} as TestActions;
  const summaryOf = (view: View): HTMLElement => {
    const box = document.createElement('div');
    const { test } = cases[view]!;
    const number = (value: number, digits: number) => value.toFixed(digits);
    const model = { result: test, language: 'en', number, failure: null, phase: 'running' as const, quality: null };
    const none = { earlier: null, millimetresPerPixel: null };
    render(summary(panelWords('en', words), { ...model, ...none, steady: new Steady() }, actions), box);
    return box;
  };
  const asks = { ...usual, unknown: 'asks' } as const;
  for (const view of views) {
    const line = (start: string) =>
      [...summaryOf(view).querySelectorAll('p')].find((p) => p.textContent?.startsWith(start));
    const warned = (start: string) =>
      [...summaryOf(view).querySelectorAll('li')].some(
        (li) => li.textContent!.startsWith(start) && li.textContent!.includes('`view`'),
      );
    const said = (shownAs: string, warnedAs: string): string =>
      line(shownAs) ? sideIn(line(shownAs)!.textContent!) : warned(warnedAs) ? 'asks' : 'nothing';
    row('summary of a test, anisocoria', view, () => said('Anisocoria', 'anisocoria'), asks[view]);
    row('summary of a test, afferent defect', view, () => said('Relative afferent', 'relative afferent'), asks[view]);
    row(
      'summary of a test, reflexes',
      view,
      () => {
        const cells = (tr: Element) => [...tr.children].map((cell) => cell.textContent!);
        const [head, ...rows] = [...summaryOf(view).querySelector('table')!.rows].map(cells);
        const baseline = head!.findIndex((name) => name.startsWith('Baseline'));
        const measured = head!.indexOf('Measured eye');
        const reflexes = rows.map((row) => [sideIn(row[measured]!), row[baseline]] as const);
        return largest(reflexes);
      },
      usual[view],
    );
    row('copy of the charts', view, () => copied(cases[view]!), usual[view]);
  }

  it('a test asks for what is not known, and hands on what was answered', async () => {
    const element: FoveolaPupilTest = document.createElement('foveola-pupil-test');
    element.lang = 'en';
    element.protocol = 'swinging-flashlight';
    document.body.append(element);
    await element.updateComplete;
    const select = () => element.renderRoot.querySelector<HTMLSelectElement>('.question select')!;
    const choose = async (value: Asked) => {
      select().value = value;
      select().dispatchEvent(new Event('change'));
      await element.updateComplete;
      return [element.tracker!.getAttribute('view'), element.tracker!.getAttribute('eye')];
    };
    expect([...select().options].map(({ value }) => value)).to.deep.equal(['unknown', 'facing', 'mirrored']);
    expect(await choose('mirrored')).to.deep.equal(['mirrored', null]);
    expect(await choose('facing')).to.deep.equal(['facing', null]);
    element.protocol = 'light-reflex';
    element.view = null;
    await element.updateComplete;
    expect([...select().options].map(({ value }) => value)).to.deep.equal(['unknown', 'left', 'right']);
    expect(await choose('right')).to.deep.equal([null, 'right']);
    expect(element.eye).to.equal('right');
    element.remove();
  });
});

function sideOfOne(result: PupilResult): string {
  const texts: string[] = [];
  const context = new Proxy({} as CanvasRenderingContext2D, {
    get: (_, name) => (name === 'fillText' ? (text: string) => texts.push(text) : () => {}),
    set: () => true,
  });
  const view: Placed = { scale: 1, scaleY: 1, left: 0, top: 0, mirror: false, width: 320, height: 240, ratio: 1 };
  drawPupils(context, view, {} as Colors, result.pupils, false, letters);
  return texts.length ? sideIn(texts.join()) : 'unknown';
}

/** What goes onto the clipboard: by the names of its columns. */
function copied({ results: [first] }: Case): Said {
  const { pupils } = first!;
  const charts = pupils.map(({ eye }) => ({ unit: 'px', eye, names: [], series: { lines: 1 } })) as unknown as Chart[];
  const sample = {
    ...{ seconds: 0, mediaTime: 0, marks: [], events: pupils.map(() => null) },
    ...{ values: pupils.map(({ diameter }) => diameter), confidences: pupils.map(() => 1) },
  } as unknown as Sample;
  const [head, cells] = tabbed([sample], charts)
    .split('\n')
    .map((line) => line.split('\t'));
  const columns = head!.flatMap((name, i) => (name.startsWith('diameter') ? [[name, cells![i]] as const] : []));
  return largest(columns.map(([name, value]) => [/left|right/.exec(name)?.[0] ?? 'unknown', value]));
}
