import { expect } from 'chai';
import { Axis, CalmRange, niceStep, Series } from '../../widget/tools/chart/chart-axes.ts';
import { Chart } from '../../widget/tools/chart/chart.ts';
import type { EyeEventKind } from '../../src/index.ts';
import { stringsFor } from '../../widget/strings/index.ts';
import { FoveolaPupil } from '../../widget/pupil/pupil.component.ts';

describe('chart series', () => {
  it('keeps the newest entries, with their gaps', () => {
    const series = new Series(2, 8);
    for (let i = 0; i < 20; i++) series.push(i, [i % 3 ? i : NaN]);
    expect([series.begin, series.end, series.newest]).to.deep.equal([12, 20, 19]);
    const entries = Array.from({ length: 8 }, (_, i) => series.begin + i);
    expect(entries.map((i) => series.time(i))).to.deep.equal(entries);
    expect(entries.map((i) => series.value(0, i))).to.deep.equal([NaN, 13, 14, NaN, 16, 17, NaN, 19]);
    expect(entries.every((i) => Number.isNaN(series.value(1, i)))).to.equal(true);
  });

  it('keeps all entries of a recording', () => {
    const series = new Series(2, 4, true);
    for (let i = 0; i < 20; i++) series.push(i, [i, -i], i / 20, 10 * i);
    expect([series.begin, series.end]).to.deep.equal([0, 20]);
    expect([0, 3, 4, 19].map((i) => [series.value(1, i), series.confidence(i), series.mediaTime(i)])).to.deep.equal(
      [0, 3, 4, 19].map((i) => [-i, Math.fround(i / 20), 10 * i]),
    );
  });

  it('finds the first entry of a window', () => {
    const series = new Series(1, 8);
    expect(series.since(3)).to.equal(0);
    expect(series.newest).to.deep.equal(NaN);
    for (let i = 0; i < 20; i++) series.push(i, [i]);
    expect([0, 12, 12.5, 19, 30].map((seconds) => series.since(seconds))).to.deep.equal([12, 12, 13, 19, 20]);
  });
});

describe('chart axes', () => {
  it('steps by 1, 2, 5', () => {
    const steps = [0.012, 0.2, 0.21, 1, 1.01, 3, 6, 10, 49, 51];
    expect(steps.map((least) => +niceStep(least).toPrecision(6))).to.deep.equal([
      0.02, 0.2, 0.5, 1, 2, 5, 10, 10, 50, 100,
    ]);
  });

  it('has ticks at whole steps, with as many decimals as they need', () => {
    const ticks = (axis: Axis) =>
      Array.from({ length: axis.lastTick - axis.firstTick + 1 }, (_, i) => axis.firstTick + i);
    const value = new Axis();
    Object.assign(value, { start: 108, end: 8 });
    value.set(2.93, 4.27, 20);
    expect(ticks(value).map((k) => value.label(k))).to.deep.equal(['3.0', '3.5', '4.0']);
    expect([value.at(2.93), value.at(4.27), value.tick(6)]).to.deep.equal([108, 8, 103]);
    value.set(40, 150, 20);
    expect(ticks(value).map((k) => value.label(k))).to.deep.equal(['50', '100', '150']);
    value.set(0, 1, 20);
    expect(value.label(value.firstTick)).to.equal('0.0');
    const time = new Axis(' s');
    Object.assign(time, { start: 42, end: 842 });
    time.set(3599.7, 3609.7, 60);
    expect([time.firstTick, time.label(3600), time.tick(3600)]).to.deep.equal([3600, '3600 s', 66]);
  });

  it('keeps its range while values stay inside', () => {
    const range = new CalmRange();
    range.fit(60, 120);
    const { low, high } = range;
    expect([low, high]).to.deep.equal([42, 138]);
    range.fit(50, 130);
    range.fit(Infinity, -Infinity);
    expect([range.low, range.high]).to.deep.equal([low, high]);
    range.fit(80, 90);
    expect(range.high - range.low).to.be.closeTo(16, 1e-9);
    range.fit(80, 200);
    expect(range.low).to.be.below(80);
    expect(range.high).to.be.above(200);
  });
});

