/** <foveola-filter> on an engine that only pretends: operations, brush, filling, undo, before and after, download. */
import { expect } from 'chai';
import { FoveolaError, type GrayImage, operations, type Source } from '../../src/index.ts';
import { defineOperations, operation } from '../../src/runtime/capability.ts';
import { number } from '../../src/runtime/parameters.ts';
import { imageOf } from '../../src/image/image-of.ts';
import { median } from '../../src/image/index.ts';
import { setEngineProvider } from '../../widget/base/engine.ts';
import '../../widget/filter/filter.ts';
import '../../widget/strings/de.ts';
import type { FoveolaFilter } from '../../widget/filter/filter.ts';
import { flowColor, flowKey } from '../../widget/filter/draw-results.ts';
import { FilterTracker, isOwn, type FilterResult } from '../../widget/filter/tracker.ts';
import { StrokeMask } from '../../widget/filter/retouch.ts';
import { chooseItem, menuItem } from './element-state.ts';
import { fakeCapabilities } from './fake-engine.ts';

const [width, height] = [80, 60];

// A filter that no list of the element knows: its names and its words are in no dictionary.
defineOperations({
  softLight: operation({
    params: { fadeWidth: number({ default: 4, min: 1, max: 9, effect: 'How soft the light is.' }) },
    sources: ['gray'],
    gives: 'image',
    plan: (scope, [source]) => imageOf(scope, median, [source]),
  }),
});
const filters = [...operations.values()].filter(({ gives }) => gives === 'image').map(({ name }) => name);

interface Call {
  name: string;
  sources: unknown[];
  options: Record<string, unknown>;
}

/** Edges on every tenth column, one line, a motion of (1, 0), 80 and 40 by turns; filling makes the mask green. */
function fakeFilters(calls: Call[], state: { fail: FoveolaError | null; hold: boolean }) {
  const called = (name: string, sources: unknown[], options: object = {}) => {
    calls.push({ name, sources, options: options as Record<string, unknown> });
    const { fail } = state;
    state.fail = null;
    if (fail) throw fail;
  };
  return {
    capabilities: fakeCapabilities,
    canny: async (source: Source, options: object) => {
      called('canny', [source], options);
      return { width, height, data: Uint8Array.from({ length: width * height }, (_, i) => (i % 10 ? 0 : 255)) };
    },
    houghLines: async (source: Source, options: object) => {
      called('houghLines', [source], options);
      return [{ rho: 30, theta: Math.PI / 2, votes: 80, x1: 0, y1: 30, x2: 79, y2: 30 }];
    },
    opticalFlow: async (previous: Source, next: Source, options: object) => {
      called('opticalFlow', [previous, next], options);
      const [u, v] = [new Float32Array(100).fill(1), new Float32Array(100)];
      return { width: 10, height: 10, u, v, valid: new Uint8Array(100).fill(1), confidence: new Float32Array(100) };
    },
    ...Object.fromEntries(
      filters.map((name) => [
        name,
        async (source: Source, options: object) => {
          called(name, [source], options);
          return { width, height, data: Uint8Array.from({ length: width * height }, (_, i) => (i % 2 ? 40 : 80)) };
        },
      ]),
    ),
    async inpaint(
      source: ImageData,
      mask: GrayImage,
      options: { signal: AbortSignal; onProgress: (done: number, detail: object) => void },
    ) {
      called('inpaint', [source, mask], options);
      const filled = new ImageData(source.data.slice(), source.width);
      mask.data.forEach((v, i) => v && filled.data.set([0, 255, 0, 255], 4 * i));
      options.onProgress(0.5, { patches: 3, remaining: 9 });
      while (state.hold && !options.signal.aborted) await new Promise((resolve) => setTimeout(resolve, 5));
      if (options.signal.aborted) throw new FoveolaError('aborted', 'The call was cancelled.', { partial: filled });
      options.onProgress(1, { patches: 6, remaining: 0 });
      return filled;
    },
  };
}

