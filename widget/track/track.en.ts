/** The words of <foveola-track>, in English. */
export const words = {
  title: 'Object tracking',
  stage: 'Video with the targets that are followed',
  empty: 'No recording yet',
  emptyHint:
    'Drop a video here, or choose a source, then draw a box around what is to be followed. Nothing leaves this page.',
  following: 'Followed',
  add: 'Draw a box around a target',
  correct: 'Correct the box',
  mot: 'Export MOT',
  truth: 'Ground truth',
  openTruth: 'Open ground truth, a box a line',
  truthWaits: (frames: number) =>
    `Ground truth of ${frames} frames. Analyze every frame (A) to compare it with the track.`,
  truthFormats: { sides: 'x, y, width, height', corners: 'two corners' },
  truthScore: (s: Record<'format' | 'mean' | 'success' | 'precision' | 'recall' | 'f', string> & { frames: number }) =>
    `Ground truth of ${s.frames} frames (${s.format}): mean overlap ${s.mean}, success at 0.5 ${s.success}; at 0.25 precision ${s.precision}, recall ${s.recall}, F ${s.f}`,
  saveScore: 'Save the score as JSON',
  targets: 'Targets',
  none: 'Draw a box around what is to be followed.',
  drawHint: 'Draw a box, or move it with the arrow keys, resize it with Shift and arrow keys, and press Enter.',
  added: (id: number) => `Target ${id} is followed`,
  removed: (id: number) => `Target ${id} removed`,
  corrected: (id: number) => `Target ${id} corrected`,
  remove: (id: number) => `Remove target ${id}`,
  found: (id: number) => `Target ${id} found again`,
  lost: (id: number) => `Target ${id} lost`,
  lostState: 'Target lost',
  state: (id: number, percent: number | null) => `${id}: ${percent === null ? 'lost' : `${percent} %`}`,
  boxAt: ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) =>
    `Box: ${width} by ${height} pixels at ${x}, ${y}. Arrow keys move, Shift and arrow keys resize, Enter takes it.`,
};

/** Of parameters that only its settings have. */
export const labels = {
  seed: 'Seed',
  grid: 'Search windows',
  'track.minSize': 'Smallest window',
  learning: 'Learning',
  fernThreshold: 'Fern threshold',
  nearestThreshold: 'Similarity of a detection',
  validThreshold: 'Similarity to learn from',
  sameThreshold: 'Similarity of equal patches',
  negativeOverlap: 'Overlap of background',
  firstWarps: 'Copies of the first box',
  warps: 'Copies of later boxes',
  noise: 'Noise on copies',
  'track.candidates': 'Windows compared',
  positives: 'Most target patches',
  negatives: 'Most background patches',
  flowPoints: 'Flow points across',
  flowWindow: 'Flow window',
  flowLevels: 'Flow halvings',
  flowResidual: 'Largest flow residual',
  rotation: 'Box turns with the target',
};
