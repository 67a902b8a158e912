/** How good a recording was, as warnings: what the screen of a test says, with its numbers. */
import { check } from './report-base.ts';

/** As QualityMeter judges it (RecordingQuality); shares are 0..1. */
export interface QualityInput {
  frames: number;
  found: number;
  confidence: number;
  rate: number;
  dropped: number;
  blinking: number;
  faults: readonly (keyof typeof faultTexts)[];
}

const percent = (share: number) => `${Number((100 * share).toPrecision(2))} %`;

const faultTexts = {
  'no-frames': () => 'No picture was measured.',
  'eye-not-in-view': ({ found }: QualityInput) => `A pupil was found in only ${percent(found)} of the frames.`,
  uncertain: ({ confidence }: QualityInput) => `Low confidence: ${confidence.toFixed(2)} in the median.`,
  slow: ({ rate }: QualityInput) => `Only ${rate.toFixed(1)} frames a second were measured.`,
  drops: ({ dropped }: QualityInput) => `${percent(dropped)} of the source's frames were dropped.`,
  blinks: ({ blinking }: QualityInput) => `The eye was shut in ${percent(blinking)} of the frames.`,
};
const names = Object.keys(faultTexts) as (keyof typeof faultTexts)[];

/** Throws 'invalid-argument'. Dropped frames are named also where they are few. */
export function qualityWarnings(quality: QualityInput | null | undefined): string[] {
  if (quality === null || quality === undefined) return [];
  check.object('quality', quality);
  for (const name of ['frames', 'rate'] as const) check.known(`quality.${name}`, quality[name], 0);
  for (const name of ['found', 'confidence', 'dropped', 'blinking'] as const)
    check.known(`quality.${name}`, quality[name], 0, 1);
  const faults = check
    .list('quality.faults', quality.faults, 'faults')
    .map((fault, i) => check.oneOf(`quality.faults[${i}]`, fault, names));
  return names
    .filter((name) => faults.includes(name) || (name === 'drops' && quality.dropped > 0))
    .map((name) => faultTexts[name](quality));
}
