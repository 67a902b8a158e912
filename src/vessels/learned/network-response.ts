/**
 * Vessel probability from a network (models/vessels.bin, lab/train/vessels). Its input is the contrast of the working
 * plane in units of its standard deviation inside the field, as in training. The field is about FIELD pixels wide.
 */
import { distanceTransform } from '../../image/skeleton.ts';
import type { Network } from '../../models/network.ts';
import { runNetwork } from '../../network/run.ts';
import type { ImageQuality } from '../../results/types.ts';
import type { Scope } from '../../runtime/scope.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import { REFERENCE, type WorkingPlane } from '../segment/working-plane.ts';

/** Width of the field of view, in working pixels, that suits the network best. */
export const FIELD = 600;
/** Maximum size of a plane for the networks. A field of this width in a larger image is a small part of it. */
export const MOST_PIXELS = 1 << 20;
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
 * area divided by the sum of both areas.
 */
export function qualityOf(probabilities: Float32Array): ImageQuality {
  const usual = probabilityLevel(1);
  let [common, found, expected] = [0, 0, 0];
  for (const probability of probabilities) {
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

/** Probabilities of the working plane's samples. 0 outside the field. */
export function* networkResponse(
  scope: Scope,
  { contrast, inside, width, height }: Pick<WorkingPlane, 'contrast' | 'inside' | 'width' | 'height'>,
  network: Network,
): Plan<Float32Array> {
  const field = inside.copy() as Uint8Array;
  const seen = standardized({ contrast, inside });
  yield* scope.turn();
  const source = scope.own(scope.runtime.plane(width, height, 'f32', seen));
  const [logits] = yield* scope.run(runNetwork, [source, network]);
  scope.free(source);
  const values = (yield* scope.read(logits)) as Float32Array;
  scope.free(logits);
  for (let i = 0; i < values.length; i++) values[i] = field[i] ? 1 / (1 + Math.exp(-values[i]!)) : 0;
  return values;
}

/** Distance of each sample to the nearest sample that `is` true for. */
function* distanceTo(
  scope: Scope,
  { width, height }: Pick<WorkingPlane, 'width' | 'height'>,
  is: (i: number) => boolean,
): Plan<Float32Array> {
  const others = Uint8Array.from({ length: width * height }, (_, i) => (is(i) ? 0 : 1));
  const mask = scope.own(scope.runtime.plane(width, height, 'u8', others));
  const [distance] = yield* scope.run(distanceTransform, [mask]);
  scope.free(mask);
  const list = (yield* scope.read(distance)) as Float32Array;
  scope.free(distance);
  return list;
}

type About = Pick<WorkingPlane, 'width' | 'height' | 'diameter'>;

/**
 * A line is a vessel, even if the network does not know such an image, if its response is this multiple of the lines' own
 * threshold. On fundus photographs, the network finds nearly all of these.
 */
const CLEAR = 4;
/** How far around a missed sample the lines decide, in pixels at DRIVE's scale. */
const AROUND = 7;
/** Width of the rim of the field, in pixels at DRIVE's scale. */
const RIM = 12;
/** Minimum response of a vessel, as a multiple of the lines' own threshold. */
const FAINT = 0.5;

/**
 * Joins the probabilities with the response to dark lines. Around clear lines that the network misses, the lines decide.
 * No point in the rim of the field is strong, and none without a dark line. A piece without other points is removed.
 * `level`, `strong`: of the probabilities.
 */
export function* joinLines(
  scope: Scope,
  probabilities: Float32Array,
  lines: { readonly response: Float32Array; readonly level: number },
  { work, level, strong }: { readonly work: WorkingPlane; readonly level: number; readonly strong: number },
): Plan<void> {
  const unit = work.diameter / REFERENCE;
  const field = work.inside.copy() as Uint8Array;
  const usual = probabilityLevel(1);
  const ratio = lines.response.map((v) => v / lines.level);
  const missed = yield* distanceTo(scope, work, (i) => ratio[i]! > CLEAR && probabilities[i]! <= usual);
  const weak = (level + strong) / 2;
  const rim = yield* distanceTo(scope, work, (i) => !field[i]);
  for (let i = 0; i < ratio.length; i++) {
    if (missed[i]! <= AROUND * unit) probabilities[i] = Math.max(probabilities[i]!, probabilityLevel(ratio[i]!));
    if (ratio[i]! < FAINT || rim[i]! < RIM * unit) probabilities[i] = Math.min(probabilities[i]!, weak);
  }
}

/** Minimum width of thick vessels in pixels at DRIVE's scale, about 70 um. */
const THICK = 3;

/**
 * Keeps the thick vessels: the parts of the mask that discs of their minimum width cover. Elsewhere the response is at
 * most half of `level`.
 */
export function* keepThick(scope: Scope, response: Float32Array, work: About, level: number): Plan<void> {
  const reach = ((THICK * work.diameter) / REFERENCE + 1) / 2; // from the center of a disc to the first center outside
  const outside = yield* distanceTo(scope, work, (i) => response[i]! <= level);
  const center = yield* distanceTo(scope, work, (i) => outside[i]! >= reach);
  for (let i = 0; i < response.length; i++) if (center[i]! >= reach) response[i] = Math.min(response[i]!, level / 2);
}
