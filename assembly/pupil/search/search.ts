// State of the search for one eye, shared by all methods: frame and region, tables, border points, circle, outline and
// its rating. TypeScript creates and fills it (src/pupil/search/search.ts). It is valid for one frame, except for the
// values that TypeScript keeps.

@unmanaged
export class Search {
  // The frame: 8-bit gray. The blurred image and the reflection mask are computed tile by tile on demand.
  source: usize;
  stride: i32;
  width: i32;
  height: i32;
  blurred: usize;
  mask: usize;
  planeStride: i32;
  tiles: usize;
  tilesAcross: i32;
  tilesDown: i32;
  blocks: usize; // extremes of 16x16 blocks, u32, 0: not computed yet
  blocksAcross: i32;
  tileRoom: usize; // scratch for tiles, see searchRoom
  work: usize; // scratch for everything else
  // Region of the search (half images in the binocular case): x0 <= x < x1.
  x0: i32;
  y0: i32;
  x1: i32;
  y1: i32;
  // Preprocessing.
  gaussian: usize; // half kernel, center first, u16, the whole kernel sums to 256
  gaussianSize: i32;
  reflectionSize: i32; // 0: no reflection stage
  reflectionThreshold: i32;
  reflectionDilation: i32;
  // Rays.
  directions: usize; // cos, sin of the first stage, f32
  rays: i32;
  arc: usize; // cos, sin of the second stage relative to the direction back, f32
  arcRays: i32;
  gradient: f32; // threshold, gray levels over GRADIENT_SPAN pixels
  minGradient: f32; // minimum threshold
  paper: i32; // 1: no move to the steepest position, no re-selection
  minRadius: f32;
  maxRadius: f32;
  // RANSAC.
  table: usize; // sets x 5 numbers in [0, 1), f32, fixed
  sets: i32;
  voteDistance: f32;
  epsilon: f32;
  iterations: i32;
  // Border points of the current iteration, structure of arrays, f32.
  px: usize;
  py: usize;
  points: i32;
  // Current circle.
  cx: f32;
  cy: f32;
  r: f32;
  votes: i32;
  used: i32; // iterations used
  // Current ellipse: center, semi-axes, unit vector of the major axis.
  ex: f32;
  ey: f32;
  ea: f32;
  eb: f32;
  eux: f32;
  euy: f32;
  ellipse: i32; // 1: valid
  // Rating of the outline.
  support: f32; // share of the visible outline with an edge on it
  visible: f32; // share of the outline that is neither masked nor outside
  contrast: f32; // median step across the outline, gray levels
  spread: f32; // median distance of the edges from the outline, px
  inside: f32; // median gray level inside the outline
  // Sub-pixel edge points of the refinement, structure of arrays, f32.
  qx: usize;
  qy: usize;
  qn: i32;
  spareX: usize; // a second list, so that the best outline is preserved while others are tried
  spareY: usize;
  normals: usize; // cos, sin of the normals of the refinement, f32
  normalCount: i32;
  // Start search.
  small: usize; // reduced image, u8
  smallWidth: i32;
  smallHeight: i32;
  reduction: i32;
  integral: usize; // u32
  starts: usize; // start points of rays: x, y, maximum ray length, threshold of the step, f32, best first
  startCount: i32;
  maxStarts: i32;
  // The pupil of the previous frame.
  lastX: f32;
  lastY: f32;
  lastR: f32;
  lastContrast: f32;
  score: f32; // of the current outline
  insideRange: f32; // 10th to 90th percentile of the levels inside, gray levels
  gap: f32; // 25th percentile of the ring outside minus 75th percentile inside, gray levels
  steady: f32; // share of the visible outline whose step is within half to twice the median
  dark: f32; // first percentile of the reduced frame
  minContrast: f32;
  // Rating by shape: features and their weights, f32.
  features: usize;
  weights: usize;
  featureCount: i32;
  // Selection of the best outline (./contest).
  best: usize; // space for a second state: the best outline so far
  entered: i32; // how often an outline was better than all before, 0: nothing was found
  enough: f32; // log-odds that end the search
}
