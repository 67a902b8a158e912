/** Correcting in <foveola-vessels> on an engine that only pretends: by mouse, by keyboard, by the page; undo, exports, faults. */
import { expect } from 'chai';
import {
  FoveolaError,
  type GrayImage,
  type Source,
  type VesselCorrection,
  type VesselResult,
  type VesselSegment,
} from '../../src/index.ts';
import { setEngineProvider } from '../../widget/base/engine.ts';
import type { CorrectionDetail } from '../../widget/vessels/correct/controller.ts';
import { DiscDrag, discCorrection } from '../../widget/vessels/correct/tools.ts';
import '../../widget/strings/de.ts';
import '../../widget/vessels/vessels.ts';
import type { FoveolaVessels } from '../../widget/vessels/vessels.ts';
import { fakeCapabilities } from './fake-engine.ts';

const [width, height, row] = [200, 120, 60];

/** Every run of the mask along the middle row is a segment, five pixels wide. */
function runs(mask: GrayImage): VesselSegment[] {
  const segments: VesselSegment[] = [];
  for (let x = 0; x < width; x++) {
    if (!mask.data[row * width + x]) continue;
    const from = x;
    while (x < width && mask.data[row * width + x]) x++;
    const points = Float32Array.from({ length: 2 * (x - from) }, (_, i) => (i % 2 ? row : from + (i >> 1)));
    segments.push({ points, widths: new Float32Array(x - from).fill(5), width: 5, length: x - from - 1 });
  }
  return segments;
}

interface Calls {
  vessels: number;
  measures: { mask: GrayImage; byHand: GrayImage }[];
  discs: number;
  hold: Promise<void> | null;
  fail: FoveolaError | null;
}

/** One horizontal vessel of five pixels through the middle, and a disc at its right end. */
const fakeEngine = (calls: Calls) => ({
  capabilities: fakeCapabilities,
  async vessels(_: Source, options: Record<string, unknown> = {}): Promise<VesselResult> {
    calls.vessels++;
    const data = new Uint8Array(width * height);
    data.fill(255, (row - 2) * width, (row + 3) * width);
    const mask = { width, height, data };
    const measured = options.measures ? { skeleton: mask, branchPoints: [], segments: runs(mask) } : {};
    return {
      ...{ mask, response: new Float32Array(width * height), fraction: 5 / height, confidence: 0.9, warnings: [] },
      fieldOfView: { width, height, data: new Uint8Array(width * height).fill(255) },
      ...measured,
    };
  },
  async vesselMeasures(_: Source, mask: GrayImage, { byHand, signal }: { byHand: GrayImage; signal: AbortSignal }) {
    calls.measures.push({ mask, byHand });
    await calls.hold;
    if (signal.aborted) throw new FoveolaError('aborted', 'The call was cancelled.');
    const { fail } = calls;
    calls.fail = null;
    if (fail) throw fail;
    return { skeleton: mask, branchPoints: [], segments: runs(mask), scale: null, backend: 'wasm' };
  },
  async opticDisc(_: Source, { segments }: { segments: VesselSegment[] }) {
    calls.discs++;
    const depths = segments.map(({ widths }) => ({
      red: new Float32Array(widths.length).fill(0.1),
      green: new Float32Array(widths.length).fill(0.1),
    }));
    return { disc: { x: 150, y: row, radius: 15, confidence: 0.8 }, fovea: { x: 60, y: 65 }, depths, warnings: [] };
  },
});

