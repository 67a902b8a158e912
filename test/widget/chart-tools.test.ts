// Full run only: further states of an element, some seconds each.
/** What is done with the charts of <foveola-pupil>: pointing, going there, zooming, moving, copying, reading as a table. */
import 'axe-core';
import type { AxeResults } from 'axe-core';
import { expect } from 'chai';
import { setEngineProvider } from '../../widget/base/engine.ts';
import { moved, zoomed } from '../../widget/tools/player/chart-drawing.ts';
import '../../widget/pupil/pupil.ts';
import type { FoveolaPupil } from '../../widget/pupil/pupil.ts';
import '../../widget/strings/de.ts';
import { makeClip, steady } from '../support/clips.ts';
import { chooseItem } from './element-state.ts';
import { fakeForAll } from './fake-elements.ts';

declare const axe: { run(on: Element, options: object): Promise<AxeResults> };

const until = async (what: string, done: () => unknown) => {
  const end = performance.now() + 20_000;
  while (!done()) {
    if (performance.now() > end) throw new Error(`waited too long: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

describe('the part of the time that charts show', () => {
  it('is zoomed about a place, and no longer than what there is', () => {
    expect(zoomed([0, 10], 0.5, 2, [0, 20])).to.deep.equal([1, 6]);
    expect(zoomed([1, 6], 100, 2, [0, 20])).to.deep.equal([0, 20]);
    const [from, to] = zoomed([1, 1.06], 0.1, 1.03, [0, 20]);
    expect(to - from).to.be.closeTo(0.05, 1e-9);
    expect(zoomed([0, 10], 0.5, 0, [-3, 3])).to.deep.equal([-2, 3]);
  });

  it('stays within what there is when it is moved', () => {
    expect(moved([2, 4], 1, [0, 10])).to.deep.equal([3, 5]);
    expect(moved([2, 4], -5, [0, 10])).to.deep.equal([0, 2]);
    expect(moved([2, 4], 50, [0, 10])).to.deep.equal([8, 10]);
    expect(moved([-8, 2], -1, [0, 2])).to.deep.equal([0, 10]); // less than a window was measured
  });
});

describe('chart tools', () => {
  let element: FoveolaPupil;
  let restore: Parameters<typeof setEngineProvider>[0];
  let clip: File;
  const copied: string[] = [];
  const { clipboard } = navigator;

  before(async () => (clip = await makeClip({ times: steady(60, 20) })));
  beforeEach(async () => {
    restore = setEngineProvider(fakeForAll().provider);
    copied.length = 0;
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: async (text: string) => void copied.push(text) },
    });
    element = document.createElement('foveola-pupil');
    Object.assign(element, { controls: true, paused: true, source: clip });
    element.style.width = '480px';
    document.body.append(element);
    await until('it is open', () => element.state === 'paused');
    await element.analyse();
    element.mark('=flash', 1000);
    await until('the chart', canvas);
  });
  afterEach(() => {
    element.remove();
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard });
    setEngineProvider(restore);
  });

  const find = <E extends HTMLElement = HTMLElement>(selector: string) =>
    element.renderRoot.querySelector<E>(selector)!;
  const canvas = () => find<HTMLCanvasElement>('.chart canvas');
  const button = (name: string) => find<HTMLButtonElement>(`.chart-bar button[aria-label="${name}"]`);
  const text = () => canvas().getAttribute('aria-valuetext') ?? '';
  const now = () => Number(canvas().getAttribute('aria-valuenow'));
  const use = async () => {
    canvas().focus();
    await until('the tools', () => find('.chart-bar') && canvas().getAttribute('role') === 'slider');
  };
  const press = (key: string, more: KeyboardEventInit = {}) =>
    canvas().dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true, ...more }),
    );
  const heard = (what: RegExp) => until(`it says ${what}`, () => what.test(text()));
  /** Seconds of the first and the last sample that is shown. */
  const shown = async () => {
    copied.length = 0;
    await chooseItem(element, 'more', 'Copy the chart as a table');
    await until('it is copied', () => copied.length);
    canvas().focus(); // as before
    const times = copied[0]!
      .split('\n')
      .slice(1)
      .map((row) => Number(row.split('\t')[0]));
    return [times[0]!, times.at(-1)!];
  };

  it('come when somebody goes to the chart, and not before', async () => {
    expect(find('.chart-bar')).to.equal(null);
    expect(canvas().getAttribute('role')).to.equal('img');
    await use();
    expect(canvas().getAttribute('aria-label')).to.equal('Pupil diameter over time');
    expect(canvas().getAttribute('aria-description')).to.include('C copies');
  });

  it('have a cursor that keys move from sample to sample, and Enter goes there', async () => {
    await use();
    press('Home');
    await heard(/^0\.000 s, [\d.]+ px · confidence 95 %$/);
    press('ArrowRight');
    await heard(/^0\.050 s/);
    press('ArrowRight', { shiftKey: true });
    await heard(/^0\.550 s/);
    press('Enter');
    await until('it is there', () => Math.abs(element.currentTime - 0.55) < 0.02);
    press('End');
    await heard(/^2\.950 s/);
    press('ArrowRight');
    expect(now()).to.be.closeTo(2.95, 1e-6);
    expect(press('x')).to.equal(true);
  });

  it('go where a click points, and do not when the chart is dragged', async () => {
    await use();
    const { left, width, top } = canvas().getBoundingClientRect();
    canvas().setPointerCapture = () => undefined;
    const point = (type: string, share: number, more: PointerEventInit = {}) =>
      canvas().dispatchEvent(
        new PointerEvent(type, {
          clientX: left + share * width,
          clientY: top + 9,
          bubbles: true,
          pointerId: 1,
          ...more,
        }),
      );
    press('0');
    await new Promise(requestAnimationFrame);
    point('pointermove', 0.5);
    await heard(/^1\.\d\d\d s/);
    const there = now();
    point('pointerdown', 0.5);
    point('pointerup', 0.5);
    await until('the recording is there', () => Math.abs(element.currentTime - there) < 0.06);
    press('+');
    await new Promise(requestAnimationFrame);
    const [from] = await shown();
    const { currentTime } = element;
    point('pointerdown', 0.5);
    point('pointermove', 0.7);
    point('pointerup', 0.7);
    await new Promise(requestAnimationFrame);
    expect((await shown())[0]).to.be.below(from!);
    expect(element.currentTime).to.equal(currentTime);
    const seen = async () => (await shown())[1]! - (await shown())[0]!;
    const before = await seen();
    point('pointerdown', 0.4);
    point('pointerdown', 0.6, { pointerId: 2 });
    point('pointermove', 0.9, { pointerId: 2 });
    point('pointerup', 0.9, { pointerId: 2 });
    point('pointerup', 0.4);
    await new Promise(requestAnimationFrame);
    expect(await seen()).to.be.below(before);
  });

  it('zoom by keys, wheel and buttons, and show all and the last seconds again', async () => {
    await use();
    press('0');
    expect(await shown()).to.deep.equal([0, 2.95]);
    press('Home');
    press('+');
    expect((await shown())[1]).to.be.closeTo(1.45, 0.06);
    press('PageDown');
    expect((await shown())[0]).to.be.closeTo(0.75, 0.06);
    button('Show less time').click();
    const narrow = await shown();
    expect(narrow[1]! - narrow[0]!).to.be.below(0.8);
    const wheel = (deltaY: number, more: WheelEventInit = {}) =>
      canvas().dispatchEvent(new WheelEvent('wheel', { deltaY, cancelable: true, bubbles: true, ...more }));
    wheel(600);
    const wide = await shown();
    expect(wide[1]! - wide[0]!).to.be.above(narrow[1]! - narrow[0]!);
    canvas().blur();
    expect(wheel(600)).to.equal(true); // the page scrolls
    expect(wheel(-600, { ctrlKey: true })).to.equal(false);
    button('Show all').click();
    expect(await shown()).to.deep.equal([0, 2.95]);
    press('+');
    button('Show the last seconds').click();
    expect((await shown())[1]).to.equal(2.95);
  });

  it('copy the sample under the cursor, or all that is shown; no label becomes a formula', async () => {
    await use();
    press('Home');
    for (let i = 0; i < 20; i++) press('ArrowRight');
    press('c');
    const rows = copied[0]!.split('\n').map((row) => row.split('\t'));
    expect(rows[0]).to.deep.equal(['time s', 'diameter px', 'confidence', 'event', 'marker', 'media time ms']);
    expect(rows).to.have.length(2);
    expect(rows[1]![0]).to.equal('1.0000');
    expect(rows[1]!.slice(2)).to.deep.equal(['0.9500', '', "'=flash", '1000.000']);
    press('C');
    expect(copied[1]!.split('\n')).to.have.length(61);
    await until('it says so', () => find('[role=status].visually-hidden').textContent === '60 samples copied');
  });

  it('are saved as a PNG, alone and below the picture', async () => {
    await use();
    const saved: string[] = [];
    const { click } = HTMLAnchorElement.prototype;
    HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
      saved.push(this.download, this.href);
    };
    try {
      await chooseItem(element, 'exports', 'Chart (PNG)');
      await until('the chart', () => saved.length === 2);
      await chooseItem(element, 'exports', 'Image and chart (PNG)');
      await until('both', () => saved.length === 4);
    } finally {
      HTMLAnchorElement.prototype.click = click;
    }
    expect(saved[0]).to.match(/^made-chart-[\d-]+\.png$/);
    expect(saved[2]).to.match(/^made-picture-chart-[\d-]+\.png$/);
    const size = async (address: string) => {
      const { width, height } = await createImageBitmap(await (await fetch(address)).blob());
      return { width, height };
    };
    const [alone, both] = [await size(saved[1]!), await size(saved[3]!)];
    expect(alone.height).to.be.above(canvas().height);
    expect(both.width).to.equal(alone.width);
    expect(both.height - alone.height).to.be.closeTo((canvas().width * 3) / 4, 1);
  });

  it('draw confidence when it is asked for', async () => {
    await use();
    const picture = () => canvas().toDataURL();
    press('0');
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    const before = picture();
    button('Confidence').click();
    await until('it is drawn', () => picture() !== before);
    expect(button('Confidence').getAttribute('aria-pressed')).to.equal('true');
  });

  it('show what is seen as a table, and assistive technology has nothing to complain about', async () => {
    element.lang = 'de';
    await use();
    const table = find<HTMLDetailsElement>('.chart-bar details');
    table.open = true;
    press('0');
    await until('the table', () => table.querySelectorAll('tbody tr').length === 30);
    expect([...table.querySelectorAll('th')].map((cell) => cell.textContent)).to.deep.equal([
      'Zeit, s',
      'Durchmesser, px',
      'Konfidenz, %',
      'Ereignis',
    ]);
    const { violations } = await axe.run(element, { rules: { region: { enabled: false } } });
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).to.deep.equal([]);
  });

  it('have one cursor for both eyes', async () => {
    element.eyes = 2;
    await element.updateComplete;
    await until('two charts', () => element.renderRoot.querySelectorAll('.chart canvas').length === 2);
    await use();
    expect(element.renderRoot.querySelectorAll('.chart-bar')).to.have.length(1);
    press('Home');
    const [left, right] = element.renderRoot.querySelectorAll('.chart canvas');
    await until('both follow', () => right!.hasAttribute('aria-valuenow'));
    expect(left!.getAttribute('aria-valuenow')).to.equal(right!.getAttribute('aria-valuenow'));
  });
});
