/**
 * Chart tools: a cursor with its values, seeking the recording to it, zooming and moving in time, copying, a table. The
 * charts of both eyes share one cursor and one view. Loaded when the user first points at a chart.
 */
import type { Strings } from '../../strings/index.ts';
import { make } from '../../base/page.ts';
import type { Chart } from '../chart/chart.ts';
import {
  curvesOf,
  drawConfidence,
  drawCursor,
  chartPicture,
  nearest,
  sampleOf,
  samplesShown,
  sureCharts,
  tabbed,
  type Sample,
  chartStyle,
  moved,
  type View,
  zoomed,
  followPointers,
} from './chart-drawing.ts';
import { inLanguage, playerWords } from '../words.ts';

export interface ChartToolsGiven {
  readonly host: {
    readonly element: { readonly renderRoot: HTMLElement | DocumentFragment };
    readonly strings: Strings;
    addStyle(css: string): void;
  };
  /** Player of the open recording. Null if none is open. */
  readonly player: { readonly video: HTMLVideoElement | null };
  seek(mediaTime: number): void;
  announce(text: string): void;
  /** Paints the image with its overlay. */
  paintOn(canvas: HTMLCanvasElement): void;
  save(png: Blob, what: string): void;
}

const closer = 0.5;
const mostTableRows = 40;

export class ChartTools {
  readonly #given: ChartToolsGiven;
  #charts: readonly Chart[] = [];
  #stop: (() => void)[] = [];
  /** Cursor time in seconds. Null: no cursor. */
  #cursor: number | null = null;
  #confidence = false;
  #request = 0;
  readonly #buttons = new Map<'closer' | 'wider' | 'all' | 'live' | 'confidence', HTMLButtonElement>();
  readonly #summary = make('summary', '');
  readonly #rows = make('div', 'rows');
  readonly #table = make('details', 'table', this.#summary, this.#rows);
  readonly #controls: HTMLElement;
  readonly #bar: HTMLElement;
  #language = '';

  constructor(given: ChartToolsGiven) {
    this.#given = given;
    given.host.addStyle(chartStyle);
    const acts = {
      closer: () => this.#zoom(closer),
      wider: () => this.#zoom(1 / closer),
      all: () => this.#show(this.#whole),
      live: () => this.#show(null),
      confidence: () => this.#toggleConfidence(),
    };
    const signs = { closer: '+', wider: '−', all: '↔', live: '→|', confidence: '%' };
    for (const [name, act] of Object.entries(acts) as [keyof typeof acts, () => void][]) {
      const button = make('button', '', signs[name]);
      button.type = 'button';
      button.setAttribute('part', 'button');
      button.addEventListener('click', act);
      this.#buttons.set(name, button);
    }
    this.#controls = make('div', '', ...this.#buttons.values());
    this.#controls.setAttribute('role', 'toolbar');
    this.#bar = make('div', 'chart-bar', this.#controls, this.#table);
    this.#rows.tabIndex = 0; // for scrolling with the keyboard
    this.#rows.setAttribute('role', 'group');
    this.#table.addEventListener('toggle', () => this.#fillTable());
  }

