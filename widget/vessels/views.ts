/** Templates of `<foveola-vessels>`: numbers, warnings, list of segments, settings bar. */
import { html, nothing, type TemplateResult } from 'lit';
import { type VesselSegment, FoveolaError } from '../../src/index.ts';
import { retinaHeads, type RetinaGroup, type RetinaRow } from '../../src/internal.ts';
import type { Strings } from '../strings/index.ts';
import { choiceSwitch } from '../base/controls.ts';
import { icon, warningIcon } from '../base/icons.ts';
import type { Rendered, Settings } from '../base/kind.ts';
import type { ElementParts } from '../base/element-parts.ts';
import type { VesselFrame } from './tracker.ts';

/** Small numbers get one decimal. */
const short = (s: Strings, value: number) => s.number(value, value < 10 ? 1 : 0);

/** Returns '7.2 px', or with a scale '7.2 px · 31 µm'. A dash if nothing was measured. */
export function lengthText(s: Strings, pixels: number | undefined, micrometresPerPixel: number | null): string {
  if (pixels === undefined || Number.isNaN(pixels)) return '–';
  const text = s.vessels.pixels(short(s, pixels));
  return micrometresPerPixel ? `${text} · ${s.number(pixels * micrometresPerPixel)} µm` : text;
}

interface NumbersModel {
  /** Measures of the open image. Null: not known yet. */
  rows: readonly RetinaRow[] | null;
  /** Share of the field of view and confidence, which a preview has too. */
  early: Readonly<Record<string, number>> | null;
  micrometresPerPixel: number | null;
  /** The scale is from the file. */
  fromFile: boolean;
}

/**
 * Every measure in groups. The ones that a reader looks at first are always in view, so that nothing moves later.
 * `segments`: their list, which opens like the other measures. Both are one tab stop.
 */
export function vesselNumbers(
  strings: Strings,
  { rows, early, micrometresPerPixel, fromFile }: NumbersModel,
  segments: Rendered,
  setScale: (value: number | null) => void,
): TemplateResult {
  const { vessels: s } = strings;
  const row = (name: string, label: string) => {
    const { value, unit } = rows?.find((one) => one.name === name) ?? {
      value: early?.[name] ?? null,
      unit: name === 'quality' ? { digits: 3 } : { digits: 1, text: '%' },
    };
    return html`<div>
      <dt>${label}</dt>
      <dd>
        <bdi dir="ltr"
          >${value === null ? '–' : html`${strings.number(value, unit.digits)} <small>${unit.text}</small>`}</bdi
        >
      </dd>
    </div>`;
  };
  const scale = html`<label class="scale"
    ><span>${s.scale} <small>${s.scaleUnit}${fromFile ? html`, ${s.fromFile}` : nothing}</small></span>
    <input
      type="number"
      name="scale"
      min="0.01"
      max="1000"
      step="any"
      placeholder=${s.scaleHint}
      aria-label=${`${s.scale}, ${s.scaleUnit}`}
      .value=${micrometresPerPixel ? String(Number(micrometresPerPixel.toFixed(3))) : ''}
      @change=${(event: Event) => {
        const { valueAsNumber, validity } = event.target as HTMLInputElement;
        if (validity.valid) setScale(Number.isFinite(valueAsNumber) ? valueAsNumber : null);
      }}
    />
  </label>`;
  const groups = (heads: boolean) =>
    html`<div class="groups" part="retina">
      ${(Object.keys(retinaHeads) as RetinaGroup[]).map((group) => {
        const list = heads
          ? Object.keys(retinaHeads[group])
          : (rows ?? []).flatMap((one) => (one.group === group && !one.head ? [one.name] : []));
        return html`<section aria-label=${s.groups[group]}>
          <p class="kind" aria-hidden="true">${s.groups[group]}</p>
          <dl>
            ${list.map((name) => row(name, s.measures[name] ?? rows!.find((one) => one.name === name)!.measure.display))}
          </dl>
          ${heads && group === 'quality' ? scale : nothing}
        </section>`;
      })}
    </div>`;
  return html`<div class="numbers" part="readout">${groups(true)}</div>
    <div role="toolbar" aria-label=${s.groups.vessels}>
      <details class="fold">
        <summary>${s.allMeasures}</summary>
        ${groups(false)}
      </details>
      ${segments}
    </div>`;
}