async function until(what: string, done: () => unknown): Promise<void> {
  const end = performance.now() + 10_000;
  while (!done()) {
    if (performance.now() > end) throw new Error(`waited too long: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('strokes', () => {
  it('paint discs and the way between them, and erase', () => {
    const mask = new StrokeMask(12, 9);
    const area = mask.paint({ points: [3, 4, 8, 4], radius: 1, erase: false });
    expect(area).to.deep.equal({ left: 2, top: 3, right: 10, bottom: 6 });
    expect(mask.count).to.equal(3 * 6 + 2);
    mask.paint({ points: [0, 0, 11, 8], radius: 20, erase: true });
    expect(mask.count).to.equal(0);
    expect(mask.paint({ points: [-9, -9], radius: 2, erase: false })).to.equal(null);
  });
});

describe('flow colors', () => {
  it('are white at rest, red to the right, cyan to the left, darker beyond the rim', () => {
    const color = (u: number, v: number, speed: number) => {
      const out = new Uint8ClampedArray(3);
      flowColor(u, v, speed, out, 0);
      return [...out];
    };
    expect(color(1, 0, 0)).to.deep.equal([255, 255, 255]);
    const [r, g, b] = color(1, 0, 1) as [number, number, number];
    expect(r > 200 && g < 80 && b < 80, `${r},${g},${b}`).to.equal(true);
    const left = color(-1, 0, 1) as [number, number, number];
    expect(left[0]).to.be.below(80);
    expect(Math.max(left[1], left[2])).to.be.above(200);
    expect(Math.max(...color(1, 0, 2))).to.be.below(200);
  });

  it('have a round key', () => {
    const key = flowKey(8);
    expect([key.width, key.height]).to.deep.equal([17, 17]);
    expect(key.data[3]).to.equal(0);
    expect(key.data[4 * (8 * 17 + 8) + 3]).to.equal(255);
  });
});

describe('<foveola-filter>', () => {
  let element: FoveolaFilter;
  let calls: Call[];
  let state: { fail: FoveolaError | null; hold: boolean };
  let results: FilterResult[];
  let restore: () => void;
  const query = <E extends HTMLElement>(selector: string) => element.renderRoot.querySelector<E>(selector)!;
  const press = (key: string, target = query('.brush'), more: KeyboardEventInit = {}) =>
    target.dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true, ...more }),
    );
  const picture = () => {
    const image = new ImageData(width, height);
    for (let i = 0; i < image.data.length; i += 4) image.data.set([200, 100, 50, 255], i);
    return image;
  };

  beforeEach(async () => {
    calls = [];
    results = [];
    state = { fail: null, hold: false };
    const engine = fakeFilters(calls, state);
    const before = setEngineProvider(() => ({ engine: Promise.resolve(engine as never), release: () => {} }));
    restore = () => void setEngineProvider(before);
    element = document.createElement('foveola-filter');
    element.controls = true;
    element.addEventListener('foveola-result', (e) => results.push((e as CustomEvent<FilterResult>).detail));
    document.body.append(element);
    element.source = picture();
    await until('a result', () => results.length > 0);
  });
  afterEach(() => {
    element.remove();
    restore();
  });

  async function choose(operation: FoveolaFilter['operation']): Promise<void> {
    const before = results.length;
    element.operation = operation;
    await until(operation, () => results.length > before);
    await element.updateComplete;
  }

  it('shows edges, then what else is chosen, without opening the source again', async () => {
    expect(results[0]).to.include({ operation: 'canny', width, height, dropped: 0 });
    expect(query('.figures.result').textContent).to.include('10.0 % edges');
    await choose('hough');
    expect(results.at(-1)!.lines).to.have.length(1);
    expect(calls.at(-1)!.options).to.include({ segments: true });
    expect(query('.figures.result').textContent).to.include('1 line');
    await choose('flow');
    expect(results.at(-1)!.flow).to.equal(null);
    expect(query('.figures.result').textContent).to.include('Motion needs a video');
    expect(element.state).to.equal('finished');
  });

  it('has result, comparison and export in one row, which does not move when a result comes', async () => {
    element.style.width = '720px';
    await element.updateComplete;
    const parts = ['.figures.result', '.compare', 'button.primary'].map((name) => query(`.outcome ${name}`));
    const middles = () =>
      parts.map((one) => (one.getBoundingClientRect().top + one.getBoundingClientRect().bottom) / 2);
    const [first, ...others] = middles();
    for (const other of others) expect(other).to.be.closeTo(first!, 2);
    expect(query('.toolbar .primary')).to.equal(null);
    const places = () => parts.map((one) => one.getBoundingClientRect().left);
    const before = places();
    query('.figures.result').textContent = '';
    expect(places()).to.deep.equal(before);
  });

  it('gives an operation only its own settings', async () => {
    element.settings = { low: 30, patch: 5 };
    await until('low', () => calls.at(-1)!.options.low === 30);
    expect(calls.at(-1)!.options).to.deep.equal({ low: 30 });
    // What every object has is no setting either.
    element.settings = JSON.parse('{"low":31,"constructor":1,"__proto__":{"high":2},"toString":3}') as Record<
      string,
      unknown
    >;
    await until('low', () => calls.at(-1)!.options.low === 31);
    expect(Object.keys(calls.at(-1)!.options)).to.deep.equal(['low']);
    element.settings = {};
    await until('the default', () => calls.at(-1)!.options.low === 50 || !('low' in calls.at(-1)!.options));
  });

  it('copies the picture, and says what to do where the clipboard is refused', async () => {
    const taken: ClipboardItem[][] = [];
    let refuse = false;
    const write = async (items: ClipboardItem[]) => {
      if (refuse) throw new DOMException('not allowed', 'NotAllowedError');
      taken.push(items);
    };
    Object.defineProperty(navigator, 'clipboard', { value: { write }, configurable: true });
    try {
      press('c', query('.stage'), { ctrlKey: true });
      await until('it is copied', () => query('[role=status]').textContent === 'Image copied');
      const png = await taken[0]![0]!.getType('image/png');
      const copied = await createImageBitmap(png);
      expect(copied.width / copied.height).to.be.closeTo(width / height, 1e-6);
      refuse = true;
      await chooseItem(element, 'more', 'Copy image');
      await until('an error', () => element.error);
      expect(element.error!.code).to.equal('clipboard-refused');
      expect(query('.error').textContent).to.include('Export menu');
      const error: unknown = await element.copySnapshot().catch((cause: unknown) => cause);
      expect((error as FoveolaError).cause).to.have.property('name', 'NotAllowedError');
    } finally {
      delete (navigator as { clipboard?: unknown }).clipboard; // that of the browser is there again
    }
  });

  it('compares two settings of the same frame, and changes the one that is chosen', async () => {
    element.settings = { low: 30 };
    await until('low', () => calls.at(-1)!.options.low === 30);
    press('b', query('.stage'));
    await until('both', () => results.at(-1)!.resultB);
    await element.updateComplete;
    expect(element.comparisonSettings).to.deep.equal({ low: 30 });
    expect([element.compare, element.settingsOpen, query('.divider').hidden]).to.deep.equal([50, true, false]);
    expect(query('.sides [aria-checked=true]').textContent).to.include('B');
    const change = (name: string, value: number) => {
      const field = query<HTMLInputElement>(`input[type=number][aria-label='${name}']`);
      field.value = String(value);
      field.dispatchEvent(new Event('change'));
    };
    change('Low threshold', 70);
    await until('B is another', () => calls.at(-1)!.options.low === 70);
    expect(calls.slice(-2).map(({ options }) => options.low)).to.deep.equal([30, 70]);
    expect(calls.at(-1)!.sources).to.deep.equal(calls.at(-2)!.sources);
    expect([element.settings, element.comparisonSettings]).to.deep.equal([{ low: 30 }, { low: 70 }]);
    expect(query('.figures.result').textContent).to.match(/^A: 10\.0 % edges · B: 10\.0 % edges · /);
    const both = await createImageBitmap(await element.exportImage());
    expect([both.width, both.height]).to.deep.equal([2 * width, height]);

    query('.sides [data-value=a]').click();
    await element.updateComplete;
    expect(query<HTMLInputElement>(`input[type=number][aria-label='Low threshold']`).value).to.equal('30');
    change('Low threshold', 20);
    await until('A is another', () => calls.at(-2)!.options.low === 20);
    expect(element.comparisonSettings).to.deep.equal({ low: 70 });

    const kept = element.exportSettings();
    element.undo();
    expect(element.settings).to.deep.equal({ low: 30 });
    press('Escape', query('.divider'));
    await until('A alone', () => !results.at(-1)!.resultB);
    expect([element.comparisonSettings, query('.divider').hidden]).to.deep.equal([null, false]); // before and after
    element.loadSettings(kept);
    expect([element.settings, element.comparisonSettings]).to.deep.equal([{ low: 20 }, { low: 70 }]);
    const wrong = kept.replace('70', '-1');
    expect(() => element.loadSettings(wrong))
      .to.throw(FoveolaError)
      .with.property('code', 'invalid-argument');
  });

  it('draws A left and B right of a line that keys move over the picture, and records both', async () => {
    await choose('threshold');
    element.comparisonSettings = {};
    await until('both', () => results.at(-1)!.resultB);
    await element.updateComplete;
    const divider = query('.divider');
    press('End', divider);
    expect(element.compare).to.equal(100);
    press('PageDown', divider);
    await element.updateComplete;
    expect([element.compare, divider.getAttribute('aria-valuetext')]).to.deep.equal([
      90,
      'A on 90 % of the image, B on the rest',
    ]);
    await until('the picture is drawn', () => query('.compared > div').style.width);
    const stage = query('.overlay').getBoundingClientRect();
    const line = divider.getBoundingClientRect();
    const drawn = stage.height * (width / height); // as wide as the picture is in the stage
    const at = stage.left + (stage.width - Math.min(stage.width, drawn)) / 2 + 0.9 * Math.min(stage.width, drawn);
    expect(line.left + line.width / 2).to.be.closeTo(at, 2);
    element.record();
    const before = results.length;
    element.comparisonSettings = { 'threshold.level': 90 };
    await until('the next', () => results.length > before);
    element.record();
    const [, ...lines] = (await element.exportCsv()).split('\n').filter((text) => text && !text.startsWith('#'));
    expect(lines.map((text) => text.split(',')[4])).to.deep.equal(['A', 'B']);
    element.operation = 'inpaint';
    await element.updateComplete;
    const two = await menuItem(element, 'more', 'Compare two settings, A and B');
    expect(two.getAttribute('aria-disabled')).to.equal('true');
  });

  it('says which operations there are', async () => {
    element.operation = 'blur' as 'canny';
    await until('an error', () => element.error);
    expect(element.error!.code).to.equal('invalid-argument');
    expect(element.error!.message).to.include("'canny', 'hough', 'flow', 'inpaint'");
    element.operation = 'hough';
    await until('good again', () => !element.error);
  });

  it('goes through the operations by arrow keys', async () => {
    const before = results.length;
    press('ArrowRight', query('[role=radio][aria-checked=true]'));
    await until('lines', () => results.length > before);
    expect(element.operation).to.equal('hough');
    press('ArrowLeft', query('[role=radio][aria-checked=true]'));
    await until('edges', () => element.operation === 'canny');
    expect(element.getAttribute('operation')).to.equal('canny');
  });

  const list = () => query<HTMLSelectElement>('.filter select');

  it('offers every operation of the engine that makes a picture, in words or by its name', async () => {
    const offered = () => [...list().options].map(({ value, text }) => [value, text.trim()]);
    expect(offered()[0]).to.deep.equal(['', 'choose …']);
    const names = Object.fromEntries(offered());
    expect(Object.keys(names).slice(1)).to.deep.equal(filters);
    expect(filters).to.include.members(['gaussian', 'median', 'morphology', 'threshold', 'softLight']);
    expect([names.gaussian, names.softLight]).to.deep.equal(['Gaussian smoothing', 'Soft light']);
    element.lang = 'de';
    await element.updateComplete;
    expect(Object.fromEntries(offered()).threshold).to.equal('Schwelle');
    expect(query('[role=radiogroup]').querySelectorAll('button')).to.have.length(4);
    element.operation = 'none';
    await until('an error', () => element.error);
    expect(element.error!.message).to.include(`'inpaint', '${filters[0]}'`);
  });

  it('shows, measures and exports what another filter makes', async () => {
    const before = results.length;
    list().value = 'softLight';
    list().dispatchEvent(new Event('change'));
    await until('a picture', () => results.length > before);
    await element.updateComplete;
    expect(element.getAttribute('operation')).to.equal('softLight');
    expect(list().options[0]!.value).to.equal(filters[0]); // nothing is to be chosen any more
    const { image, edges, lines, flow } = results.at(-1)!;
    expect([image!.width, image!.data[0], edges, lines, flow]).to.deep.equal([width, 80, null, null, null]);
    expect(query('.figures.result').textContent).to.include('mean gray level 60.0');
    const pixels = async () => {
      const bitmap = await createImageBitmap(await element.exportImage());
      const context = new OffscreenCanvas(width, height).getContext('2d')!;
      context.drawImage(bitmap, 0, 0);
      return [bitmap.width, bitmap.height, ...context.getImageData(0, 0, 2, 1).data];
    };
    expect(await pixels()).to.deep.equal([width, height, 80, 80, 80, 255, 40, 40, 40, 255]);
    const overlay = query<HTMLCanvasElement>('canvas.overlay');
    const middle = () => {
      const { data } = overlay.getContext('2d')!.getImageData(overlay.width >> 1, overlay.height >> 1, 1, 1);
      return [...data];
    };
    await until('it is drawn', () => middle()[3] === 255);
    expect(middle()[0]).to.equal(middle()[2]); // gray, where the picture has a color
    element.compare = 100;
    await until('the picture as it came', () => middle()[3] === 0);
  });

  it('goes from another filter into the switch by Tab and arrow keys', async () => {
    await choose('median');
    const radios = [...element.renderRoot.querySelectorAll<HTMLElement>('[role=radio]')];
    expect(radios.map(({ tabIndex, ariaChecked }) => [tabIndex, ariaChecked])).to.deep.equal([
      [0, 'false'],
      ...Array.from({ length: 3 }, () => [-1, 'false']),
    ]);
    press('ArrowLeft', radios[0]!);
    await until('the last', () => element.operation === 'inpaint');
    await element.updateComplete;
    expect(list().value).to.equal('');
  });

  it('keeps the settings of each of the other filters apart', async () => {
    const last = () => calls.at(-1)!;
    element.settings = { size: 3, 'median.size': 9, 'morphology.operation': 'dilate', 'morphology.size': 41 };
    await choose('median');
    expect([last().name, last().options]).to.deep.equal(['median', { size: 9 }]);
    await choose('morphology');
    expect([last().name, last().options]).to.deep.equal(['morphology', { operation: 'dilate', size: 41 }]);
    await choose('gaussian');
    expect([last().name, last().options]).to.deep.equal(['gaussian', {}]);
    await choose('canny');
    expect([last().name, last().options]).to.deep.equal(['canny', { size: 3 }]);
  });

  it('takes back a file with the settings of several filters, and none with a wrong one', async () => {
    const settings = { low: 30, 'median.size': 9, 'softLight.fadeWidth': 7 };
    element.settings = settings;
    const file = element.exportSettings();
    element.settings = {};
    await choose('median');
    element.loadSettings(file);
    expect(element.settings).to.deep.equal(settings);
    for (const wrong of [{ 'softLight.fadeWidth': 10 }, { 'median.sise': 9 }, { fadeWidth: 7 }])
      expect(() =>
        element.loadSettings(JSON.stringify({ ...(JSON.parse(file) as object), parameters: wrong })),
      ).to.throw(Object.keys(wrong)[0]!);
  });

  it('has a slider for every number of a filter, with its effect', async () => {
    await choose('softLight');
    element.settingsOpen = true;
    await element.updateComplete;
    const row = query('.panel [role=group][aria-label="Fade width"]');
    expect(row.querySelector('.effect')!.textContent).to.equal('How soft the light is.');
    const slider = row.querySelector<HTMLInputElement>('[type=range]')!;
    expect([slider.min, slider.max, slider.value]).to.deep.equal(['1', '9', '4']);
    slider.value = '7';
    slider.dispatchEvent(new Event('input'));
    await until('the filter has it', () => calls.at(-1)!.options.fadeWidth === 7);
    expect(element.settings).to.deep.equal({ 'softLight.fadeWidth': 7 });
    expect(element.undo()).to.equal(true);
    await until('the default', () => calls.at(-1)!.options.fadeWidth === 4);
  });

  it('records the mean gray level of what another filter makes', async () => {
    await choose('median');
    element.record();
    const before = results.length;
    element.settings = { 'median.size': 5 };
    await until('a frame', () => results.length > before);
    element.record();
    const { rows } = JSON.parse(await element.exportJson()) as { rows: { meanLevel: number }[] };
    expect(rows.at(-1)!.meanLevel).to.equal(60);
  });

  it('shows the motion between the frames of a video', async () => {
    element.source = null;
    element.src = '/demo/media/sample.webm';
    element.operation = 'flow';
    await until('flow', () => results.some(({ flow }) => flow));
    const { sources } = calls.find(({ name }) => name === 'opticalFlow')!;
    expect(sources[0]).to.not.equal(sources[1]);
    element.paused = true;
    const arrows = await menuItem(element, 'more', 'Show arrows');
    expect(arrows.getAttribute('aria-checked')).to.equal('true');
    arrows.click();
    await element.updateComplete;
    expect(element.flowView).to.equal('colors');
  });

  it('opens an image once, also where the browser has it in its memory already', async () => {
    const page = new Image();
    page.src = '/test/media/cat.jpg';
    await page.decode();
    element.source = null;
    results.length = 0;
    element.src = page.src; // complete before it tells that it was loaded
    await until('a result', () => results.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(results).to.have.length(1);
  });

  describe('inpainting', () => {
    const painted = () => element.mask!.data.reduce((n, v) => n + (v ? 1 : 0), 0);
    beforeEach(async () => {
      await choose('inpaint');
      await until('the brush', () => query('.brush').hasAttribute('aria-label')); // it knows where the picture lies
    });

    it('is painted and filled by the keyboard, and taken back', async () => {
      const brush = query('.brush');
      brush.focus();
      expect(brush.getAttribute('role')).to.equal('application');
      expect(brush.getAttribute('aria-label')).to.match(/at 40, 30, lifted.*Space paints/);
      press(' ');
      expect(brush.getAttribute('aria-label')).to.include('painting');
      press('ArrowRight');
      press('ArrowRight', brush, { shiftKey: true });
      press(' ');
      const stroke = painted();
      expect(stroke).to.be.above(20);
      press('Enter');
      await until('filled', () => calls.some(({ name }) => name === 'inpaint') && !element.hasAttribute('filling'));
      const [source, mask] = calls.at(-1)!.sources as [ImageData, GrayImage];
      expect([source.width, source.data[0], mask.width]).to.deep.equal([width, 200, width]);
      expect(mask.data.reduce((n, v) => n + (v ? 1 : 0), 0)).to.equal(stroke);
      expect(painted()).to.equal(0);
      const green = async () => {
        const bitmap = await createImageBitmap(await element.exportImage());
        const canvas = new OffscreenCanvas(width, height);
        const context = canvas.getContext('2d')!;
        context.drawImage(bitmap, 0, 0);
        const { data } = context.getImageData(0, 0, width, height);
        return data.filter((v, i) => i % 4 === 0 && v === 0).length;
      };
      expect(await green()).to.equal(stroke);
      element.undo(); // the filling
      expect([painted(), await green()]).to.deep.equal([stroke, 0]);
      element.undo(); // the stroke
      expect(painted()).to.equal(0);
      element.redo();
      element.redo();
      expect([painted(), await green()]).to.deep.equal([0, stroke]);
    });

    it('is painted by a pointer, thicker and as an eraser', async () => {
      const brush = query('.brush');
      const box = brush.getBoundingClientRect();
      const at = (type: string, x: number, y: number) =>
        brush.dispatchEvent(
          new PointerEvent(type, {
            clientX: box.left + x,
            clientY: box.top + y,
            pointerId: 1,
            button: 0,
            bubbles: true,
          }),
        );
      brush.setPointerCapture = () => {};
      const stroke = () => {
        at('pointerdown', box.width / 2, box.height / 2);
        at('pointermove', box.width / 2 + 20, box.height / 2);
        at('pointerup', box.width / 2 + 20, box.height / 2);
      };
      stroke();
      const thin = painted();
      for (let i = 0; i < 4; i++) press('+');
      await element.updateComplete;
      stroke();
      expect(painted()).to.be.above(2 * thin);
      press('e');
      await element.updateComplete;
      expect(query('[aria-label=Eraser]').getAttribute('aria-pressed')).to.equal('true');
      stroke();
      expect(painted()).to.equal(0);
      element.undo();
      expect(painted()).to.be.above(2 * thin);
      press('Delete');
      expect(painted()).to.equal(0);
    });

    it('shows progress, and keeps what was filled when it is cancelled', async () => {
      const progress: number[] = [];
      element.addEventListener('foveola-progress', (e) =>
        progress.push((e as CustomEvent<{ done: number }>).detail.done),
      );
      element.mask = { width, height, data: new Uint8Array(width * height).fill(7, 100, 160) };
      expect(painted()).to.equal(60);
      state.hold = true;
      const filling = element.fill();
      await until('half', () => progress.includes(0.5));
      await element.updateComplete;
      expect(query<HTMLProgressElement>('progress').value).to.equal(50);
      expect(query('.filter + .filter').textContent).to.include('50 %, 3 patches');
      [...element.renderRoot.querySelectorAll('button')].find((b) => b.textContent!.trim() === 'Cancel')!.click();
      await filling;
      expect(element.hasAttribute('filling')).to.equal(false);
      expect(element.error).to.equal(null);
      expect(painted()).to.equal(60);
      const bitmap = await createImageBitmap(await element.exportImage());
      expect(bitmap.width).to.equal(width);
      element.undo();
      expect(painted()).to.equal(60);
    });

    it('tells what fails, and goes on', async () => {
      expect(() => (element.mask = { width: 3, height: 3, data: new Uint8Array(9) })).to.throw(/Scale the mask/);
      element.mask = { width, height, data: new Uint8Array(width * height).fill(255, 0, 9) };
      state.fail = new FoveolaError('invalid-argument', 'no patch');
      await element.fill();
      expect(element.error!.message).to.equal('no patch');
      expect(painted()).to.equal(9);
      await element.fill();
      expect(painted()).to.equal(0);
    });

    it('forgets what was painted with another picture', async () => {
      element.mask = { width, height, data: new Uint8Array(width * height).fill(255, 0, 9) };
      const before = results.length;
      element.source = picture();
      await until('the other picture', () => results.length > before);
      expect(painted()).to.equal(0);
      expect(element.undo()).to.equal(false);
    });
  });
});

describe('a tracker of filters', () => {
  it('hands on what is in the table of its filter, and nothing that every object has', async () => {
    const asked: string[][] = [];
    const median = async (_: Source, options: object) => {
      asked.push(Object.keys(options));
      return { width, height, data: new Uint8Array(width * height) };
    };
    const names = '"median.size":5,"constructor":1,"__proto__":2';
    const parameters = JSON.parse(`{"operation":"median",${names},"comparisonSettings":{${names}}}`) as Record<
      string,
      unknown
    >;
    const tracker = new FilterTracker({ median } as never, parameters);
    await tracker.process(new ImageData(width, height));
    expect(asked).to.deep.equal([['size'], ['size']]);
    await tracker.dispose();
  });

  it('knows its own operations by their names alone', () => {
    expect(['canny', 'constructor', '__proto__'].map(isOwn)).to.deep.equal([true, false, false]);
  });
});

describe('flow where other elements wait', () => {
  it('takes fewer iterations, and its result says how many', async () => {
    let crowded = true;
    const taken: unknown[] = [];
    const opticalFlow = async (_a: unknown, _b: unknown, params: { iterations: number }) => {
      taken.push(params.iterations);
      return {};
    };
    const parameters = { operation: 'flow', iterations: 8 };
    const tracker = new FilterTracker({ opticalFlow } as never, parameters, undefined, () => crowded);
    const canvas = new OffscreenCanvas(8, 8);
    canvas.getContext('2d');
    const said: unknown[] = [];
    for (const timestamp of [0, 1, 2]) {
      const frame = new VideoFrame(canvas, { timestamp });
      said.push((await tracker.process(frame, { timestamp })).iterations);
      frame.close();
      if (timestamp) crowded = false;
    }
    expect([taken, said]).to.deep.equal([
      [3, 8],
      [undefined, 3, 8],
    ]);
    await tracker.dispose();
  });
});