async function until(what: string, done: () => unknown): Promise<void> {
  const end = performance.now() + 10_000;
  while (!done()) {
    if (performance.now() > end) throw new Error(`waited too long: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('disc-drag', () => {
  const disc = { x: 50, y: 40, radius: 20 };
  const dragged = (from: [number, number], to: [number, number], given: typeof disc | null = disc) => {
    const drag = new DiscDrag(given, ...from, 12);
    drag.move(...to);
    return drag.now;
  };

  it('moves by its inside, grows by its rim, and is put where a press is far away or none was', () => {
    expect(dragged([55, 40], [65, 50])).to.deep.equal({ x: 60, y: 50, radius: 20 });
    expect(dragged([70, 40], [80, 40])).to.deep.equal({ x: 50, y: 40, radius: 30 });
    expect(dragged([70, 40], [50, 40]).radius).to.equal(2);
    expect(dragged([120, 90], [121, 90])).to.deep.equal({ x: 121, y: 90, radius: 20 });
    expect(dragged([7, 8], [7, 8], null)).to.deep.equal({ x: 7, y: 8, radius: 12 });
  });
  it('stays on the photograph', () => {
    const size = { width: 100, height: 80 };
    expect(discCorrection({ x: -4, y: 99, radius: 300 }, size)).to.deep.equal({
      ...{ action: 'disc', x: 0, y: 79, radius: 50 },
    });
  });
});

describe('correcting', () => {
  let element: FoveolaVessels;
  let calls: Calls;
  let heard: CorrectionDetail[];
  let restore: () => void;

  const query = <E extends HTMLElement>(selector: string) => element.shadowRoot!.querySelector<E>(selector)!;
  const text = (selector: string) => query(selector)?.textContent.replace(/\s+/g, ' ').trim() ?? '';
  const announced = () => text('[role=status].visually-hidden');
  const frames = async () => {
    await element.updateComplete;
    for (let i = 0; i < 3; i++) await new Promise((resolve) => requestAnimationFrame(resolve));
  };
  const picture = (): GrayImage => ({ width, height, data: new Uint8Array(width * height).fill(120) });
  const layer = () => query('.brush');
  /** A point of the picture on the page. */
  const place = (x: number, y: number) => {
    const box = query('.media').getBoundingClientRect();
    const scale = Math.min(box.width / width, box.height / height);
    return {
      clientX: box.left + (box.width - scale * width) / 2 + (x + 0.5) * scale,
      clientY: box.top + (box.height - scale * height) / 2 + (y + 0.5) * scale,
    };
  };
  const drag = (...points: [number, number][]) => {
    const target = layer();
    target.setPointerCapture = () => {}; // there is no real pointer to capture
    const send = (type: string, at: [number, number]) =>
      target.dispatchEvent(
        new PointerEvent(type, { ...place(...at), pointerId: 1, button: 0, bubbles: true, composed: true }),
      );
    send('pointerdown', points[0]!);
    for (const at of points.slice(1)) send('pointermove', at);
    send('pointerup', points.at(-1)!);
  };
  const press = (key: string, more: KeyboardEventInit = {}) =>
    (element.shadowRoot!.activeElement ?? query('.stage')).dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true, ...more }),
    );
  const tool = (name: string) => query(`[part=tools] [data-value=${name}]`).click();
  const after = async (work: () => unknown) => {
    const before = heard.length;
    work();
    await until('a correction', () => heard.length > before);
    await frames();
    return heard.at(-1)!;
  };
  const open = async (source = picture()) => {
    const before = heard.length;
    element.source = source;
    await until('measures', () => heard.length > before);
    await frames();
  };

  beforeEach(async () => {
    calls = { vessels: 0, measures: [], discs: 0, hold: null, fail: null };
    heard = [];
    const engine = fakeEngine(calls);
    const before = setEngineProvider(() => ({ engine: Promise.resolve(engine as never), release: () => {} }));
    restore = () => void setEngineProvider(before);
    element = document.createElement('foveola-vessels');
    element.controls = true;
    element.style.width = '640px';
    element.addEventListener('foveola-correction', (event) => heard.push(event.detail));
    document.body.append(element);
    await open();
  });
  afterEach(() => {
    element.remove();
    restore();
  });
  const correct = async () => {
    press('k');
    await until('the tools', () => query('[part=correct]'));
    await frames();
    return heard.at(-1)!;
  };

  it('begins by a key, shows what is around the disc, and ends by Escape', async () => {
    const { corrections, retina } = heard[0]!;
    await correct();
    expect([element.correcting, corrections.length, calls.measures.length]).to.deep.equal([true, 0, 0]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([heard.length, calls.discs], 'once, though the element is rendered often').to.deep.equal([1, 1]);
    expect(retina.disc).to.include({ x: 150, radius: 15 });
    expect(element.retina).to.equal(retina);
    expect(text('[part=readout]') + text('.fold')).to.match(/CRAE.*tortuosity ?1\.000.*Vessel density, disc, superior/);
    expect(text('[part=corrections]')).to.equal('Nothing has been corrected yet.');
    expect(element.shadowRoot!.activeElement).to.equal(layer());
    expect(layer().getAttribute('aria-label')).to.match(/^Add: column 100, row 60\. Arrow keys move/);
    press('Escape');
    await frames();
    expect([element.correcting, layer().hidden]).to.deep.equal([false, true]);
    expect(element.shadowRoot!.activeElement).to.equal(query('.stage'));
    expect(query('[part=correct]')).to.equal(null);
  });

  it('cuts a vessel by the mouse; what was there before is one undo away', async () => {
    await correct();
    tool('cut');
    await frames();
    const cut = await after(() => drag([80, 62]));
    expect(cut.corrections).to.have.length(1);
    expect(cut.corrections[0]).to.deep.include({ action: 'cut', width: 4 });
    expect(cut.result.segments!.map(({ points }) => [points[0], points.at(-2)])).to.deep.equal([
      [0, 77],
      [83, 199],
    ]);
    expect(cut.result.fraction).to.be.below(5 / height);
    expect(element.result!.segments).to.have.length(2);
    expect(text('.segments summary')).to.equal('Segments 2');
    expect(announced()).to.match(/^Vessel cut\. Vessels cover .* 1 correction by hand\.$/);
    const undone = await after(() => press('z', { ctrlKey: true }));
    expect([undone.corrections.length, undone.result.segments!.length, element.corrections.length]).to.deep.equal([
      0, 1, 0,
    ]);
    expect(announced()).to.match(/^Undone: Vessel cut/);
    const again = await after(() => press('Z', { ctrlKey: true, shiftKey: true }));
    expect(again.corrections).to.deep.equal(cut.corrections);
    drag([80, 20]);
    await frames();
    expect(announced()).to.equal('No vessel here.');
    expect(element.corrections).to.have.length(1);
  });

  it('adds by the keyboard alone', async () => {
    await correct();
    expect(press('a')).to.equal(false);
    for (let i = 0; i < 30; i++) press('ArrowUp', { shiftKey: true });
    press('Enter');
    await frames();
    expect(layer().getAttribute('aria-label')).to.contain('column 100, row 30, the brush is down');
    for (let i = 0; i < 5; i++) press('ArrowRight', { shiftKey: true });
    const { corrections, result } = await after(() => press(' '));
    expect(corrections).to.deep.equal([
      { action: 'add', points: [100, 30, 101, 30, 102, 30, 103, 30, 104, 30, 105, 30], width: 5 },
    ]);
    expect([100, 105, 109].map((x) => result.mask.data[30 * width + x])).to.deep.equal([255, 255, 0]);
    expect(calls.measures[0]!.byHand.data[30 * width + 102]).to.equal(255);
    expect(calls.measures[0]!.byHand.data[row * width + 102]).to.equal(0);
  });

  it('leaves letters and undo to the field that is written in', async () => {
    await correct();
    tool('cut');
    await frames();
    await after(() => drag([80, 60]));
    query('input[name=scale]').focus();
    expect([press('e'), press('z', { ctrlKey: true })]).to.deep.equal([true, true]);
    await frames();
    expect(query('[part=tools] [aria-checked=true]').dataset.value).to.equal('cut');
    expect(element.corrections).to.have.length(1);
    query('input[name=brush]').focus();
    expect((await after(() => press('z', { ctrlKey: true }))).corrections).to.deep.equal([]);
  });

  it('erases with a brush of the size that is set', async () => {
    await correct();
    press('e');
    press('+');
    await frames();
    expect(query<HTMLInputElement>('input[name=brush]').value).to.equal('6');
    const slider = query<HTMLInputElement>('input[name=brush]');
    slider.value = '12';
    slider.dispatchEvent(new Event('input'));
    const { corrections, result } = await after(() => drag([20, 60], [30, 60], [40, 60]));
    expect(corrections[0]).to.include({ action: 'erase', width: 12 });
    expect(result.segments!.map(({ points }) => points[0])).to.deep.equal([0, 47]);
  });

  it('moves the disc, makes it larger, and asks the engine for nothing', async () => {
    await correct();
    const asked = calls.discs;
    tool('disc');
    await frames();
    const moved = await after(() => drag([150, 60], [152, 60], [140, 50]));
    expect(moved.retina.disc).to.deep.include({ x: 140, y: 50, radius: 15, confidence: null });
    layer().focus();
    const larger = await after(() => (press('+'), press('+')));
    expect(larger.corrections.map((one) => ('radius' in one ? one.radius : null))).to.have.length(2);
    expect(larger.retina.disc!.radius).to.be.within(15.7, 16.6);
    expect([calls.discs, calls.measures.length]).to.deep.equal([asked, 0]);
    tool('fovea');
    await frames();
    const { retina } = await after(() => drag([30, 70]));
    expect(retina.fovea!.x).to.be.closeTo(30, 0.3);
  });

  it('says what a vessel is, and draws it so', async () => {
    await correct();
    const color = () => {
      const canvas = query<HTMLCanvasElement>('.overlay');
      const [own, at] = [canvas.getBoundingClientRect(), place(40, 60)];
      const ratio = canvas.width / own.width;
      const [x, y] = [(at.clientX - own.left) * ratio, (at.clientY - own.top) * ratio];
      const [red, , blue] = canvas.getContext('2d')!.getImageData(Math.round(x), Math.round(y), 1, 1).data;
      return red! > blue! ? 'red' : 'blue';
    };
    tool('artery');
    await frames();
    await after(() => drag([60, 58]));
    await frames();
    expect(color()).to.equal('red');
    press('v');
    const { corrections, retina } = await after(() => drag([60, 58]));
    await frames();
    expect(color()).to.equal('blue');
    expect(corrections.map((one) => 'kind' in one && one.kind)).to.deep.equal(['artery', 'vein']);
    expect(retina.zone!.vessels.map(({ kind }) => kind)).to.deep.equal(retina.zone!.vessels.map(() => 'vein'));
    expect(announced()).to.contain('Now a vein');
    // A vessel that is parted stays what it is.
    tool('cut');
    await frames();
    await after(() => drag([80, 60]));
    expect(color()).to.equal('blue');
    press('t');
    await after(() => drag([60, 58]));
    expect([calls.measures.length, calls.discs], 'strokes are measured once').to.deep.equal([1, 2]);
  });

  it('takes all of it back at once, and does it again step by step', async () => {
    await correct();
    tool('cut');
    await frames();
    await after(() => drag([80, 60]));
    await after(() => drag([40, 60]));
    const reset = await after(() => query('[aria-label="Undo all"]').click());
    expect(reset.corrections).to.deep.equal([]);
    const redo = query<HTMLButtonElement>('[aria-label=Redo]');
    expect(redo.disabled).to.equal(false);
    expect((await after(() => redo.click())).corrections).to.have.length(1);
    expect((await after(() => query('[aria-label=Undo]').click())).corrections).to.have.length(0);
    expect(query<HTMLButtonElement>('[aria-label=Undo]').disabled).to.equal(true);
  });

  it('exports what was corrected, and reports it', async () => {
    await correct();
    expect(await element.exportCsv({ format: 'comments' })).to.contain('# corrections: {"count":{},"list":[]}\n');
    tool('cut');
    await frames();
    const { corrections } = await after(() => drag([80, 60]));
    const csv = await element.exportCsv({ format: 'comments' });
    expect(csv).to.contain(`# corrections: ${JSON.stringify({ count: { cut: 1 }, list: corrections })}\n`);
    const about = JSON.parse(await element.exportCsvJson());
    expect(about.corrections.list).to.deep.equal(corrections);
    expect(about.columns[1]).to.deep.equal({ name: 'x1', unit: 'px', description: 'First end, to the right.' });
    const json = JSON.parse(await element.exportJson());
    expect(json.corrections).to.deep.equal({ count: { cut: 1 }, list: corrections });
    expect(json.retina.disc.x).to.equal(150);
    expect(json.measures).to.include({ lengthUnit: 'px', segments: 2, tortuosity: 1, discX: 150, crae: null });
    expect(json.segments).to.have.length(2);
    const report = await element.report({ laterality: 'right', patient: 'Patient/7' });
    expect(report.corrections).to.deep.equal(corrections);
    expect(report.vessels).to.deep.include({ segments: 2, tortuosity: 1 });
    const { lengthUnit: _, quality: __, ...measures } = json.measures;
    expect(Object.keys(measures), 'one name per number').to.include.members(Object.keys(report.vessels));
    expect(report).to.include({ laterality: 'right', patient: 'Patient/7' });
    const html = await element.exportReport();
    expect(html).to.contain('Vessel tortuosity').and.to.contain('Optic disc, confidence');
    expect(html).to.contain('1 correction by hand').and.to.contain('data:image/png;base64,');
    const error = await element.report({ laterality: 'both' as never }).catch((fault: FoveolaError) => fault);
    expect((error as FoveolaError).message).to.contain('laterality must be');
  });

  it('takes corrections that were kept, with the photograph or after it', async () => {
    const list: VesselCorrection[] = [
      { action: 'erase', points: [100, 60], width: 10 },
      { action: 'disc', x: 20, y: 30, radius: 9 },
    ];
    const { result, retina } = await after(() => (element.corrections = list));
    expect(element.correcting, 'no tools are shown for it').to.equal(false);
    expect([result.segments!.length, retina.disc!.radius]).to.deep.equal([2, 9]);
    expect(element.corrections).to.deep.equal(list);
    // Another photograph has none of it; with it, before it is open, its own.
    await open();
    expect(element.corrections).to.deep.equal([]);
    expect(element.result!.segments).to.have.length(1);
    const other = await after(() => {
      element.source = picture();
      element.corrections = [{ action: 'fovea', x: 5, y: 6 }];
    });
    expect(other.corrections).to.deep.equal([{ action: 'fovea', x: 5, y: 6 }]);
    expect(other.result.segments).to.have.length(1);
  });

  it('refuses what is no list of corrections, and says where it is wrong', async () => {
    const fault = (list: unknown) => () => (element.corrections = list as VesselCorrection[]);
    expect(fault([{ action: 'paint' }])).to.throw(FoveolaError, "corrections[0].action must be 'add' or");
    expect(fault({})).to.throw(FoveolaError, 'corrections must be a list');
    let shown: FoveolaError | null = null;
    element.addEventListener('foveola-error', ({ detail }) => (shown = detail));
    element.corrections = [{ action: 'fovea', x: 900, y: 6 }];
    await until('an error', () => shown);
    expect(shown!.message).to.contain('corrections[0].x must be -0.5 to 199.5, not 900');
    expect(element.corrections).to.deep.equal([]);
  });

  it('holds through other settings, and shows the last of corrections that follow each other fast', async () => {
    await correct();
    tool('cut');
    await frames();
    let release!: () => void;
    calls.hold = new Promise((resolve) => (release = resolve));
    drag([80, 60]);
    drag([40, 60]);
    await until('both are asked for', () => calls.measures.length === 2);
    expect(query('[part=corrections]').textContent).to.contain('2 corrections');
    const { corrections, result } = await after(release);
    expect([corrections.length, result.segments!.length, heard.length]).to.deep.equal([2, 3, 2]);
    calls.hold = null;
    const { result: other } = await after(() => (element.settings = { thresholdFactor: 1.5 }));
    expect([calls.vessels > 1, other.segments!.length, element.corrections.length]).to.deep.equal([true, 3, 2]);
  });

  it('shows a failure of the engine and goes on', async () => {
    await correct();
    tool('cut');
    await frames();
    let shown: FoveolaError | null = null;
    element.addEventListener('foveola-error', ({ detail }) => (shown = detail));
    calls.fail = new FoveolaError('out-of-memory', 'No memory.');
    drag([80, 60]);
    await until('an error', () => shown);
    expect(shown!.code).to.equal('out-of-memory');
    const { corrections, result } = await after(() => drag([40, 60]));
    expect([corrections.length, result.segments!.length]).to.deep.equal([2, 3]);
  });

  it('speaks German', async () => {
    await correct();
    element.lang = 'de';
    await frames();
    expect(text('[part=corrections]')).to.equal('Noch nichts korrigiert.');
    expect(layer().getAttribute('aria-label')).to.match(/^Ergänzen: Spalte 100, Zeile 60/);
  });
});
