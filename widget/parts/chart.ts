/**
 * The live chart of the diameter: the last ten seconds, blinks as bands, markers as lines. uPlot draws it, at most ten
 * times a second and from at most 300 points, because the page's thread belongs to the page.
 */
import uPlot from 'uplot';
import { Palette } from './palette.ts';
import { Series } from './series.ts';

const seconds = 10;
const points = 300;
const redrawEvery = 100;
const height = 132;
const colourNames = ['line', 'line-second', 'muted', 'grid', 'blink', 'mark'] as const;

export interface ChartMark {
  seconds: number;
  label: string;
}

export class Chart {
  readonly #box: HTMLElement;
  readonly #series: Series;
  readonly #measure: (work: () => void) => void;
  readonly #observer: ResizeObserver;
  #plot: uPlot | null = null;
  #marks: ChartMark[] = [];
  #range: [number, number] = [0, 1];
  readonly #palette: Palette<(typeof colourNames)[number]>;
  #drawnAt = -Infinity;
  #timer = 0;
  #width = 0;
  #dirty = false;

  constructor(box: HTMLElement, lines: number, measure: (work: () => void) => void) {
    this.#box = box;
    this.#measure = measure;
    this.#series = new Series(lines);
    this.#palette = new Palette(box, colourNames);
    this.#observer = new ResizeObserver((entries) => this.#resized(Math.floor(entries[0]!.contentRect.width)));
    this.#observer.observe(box);
  }

  /** `values` in the unit shown, NaN where no pupil was found. */
  push(timestamp: number, values: ArrayLike<number>, blink: boolean): void {
    const time = timestamp / 1000;
    // A gap of more than a second (pause, step) is not bridged by a line.
    if (time - this.#series.newest > 1) this.#series.push(time - 0.001, [], false);
    this.#series.push(time, values, blink);
    this.#later();
  }

  mark(timestamp: number, label: string): void {
    this.#marks.push({ seconds: timestamp / 1000, label });
    if (this.#marks.length > 100) this.#marks.shift();
    this.#later();
  }

  clear(): void {
    this.#series.clear();
    this.#marks = [];
    this.#range = [0, 1];
    this.#later();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#observer.disconnect();
    this.#palette.close();
    this.#plot?.destroy();
    this.#plot = null;
  }

  #later(): void {
    this.#dirty = true;
    if (this.#timer) return;
    const wait = Math.max(0, this.#drawnAt + redrawEvery - performance.now());
    this.#timer = window.setTimeout(() => {
      this.#timer = 0;
      if (this.#dirty && this.#width) this.#measure(() => this.#draw());
    }, wait);
  }

  #resized(width: number): void {
    if (!width || width === this.#width) return;
    this.#width = width;
    this.#plot?.setSize({ width, height });
    this.#later();
  }

  #draw(): void {
    this.#dirty = false;
    this.#drawnAt = performance.now();
    const plot = (this.#plot ??= this.#make());
    const to = this.#series.newest;
    const from = Number.isNaN(to) ? 0 : to - seconds;
    const data = this.#series.window(from, points);
    this.#fit(data.slice(1) as (number | null)[][]);
    plot.batch(() => {
      plot.setData(data as uPlot.AlignedData, false);
      plot.setScale('x', { min: from, max: from + seconds });
      plot.setScale('y', { min: this.#range[0], max: this.#range[1] });
    });
  }

  // The range follows at once when a value leaves it and shrinks only when much of it is unused: a calm axis.
  #fit(lines: (number | null)[][]): void {
    let low = Infinity;
    let high = -Infinity;
    for (const line of lines)
      for (const value of line)
        if (value !== null) {
          if (value < low) low = value;
          if (value > high) high = value;
        }
    if (low > high) return;
    const [bottom, top] = this.#range;
    const span = Math.max(high - low, high * 0.1, 1e-6);
    if (low >= bottom && high <= top && top - bottom < 3.2 * span) return;
    const middle = (low + high) / 2;
    this.#range = [Math.max(0, middle - span * 0.8), middle + span * 0.8];
  }

  #make(): uPlot {
    const axis = {
      stroke: () => this.#palette.colours.muted,
      grid: { stroke: () => this.#palette.colours.grid, width: 1 },
      ticks: { show: false },
      font: '11px system-ui, sans-serif',
    };
    const line = (stroke: () => string) => ({ stroke, width: 1.75, points: { show: false } });
    const lines = [line(() => this.#palette.colours.line), line(() => this.#palette.colours['line-second'])];
    return new uPlot(
      {
        width: this.#width,
        height,
        padding: [8, 14, 0, 0],
        legend: { show: false },
        cursor: { show: false },
        select: { show: false, left: 0, top: 0, width: 0, height: 0 },
        scales: { x: { time: false, auto: false }, y: { auto: false } },
        axes: [
          {
            ...axis,
            size: 24,
            gap: 4,
            space: 60,
            values: (_, at) => at.map((t) => (t < 0 ? '' : `${+t.toFixed(1)} s`)),
          },
          { ...axis, size: 42, gap: 6, space: 28 },
        ],
        series: [{}, ...lines.slice(0, this.#series.lines)],
        hooks: { drawClear: [(plot) => this.#bands(plot)], draw: [(plot) => this.#drawMarks(plot)] },
      },
      [[], ...Array.from({ length: this.#series.lines }, () => [])] as unknown as uPlot.AlignedData,
      this.#box,
    );
  }

  #bands(plot: uPlot): void {
    const { ctx, bbox } = plot;
    const from = plot.scales.x!.min ?? 0;
    ctx.save();
    ctx.fillStyle = this.#palette.colours.blink;
    for (const band of this.#series.bands(from)) {
      const left = Math.max(bbox.left, plot.valToPos(band.from, 'x', true));
      const right = Math.min(bbox.left + bbox.width, plot.valToPos(band.to, 'x', true));
      ctx.fillRect(left, bbox.top, Math.max(1, right - left), bbox.height);
    }
    ctx.restore();
  }

  #drawMarks(plot: uPlot): void {
    const { ctx, bbox } = plot;
    const { min = 0, max = 0 } = plot.scales.x as { min?: number; max?: number };
    ctx.save();
    ctx.strokeStyle = ctx.fillStyle = this.#palette.colours.mark;
    ctx.lineWidth = devicePixelRatio;
    ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
    ctx.textBaseline = 'top';
    ctx.textAlign = 'left';
    for (const mark of this.#marks) {
      if (mark.seconds < min || mark.seconds > max) continue;
      const x = Math.round(plot.valToPos(mark.seconds, 'x', true));
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      ctx.fillText(mark.label, x + 4 * devicePixelRatio, bbox.top + 2);
    }
    ctx.restore();
  }
}
