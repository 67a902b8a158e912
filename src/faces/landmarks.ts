/** Landmarks of boxes in one image, on the WASM side. The model's numbers lie on the arena once an engine. */
import { FoveolaError } from '../runtime/error.ts';
import type { PackedLandmarks } from '../models/landmarks.ts';
import type { Box } from '../results/types.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { fitSimilarity } from './similarity.ts';

/** A box of the kind that the model was trained with, from one of the detector. */
export function mapBox({ x, y, width, height }: Box, { box }: PackedLandmarks): Box {
  const [w, h] = [width * box.size, height * box.size];
  return { x: x + width * (0.5 + box.x) - w / 2, y: y + height * (0.5 + box.y) - h / 2, width: w, height: h };
}

/** The reverse. */
export function unmapBox({ x, y, width, height }: Box, { box }: PackedLandmarks): Box {
  const [w, h] = [width / box.size, height / box.size];
  return { x: x + width / 2 - w * (0.5 + box.x), y: y + height / 2 - h * (0.5 + box.y), width: w, height: h };
}

/**
 * The model's box for a shape: where the mean shape, scaled and moved but not turned, fits it best; that is the box
 * from which a fit would have to do least.
 */
export function boxOfShape(shape: ArrayLike<number>, model: PackedLandmarks): Box | null {
  const fit = fitSimilarity(model.mean, shape, { rotation: false });
  // The unit square spans one pixel less than the box: its sides are those of the first and the last pixels' centres.
  return fit && fit.a > 0 ? { x: fit.x, y: fit.y, width: fit.a + 1, height: fit.a + 1 } : null;
}

const loaded = new WeakMap<Runtime, Map<PackedLandmarks, number>>();

/** Models on an engine's arena at a time. */
const KEPT = 2;

/** Address of the model on the arena. */
function addressOf(runtime: Runtime, model: PackedLandmarks): number {
  let models = loaded.get(runtime);
  if (!models) loaded.set(runtime, (models = new Map()));
  let address = models.get(model);
  if (address !== undefined) return address;
  if (models.size >= KEPT) {
    const [oldest, where] = models.entries().next().value!;
    models.delete(oldest);
    runtime.arena.free(where);
  }
  address = runtime.arena.allocate(model.payload.length);
  runtime.arena.u8.set(model.payload, address);
  models.set(model, address);
  return address;
}

export interface FitOptions {
  /** Cascades to run; all by default. */
  cascades?: number;
}

/** Landmarks in pixels of the image, x and y of each, one array a box of the model's kind. */
export function fitLandmarks(
  runtime: Runtime,
  image: Plane,
  boxes: readonly Box[],
  model: PackedLandmarks,
  { cascades = model.cascades }: FitOptions = {},
): Float32Array[] {
  const side: WasmSide = runtime.wasm;
  if (!boxes.length) return [];
  const address = addressOf(runtime, model);
  const stride = (8 * model.points + 32 + 15) & ~15;
  const scratch = 64 + 4 * (model.pixels + 4) + 2 * (model.trees + 4);
  return side.temporary(32 * boxes.length, (places) =>
    side.temporary(stride * boxes.length, (shapes) => {
      boxes.forEach(({ x, y, width, height }, i) =>
        side.arena.f64.set([x, y, width - 1, height - 1], (places >> 3) + 4 * i),
      );
      side.bands(
        'fitLandmarks',
        boxes.length,
        [image.address, image.stride, image.width, image.height, address, places, shapes, stride, cascades],
        { scratch, minimumBand: 1 },
      );
      const { f32 } = side.arena;
      return boxes.map(({ x, y, width, height }, i) => {
        const at = (shapes + i * stride) >> 2;
        const out = new Float32Array(2 * model.points);
        for (let k = 0; k < out.length; k += 2) {
          out[k] = x + f32[at + k]! * (width - 1);
          out[k + 1] = y + f32[at + k + 1]! * (height - 1);
        }
        return out;
      });
    }),
  );
}

/** Boxes as the caller gave them, checked. Throws 'invalid-argument'. */
export function checkBoxes(where: string, boxes: unknown): Box[] {
  if (!Array.isArray(boxes)) throw new FoveolaError('invalid-argument', `${where}: boxes must be an array.`);
  if (boxes.length > 1000)
    throw new FoveolaError(
      'invalid-argument',
      `${where}: at most 1000 boxes are taken at a time, not ${boxes.length}.`,
    );
  return boxes.map((box: Box | null, i) => {
    const { x, y, width, height } = box ?? ({} as Box);
    if (![x, y, width, height].every(Number.isFinite) || !(width > 1 && height > 1) || Math.abs(x) + Math.abs(y) > 1e6)
      throw new FoveolaError(
        'invalid-argument',
        `${where}: boxes[${i}] must be { x, y, width, height } in pixels, with sides above 1.`,
      );
    return { x, y, width, height };
  });
}
