/** How vessels look over the picture, as the attributes say it. */
import { FoveolaError } from '../../src/index.ts';
import type { Settings } from '../parts/kind.ts';

export interface Look {
  /** `#rrggbb`. */
  colour: string;
  /** 0 to 1. */
  opacity: number;
}

const isColour = (text: unknown): text is string => typeof text === 'string' && /^#[0-9a-f]{6}$/i.test(text);

export const lookOf = ({ colour, opacity }: { colour: string | null; opacity: number | null }): Look => ({
  colour: isColour(colour) ? colour.toLowerCase() : '#00d5ff',
  opacity: opacity === null || !Number.isFinite(opacity) ? 0.75 : Math.max(0, Math.min(1, opacity)),
});

/** Checks colour and opacity and returns the other settings. */
export function checkLook({ opacity, colour, ...settings }: Settings): Settings {
  if (colour !== undefined && !isColour(colour))
    throw new FoveolaError('invalid-argument', `Settings: colour must be like #00d5ff, not ${String(colour)}.`);
  if (opacity !== undefined && !((opacity as number) >= 0 && (opacity as number) <= 1))
    throw new FoveolaError('invalid-argument', `Settings: opacity must be from 0 to 1, not ${String(opacity)}.`);
  return settings;
}
