/**
 * Landmarks on the GPU: the arithmetic of assembly/faces/landmarks.ts, two passes per cascade. The first pass finds the
 * leaf of each tree for each face: the similarity, then two pixels at every split, placed when they are needed. The
 * second pass sums the leaves of a point in the order of their trees. Only the points are read back.
 *
 * The pixel of a position must not depend on rounding. A neighboring pixel can change a split, and then the leaves of
 * all later cascades. So the similarity and the positions are computed in integers (glsl/faces/landmarks-fixed.glsl).
 * Sums of 32-bit floats use the order and the rounding of the WASM backend. The remaining difference is a similarity
 * that rounds differently once in some hundreds, by one unit of 32 bits (2^-24). A position near the border of two
 * pixels then changes once in 10^5 of these. So the backends return equal bits, except for about one face of ten
 * thousand, whose points then differ by a leaf. The stage's tolerance is for the reference, which uses 64-bit floats
 * throughout.
 *
 * For F faces, P points, C cascades, T trees of depth d (68 points: 15, 500, 4):
 *   passes      2 C (30)
 *   fetches     per face and cascade: T (2 + 2 P + 7 d) for the leaves (83,000), P (1 + 2 T) for the sum, 3 T with
 *               quantized leaves (68,000 or 102,000)
 *   bytes up    (32 + 8 P) F (576 per face). Once per model: 8 P (T C 2^d) for leaves as floats (65 MB), 4 or 2 P for
 *               leaves of 16 or 8 bits, with 4 per leaf for their scales, 8 per split (0.9 MB), 16 per feature pixel
 *   bytes down  8 P F (544 per face, twice that if a device reads only four channels), in one read-back
 *   bytes kept  those of the model. Until the end of the call: 16 P F for the shapes, 4 T F for the leaves' numbers
 */
import type { LeafForm, PackedLandmarks } from '../models/landmarks.ts';
import type { GpuBackend, Texture, TextureFormat } from '../runtime/gpu/gpu-backend.ts';
import { formats } from '../runtime/gpu/gpu-formats.ts';
import type { Scope } from '../runtime/scope.ts';
import { KeptModels, inPixels } from './landmark-data.ts';
import leavesFragment from '../../glsl/faces/landmarks-leaves.frag';
import sumFragment from '../../glsl/faces/landmarks-sum.frag';
import type { Box } from '../results/types.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';

// A landmark model as textures (glsl/faces/landmarks-*.frag). It is uploaded once per engine and stays while it is in
// use.

/** Number of texels per row, like in the shaders. Every device supports textures of this width. */
const WIDTH = 2048;
/** Minimum size in bytes of a model to cache. Smaller ones are uploaded each time. */
const LARGE = 1 << 16;

interface LandmarkTables {
  /**
   * The mean shape around its center, divided by its spread, as integers. The similarity is a sum of products with it.
   */
  readonly weights: Texture<'rg32i'>;
  /** The weights are scaled by 2^-exponent. Null if the mean shape has no spread, and nothing rotates. */
  readonly exponent: number | null;
  /** Point that a feature pixel is anchored to, and its offset from that point. */
  readonly pixels: Texture<'rgba32ui'>;
  /** Two indices of pixels, and the bits of the threshold. */
  readonly splits: Texture<'rg32ui'>;
  readonly leaves: Texture<'rg32ui' | 'rg16ui' | 'rg8ui'>;
  readonly scales: Texture<'u32'> | null;
}

const leafFormat = { exact: 'rg32ui', '16-bit': 'rg16ui', '8-bit': 'rg8ui' } as const satisfies Record<
  LeafForm,
  TextureFormat
>;

const rowsOf = (texels: number) => Math.ceil(texels / WIDTH);

/** Whether textures of this device can hold the model. */
function landmarksFit(gpu: GpuBackend, { points, cascades, trees, depth, pixels }: PackedLandmarks): boolean {
  const leaves = cascades * trees * 2 ** depth;
  return gpu.fits(Math.max(points, trees), Math.max(rowsOf(leaves * points), rowsOf(cascades * pixels)));
}

/** Scales the weights by 2^exponent, so that the largest one has 30 bits. */
function weightsOf({ mean, points }: PackedLandmarks): { weights: Int32Array; exponent: number | null } {
  const weights = new Int32Array(2 * points);
  const center = [0, 1].map((k) => mean.reduce((sum, v, i) => (i % 2 === k ? sum + v : sum), 0) / points);
  const about = Float64Array.from(mean, (v, i) => v - center[i % 2]!);
  const spread = about.reduce((sum, v) => sum + v * v, 0);
  if (!(spread > 0)) return { weights, exponent: null };
  const largest = about.reduce((most, v) => Math.max(most, Math.abs(v)), 0) / spread;
  const exponent = 29 - Math.floor(Math.log2(largest));
  weights.set(about.map((v) => Math.round((v / spread) * 2 ** exponent)));
  return { weights, exponent };
}

