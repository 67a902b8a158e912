/**
 * The parameters of object tracking. Those of variant 'paper' are as published (Kalal, Mikolajczyk, Matas 2012, and its
 * program), except for the flow's window and levels and minConfidence. See lab/results/accuracy.md.
 */
import { boolean, choice, number, type Values } from '../runtime/parameters.ts';

const odd = (from: number, to: number) => Array.from({ length: (to - from) / 2 + 1 }, (_, i) => from + 2 * i);

export const objectParameters = {
  variant: choice({
    default: 'filters',
    values: ['filters', 'paper'],
    effect:
      "'filters' tracks and recognizes the target with correlation filters, and the detector proposes. 'paper' is the published integrator. Applies to targets added later.",
  }),
  seed: number({
    default: 1,
    min: 0,
    max: 4294967295,
    integer: true,
    effect: 'Seed of ferns, warps and examples. The same seed and frames produce the same track.',
  }),
  grid: choice({
    default: 'paper',
    values: ['paper', 'release'],
    effect: "'paper' shifts windows by 10 % of their sides, 'release' by 10 % of their height on both axes.",
  }),
  minSize: number({
    default: 20,
    min: 8,
    max: 200,
    integer: true,
    unit: 'px',
    effect: 'Minimum side of a window. A smaller target has smaller windows.',
  }),
  learning: boolean({ default: true, effect: 'Updates the model. If off, the model stays unchanged.' }),
  fernThreshold: number({ default: 0.5, min: 0, max: 1, effect: 'Minimum mean posterior of a candidate window.' }),
  nearestThreshold: number({
    default: 0.65,
    min: 0,
    max: 1,
    effect: 'Minimum relative similarity of a detection.',
  }),
  validThreshold: number({
    default: 0.7,
    min: 0,
    max: 1,
    effect: 'Minimum conservative similarity to trust a track and learn from it.',
  }),
  minConfidence: number({
    default: 0.5,
    min: 0,
    max: 1,
    effect: "Boxes below this confidence are not reported. With 'paper', confidence is the conservative similarity.",
  }),
  sameThreshold: number({ default: 0.95, min: 0, max: 1, effect: 'Minimum correlation of equal patches.' }),
  negativeOverlap: number({ default: 0.2, min: 0, max: 1, effect: 'Windows that overlap less are background.' }),
  firstWarps: number({
    default: 20,
    min: 0,
    max: 100,
    integer: true,
    effect: 'Number of warped copies of the first box.',
  }),
  warps: number({ default: 10, min: 0, max: 100, integer: true, effect: 'Number of warped copies of each later box.' }),
  noise: number({ default: 5, min: 0, max: 50, unit: 'gray levels', effect: 'Noise added to warped copies.' }),
  candidates: number({
    default: 100,
    min: 1,
    max: 1000,
    integer: true,
    effect: 'Maximum number of windows compared with the stored patches.',
  }),
  positives: number({ default: 100, min: 2, max: 1000, integer: true, effect: 'Maximum number of target patches.' }),
  negatives: number({
    default: 300,
    min: 2,
    max: 3000,
    integer: true,
    effect: 'Maximum number of background patches.',
  }),
  flowPoints: number({
    default: 10,
    min: 3,
    max: 40,
    integer: true,
    effect: 'Number of points across and down the box.',
  }),
  flowWindow: number({
    default: 15,
    min: 5,
    max: 31,
    values: odd(5, 31),
    unit: 'px',
    effect: 'Window of the optical flow.',
  }),
  flowLevels: number({ default: 3, min: 0, max: 8, integer: true, effect: 'Pyramid levels of the optical flow.' }),
  flowResidual: number({
    default: 10,
    min: 0.5,
    max: 100,
    unit: 'px',
    effect: 'Median residual at which optical flow fails.',
  }),
  rotation: boolean({
    default: false,
    effect: "Also measures the target's rotation since its box was drawn.",
  }),
} as const;

export type ObjectValues = Values<typeof objectParameters>;