  /** Sets the current charts. An empty list: the element has been removed. */
  attach(charts: readonly Chart[]): void {
    for (const stop of this.#stop) stop();
    this.#stop = [];
    cancelAnimationFrame(this.#request);
    this.#request = 0;
    this.#bar.remove();
    this.#charts = charts;
    for (const chart of charts) this.#use(chart);
    charts.at(-1)?.canvas.after(this.#bar);
    this.#language = '';
    this.updated();
  }

  /** Updates the strings, since the language may have changed. */
  updated(): void {
    const { language } = this.#given.host.strings;
    this.#buttons.get('live')!.hidden = this.#charts[0]?.isWhole ?? false;
    if (language === this.#language) return;
    this.#language = language;
    const w = this.#words;
    for (const [name, button] of this.#buttons) {
      button.title = w[name];
      button.setAttribute('aria-label', w[name]);
    }
    this.#controls.setAttribute('aria-label', w.view);
    this.#buttons.get('confidence')!.setAttribute('aria-pressed', String(this.#confidence));
    this.#summary.textContent = w.table;
    for (const { canvas } of this.#charts) canvas.setAttribute('aria-description', w.keys);
    this.#tell();
  }

  get #words() {
    return inLanguage(playerWords, this.#given.host.strings).chart;
  }

  get #whole(): View {
    return this.#charts[0]?.whole ?? [0, 1];
  }

  #use(chart: Chart): void {
    const { canvas } = chart;
    canvas.setAttribute('role', 'slider');
    chart.extra = (context) => {
      if (this.#confidence) drawConfidence(context, chart);
      if (this.#cursor === null) return;
      const entry = nearest(chart, this.#cursor);
      if (entry >= 0) drawCursor(context, chart, entry, this.#figures(sampleOf([chart], entry), [chart]));
    };
    const onKey = (event: KeyboardEvent) => this.#onKey(event);
    canvas.addEventListener('keydown', onKey);
    this.#stop.push(
      () => canvas.removeEventListener('keydown', onKey),
      followPointers(canvas, {
        point: (x) => this.#point(x === null ? null : this.#secondsAt(chart, x)),
        click: (x) => this.#go(this.#secondsAt(chart, x)),
        drag: (by) => this.#move(this.#secondsAt(chart, 0) - this.#secondsAt(chart, by)),
        zoom: (share, x) => this.#zoom(share, this.#secondsAt(chart, x)),
      }),
    );
  }

  #secondsAt({ time, ratio }: Chart, x: number): number {
    return time.min + ((x * ratio - time.start) / (time.end - time.start)) * (time.max - time.min);
  }

  #point(seconds: number | null): void {
    this.#cursor = seconds;
    this.#later();
  }

  #show(view: View | null): void {
    for (const chart of this.#charts) chart.view = view;
    this.#later();
  }

  #zoom(share: number, at = this.#cursor ?? NaN): void {
    const shown = this.#charts[0]?.shown;
    if (!shown) return;
    const inside = at >= shown[0] && at <= shown[1];
    this.#show(zoomed(shown, share, inside ? at : (shown[0] + shown[1]) / 2, this.#whole));
  }

  #move(by: number): void {
    const shown = this.#charts[0]?.shown;
    if (shown) this.#show(moved(shown, by, this.#whole));
  }

  /** Seeks the recording to the sample at this time. */
  #go(seconds: number): void {
    const sample = this.#sample(seconds);
    this.#point(seconds);
    if (sample && this.#given.player.video && Number.isFinite(sample.mediaTime))
      this.#given.seek(sample.mediaTime + 0.5);
  }

  #sample(seconds: number | null): Sample | null {
    const [first] = this.#charts;
    const entry = first && seconds !== null ? nearest(first, seconds) : -1;
    return entry < 0 ? null : sampleOf(this.#charts, entry);
  }

  #onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [from, to] = this.#charts[0]?.shown ?? [0, 1];
    const step = event.shiftKey ? 10 : 1;
    const acts: Record<string, () => void> = {
      ArrowLeft: () => this.#step(-step),
      ArrowRight: () => this.#step(step),
      Home: () => this.#cursorTo(this.#whole[0]),
      End: () => this.#cursorTo(this.#whole[1]),
      PageUp: () => this.#move((from - to) / 2),
      PageDown: () => this.#move((to - from) / 2),
      '+': () => this.#zoom(closer),
      '-': () => this.#zoom(1 / closer),
      '0': () => this.#show(this.#whole),
      Enter: () => this.#cursor !== null && this.#go(this.#cursor),
      c: () => this.copy(false),
      C: () => this.copy(true),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation(); // the arrow keys also step through frames
    act();
  }

  #step(by: number): void {
    const [first] = this.#charts;
    if (!first) return;
    const { series } = first;
    const now = nearest(first, this.#cursor ?? first.shown[1]);
    if (now < 0) return;
    const entry = Math.max(series.begin, Math.min(series.end - 1, now + (this.#cursor === null ? 0 : by)));
    this.#cursorTo(series.time(entry));
  }

  /** Moves the cursor by keyboard and keeps it visible. */
  #cursorTo(seconds: number): void {
    this.#point(seconds);
    const [from, to] = this.#charts[0]!.shown;
    if (seconds < from) this.#move(seconds - from);
    else if (seconds > to) this.#move(seconds - to);
  }

  #toggleConfidence(): void {
    this.#confidence = !this.#confidence;
    this.#buttons.get('confidence')!.setAttribute('aria-pressed', String(this.#confidence));
    this.#later();
  }

  /** Copies the sample under the cursor. `all`: every visible sample. */
  copy(all: boolean): void {
    const one = all ? null : this.#sample(this.#cursor);
    const samples = one ? [one] : samplesShown(this.#charts);
    const { announce } = this.#given;
    navigator.clipboard.writeText(tabbed(samples, this.#charts)).then(
      () => announce(this.#words.copied(samples.length)),
      (error: unknown) => announce(String(error)), // the page may not write to the clipboard
    );
  }

  /** Saves the charts as shown, alone or below the image. */
  async save(both: boolean): Promise<void> {
    const picture = both ? document.createElement('canvas') : null;
    if (picture) this.#given.paintOn(picture);
    const png = await chartPicture(this.#charts, picture);
    if (png) this.#given.save(png, both ? 'picture-chart' : 'chart');
  }

  /** Returns text such as `1.24 s · 4.21 mm · confidence 98 %`. */
  #figures({ seconds, values, confidences, events, marks }: Sample, charts: readonly Chart[]): string[] {
    const { number } = this.#given.host.strings;
    const w = this.#words;
    const figures = curvesOf(charts).map(({ chart, name }, i) => {
      const value = values[i]!;
      const figure = `${number(value, chart.unit === 'mm' ? 2 : 1)} ${chart.unit}`;
      if (name) return `${name} ${Number.isNaN(value) ? '–' : figure}`;
      return Number.isNaN(value) ? w.nothing : `${figure} · ${w.sure(number(100 * confidences[i]!))}`;
    });
    return [w.at(number(seconds, 3)), ...figures, ...this.#named(events), ...marks];
  }

  /** Names of the events at a sample, without duplicates. */
  #named(events: Sample['events']): string[] {
    const kinds = new Set(events.filter((event) => event !== null));
    return Array.from(kinds, (kind) => this.#words.events[kind]);
  }

  #later(): void {
    this.#request ||= requestAnimationFrame(() => {
      this.#request = 0;
      for (const chart of this.#charts) chart.redraw();
      this.#tell();
      this.#fillTable();
    });
  }

  #tell(): void {
    const [begin, end] = this.#whole;
    const sample = this.#sample(this.#cursor ?? this.#charts[0]?.shown[1] ?? null);
    for (const chart of this.#charts) {
      const { canvas } = chart;
      const told = chart.names.length ? this.#charts : [chart]; // one tab stop
      const own = sample && sampleOf(told, nearest(chart, sample.seconds));
      canvas.setAttribute('aria-valuemin', begin.toFixed(3));
      canvas.setAttribute('aria-valuemax', end.toFixed(3));
      canvas.setAttribute('aria-valuenow', (sample?.seconds ?? begin).toFixed(3));
      canvas.setAttribute('aria-valuetext', own ? this.#figures(own, told).join(', ') : '–');
    }
  }

  #fillTable(): void {
    if (!this.#table.open) return;
    const { strings } = this.#given.host;
    const { number } = strings;
    const w = this.#words;
    const sure = sureCharts(this.#charts);
    const of = (what: string, { name }: Chart) => (sure.length > 1 ? `${what}, ${name}` : what);
    const head = make(
      'tr',
      '',
      make('th', '', w.time),
      ...curvesOf(this.#charts).map(({ chart, name }) =>
        make('th', '', name ? `${name}, ${chart.unit}` : of(`${strings.diameter}, ${chart.unit}`, chart)),
      ),
      ...sure.map((chart) => make('th', '', of(`${w.confidence}, %`, chart))),
    );
    head.append(make('th', '', w.event));
    for (const cell of head.children) cell.setAttribute('scope', 'col');
    const text = (value: number, digits: number) => (Number.isFinite(value) ? number(value, digits) : '–');
    const rows = samplesShown(this.#charts, mostTableRows).map(({ seconds, values, confidences, events, marks }) =>
      make(
        'tr',
        '',
        make('td', '', number(seconds, 3)),
        ...values.map((value) => make('td', '', text(value, 2))),
        ...confidences.map((confidence) => make('td', '', text(100 * confidence, 0))),
        make('td', '', [...this.#named(events), ...marks].join(', ')),
      ),
    );
    const table = make('table', '', make('thead', '', head), make('tbody', '', ...rows));
    this.#rows.setAttribute('aria-label', w.table);
    this.#rows.replaceChildren(table);
  }
}
