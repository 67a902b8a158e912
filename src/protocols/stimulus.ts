/**
 * Describes a flash in the units of the standards in pupillography (Kelbsch et al., Front Neurol 10:129, 2019). A
 * protocol has relative luminance and colors only. The rest depends on the screen, which someone has to measure.
 */
import { FoveolaError } from '../runtime/error.ts';
import { luminanceOf } from './flash-rate.ts';
import type { FlashStep } from './protocol.ts';
import { faultOf, screenSchema } from './protocol-schema.ts';

/** A screen as someone has measured it, or as its maker states it. Everything may be unknown. */
export interface StimulusScreen {
  /** Luminance of full white and of black, cd/m². */
  readonly white?: number;
  readonly black?: number;
  /** Illuminance of the eye by full white, lx. */
  readonly illuminance?: number;
  /** Peak wavelengths of the three primaries, nm. */
  readonly wavelengths?: { readonly red?: number; readonly green?: number; readonly blue?: number };
  /** Width and height of the screen as the eye sees it, degrees. */
  readonly field?: { readonly width?: number; readonly height?: number };
  /** Time from a change in the page until the light of the screen changes, ms. Onsets are corrected by it. */
  readonly lag?: number;
  /** Whether the lag was measured with this screen, or stated by its maker. */
  readonly lagFrom?: 'measured' | 'stated';
}

/** A flash. Unknown values are null. */
export interface Stimulus {
  /** '#rrggbb'. */
  readonly color: string;
  /** Peak wavelength of the light, nm. Null also for mixtures of primaries. */
  readonly wavelength: number | null;
  /** cd/m². */
  readonly luminance: number | null;
  /** Illuminance of the eye, lx. */
  readonly illuminance: number | null;
  /** Degrees. */
  readonly field: { readonly width: number; readonly height: number } | null;
  /** ms, as planned. */
  readonly duration: number;
}

/**
 * Reads the description of a screen: JSON, or the parsed object.
 * @throws {FoveolaError} 'invalid-argument' with the path and the rule
 */
export function readScreen(given: unknown): StimulusScreen {
  const refuse = (text: string, cause?: unknown) =>
    new FoveolaError('invalid-argument', `Screen: ${text}`, cause === undefined ? {} : { cause });
  let value = given;
  if (typeof given === 'string')
    try {
      value = JSON.parse(given);
    } catch (cause) {
      throw refuse(`this is not valid JSON (${(cause as Error).message}).`, cause);
    }
  const fault = faultOf(value, screenSchema);
  if (fault) throw refuse(`${fault.path || 'it'} must ${fault.rule}.`);
  return value as StimulusScreen;
}

const primaries = ['red', 'green', 'blue'] as const;

/** The primary that is lit alone, or null. */
export function primaryOf(color: string): 'red' | 'green' | 'blue' | null {
  const lit = primaries.filter((_, i) => parseInt(color.slice(1 + 2 * i, 3 + 2 * i), 16) > 0);
  return lit.length === 1 ? lit[0]! : null;
}

/** The stimulus of a flash on a screen. `luminance`: relative, of the planned step. */
export function stimulusOf(
  { color = '#ffffff', eye = 'both', duration }: FlashStep,
  luminance: number,
  { white, black = 0, illuminance, wavelengths, field: { width, height } = {} }: StimulusScreen = {},
): Stimulus {
  const share = luminance * luminanceOf(color);
  const half = eye === 'both' ? 1 : 0.5;
  const primary = primaryOf(color);
  return {
    color: color.toLowerCase(),
    wavelength: (primary && wavelengths?.[primary]) ?? null,
    luminance: white === undefined ? null : black + share * (white - black),
    illuminance: illuminance === undefined ? null : half * share * illuminance,
    field: width === undefined || height === undefined ? null : { width: half * width, height },
    duration,
  };
}

const figure = (value: number) => String(Number(value.toPrecision(3)));

/** The stimulus in words: '#0000ff, 465 nm, 18.1 cd/m², 40° x 24°, 1 s'. */
export function stimulusText({ color, wavelength, luminance, illuminance, field, duration }: Stimulus): string {
  return [
    color === '#ffffff' ? 'white' : (primaryOf(color) ?? color),
    wavelength === null ? '' : `${figure(wavelength)} nm`,
    luminance === null ? '' : `${figure(luminance)} cd/m²`,
    illuminance === null ? '' : `${figure(illuminance)} lx`,
    field && `${figure(field.width)}° x ${figure(field.height)}°`,
    `${figure(duration / 1000)} s`,
  ]
    .filter(Boolean)
    .join(', ');
}
