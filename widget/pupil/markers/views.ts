/** The panel for markers: its template, its chart of the mean, and its style. */
import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Strings } from '../../strings/index.ts';
import { meanOf, ticksOf } from '../../tools/curves.ts';
import { baselines, type Interval, type PupilEpochs } from './averages.ts';
import type { MarkerWords } from './words.ts';

export const markerStyle = `
  .markers { display: grid; gap: 8px; padding: 8px 14px 12px; border-block: 1px solid var(--_border); }
  .markers header, .markers .row { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 10px; }
  .markers header strong { font-weight: 650; }
  .markers header span { color: var(--_muted); font-size: 13px; }
  .markers .row > button { border-color: var(--_border); font-size: 14px; padding-inline: 10px; }
  .markers .row .close { margin-inline-start: auto; border-color: transparent; }
  .markers label { display: inline-flex; align-items: center; gap: 6px; color: var(--_muted); font-size: 13px; }
  .markers p { margin: 0; color: var(--_muted); font-size: 12.5px; line-height: 1.4; }
  .markers .problem { color: var(--_danger); overflow-wrap: anywhere; }
  .markers svg { display: block; width: 100%; max-width: 560px; height: auto; direction: ltr; }
  .markers svg text { fill: var(--_muted); font-size: 11px; }
  .markers .grid { stroke: var(--_grid); fill: none; }
  .markers .zero { stroke: var(--_mark); stroke-width: 1.5; }
  .markers .mean { fill: none; stroke: var(--_line); stroke-width: 2; }
  .markers .band { fill: var(--_line); fill-opacity: 0.2; }
  .markers .second .mean { stroke: var(--_line-second); }
  .markers .second .band { fill: var(--_line-second); }
  @media (forced-colors: active) { .markers svg { forced-color-adjust: none; } }
`;

const size = { width: 440, height: 190, left: 46, right: 10, top: 10, bottom: 36 };

const place = (value: number) => String(Number(value.toFixed(1)));

/** Pieces of a curve without gaps, as indices. */
function piecesOf(mean: Float64Array): number[][] {
  const pieces: number[][] = [];
  mean.forEach((value, i) => {
    if (!Number.isFinite(value)) return;
    const last = pieces.at(-1);
    if (last?.at(-1) === i - 1) last.push(i);
    else pieces.push([i]);
  });
  return pieces;
}

