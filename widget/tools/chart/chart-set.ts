/** The charts of an element: their samples, places and tools. Loaded after the first result. */
import type { FrameTiming } from '../../../src/index.ts';
import type { PropertyValues } from 'lit';
import type { AnalysisResult } from '../analysis.ts';
import type { ElementParts } from '../../base/element-parts.ts';
import type { Part } from '../../base/host.ts';
import type { AnyResult } from '../../base/kind.ts';
import type { saveFile } from '../../base/page.ts';
import type { ChartModel, Samples } from './model.ts';
import type { ChartTools } from '../player/chart-tools.ts';
import { Chart, chartStyle } from './chart.ts';

export interface ChartSetGiven<R extends AnyResult> {
  readonly parts: ElementParts<R>;
  readonly model: ChartModel<R>;
  /** The places of the charts. */
  readonly place: { readonly shown: boolean };
  readonly saveFile: typeof saveFile;
  loadTools(): Promise<typeof ChartTools>;
}

export class ChartSet<R extends AnyResult> implements Part<R> {
  readonly #given: ChartSetGiven<R>;
  /** One per box. Empty while the element does not show them. */
  all: Chart[] = [];
  /** News until then. */
  #missed: (() => void)[] = [];
  #tools: ChartTools | null = null;
  #loading: Promise<ChartTools> | null = null;

  constructor(given: ChartSetGiven<R>) {
    this.#given = given;
    given.parts.host.add(this);
  }

  present(result: R, timing: FrameTiming): void {
    const { parts, model } = this.#given;
    this.recalled(result);
    const samples = model.samples(result);
    if (parts.shown.analysed && this.all[0]?.series.end) return; // it has every frame
    this.#draw(() => {
      this.push(samples, timing);
      for (const event of parts.host.kind.eventsOf?.(result) ?? []) this.all[event.pupil]?.settle(event);
    });
  }

  /** Adds the samples of a frame. */
  push(samples: Samples, { timestamp, mediaTime }: Pick<FrameTiming, 'timestamp' | 'mediaTime'>): void {
    samples.forEach(([values, confidence], i) => this.all[i]?.push(timestamp, values, confidence, mediaTime));
  }

  /** `fill` adds samples in place of all. View and markers stay. */
  refill(fill: () => void): void {
    const before = this.all.map(({ view, marks }) => ({ view, marks }));
    for (const chart of this.all) chart.clear();
    fill();
    this.all.forEach((chart, i) => {
      chart.showAll();
      Object.assign(chart, before[i]);
    });
  }

  recalled({ timestamp }: { readonly timestamp: number }): void {
    for (const chart of this.all) chart.position = timestamp / 1000;
  }

  forget(): void {
    this.#missed = [];
    for (const chart of this.all) chart.clear();
  }

  analysis(step: 'begins' | AnalysisResult): void {
    if (step === 'begins') this.forget();
  }

  analysisEnded(): void {
    this.#draw(() => this.all.forEach((chart) => chart.showAll()));
  }

  marked(label: string, timestamp: number): void {
    this.#draw(() => this.all.forEach((chart) => chart.mark(timestamp, label)));
  }

  unmarked(label: string, timestamp: number): void {
    this.#draw(() => this.all.forEach((chart) => chart.unmark(timestamp, label)));
  }

  updated(changed: PropertyValues): void {
    const { host, player } = this.#given.parts;
    const { element, pageTime, strings } = host;
    const boxes = [...(element.shadowRoot?.querySelectorAll<HTMLElement>('.chart') ?? [])];
    const models = this.#given.model.boxes();
    const kept =
      element.isConnected && this.all.length === boxes.length && !changed.has('millimetresPerPixel') && !this.#moved;
    if (!kept) {
      this.left();
      const measure = (work: () => void) => pageTime.measure('chart', work);
      host.addStyle(chartStyle);
      if (element.isConnected)
        this.all = boxes.map((box, i) => {
          const { lines, unit } = models[i]!;
          return new Chart(box, lines?.length ?? 1, unit, measure, lines ? 0 : i);
        });
      this.#tools?.attach(this.all);
    }
    if (this.all.length) for (const work of this.#missed.splice(0)) work();
    this.#tools?.updated();
    this.all.forEach((chart, i) => {
      const { eye = 'unknown', name = '', lines = [], lost = lines.length ? strings.states.lost : null } = models[i]!;
      chart.strings = strings;
      chart.length = element.controls && player.video ? player.duration : NaN;
      chart.canvas.tabIndex = lines.length && i ? -1 : 0; // curves of one object have one cursor
      Object.assign(chart, { eye, name, names: lines, lost });
    });
  }

  /** The element was rendered again, without the boxes of the charts. */
  get #moved(): boolean {
    return this.all.some(({ canvas }) => !canvas.isConnected);
  }

  left(): void {
    this.#tools?.attach([]);
    for (const chart of this.all) chart.close();
    this.all = [];
  }

  get usable(): boolean {
    return this.#given.place.shown && this.all.length > 0;
  }

  run(work: (tools: ChartTools) => unknown): void {
    this.#given.parts.actions.attempt('The chart', async () => work(await this.tools()));
  }

  /** Loads the chart tools (cursor and so on). */
  tools(): Promise<ChartTools> {
    const { parts, loadTools, saveFile: save } = this.#given;
    const { host, player } = parts;
    const seek = (mediaTime: number) => void player.seek(mediaTime).catch(() => {}); // the recording may have been closed
    this.#loading ??= loadTools().then((Tools) => {
      this.#tools = new Tools({
        ...{ host, player, seek },
        announce: (text) => parts.state.announce(text),
        paintOn: (canvas) => parts.picture.paintOn(canvas),
        save: (png, what) => save(host, png, 'png', undefined, what),
      });
      this.#tools.attach(this.all);
      host.element.requestUpdate(); // its buttons are one tab stop
      return this.#tools;
    });
    this.#loading.catch(() => (this.#loading = null));
    return this.#loading;
  }

  /** At once, or when the charts exist. */
  #draw(work: () => void): void {
    if (this.all.length) work();
    else this.#missed.push(work);
  }
}
