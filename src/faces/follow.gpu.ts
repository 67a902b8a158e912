/**
 * Follows the faces of a frame on the GPU, all at once: the points of all faces there and back, the motion of each face
 * that has landmarks, and the landmarks in the box that moved with it. The frame is uploaded, and the results are read
 * back once. WASM then computes the motion again from the points that were read, in 64-bit floats, and uses this
 * result. So boxes are equal on both backends. The GPU's box, which was used to fit the landmarks, differs by some
 * 10^-5 of a pixel. The fit of a trained model compensates for this.
 *
 * For N points of all faces and F faces with landmarks (N is 34 per face; 68 points, 15 cascades):
 *   passes      6 for the pyramid of the frame, 16 for the points, 1 for the motion, 30 for the landmarks, 1 to join
 *   bytes up    the frame, 16 N for the points, 32 F for the faces, 544 F for the mean shapes
 *   bytes down  32 N + 16 F + 8 F for each point of a face (1,648 per face), padded to rows of 1 kB
 */
import joinFragment from '../../glsl/faces/follow-join.frag';
import motionFragment from '../../glsl/faces/follow-motion.frag';
import { GpuFlowPyramid } from '../flow/pyramid.gpu.ts';
import { emptyResult, type TrackedPoints } from '../flow/tracked-points.ts';
import { sparseParameters } from '../flow/parameters.ts';
import { pointTracks } from '../flow/track-points.ts';
import { readPoints, searchPoints, trackPointsGpu } from '../flow/track-points.gpu.ts';
import type { PackedLandmarks } from '../models/landmarks.ts';
import type { Box } from '../results/types.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import { resolveParameters } from '../runtime/parameters.ts';
import type { Scope } from '../runtime/scope.ts';
import { unlessLost, type Plan } from '../runtime/wasm/kernel-step.ts';
import type { FollowedFrame } from './search.ts';
import { inPixels } from './landmark-data.ts';
import { fitShapes, modelFitsGpu } from './landmarks.gpu.ts';
import { boxOfShape } from './landmarks.ts';
import { astrayFrom, FLOW, LARGEST_SCALE, LEAST_SHARE, MEDIANS, SMALLEST_SCALE } from './motion.ts';

const VALUES = resolveParameters(sparseParameters, FLOW, 'trackPoints');
/** Number of texels per row of the read-back. */
const WIDTH = 64;
/** Maximum number of points of a face whose motion a fragment stores. */
const MOST = 64;

const motionPass = definePass({
  name: 'faces/follow motion',
  fragment: motionFragment,
  textures: ['from', 'there', 'back', 'faces'],
  uniforms: { rules: 'vec4' },
  outputs: ['box'],
  defines: { MOST },
});
const joinPass = definePass({
  name: 'faces/follow join',
  fragment: joinFragment,
  textures: ['there', 'back', 'boxes', 'shapes'],
  uniforms: { points: 'int' },
  outputs: ['texel'],
  defines: { WIDTH },
});

/** Input for one face. */
export interface FollowedFace {
  readonly points: Float32Array;
  /** Box of the detector's kind. */
  readonly box: Box;
  /** Landmarks of the face. Null if it has none. */
  readonly shape: Float32Array | null;
}

export interface Followed {
  /** All points, one face after the other. */
  readonly tracked: TrackedPoints;
  /** Landmarks in the next frame, in pixels. Null if none were requested, or if the motion is unclear. */
  readonly shapes: readonly (Float32Array | null)[];
}

/** Faces with landmarks that the GPU can fit, each with the index of its first point and the model's box. */
function fittable(scope: Scope, faces: readonly FollowedFace[], model: PackedLandmarks | null) {
  let first = 0;
  return faces.flatMap((face, i) => {
    const { points, shape } = face;
    const own = first;
    first += points.length / 2;
    const ownBox = model && shape && boxOfShape(shape, model);
    if (!ownBox || points.length > 2 * MOST) return [];
    const list = Float64Array.of(ownBox.x, ownBox.y, ownBox.width, ownBox.height);
    return modelFitsGpu(scope.gpu, model, list) ? [{ i, first: own, face, ownBox }] : [];
  });
}

