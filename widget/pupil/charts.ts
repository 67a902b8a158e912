/** The diameter over time: a chart for each eye, below the picture. */
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { FrameTiming, PupilResult } from '../../src/index.ts';
import type { AnalysisResult } from '../parts/analysis.ts';
import { saveFile } from '../parts/download.ts';
import type { ElementParts } from '../parts/element-parts.ts';
import type { Feed } from '../parts/feed.ts';
import type { ChartTools } from '../player/chart-tools.ts';
import { loadPlayer } from '../player/load.ts';
import { Chart } from './chart.ts';
import { eyeName, eyesOf } from './eyes.ts';

export class ChartsController {
  readonly #parts: ElementParts<PupilResult>;
  readonly #own: { readonly millimetresPerPixel: number | null };
  /** One an eye. */
  #charts: Chart[] = [];
  #shown = true;
  #tools: ChartTools | null = null;
  #loading: Promise<void> | null = null;

  constructor(parts: ElementParts<PupilResult>, own: { readonly millimetresPerPixel: number | null }) {
    this.#parts = parts;
    this.#own = own;
    parts.host.add(this);
  }

  get unit(): 'px' | 'mm' {
    return this.#own.millimetresPerPixel === null ? 'px' : 'mm';
  }

  /** A still has no course over time. */
  begin({ kind }: Feed): void {
    this.#shown = kind !== 'image' && kind !== 'canvas';
  }

  present({ pupils, events }: PupilResult, { timestamp, mediaTime }: FrameTiming): void {
    const millimetres = this.unit === 'mm';
    pupils.forEach(({ found, diameter, diameterMm, confidence }, eye) => {
      const value = found ? (millimetres ? (diameterMm ?? NaN) : diameter) : NaN;
      this.#charts[eye]?.push(timestamp, [value], confidence, mediaTime);
    });
    for (const event of events) this.#charts[event.pupil]?.settle(event);
  }

  forget(): void {
    for (const chart of this.#charts) chart.clear();
  }

  analysis(step: 'begins' | AnalysisResult): void {
    if (step === 'begins') this.forget();
  }

  analysisEnded(): void {
    for (const chart of this.#charts) chart.showAll();
  }

  marked(label: string, timestamp: number): void {
    for (const chart of this.#charts) chart.mark(timestamp, label);
  }

  unmarked(label: string, timestamp: number): void {
    for (const chart of this.#charts) chart.unmark(timestamp, label);
  }

  updated(changed: PropertyValues): void {
    const { element, pageTime, strings } = this.#parts.host;
    const boxes = [...(element.shadowRoot?.querySelectorAll<HTMLElement>('.chart') ?? [])];
    const kept = this.#charts.length === boxes.length && element.isConnected && !changed.has('millimetresPerPixel');
    if (!kept) {
      this.left();
      const measure = (work: () => void) => pageTime.measure('chart', work);
      if (element.isConnected) this.#charts = boxes.map((box, eye) => new Chart(box, 1, this.unit, measure, eye));
      this.#tools?.attach(this.#charts);
    }
    this.#tools?.updated();
    const eyes = eyesOf(this.#parts.settings.all);
    this.#charts.forEach((chart, i) => {
      chart.number = strings.number;
      chart.eye = eyes[i] ?? 'unknown';
      chart.name = this.#names[i] ?? '';
    });
  }

  left(): void {
    this.#tools?.attach([]);
    for (const chart of this.#charts) chart.close();
    this.#charts = [];
  }

  /** Whoever points at a chart or goes to it by key gets its cursor and the like, which are loaded then. */
  readonly #use = () => {
    const { host, player } = this.#parts;
    const seek = (mediaTime: number) => void player.seek(mediaTime).catch(() => {}); // none is open any more
    this.#loading ??= loadPlayer().then(({ ChartTools }) => {
      this.#tools = new ChartTools({
        ...{ host, player, seek },
        announce: (text) => this.#parts.state.announce(text),
        paintOn: (canvas) => this.#parts.picture.paintOn(canvas),
        save: (png, what) => saveFile(host, png, 'png', undefined, what),
      });
      this.#tools.attach(this.#charts);
    });
    this.#loading.catch(() => (this.#loading = null)); // the chart is as it was
  };

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

  /** Of the eyes; of one eye nothing where it is not known whose it is. */
  get #names(): string[] {
    const { strings, settings, host } = this.#parts;
    const eyes = eyesOf(settings.all);
    if (eyes.length < 2 && eyes[0] === 'unknown') return [''];
    return eyes.map((eye, i) => eyeName(strings, eye, i, host.element.mirror));
  }
}
