/** A number that is shown is that of the files of the same frame, in each of the five elements. */
import { expect } from 'chai';
import { readRows, rowsPayload } from '../../src/recordings/blocks.ts';
import { objectColumns, objectRows, Recording } from '../../src/index.ts';
import { furtherRetinaMeasures, quality as qualityMeasure, retinaMeasures } from '../../src/reports/measures.ts';
import { words as german } from '../../widget/vessels/vessels.de.ts';
import '../../widget/elements.ts';
import { filterColumns, filterRows } from '../../widget/filter/views.ts';
import { setEngineProvider } from '../../widget/base/engine.ts';
import type { FoveolaElement } from '../../widget/base/foveola-element.ts';
import { makeClip, steady } from '../support/clips.ts';
import { fakeCapabilities } from './fake-engine.ts';
import { menuItems, waitUntil } from './element-state.ts';

type Any = FoveolaElement<{ timestamp: number; dropped: number }> & { box?: object; operation?: string };
type Cells = Record<string, number>;

const box = { x: 12.345, y: 20.456, width: 16, height: 12 };
const [x, y, r] = [41.2345, 33.6789, 8.7654];
const circle = { x, y, r };
const ellipse = { x, y, major: 2 * r, minor: r, angle: 0.3 };
const tracker = (result: object) => ({
  process: async (_: unknown, { timestamp = 0 } = {}) => ({ timestamp, dropped: 0, width: 96, height: 72, ...result }),
  ...{ reset: async () => undefined, setParameters: async () => undefined, dispose: async () => undefined },
});
const target = { id: 1, box, confidence: 0.8346, learning: true, by: 'both' };
const about = { found: true, confidence: 0.7461, outlineConfidence: 0.9, x, y, diameter: 2 * r, ellipse, circle };
const face = { ...box, id: 1, score: 0.6273, landmarks: null, detected: true };
const line = { rho: 30, theta: 1, votes: 80, x1: 0, y1: 30, x2: 79, y2: 30 };
const plane = { width: 96, height: 72, data: new Uint8Array(96 * 72).map((_, i) => (i % 7 ? 0 : 255)) };
const widths = Float32Array.of(3.24, 3.26, 3.29);
const segment = { points: Float32Array.of(2, 2, 3, 2, 4, 2), widths, width: 3.263, length: 2.06 };
const engine = {
  capabilities: fakeCapabilities,
  createPupilTracker: () =>
    tracker({ events: [], pupils: [{ ...about, diameterMm: 2 * r * 0.0517, blink: false, votes: 9, points: 9 }] }),
  createFaceTracker: async () => tracker({ faces: [face] }),
  createObjectTracker: () => ({
    ...tracker({ ...target, targets: [target] }),
    ...{ add: async () => 1, importModel: async () => 1, exportModel: async () => new Uint8Array(4) },
  }),
  canny: async () => plane,
  houghLines: async () => [line, line, line],
  opticDisc: async () => ({
    disc: { x: 30, y: 30, radius: 8, confidence: 0.87654 },
    fovea: null,
    depths: null,
    warnings: [],
  }),
  vessels: async () => ({
    ...{ mask: plane, fieldOfView: plane, response: new Float32Array(96 * 72), warnings: [] },
    ...{ fraction: 0.12347, confidence: 0.8642, skeleton: plane, branchPoints: [{ x: 2, y: 2 }], segments: [segment] },
    quality: { agreement: 0.8123, grade: 'good' },
  }),
};