/** Follows faces from one frame to the next. Their pyramids have the levels of FLOW. Throws 'context-lost'. */
export function* followOnGpu(
  scope: Scope,
  previous: GpuFlowPyramid,
  next: GpuFlowPyramid,
  faces: readonly FollowedFace[],
  points: Float32Array,
  model: PackedLandmarks | null,
): Plan<Followed> {
  const count = points.length / 2;
  const tracked = emptyResult(count, FLOW);
  const fitted = fittable(scope, faces, model);
  const shapes = faces.map((): Float32Array | null => null);
  if (!fitted.length || !model) {
    yield* trackPointsGpu(scope, previous, next, points, undefined, VALUES, tracked);
    return { tracked, shapes };
  }
  const words = yield* scope.part(function* (inner) {
    const { from, there, back } = yield* searchPoints(inner, previous, next, points, undefined, VALUES);
    const table = new Uint32Array(8 * fitted.length);
    const floats = new Float32Array(table.buffer);
    fitted.forEach(({ first, face: { points, box }, ownBox }, k) => {
      table.set([first, points.length / 2], 8 * k);
      floats[8 * k + 2] = astrayFrom(box);
      floats.set([ownBox.x, ownBox.y, ownBox.width - 1], 8 * k + 4);
    });
    const known = inner.texture(2, fitted.length, 'rgba32ui');
    inner.gpu.upload(known, new Uint8Array(table.buffer), 32);
    const boxes = inner.texture(3, fitted.length, 'rgba32ui');
    inner.draw(motionPass, {
      targets: [boxes],
      textures: { from, there, back: back!, faces: known },
      uniforms: { rules: [LEAST_SHARE, MEDIANS, SMALLEST_SCALE, LARGEST_SCALE] },
    });
    const found = yield* fitShapes(inner, next.planes[0]!, boxes, model);
    const texels = 2 * count + fitted.length + Math.ceil((fitted.length * model.points) / 2);
    const all = inner.texture(WIDTH, Math.ceil(texels / WIDTH), 'rgba32ui');
    const textures = { there, back: back!, boxes, shapes: found };
    inner.draw(joinPass, { targets: [all], textures, uniforms: { points: count } });
    const bytes = yield* inner.wait(inner.gpu.read(all));
    return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
  });
  readPoints(words, count, points, undefined, VALUES, tracked);
  const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
  fitted.forEach(({ i }, k) => {
    const at = 4 * (2 * count + k);
    const [x, y, span] = floats.subarray(at, at + 3) as unknown as [number, number, number];
    if (words[at + 3] !== 1 || !(span > 0)) return;
    const shape = floats.subarray(4 * (2 * count + fitted.length) + 2 * model.points * k);
    shapes[i] = inPixels(shape, { x, y, width: span + 1, height: span + 1 }, model);
  });
  return { tracked, shapes };
}

const none = new Float32Array(0);

/** Returns the pyramid of a frame, and makes it again if it was lost. */
function pyramidOf(frame: FollowedFrame): GpuFlowPyramid {
  if (frame.gpu?.lost) {
    frame.kept.free(frame.gpu);
    frame.gpu = null;
  }
  return (frame.gpu ??= frame.kept.own(new GpuFlowPyramid(frame.kept, frame.plane)));
}

/** Follows faces on the GPU if requested and possible. Otherwise returns null. */
export function* tryGpu(
  scope: Scope,
  previous: FollowedFrame,
  next: FollowedFrame,
  faces: readonly FollowedFace[],
  points: Float32Array,
  model: PackedLandmarks | null,
): Plan<Followed | null> {
  const { plane } = next;
  if (scope.backendOf(pointTracks, [plane, plane, none, none]) === 'wasm' || scope.gpu.lost) return null;
  return yield* unlessLost(
    (function* () {
      return yield* followOnGpu(scope, pyramidOf(previous), pyramidOf(next), faces, points, model);
    })(),
  );
}
