/**
 * The settings bar of `<foveola-vessels>`: which vessels are detected, and how they are drawn. Each change is a setting
 * that can be undone.
 */
import { FoveolaError } from '../../src/index.ts';
import type { Settings } from '../base/kind.ts';
import { html, type TemplateResult } from 'lit';
import { choiceSwitch } from '../base/controls.ts';
import type { ElementParts } from '../base/element-parts.ts';
import type { VesselFrame } from './tracker.ts';
import { short } from './views.ts';

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

/** Properties of the element. */
interface Chosen {
  readonly scales: string | null;
  readonly color: string | null;
  readonly opacity: number | null;
}

/** `held`: called when a slider that affects the computation is pressed or released. */
export function vesselBar(
  { strings, settings, feed }: ElementParts<VesselFrame>,
  own: Chosen,
  held: (on: boolean) => void,
): TemplateResult {
  const { vessels: s } = strings;
  const { given } = settings;
  const { color, opacity } = lookOf(own);
  const chosen = vesselScales.find((name) => name === own.scales) ?? 'thick';
  const sigma = typeof given.sigma === 'number' ? given.sigma : 0;
  const longer = Math.max(feed?.width ?? 0, feed?.height ?? 0);
  const greatestSigma = Math.min(32, Math.max(4, Math.round(longer / 100)));
  const size = sigma ? s.pixels(short(strings, sigma)) : s.automatic;
  const percent = Math.round(100 * opacity);
  return html`<div class="vessels" part="bar">
    ${choiceSwitch({ label: s.vessels, part: 'scales', values: vesselScales, words: s.scales, chosen }, (scales) =>
      settings.edit({ scales }),
    )}
    <label class="slider"
      ><span
        >${s.sigma} <output><bdi dir="ltr">${size}</bdi></output></span
      >
      <input
        type="range"
        name="sigma"
        min="0"
        max=${greatestSigma}
        step=${greatestSigma / 100}
        .value=${String(sigma)}
        aria-label=${s.sigma}
        aria-valuetext=${size}
        @input=${(event: Event) => settings.edit({ sigma: numberOf(event) || undefined }, 'sigma')}
        @pointerdown=${() => held(true)}
        @pointerup=${() => held(false)}
        @pointercancel=${() => held(false)}
      />
    </label>
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
    <input
      type="color"
      .value=${color}
      title=${s.color}
      aria-label=${s.color}
      @input=${(event: Event) => settings.edit({ color: (event.target as HTMLInputElement).value }, 'color')}
    />
  </div>`;
}
