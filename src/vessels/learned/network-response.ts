/**
 * Vessel probability from a network (models/vessels.bin, lab/train/vessels). Its input is the contrast of the working
 * plane in units of its standard deviation inside the field, as in training. The field is about FIELD pixels wide.
 */
import type { Network } from '../../models/network.ts';
import { runNetwork } from '../../network/run.ts';
import type { ImageQuality } from '../../results/types.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { WorkingPlane } from '../segment/working-plane.ts';

/** Width of the field of view, in working pixels, that suits the network best. */
export const FIELD = 600;
/**
 * Odds of a vessel at its border. Chosen with the tables of all development sets (lab/train/vessels/README.md), so it
 * is not a held-out choice.
 */
const ODDS = 0.7 / 0.3;
/** Limits of the contrast in standard deviations. */
const [DARKEST, BRIGHTEST] = [-8, 5];

/** Probability threshold for vessels. A smaller factor finds more. */
export function probabilityLevel(factor: number): number {
  const odds = ODDS * factor ** 2;
  return odds / (1 + odds);
}

/** Minimum agreement of each grade (`npm run lab -- quality vessels`). */
const [GOOD, FAIR] = [0.8, 0.7];

/**
 * Expected agreement with an annotator at the default threshold, if the probabilities are right: twice the expected common
 * area divided by the sum of both areas. `values`: probabilities divided by `level`.
 */
export function qualityOf(values: Float32Array, level: number): ImageQuality {
  const usual = probabilityLevel(1);
  let [common, found, expected] = [0, 0, 0];
  for (const value of values) {
    const probability = value * level;
    expected += probability;
    if (probability < usual) continue;
    common += probability;
    found++;
  }
  const agreement = found ? (2 * common) / (found + expected) : 0;
  return { agreement, grade: agreement >= GOOD ? 'good' : agreement >= FAIR ? 'fair' : 'poor' };
}

/** Contrast in units of the standard deviation inside the field, as the networks see it. */
export function standardized(work: Pick<WorkingPlane, 'contrast' | 'inside'>): Float32Array {
  const [contrast, inside] = [work.contrast.copy() as Float32Array, work.inside.copy() as Uint8Array];
  let [count, sum, squares] = [0, 0, 0];
  for (let i = 0; i < contrast.length; i++) {
    if (!inside[i]) continue;
    const v = contrast[i]!;
    count++;
    sum += v;
    squares += v * v;
  }
  const mean = sum / Math.max(1, count);
  const deviation = Math.sqrt(Math.max(0, squares / Math.max(1, count) - mean * mean));
  const factor = deviation > 0 ? 1 / deviation : 0;
  return contrast.map((v) => Math.min(BRIGHTEST, Math.max(DARKEST, v * factor)));
}

/** Response with the size of the working plane. 0 outside the field. */
export function* networkResponse(
  scope: Scope,
  { contrast, inside, width, height }: Pick<WorkingPlane, 'contrast' | 'inside' | 'width' | 'height'>,
  network: Network,
): Plan<Plane> {
  const field = inside.copy() as Uint8Array;
  const seen = standardized({ contrast, inside });
  yield* scope.turn();
  const source = scope.own(scope.runtime.plane(width, height, 'f32', seen));
  const [logits] = yield* scope.run(runNetwork, [source, network]);
  scope.free(source);
  const values = (yield* scope.read(logits)) as Float32Array;
  scope.free(logits);
  for (let i = 0; i < values.length; i++) values[i] = field[i] ? 1 / (1 + Math.exp(-values[i]!)) : 0;
  return scope.own(scope.runtime.plane(width, height, 'f32', values));
}
