/** The state of the robust detector in linear memory: the fields of assembly/pupil/robust/state.ts in the same order. */
const p = 'u32';
const i = 'i32';
const f = 'f32';

export const robustFields = {
  factor: i,
  width: i,
  height: i,
  stride: i,
  image: p,
  smooth: p,
  gradientX: p,
  gradientY: p,
  magnitude: p,
  index: p,
  low: i,
  high: i,
  edgeX: p,
  edgeY: p,
  normalX: p,
  normalY: p,
  used: p,
  edges: i,
  maxEdges: i,
  order: p,
  segments: p,
  segmentCount: i,
  maxSegments: i,
  ellipses: p,
  ellipseCount: i,
  maxEllipses: i,
  minRadius: f,
  maxRadius: f,
  features: p,
  weights: p,
  featureCount: i,
  top: i,
  sure: f,
  starts: p,
  startCount: i,
  maxStarts: i,
  tries: i,
  fine: p,
  fineCount: i,
  sigma: f,
  log: p,
  logCount: i,
  maxLog: i,
  way: i,
} as const;

export type RobustField = keyof typeof robustFields;

const names = Object.keys(robustFields) as RobustField[];
export const robustBytes = 4 * names.length;

const offsets = new Map(names.map((name, k) => [name, k]));
export const robustWord = (name: RobustField): number => offsets.get(name)!;
export const isRobustFloat = (name: RobustField): boolean => robustFields[name] === 'f32';