/** Warnings about the result, emphasized if it is unreliable. The engine's texts are in English. */
export function vesselWarnings({ vessels: s }: Strings, warnings: readonly string[], unlikely: boolean) {
  if (!warnings.length && !unlikely) return nothing;
  return html`<div class="warning ${unlikely ? 'loud' : ''}" part="warning" role=${unlikely ? 'alert' : 'status'}>
    ${icon(warningIcon)}
    <div>
      <p class="title">${unlikely ? s.unlikely : s.look}</p>
      <ul lang="en">
        ${warnings.map((warning) => html`<li><bdi dir="ltr">${warning}</bdi></li>`)}
      </ul>
    </div>
  </div>`;
}

const segmentOrders = ['length', 'width'] as const;
export type SegmentOrder = (typeof segmentOrders)[number];

/** Indices of the segments in descending order. Segments without a measurement are last. */
export function ordered(segments: readonly VesselSegment[], by: SegmentOrder): number[] {
  return segments.map((_, i) => i).sort((a, b) => (segments[b]![by] ?? 0) - (segments[a]![by] ?? 0) || a - b);
}

interface ListModel {
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

interface ListActions {
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
    class="fold segments ${model.stale ? 'stale' : ''}"
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

// The settings bar of `<foveola-vessels>`: which vessels are detected, and how they are drawn. Each change is a
// setting that can be undone.

// Appearance of vessels over the image, from the attributes.

interface Look {
  /** Color as `#rrggbb`. */
  color: string;
  /** 0 to 1. */
  opacity: number;
}

const isColor = (text: unknown): text is string => typeof text === 'string' && /^#[0-9a-f]{6}$/i.test(text);

export const lookOf = ({ color, opacity }: { color: string | null; opacity: number | null }): Look => ({
  color: isColor(color) ? color.toLowerCase() : '#00d5ff',
  opacity: opacity === null || !Number.isFinite(opacity) ? 0.75 : Math.max(0, Math.min(1, opacity)),
});

/** Checks color and opacity and returns the other settings. */
export function checkLook({ opacity, color, ...settings }: Settings): Settings {
  if (color !== undefined && !isColor(color))
    throw new FoveolaError('invalid-argument', `Settings: color must be like #00d5ff, not ${String(color)}.`);
  if (opacity !== undefined && !((opacity as number) >= 0 && (opacity as number) <= 1))
    throw new FoveolaError('invalid-argument', `Settings: opacity must be from 0 to 1, not ${String(opacity)}.`);
  return settings;
}

const vesselScales = ['thick', 'all'] as const;

const numberOf = (event: Event) => (event.target as HTMLInputElement).valueAsNumber;

/** Which vessels are detected, and how clearly they are drawn. */
export function vesselBar(
  { strings, settings }: ElementParts<VesselFrame>,
  own: { readonly scales: string | null; readonly color: string | null; readonly opacity: number | null },
): TemplateResult {
  const { vessels: s } = strings;
  const { opacity } = lookOf(own);
  const chosen = vesselScales.find((name) => name === own.scales) ?? 'all';
  const percent = Math.round(100 * opacity);
  return html`<div class="vessels" part="bar">
    ${choiceSwitch({ label: s.vessels, part: 'scales', values: vesselScales, words: s.scales, chosen }, (scales) =>
      settings.edit({ scales }),
    )}
    <label class="slider"
      ><span
        >${s.opacity} <output><bdi dir="ltr">${s.percent(percent)}</bdi></output></span
      >
      <input
        type="range"
        name="opacity"
        min="0"
        max="100"
        .value=${String(percent)}
        aria-label=${s.opacity}
        aria-valuetext=${s.percent(percent)}
        @input=${(event: Event) => settings.edit({ opacity: numberOf(event) / 100 }, 'opacity')}
      />
    </label>
  </div>`;
}

/** Color of the vessels, in the settings panel. */
export const colorField = (
  { strings: { vessels: s }, settings }: ElementParts<VesselFrame>,
  own: { readonly color: string | null; readonly opacity: number | null },
): TemplateResult =>
  html`<label class="parameter"
    ><span class="label">${s.color}</span>
    <input
      type="color"
      .value=${lookOf(own).color}
      @input=${(event: Event) => settings.edit({ color: (event.target as HTMLInputElement).value }, 'color')}
  /></label>`;