function upload<F extends TextureFormat>(gpu: GpuBackend, width: number, format: F, bytes: Uint8Array): Texture<F> {
  const row = width * formats[format].bytes;
  const rows = Math.ceil(bytes.length / row);
  const texture = gpu.allocate(width, rows, format);
  let whole = bytes;
  if (bytes.length < rows * row) {
    whole = new Uint8Array(rows * row);
    whole.set(bytes);
  }
  gpu.upload(texture, whole, row);
  return texture;
}

const bytesOf = ({ buffer }: Int32Array | Uint32Array) => new Uint8Array(buffer);

function make(gpu: GpuBackend, model: PackedLandmarks): LandmarkTables {
  const { points, cascades, trees, depth, pixels, payload, form } = model;
  // Offsets of the sections in src/models/landmarks.ts: mean shape, anchors, deltas, splits, scales, leaves.
  const words = new Uint32Array(payload.buffer, payload.byteOffset, 16);
  const section = (i: number, bytes: number) => payload.subarray(words[8 + i]!, words[8 + i]! + bytes);
  const count = cascades * pixels;
  const { buffer, byteOffset } = payload;
  const anchors = new Uint16Array(buffer, byteOffset + words[9]!, count);
  const deltas = new Uint32Array(buffer, byteOffset + words[10]!, 2 * count);
  const features = new Uint32Array(4 * count);
  anchors.forEach((anchor, i) => features.set([anchor, deltas[2 * i]!, deltas[2 * i + 1]!], 4 * i));
  const leaves = cascades * trees * 2 ** depth;
  const format = leafFormat[form];
  const { weights, exponent } = weightsOf(model);
  const made: Texture[] = [];
  const table = <F extends TextureFormat>(width: number, kind: F, bytes: Uint8Array): Texture<F> => {
    const texture = upload(gpu, width, kind, bytes);
    made.push(texture);
    return texture;
  };
  try {
    return {
      exponent,
      weights: table(points, 'rg32i', bytesOf(weights)),
      pixels: table(WIDTH, 'rgba32ui', bytesOf(features)),
      splits: table(WIDTH, 'rg32ui', section(3, 8 * cascades * trees * (2 ** depth - 1))),
      leaves: table(WIDTH, format, section(5, formats[format].bytes * leaves * points)),
      scales: form === 'exact' ? null : table(WIDTH, 'u32', section(4, 4 * leaves)),
    };
  } catch (error) {
    for (const texture of made) gpu.release(texture);
    throw error;
  }
}

const texturesOf = ({ weights, pixels, splits, leaves, scales }: LandmarkTables): Texture[] => [
  ...[weights, pixels, splits, leaves],
  ...(scales ? [scales] : []),
];

function free(gpu: GpuBackend | null, tables: LandmarkTables): void {
  if (gpu) for (const texture of texturesOf(tables)) gpu.release(texture);
}

/** Cache of the tables, which are made again after a lost context. */
const kept = new KeptModels<{ tables: LandmarkTables }>(
  ({ gpu }, model) => ({ tables: make(gpu!, model) }),
  ({ gpu }, { tables }) => free(gpu, tables),
);

/** Returns the tables of a model. They exist at least as long as the scope. */
function tablesOf(scope: Scope, model: PackedLandmarks): LandmarkTables {
  const { gpu } = scope;
  if (model.payload.length >= LARGE) {
    const own = kept.of(scope, model);
    if (own.tables.weights.lost) own.tables = make(gpu, model);
    return own.tables;
  }
  const tables = make(gpu, model);
  scope.own({ dispose: () => free(gpu, tables) });
  return tables;
}

const leavesPass = definePass({
  name: 'faces/landmarks leaves',
  fragment: leavesFragment,
  textures: ['source', 'boxes', 'shapes', 'weights', 'pixels', 'splits'],
  uniforms: {
    ...({ nothing: 'uint', exponent: 'int', turns: 'int', depth: 'int' } as const),
    ...({ firstPixel: 'int', firstTree: 'int' } as const),
  },
  outputs: ['leaf'],
});

const sums = <const T extends string>(form: LeafForm, textures: readonly T[], defines: Record<string, number>) =>
  definePass({
    name: `faces/landmarks sum, ${form}`,
    fragment: sumFragment,
    textures: ['shapes', 'found', 'leaves', ...textures],
    uniforms: { nothing: 'uint' },
    outputs: ['point'],
    defines,
  });