/** Where a number is shown; in the CSV and the JSON the same, in the unit that is shown. */
const shown: Record<string, [place: string, digits: number, csv: (c: Cells) => number, json: (c: Cells) => number][]> =
  {
    pupil: [
      ['[data-value=diameter]', 2, (c) => c.physicalDiameter_mm!, (c) => c.diameterMm!],
      ['[data-value=center]', 1, (c) => c.center_x!, (c) => c.x!],
      ['[data-value=confidence]', 0, (c) => 100 * c.confidence!, (c) => 100 * c.confidence!],
    ],
    face: [['[data-value=score]', 0, (c) => 100 * c.score!, (c) => 100 * c.score!]],
    track: [['.targets .target bdi', 0, (c) => 100 * c.confidence!, (c) => 100 * c.confidence!]],
    filter: [['.figures.result', 1, (c) => c.edgePixels! / 69.12, (c) => c.edgePixels! / 69.12]],
  };

const lastLine = (csv: string): Cells => {
  const [names, ...rows] = csv.split('\n').filter((text) => text && !text.startsWith('#'));
  return Object.fromEntries(names!.split(',').map((name, i) => [name, Number(rows.at(-1)!.split(',')[i])]));
};
const numbersOf = (text: string) => (text.replace(/^\d+: /, '').match(/[\d.]+/g) ?? []).map(Number);

