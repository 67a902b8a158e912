/** <foveola-vessels> on an engine that only pretends: previews, obsolete runs, zoom, divider, segments, exports, undo. */
import { expect } from 'chai';
import { FoveolaError, type GrayImage, type Source, type VesselResult } from '../../src/index.ts';
import { setEngineProvider } from '../../widget/base/engine.ts';
import { SegmentIndex, medianWidth, scaled } from '../../widget/vessels/figures.ts';
import { allowed, fitted, showing, zoomedAt } from '../../widget/tools/zoom-pan.ts';
import type { VesselFrame } from '../../widget/vessels/tracker.ts';
import '../../widget/strings/de.ts';
import '../../widget/vessels/vessels.ts';
import type { FoveolaVessels } from '../../widget/vessels/vessels.ts';
import { menuItems } from './element-state.ts';
import { fakeCapabilities } from './fake-engine.ts';

interface Call {
  width: number;
  height: number;
  options: Record<string, unknown>;
  signal: AbortSignal | undefined;
}

interface State {
  fail: FoveolaError | null;
  /** Whole results wait as long as this is true. */
  hold: boolean;
  confidence: number;
  warnings: string[];
}

/** One horizontal vessel of five pixels through the middle, and one of three that joins it from above. */
function fakeVessels(calls: Call[], state: State) {
  return {
    capabilities: fakeCapabilities,
    async vessels(source: Source, options: Record<string, unknown> = {}): Promise<VesselResult> {
      const { width, height } = source as GrayImage;
      const { signal, onProgress, ...rest } = options as {
        signal?: AbortSignal;
        onProgress?: (done: number) => void;
      };
      calls.push({ width, height, options: rest, signal });
      const { fail } = state;
      state.fail = null;
      if (fail) throw fail;
      onProgress?.(0.5);
      while (options.measures && state.hold && !signal?.aborted) await new Promise((resolve) => setTimeout(resolve, 5));
      if (signal?.aborted) throw new FoveolaError('aborted', 'The call was cancelled.');
      const [middle, half] = [Math.floor(height / 2), Math.floor(width / 2)];
      const data = new Uint8Array(width * height);
      data.fill(255, (middle - 2) * width, (middle + 3) * width);
      for (let y = 0; y < middle; y++) data.fill(255, y * width + half - 1, y * width + half + 2);
      const plane = { width, height, data };
      const line = (from: number, to: number, at: (k: number) => [number, number], w: number) => {
        const points = Float32Array.from({ length: 2 * (to - from) }, (_, i) => at(from + (i >> 1))[i & 1]!);
        return { points, widths: new Float32Array(to - from).fill(w), width: w, length: to - from - 1 };
      };
      return {
        mask: plane,
        response: new Float32Array(width * height),
        fieldOfView: { width, height, data: new Uint8Array(width * height).fill(255) },
        fraction: 0.1,
        confidence: state.confidence,
        warnings: state.warnings,
        ...(options.measures === true && {
          skeleton: plane,
          branchPoints: [{ x: half, y: middle }],
          segments: [line(0, middle, (k) => [half, k], 3), line(0, width, (k) => [k, middle], 5)],
        }),
      };
    },
    opticDisc: async () => ({ disc: null, fovea: null, depths: null, warnings: [] }),
  };
}

