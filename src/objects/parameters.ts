/**
 * The parameters of object tracking. Those of variant 'paper' are as published (Kalal, Mikolajczyk, Matas 2012, and its
 * program) but for the flow's window and levels and minConfidence, which docs/accuracy-tables.md tells of.
 */
import { boolean, choice, number, type Values } from '../runtime/parameters.ts';

const odd = (from: number, to: number) => Array.from({ length: (to - from) / 2 + 1 }, (_, i) => from + 2 * i);

export const objectParameters = {
  variant: choice({
    default: 'filters',
    values: ['filters', 'paper'],
    effect:
      "'filters': correlation filters follow and recognize the target, the detector proposes; 'paper': the published integrator. Counts for targets added later.",
  }),
  seed: number({
    default: 1,
    min: 0,
    max: 4294967295,
    integer: true,
    effect: 'Of ferns, warps and examples; the same seed and frames give the same track.',
  }),
  grid: choice({
    default: 'paper',
    values: ['paper', 'release'],
    effect: "Windows: 'paper' shifts by 10 % of the window's sides, 'release' by 10 % of its height on both axes.",
  }),
  minSize: number({
    default: 20,
    min: 8,
    max: 200,
    integer: true,
    unit: 'px',
    effect: 'Least side of a window; a smaller target has smaller ones.',
  }),
  learning: boolean({ default: true, effect: 'Off: the model stays as it is.' }),
  fernThreshold: number({ default: 0.5, min: 0, max: 1, effect: 'Mean posterior of a candidate window.' }),
  nearestThreshold: number({
    default: 0.65,
    min: 0,
    max: 1,
    effect: 'Relative similarity of a detection.',
  }),
  validThreshold: number({
    default: 0.7,
    min: 0,
    max: 1,
    effect: 'Conservative similarity from which a track is trusted and taught from.',
  }),
  minConfidence: number({
    default: 0.5,
    min: 0,
    max: 1,
    effect: "Confidence below which no box is reported; in variant 'paper' it is the conservative similarity.",
  }),
  sameThreshold: number({ default: 0.95, min: 0, max: 1, effect: 'Correlation of patches that count as the same.' }),
  negativeOverlap: number({ default: 0.2, min: 0, max: 1, effect: 'Windows that overlap less are background.' }),
  firstWarps: number({ default: 20, min: 0, max: 100, integer: true, effect: 'Warped copies of the first box.' }),
  warps: number({ default: 10, min: 0, max: 100, integer: true, effect: 'Warped copies of each later box.' }),
  noise: number({ default: 5, min: 0, max: 50, unit: 'gray levels', effect: 'Noise on warped copies.' }),
  candidates: number({
    default: 100,
    min: 1,
    max: 1000,
    integer: true,
    effect: 'Windows with the highest votes that are compared with the stored patches.',
  }),
  positives: number({ default: 100, min: 2, max: 1000, integer: true, effect: 'Most patches of the target.' }),
  negatives: number({ default: 300, min: 2, max: 3000, integer: true, effect: 'Most patches of the background.' }),
  flowPoints: number({ default: 10, min: 3, max: 40, integer: true, effect: 'Points across the box, and down.' }),
  flowWindow: number({ default: 15, min: 5, max: 31, values: odd(5, 31), unit: 'px', effect: 'Window of the flow.' }),
  flowLevels: number({ default: 3, min: 0, max: 8, integer: true, effect: 'Halvings of the flow.' }),
  flowResidual: number({
    default: 10,
    min: 0.5,
    max: 100,
    unit: 'px',
    effect: 'Median residual from which the flow has failed.',
  }),
  rotation: boolean({
    default: false,
    effect: 'Also how far the target has turned since its box was drawn.',
  }),
} as const;

export type ObjectValues = Values<typeof objectParameters>;
