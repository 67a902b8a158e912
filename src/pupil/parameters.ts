/** The parameters of pupil tracking. Types, checks, sliders and docs are generated from this table. */
import { boolean, choice, number, odd, type Values } from '../runtime/parameters.ts';
import { maxBlink } from '../series/eye-events.ts';
import { eye, view } from '../results/laterality.ts';

export const pupilParameters = {
  method: choice({
    default: 'robust',
    values: ['robust', 'starburst', 'threshold', 'hough'],
    effect:
      "'robust' uses the best of edge segments and rays, 'starburst' rays from inside the pupil, 'threshold' the largest dark component over several thresholds, 'hough' Canny and the Hough transform.",
  }),
  variant: choice({
    default: 'default',
    values: ['default', 'paper'],
    effect:
      "'paper' starts at the image center with a fixed threshold. 'default' finds its start, adapts the threshold and refines the outline.",
  }),
  polarity: choice({
    default: 'dark',
    values: ['dark', 'bright'],
    effect: "Pupil compared with the iris. Choose 'bright' if the light is next to the lens.",
  }),
  fit: choice({
    default: 'ellipse',
    values: ['ellipse', 'circle'],
    effect: 'Shape that defines center and diameter.',
  }),
  eyes: number({
    default: 1,
    min: 1,
    max: 2,
    values: [1, 2],
    effect: 'With 2, one pupil is found in each half of the image.',
  }),
  view,
  eye,
  millimetresPerPixel: number({
    default: 0,
    min: 0,
    max: 10,
    unit: 'mm/px',
    effect: 'Scale for diameterMm. 0 means no calibration.',
  }),
  reflections: choice({
    default: 'skip',
    values: ['skip', 'interpolate', 'none'],
    effect:
      "Corneal reflections: 'skip' excludes them from rays, 'interpolate' fills them from their border, 'none' ignores them. Methods without rays always fill them unless 'none'.",
  }),
  reflectionSize: number({
    default: 19,
    min: 3,
    max: 25,
    values: odd(3, 25),
    unit: 'px',
    effect: 'Size of the top-hat kernel. Narrower reflections are found.',
  }),
  reflectionThreshold: number({
    default: 55,
    min: 1,
    max: 254,
    integer: true,
    unit: 'gray levels',
    effect: 'Minimum brightness of a reflection above its surroundings.',
  }),
  reflectionDilation: number({
    default: 5,
    min: 1,
    max: 15,
    values: odd(1, 15),
    unit: 'px',
    effect: 'Size of the kernel that widens reflections.',
  }),
  smoothing: choice({ default: 'gaussian', values: ['gaussian', 'median'], effect: 'Filter applied before the rays.' }),
  gaussianSize: number({
    default: 5,
    min: 3,
    max: 15,
    values: odd(3, 15),
    unit: 'px',
    effect: 'Size of the Gaussian kernel.',
  }),
  gaussianSigma: number({ default: 2, min: 0.3, max: 8, unit: 'px', effect: 'Standard deviation of the Gaussian.' }),
  medianSize: number({
    default: 7,
    min: 3,
    max: 11,
    values: [3, 7, 11],
    unit: 'px',
    effect: 'Size of the median window.',
  }),
  rays: number({ default: 20, min: 8, max: 72, integer: true, effect: 'Number of rays in the first stage.' }),
  secondaryRays: number({
    default: 5,
    min: 0,
    max: 15,
    integer: true,
    effect: 'Number of rays back from each border point, spread over ±50 degrees.',
  }),
  minGradient: number({
    default: 8,
    min: 1,
    max: 200,
    unit: 'gray levels over 4 px',
    effect: 'Minimum gradient of a border.',
  }),
  sets: number({
    default: 1024,
    min: 64,
    max: 8192,
    values: [64, 128, 256, 512, 1024, 2048, 4096, 8192],
    effect: 'Number of RANSAC samples of five points.',
  }),
  voteDistance: number({
    default: 2,
    min: 0.5,
    max: 10,
    unit: 'px',
    effect: 'A point this close to a circle votes for it (RANSAC).',
  }),
  epsilon: number({
    default: 10,
    min: 0.1,
    max: 100,
    unit: 'px',
    effect: 'The search ends when the center moves less than this.',
  }),
  iterations: number({
    default: 10,
    min: 1,
    max: 50,
    integer: true,
    effect: 'Maximum number of ray-and-fit iterations.',
  }),
  thresholdFrom: number({
    default: 20,
    min: 0,
    max: 254,
    integer: true,
    unit: 'gray levels',
    effect: "Minimum threshold of the method 'threshold'.",
  }),
  thresholdTo: number({
    default: 100,
    min: 0,
    max: 254,
    integer: true,
    unit: 'gray levels',
    effect: "Maximum threshold of the method 'threshold'.",
  }),
  thresholdStep: number({
    default: 20,
    min: 1,
    max: 100,
    integer: true,
    unit: 'gray levels',
    effect: "Threshold increment of the method 'threshold'. Smaller finds more and is slower.",
  }),
  guard: boolean({
    default: true,
    effect:
      "Method 'threshold' rejects dark components that touch several edges of the region, are thin or ragged (shadows, lashes), or have the wrong size. Not with 'paper'.",
  }),
  angleStep: number({
    default: Math.PI / 30,
    min: Math.PI / 180,
    max: Math.PI / 4,
    unit: 'rad',
    effect: "Angle between the vote directions of an edge (method 'hough'). Smaller is more reliable and slower.",
  }),
  houghSide: number({
    default: 240,
    min: 60,
    max: 8192,
    unit: 'px',
    effect: "Method 'hough' halves the image until its sides are about this long. Larger is slower. Not with 'paper'.",
  }),
  workingDiagonal: number({
    default: 640,
    min: 100,
    max: 20000,
    unit: 'px',
    effect:
      "Frames are reduced by a whole number until the searched part (region of interest, half for two eyes) has about this diagonal. Settings in pixels refer to the reduced frame, results to the full frame. Larger is finer and slower. Not with 'paper'.",
  }),
  candidates: number({
    default: 8,
    min: 1,
    max: 32,
    integer: true,
    effect: 'Number of dark compact regions tested on a first frame or after a loss.',
  }),
  minDiameter: number({
    default: 0.048,
    min: 0.001,
    max: 1,
    unit: "of the image's diagonal",
    effect: 'Minimum pupil diameter.',
  }),
  maxDiameter: number({
    default: 0.8,
    min: 0.01,
    max: 2,
    unit: "of the image's short side",
    effect: 'Maximum pupil diameter.',
  }),
  minContrast: number({
    default: 8,
    min: 1,
    max: 200,
    unit: 'gray levels',
    effect: 'Minimum median contrast across the outline.',
  }),
  minConfidence: number({
    default: 0.7,
    min: 0,
    max: 1,
    effect: "Below this, the pupil counts as not found. 'paper' reports every circle.",
  }),
  maxBlink,
  tracking: boolean({ default: true, effect: 'Starts at the previous pupil. After a loss, searches the whole frame.' }),
  secondOpinion: choice({
    default: 'none',
    values: ['none', 'unsure', 'always'],
    effect:
      "A learned network for method 'robust'. 'unsure' asks it about pupils with a confidence below 0.9. 'always' also measures lids and iris in each frame.",
  }),
  tilesOnDemand: boolean({
    default: true,
    effect: 'Preprocesses only the tiles that rays cross. Off preprocesses the whole frame, with identical results.',
  }),
  depth: number({
    default: 6,
    min: 1,
    max: 16,
    integer: true,
    unit: 'frames',
    effect:
      "Maximum number of frames in flight on the GPU. More frames raise throughput up to a limit, and latency. The CPU, and 'starburst' while tracking, use one.",
  }),
  glints: number({
    default: 0,
    min: 0,
    max: 8,
    integer: true,
    effect: 'Maximum number of lamp reflections to find near the pupil, for gaze. 0 finds none.',
  }),
  outline: boolean({ default: false, effect: 'Adds border points to the result.' }),
} as const;

