/**
 * The second opinion on a pupil. If the search is unsure, the eye network finds a pupil, and the search measures it again from
 * that position. Both results determine the confidence of an outline. Sure results are not changed.
 */
import { ModelCache } from '../../models/load.ts';
import { readNetwork, type Network } from '../../models/network.ts';
import type { Ellipse, Pupil } from '../../results/types.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Scope } from '../../runtime/scope.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { PupilValues } from '../parameters.ts';
import type { Found, Last } from '../search/method.ts';
import { regionOf } from '../search/region.ts';
import { nothingFound } from '../search/result.ts';
import { blobOf, mapsOf, meanInside, type Blob, type Maps } from './maps.ts';
import { opinionWeights } from './weights.ts';

/** Minimum confidence of a sure result (`BELIEF` of ../tracker/coarse-search.ts). */
const SURE = 0.9;

/** Searches from a pupil, and reports any outline. */
export type FindFrom = (index: number, last: Last) => Plan<Found | null>;

export interface Frame {
  readonly image: Plane;
  readonly values: PupilValues;
  /** Results of the eyes. They may be replaced. */
  readonly ended: (Found | null)[];
  /** Prepares the image for `find`. */
  begin(): Plan<void>;
  readonly find: FindFrom;
}

/** Start of the search at the network's pupil. */
function lastOf({ levels }: Maps, { ellipse }: Blob): Last {
  const sorted = levels.slice().sort();
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!;
  const r = (ellipse.major + ellipse.minor) / 4;
  return { x: ellipse.x, y: ellipse.y, r, ellipse, contrast: Math.max(8, at(0.3) - at(0.01)), dark: at(0.01) };
}

const shapeOf = ({ ellipse, circle }: Pupil): Ellipse =>
  ellipse ?? { x: circle.x, y: circle.y, major: 2 * circle.r, minor: 2 * circle.r, angle: 0 };

const bounded = (v: number) => Math.min(6, Math.max(-6, v));
const logit = (p: number) => bounded(Math.log((p + 1e-9) / (1 - p + 1e-9)));

/** Features of an outline, in the order of `opinionWeights`. */
export function featuresOf(maps: Maps, blob: Blob | null, pupil: Pupil): number[] {
  const shape = shapeOf(pupil);
  const inside = meanInside(maps.pupil, maps, shape);
  const area = shape.major * shape.minor;
  const seen = blob ? blob.ellipse.major * blob.ellipse.minor : 0;
  // Share of the two that both have, as far as the map is inside of the outline.
  const common = seen ? (2 * inside * area) / (area + seen) : 0;
  const size = seen ? Math.abs(Math.log(area / seen)) : 2;
  return [
    1,
    logit(pupil.confidence),
    inside,
    Math.min(1.2, common),
    Math.min(2, size),
    meanInside(maps.opening, maps, shape),
    meanInside(maps.iris, maps, shape),
  ];
}

const confidenceOf = (features: readonly number[]): number =>
  1 / (1 + Math.exp(-features.reduce((sum, v, i) => sum + v * opinionWeights[i]![1], 0)));

/** Outlines that may be the pupil, with their features. */
export function* candidates(
  maps: Maps,
  blob: Blob | null,
  own: Found,
  again: (last: Last) => Plan<Found | null>,
): Plan<{ found: Found; features: number[] }[]> {
  const list = own.last ? [own] : [];
  if (blob) {
    const first = yield* again(lastOf(maps, blob));
    if (first?.last) {
      const second = yield* again(first.last);
      list.push(second?.last && second.pupil.confidence > first.pupil.confidence ? second : first);
    }
  }
  return list.map((found) => ({ found, features: featuresOf(maps, blob, found.pupil) }));
}

/** The eyelids and the iris, of a pupil that was found. */
function measureLids(maps: Maps, pupil: Pupil): void {
  pupil.coveredByLids = Math.min(1, Math.max(0, 1 - meanInside(maps.opening, maps, shapeOf(pupil), 1)));
  const iris = blobOf(maps.iris, maps);
  if (iris && !iris.cut && iris.ellipse.major > pupil.diameter) pupil.irisDiameter = iris.ellipse.major;
}

function* decided(maps: Maps, own: Found, values: PupilValues, again: (last: Last) => Plan<Found | null>): Plan<Found> {
  let best: Found = { pupil: nothingFound(own.pupil.confidence), last: null };
  let most = -1;
  for (const { found, features } of yield* candidates(maps, blobOf(maps.pupil, maps), own, again)) {
    const confidence = confidenceOf(features);
    if (confidence <= most) continue;
    most = confidence;
    const holds = confidence >= values.minConfidence;
    best = holds
      ? { ...found, pupil: { ...found.pupil, confidence } }
      : { pupil: nothingFound(confidence), last: null };
  }
  return best;
}

const networks = new ModelCache({ kind: 'eyes', shipped: ['eyes'], limit: 1 << 20, read: readNetwork });

/** Networks that have loaded. */
const loaded = new WeakMap<Runtime, Network>();

/**
 * Loads the network.
 * @throws {FoveolaError} (rejects) 'model-load', 'model-checksum'
 */
export async function loadSecondOpinion(runtime: Runtime): Promise<void> {
  loaded.set(runtime, await networks.get(runtime, 'eyes'));
}

/** Asks the network about the eyes of a frame. It must have loaded. */
export function* secondOpinion(scope: Scope, { image, values, ended, begin, find }: Frame): Plan<void> {
  if (values.method !== 'robust') return;
  const network = loaded.get(scope.runtime)!;
  for (const [i, own] of ended.entries()) {
    if (!own) continue;
    const unsure = own.pupil.confidence < SURE;
    const region = unsure || values.secondOpinion === 'always' ? regionOf(image.width, image.height, values, i) : null;
    if (!region) continue;
    const maps = yield* mapsOf(scope, image, region, network);
    if (unsure) yield* begin();
    const found = unsure ? yield* decided(maps, own, values, (last) => find(i, last)) : own;
    if (found.last) measureLids(maps, found.pupil);
    ended[i] = found;
  }
}
