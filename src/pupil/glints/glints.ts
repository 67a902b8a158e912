/**
 * Glints: reflections of lamps on the cornea, near a pupil. The vector between them and the pupil is the input for gaze
 * (src/series/gaze-calibration.ts). A glint is brighter than its surroundings by the threshold and much narrower than
 * the pupil. It is found by a top-hat of the window around the pupil, and its compact components.
 */
import { shrink } from '../../image/resize.ts';
import { runMorphology } from '../../image/morphology.ts';
import type { Glint, Pupil } from '../../results/types.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import { number } from '../../runtime/parameters.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';
import { defineStage } from '../../runtime/stage.ts';
import { cropped } from '../preparation/prepared-frame.ts';
import { pupilParameters, type PupilValues } from '../parameters.ts';

/** Search distance and maximum radius of glints, in radii of the pupil. The cornea is about 2.5 pupils wide. */
const REACH = 2.5;
const LARGEST = 0.35;
/** Radius in pixels. A larger pupil is searched in a reduced window, because its glints are also large. */
const FINEST = 60;

export const glints = defineStage({
  name: 'pupil/glints',
  params: {
    most: number({
      default: 2,
      min: 1,
      max: 8,
      integer: true,
      effect: 'Maximum number of glints, the brightest first.',
    }),
    reflectionThreshold: pupilParameters.reflectionThreshold,
  },
  /** Image, then x, y and radius of the pupil. */
  inputs: ['u8', 'f32[]'],
  /** For each glint: x, y, area, sum and maximum of the gray values above the surroundings. */
  outputs: ['f32[]'],
  tolerance: 0.01,
  wasmOnly: 'Components of a window of some hundred pixels: a read-back would take longer.',
  *wasm(scope, [source, [x, y, r]], { most, reflectionThreshold: threshold }) {
    const [cx, cy, radius] = [x!, y!, r!];
    const reach = REACH * radius;
    const box = {
      x0: Math.max(0, Math.floor(cx - reach)),
      y0: Math.max(0, Math.floor(cy - reach)),
      x1: Math.min(source.width, Math.ceil(cx + reach) + 1),
      y1: Math.min(source.height, Math.ceil(cy + reach) + 1),
    };
    if (!(box.x1 > box.x0 && box.y1 > box.y0)) return [new Float32Array(0)];
    const factor = Math.min(16, Math.max(1, Math.ceil(radius / FINEST)));
    let piece: Plane = cropped(scope, source, box);
    if (factor > 1) [piece] = yield* scope.run(shrink, [piece], { factor });
    const { width, height } = piece;
    const across = LARGEST * (radius / factor);
    const hat = yield* runMorphology(scope, 'topHat', piece, 2 * Math.ceil(across) + 1);
    const inside = (v: number, from: number) => (v + 0.5 - from) / factor - 0.5;
    const list = scope.block(20 * (most + 1));
    const count = yield* scope.kernels.glints({
      ...{ hat, width, height, threshold, most, list },
      x: inside(cx, box.x0),
      y: inside(cy, box.y0),
      reach: reach / factor,
      largest: Math.max(4, Math.round(Math.PI * across * across)),
      queue: scope.block(4 * width * height),
    });
    const found = scope.f32(list, 5 * count).slice();
    const place = (v: number, from: number) => (v + 0.5) * factor - 0.5 + from;
    for (let i = 0; i < found.length; i += 5) {
      found[i] = place(found[i]!, box.x0);
      found[i + 1] = place(found[i + 1]!, box.y0);
      found[i + 2]! *= factor * factor;
      found[i + 3]! *= factor * factor;
    }
    return [found];
  },
});

/** Returns the glints of a pupil, in pixels of the image where it was found. */
export function* glintsOf(scope: Scope, source: Plane, pupil: Pupil, values: PupilValues): Plan<Glint[]> {
  if (!pupil.found) return [];
  const { x, y, diameter } = pupil;
  const given = { most: values.glints, reflectionThreshold: values.reflectionThreshold };
  const [list] = yield* scope.run(glints, [source, Float32Array.of(x, y, diameter / 2)], given);
  return Array.from({ length: list.length / 5 }, (_, i) => ({
    x: list[5 * i]!,
    y: list[5 * i + 1]!,
    area: list[5 * i + 2]!,
  }));
}
