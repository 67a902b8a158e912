/**
 * Chart of values over time: the last ten seconds, or the whole length of a recording with the displayed position. Blinks
 * and closures are bands, losses are at the bottom, markers are lines. It uses one canvas at device resolution, draws at
 * most 15 times per second and does not allocate. The main thread belongs to the page.
 */
import { EventList, type EyeEvent, type EyeEventKind, type Laterality } from '../../../src/index.ts';
import type { Strings } from '../../strings/index.ts';
import { inLanguage } from '../words.ts';
import { Axis, CalmRange, drawAxes, fontSize, Series } from './chart-axes.ts';
import { Palette } from '../../base/canvas.ts';

const usualWindow = 10;
const redrawEvery = 1000 / 15;
/** If more points than this are visible, they are thinned. */
const points = 600;
const colorNames = ['line', 'line-second', 'muted', 'grid', 'blink', 'mark', 'danger', 'surface', 'text'] as const;
const lineColors = ['line', 'line-second', 'mark'] as const;
/** Dashes of the curves of one chart, which make them clear without color. */
const dashes = [[], [7, 4], [1.5, 4]] as const;

// In CSS pixels.
const inset = { left: 42, top: 8, right: 14, bottom: 24 };
const space = { time: 48, value: 20 };
const lineWidth = 1.75;
const mostMarks = 1000;
/** Values that decide on the range of the axis. */
const mostFitted = 1 << 16;

const english = {
  analyse: 'Analyze the recording or play it, and its values appear here.',
  lost: 'No pupil was found yet. Check light and focus, then the limits of size and the region in the settings.',
};
const words = {
  en: english,
  de: {
    analyse: 'Die Aufnahme auswerten oder abspielen, dann erscheinen hier ihre Werte.',
    lost: 'Noch keine Pupille gefunden. Licht und Schärfe prüfen, dann die Grenzen der Größe und den Bildausschnitt in den Einstellungen.',
  } satisfies typeof english,
};

/** A string, since the lazily loaded file creates the style sheet. */
export const chartStyle = `
  .chart .nothing { position: absolute; inset: auto 26px 42px 48px; display: grid; place-content: center; height: 80px; margin: 0; color: var(--_muted); font-size: 13px; text-align: center; text-wrap: balance; pointer-events: none; }
  .chart .nothing[hidden] { display: none; }
  .chart .curves span::before { display: inline-block; width: 22px; margin-inline-end: 6px; border-top: 2px solid var(--_line); vertical-align: 4px; content: ''; forced-color-adjust: none; }
  .chart .curves span:nth-child(2)::before { border-top: 2px dashed var(--_line-second); }
  .chart .curves span:nth-child(3)::before { border-top: 2px dotted var(--_mark); }
`;

export interface Mark {
  readonly seconds: number;
  readonly label: string;
  /** Width of the label at the current resolution. NaN before it was measured. */
  width: number;
}

export class Chart {
  readonly canvas = document.createElement('canvas');
  /** Null if the browser does not provide a context. Then nothing is drawn. */
  readonly #context: CanvasRenderingContext2D | null;
  readonly unit: string;
  #series: Series;
  /** Blinks, closures and losses of its eye. */
  readonly #events = new EventList();
  /** Time span shown instead of the usual one. */
  view: readonly [from: number, to: number] | null = null;
  /** Eye of this chart, and its name as text. */
  eye: Laterality = 'unknown';
  name = '';
  /** Names of its curves, if there are several. */
  names: readonly string[] = [];
  /** What to do if nothing was found. Absent: advice on pupils. */
  lost: string | null = null;
  /** Draws additional content, such as a cursor. */
  extra: ((context: CanvasRenderingContext2D) => void) | null = null;
  readonly #firstColor: number;
  #window = usualWindow;
  readonly #measure: (work: () => void) => void;
  readonly #observer: ResizeObserver;
  readonly #palette: Palette<(typeof colorNames)[number]>;
  readonly time = new Axis(' s');
  readonly value = new Axis();
  readonly #range = new CalmRange();
  #strings: Strings | null = null;
  /** What to do while the chart is empty. */
  readonly #hint = document.createElement('p');
  /** Whether any value is known. */
  #any = false;
  #length = NaN;
  #position = NaN;
  marks: Mark[] = [];
  #ratio = 0;
  #drawnAt = -Infinity;
  #timer = 0;

