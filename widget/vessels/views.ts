/** Templates of `<foveola-vessels>`: numbers, warnings, list of segments. */
import { html, nothing, type TemplateResult } from 'lit';
import type { VesselSegment } from '../../src/index.ts';
import type { Strings } from '../strings/index.ts';
import { choiceSwitch } from '../base/controls.ts';
import { icon } from '../base/views.ts';
import type { VesselFigures } from './figures.ts';

/** Small numbers get one decimal. */
export const short = (s: Strings, value: number) => s.number(value, value < 10 ? 1 : 0);

/** Returns '7.2 px', or with a scale '7.2 px · 31 µm'. A dash if nothing was measured. */
export function lengthText(s: Strings, pixels: number | undefined, micrometresPerPixel: number | null): string {
  if (pixels === undefined || Number.isNaN(pixels)) return '–';
  const text = s.vessels.pixels(short(s, pixels));
  return micrometresPerPixel ? `${text} · ${s.number(pixels * micrometresPerPixel)} µm` : text;
}

export interface NumbersModel {
  figures: VesselFigures | null;
  preview: boolean;
  micrometresPerPixel: number | null;
  /** The scale is from the file. */
  fromFile: boolean;
}

export function vesselNumbers(
  strings: Strings,
  { figures, preview, micrometresPerPixel, fromFile }: NumbersModel,
  setScale: (value: number | null) => void,
): TemplateResult {
  const { vessels: s } = strings;
  const item = (label: string, value: string | null | undefined, unit = '') =>
    html`<div>
      <dt>${label}</dt>
      <dd>
        <bdi dir="ltr">${value ?? '–'}${value && unit ? html`<small>${unit}</small>` : nothing}</bdi>
      </dd>
    </div>`;
  const { medianWidth } = figures ?? {};
  const widths = medianWidth && short(strings, medianWidth);
  const micrometres =
    medianWidth && micrometresPerPixel ? `px · ${strings.number(medianWidth * micrometresPerPixel)} µm` : 'px';
  return html`<div class="numbers ${preview ? 'preview' : ''}" part="readout">
    <dl class="readout">
      ${item(s.fraction, figures && strings.number(figures.fraction, 1), '%')}
      ${item(s.medianWidth, widths || null, micrometres)} ${item(s.branchPoints, figures?.branchPoints?.toString())}
      ${item(strings.confidence, figures?.confidence.toString(), '%')}
    </dl>
    <label class="scale"
      ><span>${s.scale}</span>
      <input
        type="number"
        name="scale"
        min="0.01"
        max="1000"
        step="any"
        placeholder=${s.scaleHint}
        .value=${micrometresPerPixel ? String(Number(micrometresPerPixel.toFixed(3))) : ''}
        aria-label=${`${s.scale}, ${s.scaleUnit}`}
        @change=${(event: Event) => {
          const { valueAsNumber, validity } = event.target as HTMLInputElement;
          if (validity.valid) setScale(Number.isFinite(valueAsNumber) ? valueAsNumber : null);
        }}
      />
      <small>${s.scaleUnit}${fromFile ? html`, ${s.fromFile}` : nothing}</small>
    </label>
  </div>`;
}

/** Warnings about the result, emphasized if it is unreliable. The engine's texts are in English. */
export function vesselWarnings({ vessels: s }: Strings, warnings: readonly string[], unlikely: boolean) {
  if (!warnings.length && !unlikely) return nothing;
  return html`<div class="warning ${unlikely ? 'loud' : ''}" part="warning" role=${unlikely ? 'alert' : 'status'}>
    ${icon('warning')}
    <div>
      <p class="title">${unlikely ? s.unlikely : s.look}</p>
      <ul lang="en">
        ${warnings.map((warning) => html`<li>${warning}</li>`)}
      </ul>
    </div>
  </div>`;
}

export const segmentOrders = ['length', 'width'] as const;
export type SegmentOrder = (typeof segmentOrders)[number];

/** Indices of the segments in descending order. Segments without a measurement are last. */
export function ordered(segments: readonly VesselSegment[], by: SegmentOrder): number[] {
  return segments.map((_, i) => i).sort((a, b) => (segments[b]![by] ?? 0) - (segments[a]![by] ?? 0) || a - b);
}

export interface ListModel {
  segments: readonly VesselSegment[];
  order: readonly number[];
  by: SegmentOrder;
  chosen: number | null;
  /** True if the list belongs to a previous result. */
  stale: boolean;
  open: boolean;
  /** Maximum number of listed segments. */
  most: number;
  micrometresPerPixel: number | null;
}

export interface ListActions {
  by(order: SegmentOrder): void;
  choose(segment: number | null): void;
  open(on: boolean): void;
  all(): void;
}

export function segmentList(strings: Strings, model: ListModel, act: ListActions): TemplateResult {
  const { vessels: s } = strings;
  const { segments, order, chosen, most, micrometresPerPixel } = model;
  const listed = order.slice(0, most);
  const text = (pixels: number | undefined) => lengthText(strings, pixels, micrometresPerPixel);
  const onKey = (event: KeyboardEvent) => {
    const at = chosen === null ? -1 : listed.indexOf(chosen);
    const to = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: listed.length - 1,
      PageDown: at + 10,
      PageUp: at - 10,
    }[event.key];
    if (to !== undefined) act.choose(listed[Math.max(0, Math.min(listed.length - 1, to))] ?? null);
    else if (event.key === 'Escape' && chosen !== null) act.choose(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return html`<details
    class="segments ${model.stale ? 'stale' : ''}"
    part="segments"
    ?open=${model.open}
    @toggle=${(event: Event) => act.open((event.target as HTMLDetailsElement).open)}
  >
    <summary>
      ${s.segments} <small><bdi>${segments.length}</bdi></small>
    </summary>
    ${
      model.open
        ? html`${choiceSwitch({ label: s.order, part: 'order', values: segmentOrders, words: s.orders, chosen: model.by }, act.by)}
            <div
              class="list"
              role="listbox"
              tabindex="0"
              aria-label=${s.segments}
              aria-activedescendant=${chosen !== null && listed.includes(chosen) ? `segment-${chosen}` : nothing}
              @keydown=${onKey}
            >
              ${listed.map(
                (i) =>
                  html`<div
                    id="segment-${i}"
                    role="option"
                    aria-selected=${String(i === chosen)}
                    @click=${() => act.choose(i === chosen ? null : i)}
                  >
                    <b>${s.segment(i + 1)}</b>
                    <span>${s.width} <bdi dir="ltr">${text(segments[i]!.width)}</bdi></span>
                    <span>${s.length} <bdi dir="ltr">${text(segments[i]!.length)}</bdi></span>
                  </div>`,
              )}
            </div>
            ${
              segments.length > listed.length
                ? html`<button type="button" part="button" class="bordered" @click=${act.all}>
                    ${s.showAll(segments.length)}
                  </button>`
                : nothing
            }`
        : nothing
    }
  </details>`;
}
