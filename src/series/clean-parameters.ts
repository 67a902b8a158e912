/**
 * What the cleaning of a series does, step by step; each step can be left out. Sources: Kret and Sjak-Shie, Preprocessing
 * pupil size data, Behav Res 51, 2019 (its numbers where it has one); Mathot, Pupillometry, J Cogn 1(1), 2018; Hershman et
 * al., Behav Res 50, 2018 (ends of blinks).
 */
import { boolean, choice, number, type ParameterTable } from '../runtime/parameters.ts';
import { maxBlink } from './eye-events.ts';

export const cleaningParameters = {
  minConfidence: number({
    default: 0,
    min: 0,
    max: 1,
    effect: 'Samples of less confidence count as missing. 0: all are taken.',
  }),
  blinks: boolean({
    default: true,
    effect: 'Takes out what lies between onset and offset of a blink or a closure, also what was measured there.',
  }),
  maxBlink,
  marginBefore: number({
    default: 50,
    min: 0,
    max: 500,
    unit: 'ms',
    effect: 'Taken out before a gap: the lid is on its way (Kret and Sjak-Shie 2019). 0: nothing.',
  }),
  marginAfter: number({
    default: 50,
    min: 0,
    max: 500,
    unit: 'ms',
    effect: 'Taken out after a gap (Kret and Sjak-Shie 2019). 0: nothing.',
  }),
  paddedGap: number({
    default: 75,
    min: 0,
    max: 10000,
    unit: 'ms',
    effect: 'Gaps that are longer have margins (Kret and Sjak-Shie 2019).',
  }),
  speed: boolean({
    default: true,
    effect: 'Takes out samples that changed faster than the others, by the median absolute deviation of speeds.',
  }),
  speedFactor: number({
    default: 16,
    min: 1,
    max: 1000,
    effect: 'Median absolute deviations above the median speed that are allowed (Kret and Sjak-Shie 2019).',
  }),
  allowedSpeed: number({
    default: 2,
    min: 0,
    max: 100,
    unit: '1/s',
    effect:
      'Share of its diameter by which a pupil may always change in a second, however still the rest is: else the light reflex of a quiet recording would be taken out. Some 8 mm/s. 0: the published rule alone.',
  }),
  trend: boolean({
    default: true,
    effect: 'Takes out samples far from a smoothed line through the others (Kret and Sjak-Shie 2019).',
  }),
  trendFactor: number({
    default: 16,
    min: 1,
    max: 1000,
    effect: 'Median absolute deviations above the median distance from that line that are allowed.',
  }),
  allowedDistance: number({
    default: 0.03,
    min: 0,
    max: 1,
    effect:
      'Share of its diameter by which a pupil may always be off that line, however still the rest is. 0: the published rule alone.',
  }),
  islands: boolean({
    default: true,
    effect: 'Takes out short runs of samples between gaps (Kret and Sjak-Shie 2019).',
  }),
  islandGap: number({
    default: 40,
    min: 0,
    max: 10000,
    unit: 'ms',
    effect: 'Gaps that part runs are longer than this, and than two and a half steps.',
  }),
  shortestIsland: number({ default: 50, min: 0, max: 10000, unit: 'ms', effect: 'Runs that are shorter go.' }),
  interpolate: choice({
    default: 'linear',
    values: ['none', 'linear', 'cubic'],
    effect:
      'Fills gaps: by a line (Kret and Sjak-Shie 2019), or by a cubic that does not overshoot (after Mathot 2018).',
  }),
  longestGap: number({
    default: 600,
    min: 0,
    max: 60000,
    unit: 'ms',
    effect: 'Longer gaps stay missing. The longest blink lasts 600 ms; Kret and Sjak-Shie (2019) fill 250 ms.',
  }),
  lowPass: number({
    default: 4,
    min: 0,
    max: 1000,
    unit: 'Hz',
    effect: 'Cutoff of a Butterworth filter that runs forward and backward (Kret and Sjak-Shie 2019). 0: none.',
  }),
  rate: number({
    default: 0,
    min: 0,
    max: 10000,
    unit: 'Hz',
    effect: 'Resamples to equal steps. 0: the times stay.',
  }),
  baseline: choice({
    default: 'none',
    values: ['none', 'subtract', 'percent'],
    effect: 'Diameters less those of the beginning (which Mathot 2018 prefers), or in per cent of them.',
  }),
  baselineLength: number({
    default: 200,
    min: 1,
    max: 600000,
    unit: 'ms',
    effect: 'How much of the beginning is the baseline. Where events have one each, see epochs().',
  }),
  zScore: boolean({
    default: false,
    effect: 'In standard deviations from the mean of the series; after the baseline.',
  }),
} satisfies ParameterTable;