describe('what is shown and what is exported', () => {
  let element: Any;
  const restore = setEngineProvider((() => ({ engine: Promise.resolve(engine), release: () => undefined })) as never);
  after(() => void setEngineProvider(restore));
  afterEach(() => element?.remove());
  const textOf = (place: string) => element.renderRoot.querySelector(place)?.textContent ?? '';
  const open = async (name: string, source: Any['source']) => {
    element = document.createElement(`foveola-${name}`) as unknown as Any;
    Object.assign(element, { paused: true, source, ...(name === 'track' && { box }) });
    document.body.append(element);
    await waitUntil(
      'it is open',
      () => ['paused', 'finished'].includes(element.state),
      () => element.state,
    );
  };

  const kinds = ['recording', 'picture'].flatMap((kind) =>
    Object.entries(shown).map(([name, places]) => [kind, name, places] as const),
  );
  for (const [kind, name, places] of kinds)
    it(`foveola-${name} shows the numbers of its files, of a ${kind}`, async () => {
      await open(name, kind === 'picture' ? plane : await makeClip({ times: steady(3) }));
      if (kind === 'recording') {
        element.record();
        await element.step();
      }
      await waitUntil(
        'numbers',
        () => places.every(([place]) => numbersOf(textOf(place)).length),
        () => `${name} ${textOf('[part=readout]')} ${element.state}`,
      );
      const csv = lastLine(await element.exportCsv());
      const { rows, units } = JSON.parse(await element.exportJson()) as {
        rows: Cells[];
        units: Record<string, string>;
      };
      for (const [place, digits, ofCsv, ofJson] of places) {
        const [number] = numbersOf(textOf(place));
        expect([ofCsv(csv).toFixed(digits), ofJson(rows.at(-1)!).toFixed(digits)], place).to.deep.equal(
          Array(2).fill(number!.toFixed(digits)),
        );
      }
      element.controls = true;
      await element.updateComplete;
      const files = (await menuItems(element, 'exports')).slice(0, 2);
      expect(files.map((item) => item.getAttribute('aria-disabled'))).to.deep.equal([null, null]);
      if (name === 'pupil') expect(units).to.include({ diameterMm: 'mm', x: 'px' });
    });

  it('foveola-vessels shows the numbers of its files, under one name', async () => {
    await open('vessels', plane);
    const rows = () =>
      [...element.renderRoot.querySelectorAll('.groups div')].map((row) => {
        const [name, value] = [...row.children].map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim());
        return [name!, value!] as const;
      });
    await waitUntil(
      'numbers',
      () => rows().filter(([, value]) => value !== '–').length > 10,
      () => JSON.stringify(rows()),
    );
    type Vessels = { report(): Promise<{ vessels: Cells; quality: number }>; exportReport(): Promise<string> };
    const vessels = element as unknown as Vessels;
    const json = JSON.parse(await element.exportJson()) as Cells & { measures: Cells };
    const { vessels: own, quality } = await vessels.report();
    const paper = new DOMParser().parseFromString(await vessels.exportReport(), 'text/html');
    const printed = new Map(
      [...paper.querySelectorAll('tr')].map((row) => [row.children[0]!.textContent, row.children[1]?.textContent]),
    );
    const names = Object.entries({ ...retinaMeasures, ...furtherRetinaMeasures, quality: qualityMeasure });
    const shownRows = rows();
    expect(shownRows.length).to.equal(names.length);
    for (const [name, value] of shownRows) {
      const [key] = names.find(([, { display }]) => display === name)!;
      const given = { ...own, quality }[key] ?? null;
      if (value === '–') expect([json.measures[key], given], name).to.deep.equal([null, null]);
      else {
        const number = Number(value.split(' ')[0]);
        const digits = value.split(' ')[0]!.split('.')[1]?.length ?? 0;
        expect([json.measures[key], given!.toFixed(digits), Number(printed.get(name))], name).to.deep.equal([
          number,
          number.toFixed(digits),
          number,
        ]);
      }
    }
    expect([json.fraction, json.confidence]).to.deep.equal([0.12347, 0.8642]);
    expect(JSON.parse(await element.exportCsvJson()).measures).to.deep.equal(json.measures);
  });

  it('foveola-vessels has a German name for every measure', () => {
    for (const name of Object.keys({ ...retinaMeasures, ...furtherRetinaMeasures, quality: qualityMeasure }))
      expect(german.measures[name], name).to.be.a('string');
  });

  it('has what was dropped before a frame with each row of that frame, in every element', () => {
    const timing = { frame: 3, timestamp: 120, clock: 'media', mediaTime: 120, dropped: 2, throttled: 1 } as const;
    const line = { rho: 1, theta: 0, votes: 9, x1: 1, y1: 0, x2: 1, y2: 9 };
    const lines = { operation: 'hough', lines: [line, line], edges: null, flow: null, image: null, backend: 'gpu' };
    const box = { x: 1, y: 2, width: 3, height: 4 };
    const target = { id: 1, found: true, box, confidence: 1, by: 'tracker', learning: true };
    for (const [columns, rows] of [
      [objectColumns, objectRows({ targets: [target, target], backend: 'gpu' } as never, timing)],
      [filterColumns('hough'), filterRows(lines as never, timing)],
      [filterColumns('hough', true), filterRows({ ...lines, resultB: lines } as never, timing)],
    ] as const) {
      expect(rows.length).to.be.greaterThan(1);
      for (const name of ['frame', 'dropped', 'throttled'] as const) {
        const at = columns.findIndex((column) => column.name === name);
        expect(rows.map((row) => row[at])).to.deep.equal(rows.map(() => timing[name]));
      }
      const side = columns.findIndex(({ name }) => name === 'backend');
      expect(rows.map((row) => row[side])).to.deep.equal(rows.map(() => 1)); // 'gpu'
    }
  });

  it('has a row for a frame in which nothing was found, and reads it back', () => {
    const timing = { frame: 3, timestamp: 120, clock: 'media', mediaTime: 120, dropped: 2, throttled: 1 } as const;
    const lines = { operation: 'hough', lines: [], edges: null, flow: null, image: null } as never;
    for (const [columns, rows] of [
      [objectColumns, objectRows({ targets: [], backend: 'wasm' } as never, timing)],
      [filterColumns('hough'), filterRows(lines, timing)],
    ] as const) {
      const recording = new Recording(columns);
      rows.forEach((row) => recording.push(row));
      const read = new Recording(columns);
      readRows(rowsPayload(recording, 0, 1, { frames: 1, dropped: 2 }), read);
      expect(read.length).to.equal(1);
      columns.forEach(({ name, type }, i) => {
        const known =
          { ...timing, by: 'none', backend: rows[0]![i] === 0 ? 'wasm' : null }[name] ??
          (type === 'boolean' ? false : null);
        expect(read.cell(0, i), name).to.equal(known);
      });
    }
  });
});