/** The mean of each pupil with its standard error. Null if no epoch was accepted. */
export function meanChart(
  w: MarkerWords,
  { number }: Pick<Strings, 'number'>,
  all: readonly PupilEpochs[],
  unit: string,
): TemplateResult | null {
  const error = ({ cut }: PupilEpochs, i: number) => cut.standardError[i] || 0;
  const means = all.map(({ cut }) => meanOf(cut));
  const values = all.flatMap((one, k) =>
    Array.from(means[k]!, (mean, i) => [mean - error(one, i), mean + error(one, i)]).flat(),
  );
  const finite = values.filter(Number.isFinite);
  if (!finite.length) return null;
  const [low, high] = [Math.min(...finite), Math.max(...finite)];
  const margin = (high - low) * 0.08 || 1;
  const { width, height, left, right, top, bottom } = size;
  const { time } = all[0]!.cut;
  const [from, to] = [time[0]!, time.at(-1)!];
  const x = (at: number) => left + ((at - from) / (to - from)) * (width - left - right);
  const y = (value: number) => top + ((high + margin - value) / (high - low + 2 * margin)) * (height - top - bottom);
  const plain = (value: number) => number(value, Math.min(3, (String(value).split('.')[1] ?? '').length));
  const line = (points: readonly (readonly [number, number])[]) =>
    points.map(([at, value], i) => `${i ? 'L' : 'M'}${place(x(at))} ${place(y(value))}`).join('');
  const curve = (one: PupilEpochs, k: number) => {
    const mean = means[k]!;
    const edge = (sign: number) => (i: number) => [time[i]!, mean[i]! + sign * error(one, i)] as const;
    return svg`<g class=${one.pupil ? 'second' : ''}>${piecesOf(mean).map(
      (
        piece,
      ) => svg`<path class="band" d=${`${line([...piece.map(edge(1)), ...[...piece].reverse().map(edge(-1))])}Z`}></path>
        <path class="mean" d=${line(piece.map(edge(0)))}></path>`,
    )}</g>`;
  };
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label=${w.chart(unit)}>
    ${svg`${ticksOf(low - margin, high + margin, 4).map(
      (tick) => svg`<path class="grid" d=${`M${left} ${place(y(tick))}H${width - right}`}></path>
        <text x=${left - 6} y=${place(y(tick) + 3.5)} text-anchor="end">${plain(tick)}</text>`,
    )}${ticksOf(from / 1000, to / 1000, 7).map(
      (tick) =>
        svg`<text x=${place(x(1000 * tick))} y=${height - bottom + 14} text-anchor="middle">${plain(tick)}</text>`,
    )}
    <path class="zero" d=${`M${place(x(0))} ${top}V${height - bottom}`}></path>
    ${all.map(curve)}
    <text x=${(left + width - right) / 2} y=${height - 5} text-anchor="middle">${w.time}</text>
    <text x=${left - 6} y=${height - 5} text-anchor="end">${unit}</text>`}
  </svg>`;
}

export interface MarkerModel {
  readonly words: MarkerWords;
  readonly strings: Strings;
  readonly count: number;
  /** Labels with their numbers, and the chosen one. Null: all. */
  readonly labels: readonly (readonly [label: string, count: number])[];
  readonly label: string | null;
  readonly interval: Interval;
  readonly epochs: readonly PupilEpochs[];
  readonly unit: string;
  readonly problem: string | null;
  /** The displayed frame is known, so that it can be marked. */
  readonly markable: boolean;
}

export interface MarkerActions {
  file(file: File): void;
  mark(): void;
  clear(): void;
  save(): void;
  close(): void;
  label(label: string | null): void;
  interval(change: Partial<Interval>): void;
}

/** Choices of the interval, in milliseconds. */
const choices = {
  before: [0, 200, 500, 1000, 2000, 5000],
  after: [1000, 2000, 3000, 5000, 10_000, 30_000],
  length: [100, 200, 500, 1000],
} as const;

const valueOf = (event: Event) => (event.target as HTMLSelectElement).value;

function fields(model: MarkerModel, act: MarkerActions): TemplateResult {
  const { words: w, strings: s, labels, label, interval } = model;
  const span = (name: keyof typeof choices) =>
    html`<label
      >${w[name]}
      <select @change=${(event: Event) => act.interval({ [name]: Number(valueOf(event)) })}>
        ${choices[name].map(
          (ms) =>
            html`<option value=${ms} .selected=${ms === interval[name]}>
              ${w.seconds(s.number(ms / 1000, ms % 1000 ? 1 : 0))}
            </option>`,
        )}
      </select></label
    >`;
  return html`<label
      >${w.label}
      <select @change=${(event: Event) => act.label(valueOf(event) === '' ? null : labels[Number(valueOf(event))]![0])}>
        <option value="" .selected=${label === null}>${w.all}</option>
        ${labels.map(
          ([name, count], i) => html`<option value=${i} .selected=${name === label}>${name} (${count})</option>`,
        )}
      </select></label
    >
    ${span('before')} ${span('after')}
    <label
      >${w.baseline}
      <select @change=${(event: Event) => act.interval({ baseline: valueOf(event) as Interval['baseline'] })}>
        ${baselines.map(
          (name) => html`<option value=${name} .selected=${name === interval.baseline}>${w.baselines[name]}</option>`,
        )}
      </select></label
    >
    ${interval.baseline === 'none' ? nothing : span('length')}`;
}

function outcome(model: MarkerModel): TemplateResult {
  const { words: w, epochs, unit, strings } = model;
  const picture = meanChart(w, strings, epochs, unit);
  if (!picture) return html`<p>${w.nothing}</p>`;
  const all = epochs[0]!.cut.epochs;
  const used = Math.max(...epochs.map(({ cut }) => cut.epochs.filter(({ kept }) => kept).length));
  return html`${picture}
    <p>${w.mean(used, all.length)}${used < all.length ? ` ${w.left}` : nothing}</p>`;
}

/** All of its controls are one tab stop. */
export function markerPanel(model: MarkerModel, act: MarkerActions): TemplateResult {
  const { words: w, strings: s, count, problem, markable } = model;
  const button = (word: string, work: () => void, disabled = false, key = '') =>
    html`<button type="button" part="button" aria-keyshortcuts=${key || nothing} ?disabled=${disabled} @click=${work}>
      ${word}${key ? html` <kbd aria-hidden="true">${key}</kbd>` : nothing}
    </button>`;
  const choose = (event: Event) =>
    (event.currentTarget as HTMLElement).closest('.markers')!.querySelector<HTMLInputElement>('input')!.click();
  const onFile = (event: Event) => {
    const input = event.target as HTMLInputElement;
    const [file] = input.files ?? [];
    input.value = ''; // the same file may be chosen again
    if (file) act.file(file);
  };
  return html`<section class="markers" part="markers" aria-label=${w.title}>
    <header>
      <strong>${w.title}</strong>
      <span><bdi>${w.count(count)}</bdi></span>
    </header>
    <div class="row" role="toolbar" dir=${s.direction} aria-label=${w.title}>
      <button type="button" part="button" @click=${choose}>${w.import}</button>
      ${button(w.mark, act.mark, !markable, 'M')} ${button(w.clear, act.clear, !count)}
      ${count ? fields(model, act) : nothing} ${count ? button(w.save, act.save) : nothing}
      <button type="button" class="close" part="button" aria-label=${w.close} title=${w.close} @click=${act.close}>
        ✕
      </button>
    </div>
    ${problem ? html`<p class="problem" role="alert">${problem}</p>` : nothing}
    ${count ? outcome(model) : html`<p>${w.hint}</p>`}
    <input
      type="file"
      accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
      hidden
      tabindex="-1"
      aria-label=${w.import}
      @change=${onFile}
    />
  </section>`;
}