describe('chart', () => {
  const colors: Record<string, [number, number, number]> = {
    line: [0, 128, 0],
    'line-second': [200, 100, 0],
    muted: [90, 90, 90],
    grid: [230, 230, 230],
    blink: [0, 0, 255],
    mark: [255, 0, 255],
    danger: [255, 0, 0],
  };
  let box: HTMLElement;
  let chart: Chart;
  let draws = 0;

  const make = (lines: number, unit: 'px' | 'mm' = 'px') => {
    const style = FoveolaPupil.elementStyles.map((sheet) => String((sheet as { cssText?: string }).cssText));
    const host = document.createElement('div');
    const root = host.attachShadow({ mode: 'open' });
    const rules = document.createElement('style');
    const own = Object.entries(colors).map(([name, rgb]) => `--_${name}: rgb(${rgb.join()});`);
    rules.textContent = `${style.join('\n')} .chart { ${own.join(' ')} }`;
    root.append(rules);
    box = document.createElement('div');
    box.className = 'chart';
    box.style.width = '420px';
    root.append(box);
    document.body.append(host);
    draws = 0;
    chart = new Chart(box, lines, unit, (work) => {
      draws++;
      work();
    });
  };
  const drawn = async () => {
    await new Promise((resolve) => setTimeout(resolve, 200));
  };
  const canvas = () => box.querySelector('canvas')!;
  /** The columns in which a color is, as [first, last, how many]. */
  const columns = (name: string): [number, number, number] => {
    const { width, height } = canvas();
    const { data } = canvas().getContext('2d')!.getImageData(0, 0, width, height);
    const [r, g, b] = colors[name]!;
    const found: number[] = [];
    for (let x = 0; x < width; x++)
      for (let y = 0; y < height; y++) {
        const at = (y * width + x) * 4;
        const near = Math.abs(data[at]! - r) + Math.abs(data[at + 1]! - g) + Math.abs(data[at + 2]! - b) < 12;
        if (near && data[at + 3]! > 100) {
          found.push(x);
          break;
        }
      }
    return [found[0] ?? NaN, found.at(-1) ?? NaN, found.length];
  };
  /** Where the last ten seconds to `newest` have `seconds`. */
  const at = (seconds: number, newest: number) => {
    const ratio = canvas().width / canvas().getBoundingClientRect().width;
    const [left, right] = [Math.round(42 * ratio), canvas().width - Math.round(14 * ratio)];
    return left + ((seconds - newest + 10) / 10) * (right - left);
  };

  afterEach(() => {
    chart.close();
    (box.getRootNode() as ShadowRoot).host.remove();
  });

  it('shows the last ten seconds while it runs, and the whole length after an analysis, short or long', () => {
    make(1);
    for (const [length, running] of [
      [8, [-2, 8]],
      [25, [15, 25]],
    ] as const) {
      for (let t = 0; t <= length; t++) chart.push(1000 * t, [5]);
      expect(chart.shown).to.deep.equal(running);
      chart.showAll();
      expect(chart.shown).to.deep.equal([0, length]);
      chart.clear();
    }
  });

  it('shows the whole length of a recording, and the displayed position, as its timeline does', async () => {
    make(1);
    chart.length = 20;
    for (let t = 0; t <= 5; t += 0.1) chart.push(1000 * t, [5]);
    expect([chart.shown, chart.whole]).to.deep.equal([
      [0, 20],
      [0, 20],
    ]);
    chart.position = 10;
    await drawn();
    const ratio = canvas().width / canvas().getBoundingClientRect().width;
    const [left, right] = [Math.round(42 * ratio), canvas().width - Math.round(14 * ratio)];
    const middle = Math.round((left + right) / 2);
    const { data } = canvas()
      .getContext('2d')!
      .getImageData(middle - 2, 60, 4, 1);
    expect(Math.max(...[3, 7, 11, 15].map((i) => data[i]!))).to.be.above(100);
    expect(columns('line')[1]).to.be.closeTo(left + (right - left) / 4, 4);
    chart.view = [0, 5];
    expect(chart.shown).to.deep.equal([0, 5]);
    chart.clear();
    chart.length = NaN;
    expect(chart.shown).to.deep.equal([0, 10]);
  });

  it('says what to do while it is empty', async () => {
    make(1);
    const hint = () => {
      const place = box.querySelector<HTMLElement>('.nothing')!;
      return place.hidden ? '' : place.textContent;
    };
    chart.strings = stringsFor('en');
    chart.length = 20;
    chart.push(0, [5]);
    await drawn();
    expect(hint()).to.include('Analyze the recording or play it');
    chart.strings = { ...stringsFor('en'), language: 'de' };
    await drawn();
    expect(hint()).to.include('auswerten');
    chart.clear();
    for (let t = 0; t < 9; t++) chart.push(100 * t, [NaN]);
    await drawn();
    expect(hint()).to.include('keine Pupille');
    chart.push(1000, [5]);
    await drawn();
    expect(hint()).to.equal('');
    chart.clear();
    chart.length = NaN; // a camera sends frames by itself
    await drawn();
    expect(hint()).to.equal('');
  });

  it('is as fine as the device, and follows its box', async () => {
    make(1);
    await drawn();
    const inner = () => canvas().getBoundingClientRect().width * devicePixelRatio;
    expect(canvas().width).to.be.closeTo(inner(), 1);
    box.style.width = '300px';
    await drawn();
    expect(canvas().width).to.be.closeTo(inner(), 1);
    const before = draws;
    box.hidden = true; // no room: nothing is drawn
    await drawn();
    chart.push(0, [1]);
    await drawn();
    expect(draws).to.equal(before);
  });

  it('draws two lines with their gaps', async () => {
    make(2);
    for (let t = 0; t <= 10; t += 0.02) chart.push(t * 1000, [t > 4 && t < 6 ? NaN : 50, t < 5 ? 60 : NaN]);
    await drawn();
    const [first, last, count] = columns('line');
    expect(first).to.be.closeTo(at(0, 10), 4);
    expect(last).to.be.closeTo(at(10, 10), 4);
    expect(count).to.be.closeTo((at(8, 10) - at(0, 10)) * 1, 12);
    expect(columns('line-second')[1]).to.be.closeTo(at(5, 10), 4);
  });

  it('does not bridge a pause, and shows a lone value', async () => {
    make(1);
    for (const t of [0, 5000, 10000]) chart.push(t, [51.3]); // away from the grid's lines
    await drawn();
    const [, , count] = columns('line');
    expect(count).to.be.within(2, 16);
  });

  it('shows blinks as bands and markers as lines with their names', async () => {
    make(1, 'mm');
    for (let t = 0; t <= 10; t += 0.02) chart.push(t * 1000, [3.5]);
    const event = (kind: EyeEventKind, onset: number, offset: number, final = true) =>
      chart.settle({ kind, onset, offset, final, pupil: 0, eye: 'unknown' });
    event('blink', 2000, 2500, false);
    event('blink', 2000, 3000);
    chart.mark(7000, '');
    await drawn();
    const [from, to] = columns('blink');
    expect(from).to.be.closeTo(at(2, 10), 3);
    expect(to).to.be.closeTo(at(3, 10), 3);
    expect(columns('mark')[0]).to.be.closeTo(at(7, 10), 2);
    const blinks = columns('blink')[2];
    event('closure', 4000, 5000);
    event('loss', 6000, 6500);
    await drawn();
    expect([1, 2.5, 4.5, 6.2].map((t) => chart.eventAt(t))).to.deep.equal([null, 'blink', 'closure', 'loss']);
    expect(columns('blink')[2] - blinks, 'the bar of the closure').to.be.closeTo(at(5, 10) - at(4, 10), 3);
    expect(columns('danger').slice(0, 2)).to.satisfy(
      ([left, right]: number[]) => Math.abs(left! - at(6, 10)) <= 3 && Math.abs(right! - at(6.5, 10)) <= 3,
    );
    chart.mark(9990, 'at the edge'); // named on its left: there is no room on its right
    await drawn();
    expect(columns('mark')[2]).to.be.above(10);
    chart.clear();
    await drawn();
    expect([columns('mark')[2], columns('blink')[2], columns('line')[2]]).to.deep.equal([0, 0, 0]);
  });

  it('is drawn at most 15 times a second, and no more after it was closed', async () => {
    make(1);
    await drawn();
    draws = 0;
    for (let i = 0; i < 500; i++) chart.push(i, [50]);
    expect(draws).to.equal(0);
    await drawn();
    expect(draws).to.equal(1);
    chart.push(600, [50]);
    chart.close();
    await drawn();
    expect(draws).to.equal(1);
    expect(box.childElementCount).to.equal(0);
  });
});
