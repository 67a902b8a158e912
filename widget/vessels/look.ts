/** How vessels look over the picture, as the attributes say it. */
import { FoveolaError } from '../../src/index.ts';
import type { Settings } from '../parts/kind.ts';

export interface Look {
  /** `#rrggbb`. */
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
