/** The parameters of pupil tracking: types, checks, sliders and docs come from this table. */
import { boolean, choice, number, odd, type Values } from '../runtime/parameters.ts';
import { maxBlink } from '../series/eye-events.ts';
import { eye, view } from '../results/laterality.ts';

export const pupilParameters = {
  method: choice({
    default: 'robust',
    values: ['robust', 'starburst', 'threshold', 'hough'],
    effect:
      'The best of edge segments and rays; rays from inside the pupil; the largest dark component over several thresholds; Canny and the Hough transform.',
  }),
  variant: choice({
    default: 'default',
    values: ['default', 'paper'],
    effect:
      "'paper' is the published method, from the image's center with a fixed threshold. The default searches for its start, adapts the threshold and refines the outline.",
  }),
  polarity: choice({
    default: 'dark',
    values: ['dark', 'bright'],
    effect: "The pupil against the iris: 'bright' where the light stands close beside the lens.",
  }),
  fit: choice({
    default: 'ellipse',
    values: ['ellipse', 'circle'],
    effect: 'Which shape gives center and diameter.',
  }),
  eyes: number({ default: 1, min: 1, max: 2, values: [1, 2], effect: '2: one pupil in each half of the image.' }),
  view,
  eye,
  millimetresPerPixel: number({
    default: 0,
    min: 0,
    max: 10,
    unit: 'mm/px',
    effect: 'Scale for diameterMm; 0: no calibration, diameterMm stays null.',
  }),
  reflections: choice({
    default: 'skip',
    values: ['skip', 'interpolate', 'none'],
    effect:
      'Corneal reflections: rays skip them, they are filled from their border (for methods without rays in both cases), or nothing is done.',
  }),
  reflectionSize: number({
    default: 19,
    min: 3,
    max: 25,
    values: odd(3, 25),
    unit: 'px',
    effect: 'Side of the top-hat square; reflections narrower than it are found.',
  }),
  reflectionThreshold: number({
    default: 55,
    min: 1,
    max: 254,
    integer: true,
    unit: 'gray levels',
    effect: 'How much brighter than its surroundings a reflection is.',
  }),
  reflectionDilation: number({
    default: 5,
    min: 1,
    max: 15,
    values: odd(1, 15),
    unit: 'px',
    effect: 'Side of the square by which reflections are widened.',
  }),
  smoothing: choice({ default: 'gaussian', values: ['gaussian', 'median'], effect: 'Filter before the rays.' }),
  gaussianSize: number({ default: 5, min: 3, max: 15, values: odd(3, 15), unit: 'px', effect: 'Gaussian kernel.' }),
  gaussianSigma: number({ default: 2, min: 0.3, max: 8, unit: 'px', effect: 'Standard deviation of the Gaussian.' }),
  medianSize: number({ default: 7, min: 3, max: 11, values: [3, 7, 11], unit: 'px', effect: 'Median window.' }),
  rays: number({ default: 20, min: 8, max: 72, integer: true, effect: 'Rays of the first stage.' }),
  secondaryRays: number({
    default: 5,
    min: 0,
    max: 15,
    integer: true,
    effect: 'Rays back from each border point, spread over 50 degrees to either side.',
  }),
  minGradient: number({
    default: 8,
    min: 1,
    max: 200,
    unit: 'gray levels over 4 px',
    effect: 'Smallest step that counts as a border.',
  }),
  sets: number({
    default: 1024,
    min: 64,
    max: 8192,
    values: [64, 128, 256, 512, 1024, 2048, 4096, 8192],
    effect: 'RANSAC: sets of five points that are tried.',
  }),
  voteDistance: number({
    default: 2,
    min: 0.5,
    max: 10,
    unit: 'px',
    effect: 'RANSAC: a point this close to a circle votes for it.',
  }),
  epsilon: number({
    default: 10,
    min: 0.1,
    max: 100,
    unit: 'px',
    effect: 'The search ends when the center moves less than this.',
  }),
  iterations: number({ default: 10, min: 1, max: 50, integer: true, effect: 'Most rounds of rays and fits.' }),
  thresholdFrom: number({
    default: 20,
    min: 0,
    max: 254,
    integer: true,
    unit: 'gray levels',
    effect: "Method 'threshold': the lowest threshold.",
  }),
  thresholdTo: number({
    default: 100,
    min: 0,
    max: 254,
    integer: true,
    unit: 'gray levels',
    effect: "Method 'threshold': the highest threshold.",
  }),
  thresholdStep: number({
    default: 20,
    min: 1,
    max: 100,
    integer: true,
    unit: 'gray levels',
    effect: "Method 'threshold': from one threshold to the next; smaller finds more and takes longer.",
  }),
  guard: boolean({
    default: true,
    effect:
      "Method 'threshold': dark components at several of the region's edges, thin or ragged (shadows, lashes), too small or large do not count; never in the paper's variant.",
  }),
  angleStep: number({
    default: Math.PI / 30,
    min: Math.PI / 180,
    max: Math.PI / 4,
    unit: 'rad',
    effect:
      "Method 'hough': an edge votes for centers in a direction every so often; smaller is surer and takes longer.",
  }),
  houghSide: number({
    default: 240,
    min: 60,
    max: 8192,
    unit: 'px',
    effect:
      "Method 'hough': the image is halved until its sides are about this long; larger takes longer. Never in the paper's variant.",
  }),
  workingDiagonal: number({
    default: 640,
    min: 100,
    max: 20000,
    unit: 'px',
    effect:
      "Frames are reduced by a whole number until what is searched of them (the region of interest, each half of two eyes) has about this diagonal; lengths in pixels are those of the reduced frame, results in the frame's own. Larger is finer and slower. Never in the paper's variant.",
  }),
  candidates: number({
    default: 8,
    min: 1,
    max: 32,
    integer: true,
    effect: 'Dark compact regions that are tried on a first frame or after a loss.',
  }),
  minDiameter: number({
    default: 0.048,
    min: 0.001,
    max: 1,
    unit: "of the image's diagonal",
    effect: 'Smallest pupil.',
  }),
  maxDiameter: number({
    default: 0.8,
    min: 0.01,
    max: 2,
    unit: "of the image's short side",
    effect: 'Largest pupil.',
  }),
  minContrast: number({
    default: 8,
    min: 1,
    max: 200,
    unit: 'gray levels',
    effect: 'Smallest median step across the outline.',
  }),
  minConfidence: number({
    default: 0.7,
    min: 0,
    max: 1,
    effect: "Below it the pupil counts as not found; the paper's variant reports every circle.",
  }),
  maxBlink,
  tracking: boolean({ default: true, effect: 'Start at the previous pupil; the whole frame after a loss.' }),
  tilesOnDemand: boolean({
    default: true,
    effect: 'Preprocess only where rays pass; off: the whole frame, with identical results.',
  }),
  depth: number({
    default: 6,
    min: 1,
    max: 16,
    integer: true,
    unit: 'frames',
    effect:
      'Maximum number of frames in flight on the GPU. More raises throughput up to a point, and the time to each result. In WASM, and while `starburst` follows a pupil, it is one.',
  }),
  glints: number({
    default: 0,
    min: 0,
    max: 8,
    integer: true,
    effect: 'Mirror images of lamps near the pupil that are looked for, for gaze; 0: none.',
  }),
  outline: boolean({ default: false, effect: 'Border points in the result.' }),
} as const;

export interface Roi {
  x: number;
  y: number;
  width: number;
  height: number;
}

export type PupilValues = Values<typeof pupilParameters> & { roi?: Roi | null };
