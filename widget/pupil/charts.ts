/** The diameter over time: one chart per eye, below the image. The code that draws loads after the first result. */
import { asFoveolaError, type Laterality, type FrameTiming, type PupilResult } from '../../src/index.ts';
import { eyeOf, loadPart } from '../../src/internal.ts';
import type { Settings } from '../base/kind.ts';
import type { Strings } from '../strings/index.ts';
import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { AnalysisResult } from '../tools/analysis.ts';
import { saveFile } from '../base/page.ts';
import type { ElementParts } from '../base/element-parts.ts';
import type { Feed } from '../base/feed.ts';
import type { ChartTools } from '../tools/player/chart-tools.ts';
import { loadPlayer } from '../tools/player-controller.ts';
import type * as Drawing from './chart.ts';

/** Styles of the charts, and of the line with warnings above them. */
export const pupilStyle = css`
  /* Three figures, and a line of details. */
  .readout {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    gap: 4px 18px;
  }
  .readout div {
    flex: 0 0 calc((100% - 36px) / 3);
    min-width: min-content;
  }
  .readout div:nth-child(n + 4) {
    display: flex;
    flex: 0 1 auto;
    gap: 6px;
    min-width: 0;
  }
  .readout div:nth-child(n + 4) dd {
    font-size: 12px;
  }
  .timeline .scrub {
    margin: 0 14px 0 36px; /* over the axis of the chart */
  }
  .hint.unsure {
    height: 24px; /* with and without a text, so that the chart stays in its place */
    padding-bottom: 0;
    overflow: hidden;
  }
  .chart {
    position: relative;
    min-height: 132px;
    padding: 0 12px 0 6px;
    margin: 6px 0;
    overflow: hidden;
    direction: ltr; /* time runs to the right, as on any chart */
  }
  .chart .side {
    display: block;
    padding-left: 46px;
    color: var(--_muted);
    font-size: 12px;
  }
  .chart canvas {
    display: block;
    width: 100%;
    height: 132px;
  }
  @container (max-width: 620px) {
    .hint.unsure {
      height: 40px;
    }
  }
`;

// Which eyes a `<foveola-pupil>` shows, and their names.

/** Eye of each pupil with these settings. */
function eyesOf({ eyes, view, eye }: Settings): Laterality[] {
  const count = eyes === 2 ? 2 : 1;
  const how = { eyes: count, view: view as 'unknown', eye: eye as Laterality };
  return Array.from({ length: count }, (_, index) => eyeOf(index, how));
}

/**
 * Name of an eye: the person's left or right. If that is not known, the name is its half of the image on the screen.
 * `mirror` only swaps these halves on the screen.
 */
const eyeName = (s: Strings, eye: Laterality, index: number, mirror: boolean): string =>
  eye === 'unknown' ? s.halves[mirror ? 1 - index : index]! : s.eyes[eye];

/** Shared by all elements. Null until the file has loaded. */
let drawing: typeof Drawing | null = null;

const loadDrawing = () =>
  loadPart<typeof Drawing>('chart.js', () => import('./chart.ts'), 'The chart', 'go on without it');

export class ChartsController {
  readonly #parts: ElementParts<PupilResult>;
  readonly #own: { readonly millimetresPerPixel: number | null };
  /** One chart per eye. */
  #charts: Drawing.Chart[] = [];
  /** News for the charts while the code that draws them is loading. Null: it could not be loaded. */
  #missed: (() => void)[] | null = [];
  #opening = false;
  #shown = true;
  #tools: ChartTools | null = null;
  #loading: Promise<ChartTools> | null = null;

  constructor(parts: ElementParts<PupilResult>, own: { readonly millimetresPerPixel: number | null }) {
    this.#parts = parts;
    this.#own = own;
    parts.host.add(this);
  }

  get all(): readonly Drawing.Chart[] {
    return this.#charts;
  }

  get unit(): 'px' | 'mm' {
    return this.#own.millimetresPerPixel === null ? 'px' : 'mm';
  }

  /** A still has no chart over time. */
  begin({ kind }: Feed): void {
    this.#missed ??= [];
    this.#shown = kind !== 'image' && kind !== 'canvas';
  }

