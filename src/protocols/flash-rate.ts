/**
 * Flash rate of a protocol. A flash is a pair of opposing changes of relative luminance by at least 10 % of the
 * maximum, where the darker one is below 0.8. More than three flashes within any second may cause a seizure (WCAG 2.2,
 * success criterion 2.3.1, general flash threshold). The area is not considered, because a stimulus fills the screen or
 * half of it.
 */
import { FoveolaError } from '../runtime/error.ts';
import { planOf, type PlannedStep, type Protocol } from './protocol.ts';

// Relative luminance and screen colors as defined by sRGB (IEC 61966-2-1; WCAG 2.2).

const encoded = (linear: number): number =>
  Math.round(255 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055));
/** Linear light of red, green and blue of '#rrggbb', each 0 to 1. */
const lightOf = (color: string): number[] =>
  [1, 3, 5].map((at) => {
    const value = parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });

/** Relative luminance of '#rrggbb', 0 to 1. */
export function luminanceOf(color: string): number {
  const [red, green, blue] = lightOf(color) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Gray with a luminance from 0 to 1, or a color dimmed to that share of its light. */
export const screenColor = (luminance: number, color = '#ffffff'): string =>
  `rgb(${lightOf(color)
    .map((light) => encoded(luminance * light))
    .join(' ')})`;

const CHANGE = 0.1;
const DARK = 0.8;
const SECOND = 1000;
/** Maximum number of flashes per second. */
export const MOST_FLASHES = 3;

/** Luminance that an eye sees during a step. */
function seenBy(eye: 'left' | 'right', { step, luminance }: PlannedStep, even: number): number {
  if (step.type !== 'flash') return luminance;
  if (step.eye && step.eye !== 'both' && step.eye !== eye) return even;
  return step.color ? luminance * luminanceOf(step.color) : luminance;
}

/** Times of the luminance changes that count, with alternating direction. */
function turnsOf(levels: readonly { readonly at: number; readonly level: number }[]): number[] {
  const turns: number[] = [];
  let from = levels[0]?.level ?? 0;
  let direction = 0;
  for (const { at, level } of levels) {
    const change = level - from;
    if (Math.abs(change) >= CHANGE && Math.min(level, from) < DARK) {
      if (Math.sign(change) !== direction) turns.push(at);
      direction = Math.sign(change);
      from = level;
    } else if (Math.sign(change) === direction) from = level; // continues in the same direction
  }
  return turns;
}

/**
 * Maximum number of flashes within any second. A step that waits for the person counts as zero time, because the key
 * may be pressed at once.
 */
export function flashesInSecond(protocol: Protocol): number {
  const plan = planOf(protocol);
  let most = 0;
  for (const eye of ['left', 'right'] as const) {
    let at = 0;
    const levels = [{ at, level: protocol.luminance ?? 0 }];
    for (const planned of plan) {
      levels.push({ at, level: seenBy(eye, planned, protocol.luminance ?? 0) });
      const { step } = planned;
      // A key or a marker may end these steps at once.
      at += step.type === 'text' || step.type === 'ask' || step.type === 'wait' ? 0 : step.duration;
    }
    levels.push({ at, level: protocol.luminance ?? 0 });
    const turns = turnsOf(levels);
    for (let first = 0, last = 0; last < turns.length; last++) {
      while (turns[last]! - turns[first]! > SECOND) first++;
      most = Math.max(most, Math.floor((last - first + 1) / 2));
    }
  }
  return most;
}

/** Throws 'invalid-argument' if a protocol flashes more than three times per second. */
export function checkFlashRate(protocol: Protocol): void {
  const flashes = flashesInSecond(protocol);
  if (flashes > MOST_FLASHES)
    throw new FoveolaError(
      'invalid-argument',
      `Protocol: it flashes ${flashes} times per second. The safe maximum for people with photosensitive epilepsy is ${MOST_FLASHES}. ` +
        'Lengthen flashes and pauses, or allow it on your own responsibility (the attribute allow-fast-flashes).',
    );
}
