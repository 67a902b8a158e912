/** English strings of `<foveola-track>`. */
export const words = {
  title: 'Object tracking',
  stage: 'Video with the tracked targets',
  empty: 'No recording yet',
  emptyHint:
    'Drop a video here, or choose a source, then draw a box around the object to track. Nothing leaves this page.',
  following: 'Tracking',
  add: 'Draw a box around a target',
  addShort: 'Draw a box',
  correct: 'Correct the box',
  mot: 'MOT Challenge (TXT)',
  openTruth: 'Open ground truth, one box per line',
  truthWaits: (frames: number) =>
    `Ground truth of ${frames} frames. Analyze every frame (A) to compare it with the track.`,
  truthFormats: { sides: 'x, y, width, height', corners: 'two corners' },
  truthScore: (s: Record<'format' | 'mean' | 'success' | 'precision' | 'recall' | 'f', string> & { frames: number }) =>
    `Ground truth of ${s.frames} frames (${s.format}): mean overlap ${s.mean}, success at 0.5 ${s.success}. At 0.25: precision ${s.precision}, recall ${s.recall}, F ${s.f}`,
  saveScore: 'Save the score as JSON',
  targets: 'Targets',
  none: 'Draw a box around the object to track.',
  drawHint: 'Draw a box, or move it with the arrow keys, resize it with Shift and arrow keys, and press Enter.',
  added: (id: number) => `Target ${id} is tracked`,
  removed: (id: number) => `Target ${id} removed`,
  corrected: (id: number) => `Target ${id} corrected`,
  remove: (id: number) => `Remove target ${id}`,
  found: (id: number) => `Target ${id} found again`,
  lost: (id: number) => `Target ${id} lost`,
  lostState: 'Target lost',
  state: (id: number, percent: number | null) => `${id}: ${percent === null ? 'lost' : `${percent} %`}`,
  boxAt: ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) =>
    `Box: ${width} by ${height} pixels at ${x}, ${y}. Arrow keys move, Shift and arrow keys resize, Enter accepts.`,
};

/** Labels of parameters that only this element has. */
export const labels = {
  seed: 'Seed',
  grid: 'Search windows',
  'track.minSize': 'Minimum window size',
  learning: 'Learning',
  fernThreshold: 'Fern threshold',
  nearestThreshold: 'Detection similarity',
  validThreshold: 'Learning similarity',
  sameThreshold: 'Patch similarity',
  negativeOverlap: 'Background overlap',
  firstWarps: 'Copies of the first box',
  warps: 'Copies of later boxes',
  noise: 'Noise on copies',
  'track.candidates': 'Windows compared',
  positives: 'Maximum target patches',
  negatives: 'Maximum background patches',
  flowPoints: 'Flow points across',
  flowWindow: 'Flow window',
  flowLevels: 'Flow pyramid levels',
  flowResidual: 'Maximum flow residual',
  rotation: 'Rotate box with target',
};