  /**
   * `unit` of the values. `measure` runs a drawing and counts its time. Lines use the colors starting at `firstColor`.
   */
  constructor(box: HTMLElement, lines: number, unit: string, measure: (work: () => void) => void, firstColor = 0) {
    this.unit = unit;
    this.#firstColor = firstColor;
    this.#measure = measure;
    this.#series = new Series(lines);
    this.#context = this.canvas.getContext('2d');
    this.#palette = new Palette(box, colorNames);
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label', box.getAttribute('aria-label') ?? '');
    this.#hint.className = 'nothing';
    this.#hint.hidden = true;
    box.append(this.canvas, this.#hint);
    this.#observer = new ResizeObserver((entries) => this.#resized(entries[0]!));
    try {
      this.#observer.observe(this.canvas, { box: 'device-pixel-content-box' });
    } catch {
      this.#observer.observe(this.canvas); // browsers without device pixels in resize observations
    }
  }

  get colors() {
    return this.#palette.colors;
  }

  get series(): Series {
    return this.#series;
  }

  /** Device pixels per CSS pixel. 0 if there is no room for a chart. */
  get ratio(): number {
    return this.#ratio;
  }

  /** Length of the recording in seconds, whose timeline has the same axis. NaN: not a recording, or not known. */
  set length(seconds: number) {
    if (Object.is(seconds, this.#length)) return;
    this.#length = seconds;
    if (!this.#series.end) this.#series = new Series(this.#series.lines, undefined, this.isWhole);
    this.#later();
  }

  /** Position of the displayed frame in seconds. */
  set position(seconds: number) {
    this.#position = seconds;
    if (this.#length > 0) this.#later();
  }

  /** Time span of the recording, otherwise of all values. */
  get whole(): readonly [from: number, to: number] {
    const { begin, newest } = this.#series;
    if (this.#length > 0) return [0, this.#length];
    return Number.isNaN(newest) ? [0, 1] : [this.#series.time(begin), newest];
  }

  /** The usual time span is the whole recording. */
  get isWhole(): boolean {
    return this.#length > 0;
  }

  /** Visible time span in seconds. */
  get shown(): readonly [from: number, to: number] {
    if (this.view) return this.view;
    if (this.isWhole) return this.whole;
    const { newest } = this.#series;
    const from = Number.isNaN(newest) ? 0 : newest - this.#window;
    return [from, from + this.#window];
  }

  /** `values` in the displayed unit, NaN if no pupil was found. The other parameters are those of `Series.push`. */
  push(timestamp: number, values: ArrayLike<number>, confidence?: number, mediaTime?: number): void {
    const time = timestamp / 1000;
    if (time < this.#series.newest) this.clear(); // played after it was analyzed
    // A gap of more than a second (pause, step) is not connected by a line.
    if (time - this.#series.newest > 1) this.#series.push(time - 0.001, []);
    this.#series.push(time, values, confidence, mediaTime);
    this.#any ||= Array.from(values).some(Number.isFinite);
    this.#later();
  }

  /** Adds an event of its eye, after the sample of its frame. */
  settle(event: EyeEvent): void {
    this.#events.settle({ ...event, pupil: 0 });
    this.#later();
  }

  /** Event at this time. */
  eventAt(seconds: number): EyeEventKind | null {
    return this.#events.at(1000 * seconds, 0)?.kind ?? null;
  }

  /** Events drawn in this time span. */
  events(from: number, to: number): readonly EyeEvent[] {
    return this.#events.between(1000 * from, 1000 * to, 0);
  }

  mark(timestamp: number, label: string): void {
    this.marks.push({ seconds: timestamp / 1000, label, width: NaN });
    if (this.marks.length > mostMarks) this.marks.shift();
    this.#later();
  }

  unmark(timestamp: number, label: string): void {
    const at = this.marks.findIndex((mark) => mark.seconds === timestamp / 1000 && mark.label === label);
    if (at >= 0) this.marks.splice(at, 1);
    this.#later();
  }

  clear(): void {
    this.#series = new Series(this.#series.lines, undefined, this.isWhole);
    this.#any = false;
    this.#events.clear();
    this.#window = usualWindow;
    this.view = null;
    this.marks = [];
    this.#range.reset();
    this.#later();
  }

  /** Shows all stored values instead of the last seconds. */
  showAll(): void {
    const { begin, newest } = this.#series;
    if (Number.isNaN(newest)) return;
    this.#window = newest - this.#series.time(begin) || usualWindow;
    this.#later();
  }

  /** Language of the axes and of the hint. */
  set strings(strings: Strings) {
    if (strings === this.#strings) return;
    this.#strings = strings;
    this.time.number = this.value.number = strings.number;
    this.#later();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#observer.disconnect();
    this.#palette.close();
    this.canvas.remove();
    this.#hint.remove();
  }

  #later(): void {
    if (this.#timer || !this.#ratio) return;
    const wait = Math.max(0, this.#drawnAt + redrawEvery - performance.now());
    this.#timer = window.setTimeout(this.#due, wait);
  }

  readonly #due = () => {
    this.#timer = 0;
    this.redraw();
  };

  redraw(): void {
    if (this.#ratio) this.#measure(this.#draw);
  }

  #resized(entry: ResizeObserverEntry): void {
    const device = entry.devicePixelContentBoxSize?.[0];
    const css = entry.contentBoxSize[0]!;
    const width = device?.inlineSize ?? Math.round(css.inlineSize * devicePixelRatio);
    const height = device?.blockSize ?? Math.round(css.blockSize * devicePixelRatio);
    const ratio = css.inlineSize ? width / css.inlineSize : 0;
    const [time, value] = [this.time, this.value];
    time.start = Math.round(inset.left * ratio);
    time.end = width - Math.round(inset.right * ratio);
    value.start = height - Math.round(inset.bottom * ratio);
    value.end = Math.round(inset.top * ratio);
    this.#ratio = time.end > time.start && value.start > value.end ? ratio : 0;
    if (!this.#ratio) return;
    this.canvas.width = width;
    this.canvas.height = height;
    // A resized canvas has lost its context state.
    const context = this.#context;
    if (!context) return;
    context.font = `${fontSize * ratio}px ${getComputedStyle(this.canvas).fontFamily}`;
    context.direction = 'ltr'; // numbers with their units, also on right-to-left pages
    context.lineWidth = lineWidth * ratio;
    context.lineJoin = context.lineCap = 'round';
    for (const mark of this.marks) mark.width = NaN;
    this.#measure(this.#draw); // at once, since the resized canvas is empty
  }

  readonly #draw = () => {
    this.#drawnAt = performance.now();
    const context = this.#context;
    if (!context) return;
    const [from, to] = this.shown;
    // One more entry at each side, so that lines continue beyond the edges.
    const first = Math.max(this.#series.begin, this.#series.since(from) - 1);
    const end = this.view ? Math.min(this.#series.end, this.#series.since(to) + 1) : this.#series.end;
    this.#fit(first, end);
    this.time.set(from, to, space.time * this.#ratio);
    this.value.set(this.#range.low, this.#range.high, space.value * this.#ratio);

    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.#drawEvents();
    drawAxes(context, this.time, this.value, this.unit, this.#ratio, this.#palette.colors);
    const { start, end: right } = this.time;
    const top = this.value.end;
    context.save();
    context.beginPath();
    context.rect(start, top, right - start, this.value.start - top);
    context.clip();
    for (let line = 0; line < this.#series.lines; line++) this.#drawLine(line, first, end);
    this.extra?.(context);
    context.restore();
    this.#drawMarks();
    this.#drawPosition();
    this.#showHint();
  };

  /** Says what to do while there is nothing to see. */
  #showHint(): void {
    const { end } = this.#series;
    const name = this.#any && end > 1 ? null : end > 1 ? 'lost' : this.isWhole ? 'analyse' : null;
    this.#hint.hidden = !name || !this.#strings;
    if (this.#hint.hidden) return;
    const own = name === 'lost' ? this.lost : null;
    this.#hint.textContent = own ?? inLanguage(words, this.#strings!)[name!];
    this.#hint.dir = this.#strings!.direction;
  }

  /** The displayed frame of a recording, as on its timeline. */
  #drawPosition(): void {
    const { time, value } = this;
    const at = this.#position;
    if (!this.isWhole || !(at >= time.min && at <= time.max)) return;
    const context = this.#context!;
    context.fillStyle = this.#palette.colors.text;
    context.globalAlpha = 0.55;
    context.fillRect(time.at(at) - this.#ratio, value.end, 2 * this.#ratio, value.start - value.end);
    context.globalAlpha = 1;
  }

  #fit(first: number, end: number): void {
    const stride = Math.ceil((end - first) / mostFitted) || 1;
    let least = Infinity;
    let greatest = -Infinity;
    for (let line = 0; line < this.#series.lines; line++)
      for (let i = first; i < end; i += stride) {
        const value = this.#series.value(line, i);
        if (value < least) least = value;
        if (value > greatest) greatest = value;
      }
    this.#range.fit(least, greatest);
  }

  /** Draws a blink as a band, a closure as a fainter band below a bar, and a loss as a bar at the bottom. */
  #drawEvents(): void {
    const context = this.#context!;
    const { time, value } = this;
    const { blink, danger } = this.#palette.colors;
    const bar = 3 * this.#ratio;
    for (const { kind, onset, offset } of this.events(time.min, time.max)) {
      const from = Math.max(time.start, time.at(onset / 1000));
      const width = Math.max(1, Math.min(time.end, time.at(offset / 1000)) - from);
      const height = value.start - value.end;
      context.fillStyle = kind === 'loss' ? danger : blink;
      context.globalAlpha = kind === 'closure' ? 0.4 : 1;
      if (kind === 'loss') context.fillRect(from, value.start - bar, width, bar);
      else context.fillRect(from, value.end, width, height);
      context.globalAlpha = 1;
      if (kind === 'closure') context.fillRect(from, value.end, width, 2 * bar);
    }
  }

  #drawLine(line: number, first: number, end: number): void {
    const context = this.#context!;
    const series = this.#series;
    const stride = Math.max(1, Math.ceil((end - first) / points));
    context.strokeStyle = this.#palette.colors[lineColors[this.#firstColor + line] ?? 'line'];
    context.setLineDash((dashes[line] ?? []).map((length) => length * this.#ratio));
    context.beginPath();
    let open = false;
    for (let i = first; i < end; i++) {
      const value = series.value(line, i);
      if (Number.isNaN(value)) {
        open = false;
        continue;
      }
      // Thinning uses a grid of entries, not of the window. Otherwise points would jump as the window moves.
      if (open && i % stride) continue;
      const x = this.time.at(series.time(i));
      const y = this.value.at(value);
      if (!open) context.moveTo(x - 0.01, y); // so that a single value is a dot
      context.lineTo(x, y);
      open = true;
    }
    context.stroke();
    context.setLineDash([]);
  }

  #drawMarks(): void {
    const context = this.#context!;
    const hair = Math.max(1, Math.round(this.#ratio));
    const gap = 4 * this.#ratio;
    const { start: bottom, end: top } = this.value;
    context.fillStyle = this.#palette.colors.mark;
    context.textBaseline = 'top';
    context.textAlign = 'left';
    let free = 0;
    for (const mark of this.marks) {
      if (!(mark.seconds >= this.time.min && mark.seconds <= this.time.max)) continue;
      const x = Math.round(this.time.at(mark.seconds));
      context.fillRect(x, top, hair, bottom - top);
      if (Number.isNaN(mark.width)) mark.width = context.measureText(mark.label).width;
      // The label is to the left of its line if there is no room at the right.
      const beside =
        x + gap + mark.width <= this.canvas.width ? x + gap : Math.max(this.time.start, x - gap - mark.width);
      if (!mark.label || beside < free) continue; // the label would be over the one before
      context.fillText(mark.label, beside, top + this.#ratio);
      free = beside + mark.width + gap;
    }
  }
}
