/**
 * Parameters of the cleaning steps. Each step can be turned off. Sources:
 * - Kret and Sjak-Shie, Preprocessing pupil size data, Behav Res 51, 2019 (its numbers if it has any).
 * - Mathot, Pupillometry, J Cogn 1(1), 2018.
 * - Hershman et al., Behav Res 50, 2018 (ends of blinks).
 */
import { boolean, choice, number, type ParameterTable } from '../runtime/parameters.ts';
import { maxBlink } from './eye-events.ts';

export const cleaningParameters = {
  minConfidence: number({
    default: 0,
    min: 0,
    max: 1,
    effect: 'Samples with less confidence count as missing. 0 keeps all samples.',
  }),
  blinks: boolean({
    default: true,
    effect: 'Removes samples between onset and offset of a blink or closure, even if they were measured.',
  }),
  maxBlink,
  marginBefore: number({
    default: 50,
    min: 0,
    max: 500,
    unit: 'ms',
    effect: 'Removed before a gap, while the lid closes (Kret and Sjak-Shie 2019). 0 removes nothing.',
  }),
  marginAfter: number({
    default: 50,
    min: 0,
    max: 500,
    unit: 'ms',
    effect: 'Removed after a gap (Kret and Sjak-Shie 2019). 0 removes nothing.',
  }),
  paddedGap: number({
    default: 75,
    min: 0,
    max: 10000,
    unit: 'ms',
    effect: 'Longer gaps have margins (Kret and Sjak-Shie 2019).',
  }),
  speed: boolean({
    default: true,
    effect: 'Removes samples with unusual speed, by the median absolute deviation of speeds.',
  }),
  speedFactor: number({
    default: 16,
    min: 1,
    max: 1000,
    effect: 'Allowed median absolute deviations above the median speed (Kret and Sjak-Shie 2019).',
  }),
  allowedSpeed: number({
    default: 2,
    min: 0,
    max: 100,
    unit: '1/s',
    effect:
      'Share of its diameter by which a pupil may always change per second, about 8 mm/s. It preserves the light reflex in low-noise recordings. 0 uses only the published rule.',
  }),
  trend: boolean({
    default: true,
    effect: 'Removes samples far from a smoothed line through the others (Kret and Sjak-Shie 2019).',
  }),
  trendFactor: number({
    default: 16,
    min: 1,
    max: 1000,
    effect: 'Allowed median absolute deviations above the median distance from that line.',
  }),
  allowedDistance: number({
    default: 0.03,
    min: 0,
    max: 1,
    effect: 'Share of its diameter by which a pupil may always deviate from that line. 0 uses only the published rule.',
  }),
  islands: boolean({
    default: true,
    effect: 'Removes short runs of samples between gaps (Kret and Sjak-Shie 2019).',
  }),
  islandGap: number({
    default: 40,
    min: 0,
    max: 10000,
    unit: 'ms',
    effect: 'Gaps between runs are longer than this, and longer than 2.5 steps.',
  }),
  shortestIsland: number({ default: 50, min: 0, max: 10000, unit: 'ms', effect: 'Shorter runs are removed.' }),
  interpolate: choice({
    default: 'linear',
    values: ['none', 'linear', 'cubic'],
    effect:
      'Fills gaps with a line (Kret and Sjak-Shie 2019), or with a cubic that does not overshoot (after Mathot 2018).',
  }),
  longestGap: number({
    default: 600,
    min: 0,
    max: 60000,
    unit: 'ms',
    effect: 'Longer gaps stay missing. The longest blink lasts 600 ms. Kret and Sjak-Shie (2019) fill 250 ms.',
  }),
  lowPass: number({
    default: 4,
    min: 0,
    max: 1000,
    unit: 'Hz',
    effect: 'Cutoff of a Butterworth filter that runs forward and backward (Kret and Sjak-Shie 2019). 0 turns it off.',
  }),
  rate: number({
    default: 0,
    min: 0,
    max: 10000,
    unit: 'Hz',
    effect: 'Resamples to equal steps. 0 keeps the times.',
  }),
  baseline: choice({
    default: 'none',
    values: ['none', 'subtract', 'percent'],
    effect: 'Diameters minus the baseline (which Mathot 2018 prefers), or in percent of it.',
  }),
  baselineLength: number({
    default: 200,
    min: 1,
    max: 600000,
    unit: 'ms',
    effect: 'Duration of the baseline at the beginning. For a baseline per event, use epochs().',
  }),
  zScore: boolean({
    default: false,
    effect: 'Converts to standard deviations from the mean of the series, after the baseline.',
  }),
} satisfies ParameterTable;
