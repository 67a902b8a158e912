/** The state of a search in linear memory: the fields of assembly/pupil/search/search.ts in the same order, four bytes each. */
const p = 'u32';
const i = 'i32';
const f = 'f32';

export const searchFields = {
  src: p,
  stride: i,
  width: i,
  height: i,
  blurred: p,
  mask: p,
  planeStride: i,
  tiles: p,
  tilesAcross: i,
  tilesDown: i,
  blocks: p,
  blocksAcross: i,
  scratch: p,
  x0: i,
  y0: i,
  x1: i,
  y1: i,
  gaussian: p,
  gaussianSize: i,
  reflectionSize: i,
  reflectionThreshold: i,
  reflectionDilation: i,
  directions: p,
  rays: i,
  arc: p,
  arcRays: i,
  gradient: f,
  paper: i,
  minRadius: f,
  maxRadius: f,
  table: p,
  sets: i,
  voteDistance: f,
  epsilon: f,
  iterations: i,
  px: p,
  py: p,
  points: i,
  cx: f,
  cy: f,
  r: f,
  votes: i,
  used: i,
  ex: f,
  ey: f,
  ea: f,
  eb: f,
  eux: f,
  euy: f,
  ellipse: i,
  support: f,
  visible: f,
  contrast: f,
  spread: f,
  inside: f,
  qx: p,
  qy: p,
  qn: i,
  spareX: p,
  spareY: p,
  normals: p,
  normalCount: i,
  small: p,
  smallWidth: i,
  smallHeight: i,
  reduction: i,
  integral: p,
  candidates: p,
  candidateCount: i,
  maxCandidates: i,
  score: f,
  insideRange: f,
  gap: f,
  steady: f,
  dark: f,
  minContrast: f,
} as const;

export type SearchField = keyof typeof searchFields;

const names = Object.keys(searchFields) as SearchField[];
export const searchBytes = 4 * names.length;

const offsets = new Map(names.map((name, k) => [name, k]));

/** Word index of a field within the state, and whether it is a float. */
export const wordOf = (name: SearchField): number => offsets.get(name)!;
export const isFloat = (name: SearchField): boolean => searchFields[name] === 'f32';