  present(result: PupilResult, { timestamp, mediaTime }: FrameTiming): void {
    const { pupils, events } = result;
    const millimetres = this.unit === 'mm';
    this.recalled(result);
    if (this.#parts.shown.analysed && this.#charts[0]?.series.end) return; // it has every frame
    this.#draw(() => {
      pupils.forEach(({ found, diameter, diameterMm, confidence }, eye) => {
        const value = found ? (millimetres ? (diameterMm ?? NaN) : diameter) : NaN;
        this.#charts[eye]?.push(timestamp, [value], confidence, mediaTime);
      });
      for (const event of events) this.#charts[event.pupil]?.settle(event);
    });
  }

  recalled({ timestamp }: { readonly timestamp: number }): void {
    for (const chart of this.#charts) chart.position = timestamp / 1000;
  }

  published(): void {
    if (this.#shown) this.#open();
  }

  forget(): void {
    this.#missed &&= [];
    for (const chart of this.#charts) chart.clear();
  }

  /** At once, or when the charts exist. */
  #draw(work: () => void): void {
    if (drawing && this.#charts.length) work();
    else if (this.#shown) this.#missed?.push(work);
  }

  #open(): void {
    if (drawing || this.#opening || !this.#missed) return;
    this.#opening = true;
    loadDrawing()
      .then((module) => (drawing = module))
      .catch((error: unknown) => {
        this.#missed = null; // until another source is opened
        this.#parts.state.setShortfall(asFoveolaError(error, 'The chart'));
      })
      .finally(() => {
        this.#opening = false;
        this.#parts.host.element.requestUpdate();
      });
  }

  analysis(step: 'begins' | AnalysisResult): void {
    if (step === 'begins') this.forget();
  }

  analysisEnded(): void {
    this.#draw(() => this.#charts.forEach((chart) => chart.showAll()));
  }

  marked(label: string, timestamp: number): void {
    this.#draw(() => this.#charts.forEach((chart) => chart.mark(timestamp, label)));
  }

  unmarked(label: string, timestamp: number): void {
    this.#draw(() => this.#charts.forEach((chart) => chart.unmark(timestamp, label)));
  }

  updated(changed: PropertyValues): void {
    const { host, player } = this.#parts;
    const { element, pageTime, shown, strings } = host;
    if (shown.phase === 'idle') this.#open(); // empty axes
    const boxes = [...(element.shadowRoot?.querySelectorAll<HTMLElement>('.chart') ?? [])];
    const kept = this.#charts.length === boxes.length && element.isConnected && !changed.has('millimetresPerPixel');
    if (!kept) {
      this.left();
      const measure = (work: () => void) => pageTime.measure('chart', work);
      if (drawing) host.addStyle(drawing.chartStyle);
      if (element.isConnected && drawing)
        this.#charts = boxes.map((box, eye) => new drawing!.Chart(box, 1, this.unit, measure, eye));
      this.#tools?.attach(this.#charts);
    }
    if (this.#charts.length && this.#missed) for (const work of this.#missed.splice(0)) work();
    this.#tools?.updated();
    const eyes = eyesOf(this.#parts.settings.all);
    this.#charts.forEach((chart, i) => {
      chart.strings = strings;
      chart.length = element.controls && player.video ? player.duration : NaN;
      chart.eye = eyes[i] ?? 'unknown';
      chart.name = this.#names[i] ?? '';
    });
  }

  left(): void {
    this.#tools?.attach([]);
    for (const chart of this.#charts) chart.close();
    this.#charts = [];
  }

  /** Pointing at a chart or focusing it loads the chart tools (cursor and so on). */
  readonly #use = () => void this.#load().catch(() => {}); // the chart works without the tools

  #load(): Promise<ChartTools> {
    const { host, player } = this.#parts;
    const seek = (mediaTime: number) => void player.seek(mediaTime).catch(() => {}); // the recording may have been closed
    this.#loading ??= loadPlayer().then(({ ChartTools }) => {
      this.#tools = new ChartTools({
        ...{ host, player, seek },
        announce: (text) => this.#parts.state.announce(text),
        paintOn: (canvas) => this.#parts.picture.paintOn(canvas),
        save: (png, what) => saveFile(host, png, 'png', undefined, what),
      });
      this.#tools.attach(this.#charts);
      host.element.requestUpdate(); // its buttons are one tab stop
      return this.#tools;
    });
    this.#loading.catch(() => (this.#loading = null));
    return this.#loading;
  }

  get usable(): boolean {
    return this.#shown && this.#charts.length > 0;
  }

  run(work: (tools: ChartTools) => unknown): void {
    this.#parts.actions.attempt('The chart', async () => work(await this.#load()));
  }

  render(): TemplateResult | TemplateResult[] {
    const { strings: s, settings } = this.#parts;
    const chart = (label: string, name = '') =>
      html`<div
        class="chart"
        part="chart"
        role="group"
        aria-label=${label}
        ?hidden=${!this.#shown}
        @pointerenter=${this.#use}
        @focusin=${this.#use}
      >
        ${name ? html`<span class="side">${name}</span>` : nothing}
      </div>`;
    const names = this.#names;
    return settings.given.eyes === 2
      ? names.map((name) => chart(`${s.chart}, ${name}`, name))
      : chart(s.chart, names[0]);
  }

  /** Names of the eyes. For one eye, empty if it is not known which eye it is. */
  get #names(): string[] {
    const { strings, settings, host } = this.#parts;
    const eyes = eyesOf(settings.all);
    if (eyes.length < 2 && eyes[0] === 'unknown') return [''];
    return eyes.map((eye, i) => eyeName(strings, eye, i, host.element.mirror));
  }
}
