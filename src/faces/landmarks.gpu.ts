/**
 * Landmarks on the GPU: the arithmetic of assembly/faces/landmarks.ts, two passes a cascade. The first one finds the leaf
 * of each tree for each face: similarity, then at every split two pixels, each of which is placed where it is needed. The
 * second one sums the leaves of a point in the order of their trees. Nothing but the points is read back.
 *
 * Which pixel a place falls on must not depend on rounding: a pixel beside it can turn a split, and with it the leaf of all
 * later cascades. So the similarity and the places are found in whole numbers (glsl/faces/landmarks-fixed.glsl), and sums
 * of 32-bit floats are made in the order, and with the roundings, of the WASM side. What is left is a similarity that is
 * rounded the other way once in some hundreds, by one unit of 32 bits (2^-24); a place, with what it is from a border of
 * two pixels, then goes the other way once in 10^5 of these. So the sides give equal bits but for about one face of ten
 * thousand, whose points then differ by a leaf; the stage's tolerance is for the reference, in 64-bit floats throughout.
 *
 * For F faces, P points, C cascades, T trees of depth d (68 points: 15, 500, 4):
 *   passes      2 C (30)
 *   fetches     a face and cascade: T (2 + 2 P + 7 d) for the leaves (83,000), P (1 + 2 T) for the sum, 3 T with
 *               quantized leaves (68,000 or 102,000)
 *   bytes up    (32 + 8 P) F (576 a face); once a model: 8 P (T C 2^d) of its leaves as floats (65 MB), 4 or 2 P of those of
 *               16 or 8 bits, with 4 a leaf for their scales, 8 a split (0.9 MB), 16 a feature pixel
 *   bytes down  8 P F (544 a face; twice that where a device reads only four channels), in one read-back
 *   bytes kept  the model's; until the end of the call 16 P F for the shapes, 4 T F for the leaves' numbers
 */
import leavesFragment from '../../glsl/faces/landmarks-leaves.frag';
import sumFragment from '../../glsl/faces/landmarks-sum.frag';
import type { LeafForm, PackedLandmarks } from '../models/landmarks.ts';
import type { Box } from '../results/types.ts';
import type { GpuSide, Texture } from '../runtime/gpu/gpu-side.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { inPixels } from './landmark-lists.ts';
import { landmarksFit, tablesOf } from './landmarks-tables.gpu.ts';

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

/** Sides and places of boxes that the shaders' whole numbers hold, in pixels. */
const FAR = 2 ** 23;

/** Whether this device's textures hold the model and the boxes. */
export const modelFitsGpu = (gpu: GpuSide, model: PackedLandmarks, boxes: Float64Array): boolean =>
  !model.patched && gpu.fits(1, boxes.length / 4) && landmarksFit(gpu, model) && boxes.every((v) => Math.abs(v) < FAR);

/** The side that the unit square spans and where it begins, for `pixelOf`: see glsl/faces/landmarks-fixed.glsl. */
function axisOf(start: number, side: number): [number, number, number, number] {
  const whole = Math.floor(side);
  const place = Math.round((start + 0.5) * 2 ** 29);
  const high = Math.floor(place / 2 ** 32);
  return [whole, Math.floor((side - whole) * 2 ** 32), high, place - high * 2 ** 32];
}

type Shapes = Texture<'rg32ui'>;

/** Two texels a box, for the shaders; those that are made on the GPU may have more. */
export function boxTexture(scope: Scope, boxes: readonly Box[]): Texture<'rgba32ui'> {
  const places = new Uint32Array(8 * boxes.length);
  boxes.forEach(({ x, y, width, height }, i) => places.set([...axisOf(x, width - 1), ...axisOf(y, height - 1)], 8 * i));
  const texture = scope.texture(2, boxes.length, 'rgba32ui');
  scope.gpu.upload(texture, new Uint8Array(places.buffer), 32);
  return texture;
}

/** Enqueues the passes: shapes in the unit squares of the boxes, a point a texel, a face a row; they are the scope's. */
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
        // Shapes take part in the similarity as whole numbers times 2^-27.
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

/** Shapes in the unit squares of the boxes, x and y of each point, one face after the other; one read-back. */
export function* shapesOnGpu(
  scope: Scope,
  source: Plane,
  boxes: readonly Box[],
  model: PackedLandmarks,
): Plan<Float32Array> {
  const shapes = yield* fitShapes(scope, source, boxTexture(scope, boxes), model);
  const bytes = yield* scope.wait(scope.gpu.read(shapes));
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
}

/** The same on the GPU; the image may live on either side. */
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