async function until(what: string, done: () => unknown): Promise<void> {
  const end = performance.now() + 10_000;
  while (!done()) {
    if (performance.now() > end) throw new Error(`waited too long: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('zoom', () => {
  const fit = { width: 400, height: 300, pictureWidth: 400, pictureHeight: 200 };

  it('keeps what lies under the pointer where it is', () => {
    const now = zoomedAt(zoomedAt(fitted, 2, 100, -40), 1.5, -30, 20);
    // The point that lies at (-30, 20) before and after the second step.
    const before = zoomedAt(fitted, 2, 100, -40);
    const point = [(-30 - before.x) / before.zoom, (20 - before.y) / before.zoom];
    expect(now.zoom * point[0]! + now.x).to.be.closeTo(-30, 1e-9);
    expect(now.zoom * point[1]! + now.y).to.be.closeTo(20, 1e-9);
  });

  it('leaves no empty edge, and ends at sixteen pixels a pixel', () => {
    expect(allowed({ zoom: 0.2, x: 50, y: 50 }, fit, 1)).to.deep.equal(fitted);
    expect(allowed({ zoom: 2, x: 900, y: -900 }, fit, 1)).to.deep.equal({ zoom: 2, x: 200, y: -50 });
    expect(allowed({ zoom: 1.2, x: 900, y: 900 }, fit, 1).y).to.equal(0); // still less high than the stage
    expect(allowed({ zoom: 99, x: 0, y: 0 }, fit, 0.5).zoom).to.equal(32);
  });

  it('moves only as far as a point needs to be seen', () => {
    expect(showing({ zoom: 2, x: 0, y: 0 }, fit, 50, 50)).to.deep.equal({ zoom: 2, x: 0, y: 0 });
    expect(showing({ zoom: 2, x: 0, y: 0 }, fit, 150, 0)).to.deep.equal({ zoom: 2, x: -300, y: -0 });
  });
});

describe('segments', () => {
  const segment = (points: number[], widths: number[]) => ({
    points: Float32Array.from(points),
    widths: Float32Array.from(widths),
    width: widths.reduce((a, b) => a + b) / widths.length,
    length: widths.length - 1,
  });
  const segments = [segment([10, 10, 11, 10, 12, 10], [2, 2, 4]), segment([70, 50, 70, 51], [9, 7])];

  it('are found by a point near them', () => {
    const index = new SegmentIndex(segments, 80, 60);
    expect(index.nearest(12, 12, 4)).to.deep.equal({ segment: 0, point: 2 });
    expect(index.nearest(69, 55, 5)).to.deep.equal({ segment: 1, point: 1 });
    expect(index.nearest(40, 30, 8)).to.equal(null);
  });

  it('have a median width, over all their points, and lengths in micrometres with a scale', () => {
    expect(medianWidth(segments)).to.equal(4);
    expect(medianWidth([])).to.equal(null);
    const result = scaled({ segments } as unknown as VesselResult, 5);
    expect(result.segments!.map(({ widthMicrometres }) => Math.round(widthMicrometres!))).to.deep.equal([13, 40]);
    expect(scaled(result, null).segments![0]).to.not.have.property('widthMicrometres');
    expect(scaled(result, null).scale).to.equal(null);
    expect(result.scale).to.deep.equal({ micrometresPerPixel: 5, from: 'option' });
    const scale = { micrometresPerPixel: 5, from: 'file' } as const;
    expect(scaled({ ...result, scale }, 5).scale).to.equal(scale);
  });
});

describe('<foveola-vessels>', () => {
  let element: FoveolaVessels;
  let calls: Call[];
  let state: State;
  let results: VesselFrame[];
  let restore: () => void;
  const query = <E extends HTMLElement>(selector: string) => element.renderRoot.querySelector<E>(selector)!;
  const text = (selector: string) => query(selector)?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
  const press = (key: string, target = query('.stage'), more: KeyboardEventInit = {}) =>
    target.dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true, ...more }),
    );
  const frames = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const picture = (width = 200, height = 120) => {
    const image = new ImageData(width, height);
    new Uint32Array(image.data.buffer).fill(0xff1040a0);
    return image;
  };
  const slide = (name: string, value: number) => {
    const slider = query<HTMLInputElement>(`input[name=${name}]`);
    slider.value = String(value);
    slider.dispatchEvent(new Event('input'));
  };
  /** Opacity of the overlay at a pixel of the picture. */
  const alpha = (x: number, y: number) => {
    const canvas = query<HTMLCanvasElement>('.overlay');
    const media = query('.media').getBoundingClientRect();
    const own = canvas.getBoundingClientRect();
    const ratio = canvas.width / own.width;
    const scale = Math.min(media.width / 200, media.height / 120);
    const at = (start: number, size: number, pixels: number, p: number) =>
      (start + (size - scale * pixels) / 2 + (p + 0.5) * scale) * ratio;
    const across = Math.round(at(media.left - own.left, media.width, 200, x));
    const down = Math.round(at(media.top - own.top, media.height, 120, y));
    return canvas.getContext('2d')!.getImageData(across, down, 1, 1).data[3]!;
  };

  beforeEach(async () => {
    calls = [];
    results = [];
    state = { fail: null, hold: false, confidence: 0.9, warnings: [] };
    const engine = fakeVessels(calls, state);
    const before = setEngineProvider(() => ({ engine: Promise.resolve(engine as never), release: () => {} }));
    restore = () => void setEngineProvider(before);
    element = document.createElement('foveola-vessels');
    element.controls = true;
    element.style.width = '640px';
    element.addEventListener('foveola-result', (e) => results.push((e as CustomEvent<VesselFrame>).detail));
    document.body.append(element);
    element.source = picture();
    await until('a result', () => results.length > 0);
    await element.updateComplete;
    await frames();
  });
  afterEach(() => {
    element.remove();
    restore();
  });

  it('shows the mask over the picture, and the numbers', async () => {
    expect(calls.map(({ options }) => options)).to.deep.equal([{ measures: true }]);
    expect(alpha(30, 60)).to.be.closeTo(191, 2);
    expect(alpha(30, 20)).to.equal(0);
    await until('the measures', () => element.retina);
    await element.updateComplete;
    expect(text('.numbers .groups')).to.match(
      /Vessel area 10\.0 ?%.*width 4\.54 ?px.*points 1 .*Quality Quality 0\.900/,
    );
    expect(text('.numbers .groups')).to.match(/\(CRAE\) –/);
    expect(element.hasAttribute('tracking')).to.equal(true);
    element.opacity = 0.25;
    await element.updateComplete;
    await frames();
    expect(alpha(30, 60)).to.be.closeTo(64, 2);
    expect(calls.length, 'nothing is computed again').to.equal(1);
  });

  it('stays on its picture while that is enlarged and moved', async () => {
    for (const key of ['+', '+', '+', '+', 'ArrowRight', 'ArrowDown']) press(key);
    await frames();
    expect(query('.media').getBoundingClientRect().width).to.be.closeTo(640 * 1.25 ** 4, 6);
    expect(alpha(110, 60)).to.be.closeTo(191, 2);
    expect(alpha(110, 56)).to.equal(0);
    element.mirror = true;
    await element.updateComplete;
    await frames();
    // The short vessel stands where the picture's middle is seen, mirrored or not, and is one pixel wide to each side.
    expect([99, 100, 101].map((x) => alpha(199 - x, 50) > 100)).to.deep.equal([true, true, true]);
    expect([90, 96, 103, 110].map((x) => alpha(199 - x, 50))).to.deep.equal([0, 0, 0, 0]);
    element.mirror = false;
    await element.updateComplete;
    press('0');
    await frames();
    expect(query('.media').style.scale).to.equal('');
    const { left, top } = query('.stage').getBoundingClientRect();
    const wheel = { deltaY: -100, clientX: left + 20, clientY: top + 20, bubbles: true, cancelable: true };
    const event = new WheelEvent('wheel', wheel);
    query('.stage').dispatchEvent(event);
    expect(event.defaultPrevented).to.equal(true);
    expect(Number(query('.media').style.scale)).to.be.above(1.1);
    press('0');
    const outward = new WheelEvent('wheel', { ...wheel, deltaY: 100 });
    query('.stage').dispatchEvent(outward);
    expect(outward.defaultPrevented, 'the page scrolls on').to.equal(false);
  });

  it('is dragged where it is enlarged, and pinched', async () => {
    const stage = query('.stage');
    const { left, top } = stage.getBoundingClientRect();
    const pointer = (type: string, id: number, x: number, y: number) =>
      stage.dispatchEvent(
        new PointerEvent(type, {
          pointerId: id,
          clientX: left + x,
          clientY: top + y,
          bubbles: true,
          composed: true,
          button: 0,
        }),
      );
    stage.setPointerCapture = () => {}; // there is no real pointer to capture
    pointer('pointerdown', 1, 200, 100);
    pointer('pointerdown', 2, 300, 100);
    pointer('pointermove', 2, 400, 100);
    expect(Number(query('.media').style.scale)).to.be.closeTo(2, 0.01);
    pointer('pointerup', 1, 200, 100);
    pointer('pointerup', 2, 400, 100);
    const before = parseFloat(query('.media').style.translate);
    pointer('pointerdown', 3, 200, 100);
    pointer('pointermove', 3, 230, 100);
    pointer('pointermove', 3, 240, 100);
    pointer('pointerup', 3, 240, 100);
    expect(parseFloat(query('.media').style.translate) - before).to.be.closeTo(40, 0.5);
  });

  it('compares by a divider that is moved by keys', async () => {
    press('c');
    await element.updateComplete;
    await frames();
    const divider = query('.divider');
    expect((element.shadowRoot as ShadowRoot).activeElement).to.equal(divider);
    expect(divider.getAttribute('aria-valuenow')).to.equal('50');
    expect([alpha(60, 60), alpha(140, 60) > 180]).to.deep.equal([0, true]);
    for (let i = 0; i < 3; i++) press('PageDown', divider);
    await frames();
    expect(element.compare).to.equal(20);
    expect(alpha(60, 60)).to.be.above(180);
    press('Escape', divider);
    await element.updateComplete;
    expect([element.compare, divider.hidden]).to.deep.equal([0, true]);
    press('b');
    await frames();
    expect(alpha(60, 60), 'while B is held').to.equal(0);
    dispatchEvent(new KeyboardEvent('keyup', { key: 'b' }));
    await frames();
    expect(alpha(60, 60)).to.be.above(180);
  });

  it('makes previews while a setting changes, and then the whole result', async () => {
    for (const sigma of [1, 2, 3]) {
      element.sigma = sigma;
      await until(
        `a preview at ${sigma}`,
        () => calls.at(-1)!.options.sigma === sigma && element.hasAttribute('preview'),
      );
    }
    await until('the whole result', () => results.length > 1 && element.result);
    expect(calls.at(-1)!.options).to.deep.equal({ sigma: 3, measures: true });
    expect(element.hasAttribute('preview')).to.equal(false);
  });

  it('ends runs that are obsolete', async () => {
    state.hold = true;
    element.scales = 'all';
    await until('the run', () => calls.at(-1)!.options.scales === 'all' && calls.at(-1)!.options.measures);
    const obsolete = calls.at(-1)!;
    element.scales = 'thick';
    await until('its end', () => obsolete.signal!.aborted);
    state.hold = false;
    await until('the result', () => results.length === 2);
    expect(calls.at(-1)!.options).to.deep.equal({ scales: 'thick', measures: true });
    expect(element.error).to.equal(null);
  });

  it('shows a preview of a large picture first, of a reduced one, and can be cancelled', async () => {
    state.hold = true;
    element.source = picture(1600, 1200);
    await until('the preview', () => element.hasAttribute('preview'));
    const [preview] = calls.filter(({ options }) => options.measures === false);
    expect(preview!.width * preview!.height).to.be.within(300_000, 500_000);
    expect(preview!.options.sigma).to.equal(0);
    await until('the bar', () => query('.doing progress'));
    query('.doing button').click();
    await element.updateComplete;
    expect(text('.doing')).to.match(/Cancelled.*preview/);
    expect(calls.at(-1)!.signal!.aborted).to.equal(true);
    state.hold = false;
    query('.doing button').click();
    await until('the result', () => results.length === 2);
    await element.updateComplete;
    expect(query('.doing')).to.equal(null);
    expect(results.at(-1)!.mask.width).to.equal(1600);
  });

  it('lists segments, chooses them by keys and by a press, and says how wide they are', async () => {
    query<HTMLDetailsElement>('.segments').open = true;
    await until('the list', () => query('.list'));
    expect([...element.renderRoot.querySelectorAll('.list b')].map((b) => b.textContent)).to.deep.equal([
      'Segment 2',
      'Segment 1',
    ]);
    for (let i = 0; i < 2; i++) {
      press('ArrowDown', query('.list'));
      await element.updateComplete;
    }
    expect(text('.list [aria-selected=true]')).to.match(/^Segment 1 Width 3\.0 px Length 59 px$/);
    expect(query('.list').getAttribute('aria-activedescendant')).to.equal('segment-0');
    press('n');
    await element.updateComplete;
    expect(text('.list [aria-selected=true]')).to.match(/^Segment 2/);
    await frames();
    expect(alpha(30, 60)).to.be.above(250);
    const { left, top, width, height } = query('.media').getBoundingClientRect();
    const at = { clientX: left + width / 2, clientY: top + height / 4, bubbles: true, composed: true };
    query('.stage').dispatchEvent(new PointerEvent('pointermove', at));
    expect(text('.tip')).to.equal('3.0 px wide here, 3.0 px on average');
    slide('scale', 4);
    query('input[name=scale]').dispatchEvent(new Event('change'));
    await element.updateComplete;
    query('.stage').dispatchEvent(new PointerEvent('pointermove', at));
    expect(text('.tip')).to.equal('3.0 px · 12 µm wide here, 3.0 px · 12 µm on average');
    await until('micrometers', () => /width 18\.2 ?µm/.test(text('.numbers')));
    expect(calls.length, 'nothing is computed again').to.equal(1);
  });

  it('takes settings back, color and scale too', async () => {
    slide('opacity', 40);
    element.settingsOpen = true;
    await until('the settings', () => query('input[type=color]'));
    query<HTMLInputElement>('input[type=color]').value = '#ff8000';
    query('input[type=color]').dispatchEvent(new Event('input'));
    query('[data-value=all]').click();
    await element.updateComplete;
    expect([element.opacity, element.color, element.scales]).to.deep.equal([0.4, '#ff8000', 'all']);
    for (let i = 0; i < 3; i++) press('z', query('.stage'), { ctrlKey: true });
    expect([element.opacity, element.color, element.scales]).to.deep.equal([null, null, null]);
    for (let i = 0; i < 3; i++) press('y', query('.stage'), { ctrlKey: true });
    expect([element.opacity, element.color, element.scales]).to.deep.equal([0.4, '#ff8000', 'all']);
    const kept = element.exportSettings();
    element.color = null;
    element.loadSettings(kept);
    expect(element.color).to.equal('#ff8000');
    expect(() => element.loadSettings(kept.replace('#ff8000', 'red'))).to.throw(/color must be like/);
    expect(() => element.loadSettings(kept.replace('0.4', '4'))).to.throw(/opacity must be/);
  });

  it('exports mask, overlay, segments and everything', async () => {
    element.micrometresPerPixel = 2;
    await element.updateComplete;
    const pixels = async (png: Blob) => {
      const bitmap = await createImageBitmap(png);
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
      context.drawImage(bitmap, 0, 0);
      return { width: bitmap.width, at: (x: number, y: number) => [...context.getImageData(x, y, 1, 1).data] };
    };
    const mask = await pixels(await element.exportMask());
    expect([mask.width, mask.at(30, 60), mask.at(30, 20)]).to.deep.equal([200, [255, 255, 255, 255], [0, 0, 0, 255]]);
    element.color = '#00ff00';
    element.opacity = 1;
    const overlay = await pixels(await element.snapshot());
    expect([overlay.at(30, 60), overlay.at(30, 20)]).to.deep.equal([
      [0, 255, 0, 255],
      [160, 64, 16, 255],
    ]);
    const rows = (await element.exportCsv()).split('\n').filter((line) => line && !line.startsWith('#'));
    expect(rows.length).to.equal(3);
    expect(rows[1]).to.match(/,59,3,118,6$/);
    const json = JSON.parse(await element.exportJson()) as { segments: object[]; parameters: Record<string, unknown> };
    expect(json.segments.length).to.equal(2);
    expect(json.parameters).to.include({ scales: 'all', micrometresPerPixel: 2 });
  });

  it('offers the files of a result in its menu', async () => {
    const items = await menuItems(element, 'exports');
    expect(items.map((item) => item.textContent.trim())).to.deep.equal([
      'Printable report (HTML)',
      'Segments as CSV',
      'All measures as JSON',
      'Photograph with vessels as PNG',
      'Mask as PNG',
    ]);
  });

  it('says loudly that a picture is none of a fundus', async () => {
    state.confidence = 0.2;
    state.warnings = ['The colors are not those of a retina.'];
    element.source = picture(210, 120);
    await until('a result', () => results.length === 2);
    await element.updateComplete;
    expect(query('.warning').getAttribute('role')).to.equal('alert');
    expect(text('.warning')).to.match(/not look like a fundus.*colors/);
    // English, also in a page that is written from right to left.
    expect(getComputedStyle(query('.warning li > *')).unicodeBidi).to.equal('isolate');
    expect(query('.warning li > *').dir).to.equal('ltr');
    expect(element.hasAttribute('lost')).to.equal(true);
    element.lang = 'de';
    await element.updateComplete;
    expect(text('.warning .title')).to.equal('Das sieht nicht nach einem Fundusbild aus');
  });

  it('shows an error with what to do, and goes on with the next picture', async () => {
    state.fail = new FoveolaError('out-of-memory', 'The picture is too large.');
    element.source = picture(220, 120);
    await until('the error', () => element.error);
    await element.updateComplete;
    expect(element.error!.code).to.equal('out-of-memory');
    expect(element.hasAttribute('working')).to.equal(false);
    element.source = picture(230, 120);
    await until('a result', () => results.length === 2);
    expect(element.error).to.equal(null);
    element.sigma = 99;
    await until('the error', () => element.error);
    expect(element.error!.message).to.match(/sigma must be from 0 to 32/);
    element.sigma = 2;
    await until('a result', () => results.length === 3);
  });

  it('says that a damaged file is damaged', async () => {
    element.source = new File([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 1, 2, 3])], 'eye.png');
    await until('the error', () => element.error);
    expect(element.error!.code).to.equal('decode-failed');
    expect(element.error!.message).to.match(/eye\.png/);
  });

  it('is removed during a run, and put in again', async () => {
    state.hold = true;
    element.source = picture(240, 120);
    await until('the run', () => calls.length === 2);
    const run = calls.at(-1)!;
    element.remove();
    await until('its end', () => run.signal!.aborted);
    expect(element.hasAttribute('working')).to.equal(false);
    state.hold = false;
    document.body.append(element);
    await until('a result', () => results.length === 2);
    expect(element.error).to.equal(null);
    // Moved within the page it goes on.
    const count = calls.length;
    document.body.append(element);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(calls.length).to.equal(count);
  });

  it('has no results for what was closed meanwhile', async () => {
    state.hold = true;
    element.source = picture(1600, 1100);
    await until('the run', () => calls.some(({ width, options }) => width === 1600 && options.measures));
    element.source = picture(250, 120);
    state.hold = false;
    await until('a result', () => results.length === 2);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(results.map(({ width }) => width)).to.deep.equal([200, 250]);
  });
});
