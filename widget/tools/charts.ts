/** Charts over time below the image: their places, and news for them until the code that draws has loaded. */
import { asFoveolaError } from '../../src/index.ts';
import { loadPart } from '../../src/internal.ts';
import { css, html, nothing, type TemplateResult } from 'lit';
import type { ElementParts } from '../base/element-parts.ts';
import type { Part } from '../base/host.ts';
import type { AnyResult, Hooks } from '../base/kind.ts';
import { saveFile } from '../base/page.ts';
import type { Chart } from './chart/chart.ts';
import type { ChartModel } from './chart/model.ts';
import type * as Module from './chart/chart-set.ts';
import { loadPlayer } from './player-controller.ts';

export const chartBoxStyle = css`
  .timeline .scrub {
    margin: 0 14px 0 36px; /* over the axis of the chart */
  }
  .chart {
    position: relative;
    min-height: 132px;
    padding: 0 12px 0 6px;
    margin: 6px 0;
    overflow: hidden;
    direction: ltr; /* time runs to the right, as on any chart */
  }
  .chart .side,
  .chart .curves {
    display: block;
    margin: 0;
    padding-left: 46px;
    color: var(--_muted);
    font-size: 12px;
  }
  .chart .curves span {
    display: inline-block;
    margin-inline-start: 14px;
  }
  .hint.unsure {
    height: 24px; /* with and without a text, so that the charts stay in their place */
    padding-bottom: 0;
    overflow: hidden;
    unicode-bidi: plaintext; /* warnings are in English */
  }
  @container (max-width: 620px) {
    .hint.unsure {
      height: 40px;
    }
  }
  .chart canvas {
    display: block;
    width: 100%;
    height: 132px;
    outline-offset: -2px;
  }
`;

/** Messages that wait until the charts have loaded. Afterwards the element sends them directly. */
const awaited = ['present', 'analysis', 'analysisEnded', 'marked', 'unmarked'] as const;

export class ChartsController<R extends AnyResult> implements Part<R> {
  readonly #parts: ElementParts<R>;
  readonly #model: ChartModel<R>;
  /** Null until it has loaded. */
  set: Module.ChartSet<R> | null = null;
  /** News for it. Null: it could not be loaded. */
  #missed: ((set: Module.ChartSet<R>) => void)[] | null = [];
  #opening = false;

  constructor(parts: ElementParts<R>, model: ChartModel<R>) {
    this.#parts = parts;
    this.#model = model;
    parts.charts = this;
    for (const name of awaited)
      (this as Hooks<R>)[name] = (...news: unknown[]) => {
        if (!this.set && this.shown) this.#missed?.push((set) => (set[name] as (...news: unknown[]) => void)(...news));
      };
    parts.host.add(this);
  }

  get all(): readonly Chart[] {
    return this.set?.all ?? [];
  }

  /** A still has no chart over time. */
  get shown(): boolean {
    return !/^(image|canvas)$/.test(this.#parts.feed?.kind ?? '');
  }

  begin(): void {
    this.#missed ??= [];
  }

  published(): void {
    if (this.shown) this.#open();
  }

  forget(): void {
    this.#missed &&= [];
  }

  updated(): void {
    if (this.#parts.shown.phase === 'idle') this.#open(); // empty axes
  }

  left(): void {}

  #open(): void {
    const { host, state } = this.#parts;
    if (this.set || this.#opening || !this.#missed) return;
    this.#opening = true;
    loadPart<typeof Module>('chart.js', () => import('./chart/chart-set.ts'), 'The chart', 'go on without it')
      .then(({ ChartSet }) => {
        const loadTools = async () => (await loadPlayer()).ChartTools;
        const set = new ChartSet({ parts: this.#parts, model: this.#model, place: this, saveFile, loadTools });
        this.#missed?.forEach((news) => news(set));
        this.#missed = [];
        this.set = set;
      })
      .catch((error: unknown) => {
        this.#missed = null; // until another source is opened
        state.setShortfall(asFoveolaError(error, 'The chart'));
      })
      .finally(() => {
        this.#opening = false;
        host.element.requestUpdate();
      });
  }

  /** Pointing at a chart or focusing it loads the chart tools. */
  readonly #use = () => void this.set?.tools().catch(() => {}); // the chart works without the tools

  render(): TemplateResult[] {
    return this.#model
      .boxes()
      .map(
        ({ label, name, lines }) =>
          html`<div
            class="chart"
            part="chart"
            role="group"
            aria-label=${label}
            ?hidden=${!this.shown}
            @pointerenter=${this.#use}
            @focusin=${this.#use}
          >
            ${name ? html`<span class="side">${name}</span>` : nothing}
            ${lines ? html`<p class="curves">${label}${lines.length > 1 ? lines.map((line) => html`<span>${line}</span>`) : nothing}</p>` : nothing}
          </div>`,
      );
  }
}