export interface Roi {
  x: number;
  y: number;
  width: number;
  height: number;
}

export type PupilValues = Values<typeof pupilParameters> & { roi?: Roi | null };

// Preprocessing presets (paper 000, section 5.1): the reflection kernels 13, 19 and 25 with the Gaussian (5, 2) and
// with medians of 7 and 11. 'gaussian-19' is the paper's best and the default. Each one is a subset of the tracker's
// parameters: `engine.createPupilTracker({ ...pupilPresets['median-7-25'] })`.

type Preset = Pick<PupilValues, 'reflectionSize' | 'smoothing'> & Partial<PupilValues>;

const gaussian = (reflectionSize: number): Preset => ({
  reflectionSize,
  smoothing: 'gaussian',
  gaussianSize: 5,
  gaussianSigma: 2,
});
const median = (medianSize: number, reflectionSize: number): Preset => ({
  reflectionSize,
  smoothing: 'median',
  medianSize,
});

export const pupilPresets = {
  'gaussian-13': gaussian(13),
  'gaussian-19': gaussian(19),
  'gaussian-25': gaussian(25),
  'median-7-13': median(7, 13),
  'median-7-19': median(7, 19),
  'median-7-25': median(7, 25),
  'median-11-13': median(11, 13),
  'median-11-19': median(11, 19),
  'median-11-25': median(11, 25),
} as const satisfies Record<string, Preset>;

export type PupilPreset = keyof typeof pupilPresets;