const sumExact = sums('exact', [], {});
const sumScaled = {
  '16-bit': sums('16-bit', ['scales'], { UNUSED: 16 }),
  '8-bit': sums('8-bit', ['scales'], { UNUSED: 24, PAIRS: 1 }),
};

/** Limit in pixels of sides and positions of boxes for the shaders' integers. */
const FAR = 2 ** 23;

/** Whether textures of this device can hold the model and the boxes. */
export const modelFitsGpu = (gpu: GpuBackend, model: PackedLandmarks, boxes: Float64Array): boolean =>
  !model.patched && gpu.fits(1, boxes.length / 4) && landmarksFit(gpu, model) && boxes.every((v) => Math.abs(v) < FAR);

/** Side and start of the unit square on an axis, for `pixelOf`, see glsl/faces/landmarks-fixed.glsl. */
function axisOf(start: number, side: number): [number, number, number, number] {
  const whole = Math.floor(side);
  const place = Math.round((start + 0.5) * 2 ** 29);
  const high = Math.floor(place / 2 ** 32);
  return [whole, Math.floor((side - whole) * 2 ** 32), high, place - high * 2 ** 32];
}

type Shapes = Texture<'rg32ui'>;

/** Uploads two texels per box for the shaders. Boxes that are made on the GPU may have more. */
function boxTexture(scope: Scope, boxes: readonly Box[]): Texture<'rgba32ui'> {
  const places = new Uint32Array(8 * boxes.length);
  boxes.forEach(({ x, y, width, height }, i) => places.set([...axisOf(x, width - 1), ...axisOf(y, height - 1)], 8 * i));
  const texture = scope.texture(2, boxes.length, 'rgba32ui');
  scope.gpu.upload(texture, new Uint8Array(places.buffer), 32);
  return texture;
}

/**
 * Enqueues the passes. The result has shapes in the unit squares of the boxes, one point per texel and one face per
 * row. The textures belong to the scope.
 */
export function* fitShapes(
  scope: Scope,
  source: Plane,
  boxes: Texture<'rgba32ui'>,
  model: PackedLandmarks,
): Plan<Shapes> {
  const { points, cascades, trees, depth, pixels } = model;
  const faces = boxes.height;
  const { weights, leaves, scales, exponent, ...tables } = tablesOf(scope, model);
  const means = new Float32Array(2 * points * faces);
  for (let at = 0; at < means.length; at += 2 * points) means.set(model.mean, at);
  let [shapes, then] = [0, 1].map(() => scope.texture(points, faces, 'rg32ui')) as [Shapes, Shapes];
  scope.gpu.upload(shapes, new Uint8Array(means.buffer), 8 * points);
  const found = scope.texture(trees, faces, 'u32');
  for (let c = 0; c < cascades; c++) {
    scope.draw(leavesPass, {
      targets: [found],
      textures: { source, boxes, shapes, weights, pixels: tables.pixels, splits: tables.splits },
      uniforms: {
        // The similarity uses shapes as integers times 2^-27.
        ...{ nothing: 0, exponent: -27 - (exponent ?? 0), turns: exponent === null ? 0 : 1, depth },
        ...{ firstPixel: c * pixels, firstTree: c * trees },
      },
    });
    const summed = { targets: [then], uniforms: { nothing: 0 } };
    if (model.form === 'exact') scope.draw(sumExact, { ...summed, textures: { shapes, found, leaves } });
    else scope.draw(sumScaled[model.form], { ...summed, textures: { shapes, found, leaves, scales: scales! } });
    [shapes, then] = [then, shapes];
    yield* scope.turn();
  }
  return shapes;
}

/**
 * Returns shapes in the unit squares of the boxes, x and y of each point, one face after the other, with one read-back.
 */
function* shapesOnGpu(scope: Scope, source: Plane, boxes: readonly Box[], model: PackedLandmarks): Plan<Float32Array> {
  const shapes = yield* fitShapes(scope, source, boxTexture(scope, boxes), model);
  const bytes = yield* scope.wait(scope.gpu.read(shapes));
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
}

/** Like fitLandmarks, on the GPU. The image may be on either backend. */
export function* fitLandmarksGpu(
  scope: Scope,
  source: Plane,
  boxes: readonly Box[],
  model: PackedLandmarks,
): Plan<Float32Array[]> {
  if (!boxes.length) return [];
  const shapes = yield* scope.part((inner) => shapesOnGpu(inner, source, boxes, model));
  return boxes.map((box, i) => inPixels(shapes.subarray(2 * model.points * i), box, model));
}
