/**
 * Vessels of a fundus photograph. The steps are the working plane, the response, a threshold, cleaning of components,
 * and results in full size. The response is the probability of a network, or that to dark lines at scales in proportion
 * to the field of view. Paper 003 computes the eigenvalues for a method that it does not describe. The pipeline around them is our own.
 *
 * The scales, lengths and thresholds below were chosen on the fifteen photographs of DRIVE, STARE, CHASE_DB1 and HRF
 * that lab/results/accuracy.md reports. That page also shows the effect of leaving one set out.
 */
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';
import { FoveolaError } from '../../runtime/error.ts';
import type { Values } from '../../runtime/parameters.ts';
import type { Network } from '../../models/network.ts';
import type { GrayImage, ImageQuality, VesselMeasures, VesselResult } from '../../results/types.ts';
import { eigenvalueMaps, featureOfMaps } from '../hessian/maps.ts';
import {
  FIELD,
  joinLines,
  keepThick,
  MOST_PIXELS,
  networkResponse,
  probabilityLevel,
  qualityOf,
} from '../learned/network-response.ts';
import { lineResponse, scaleList } from '../lines/response.ts';
import type { vesselParameters } from '../parameters.ts';
import { clean, extentsOf, type Extent, levelsOf, type ResponseLevels } from './binarize.ts';
import { brightAreas, outlinedAreas } from './bright-areas.ts';
import { contrastsOf, judge } from './confidence.ts';
import { fullSizeMasks } from './full-size.ts';
import { measure } from './measures.ts';
import { contrastChannel, meanColor, REFERENCE, unitOf, workingPlane, type WorkingPlane } from './working-plane.ts';

type Params = Values<typeof vesselParameters>;

// The response of `variant: 'paper'`: dark lines of one scale from the eigenvalues themselves (paper 003, section 4.4).
// The paper names neither the scale nor the steps before and after. Those are ours, as are channel, background and
// threshold.

/** Response to a contrast in percent, where one percent is one gray level. 0 outside the mask. */
export function* eigenvalueResponse(scope: Scope, contrast: Plane, inside: Plane, sigma: number): Plan<Plane> {
  const { width, height } = contrast;
  const levels = Uint8ClampedArray.from(contrast.copy(), (percent) => 128 + percent);
  const gray = scope.own(scope.runtime.plane(width, height, 'u8', levels));
  const params = { sigma, derivative: 'gaussian' } as const;
  const maps = yield* scope.run(eigenvalueMaps, [gray], { ...params, order: 'magnitude' });
  const [response] = yield* scope.run(featureOfMaps, maps, { ...params, feature: 'dark-line' });
  for (const plane of [gray, ...maps]) scope.free(plane);
  yield* scope.onArena(response);
  const { u8, f32 } = scope.arena;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (!u8[inside.address + y * inside.stride + x]) f32[(response.address + y * response.stride) / 4 + x] = 0;
  return response;
}

/** Means over blocks of `block` x `block` pixels of an image of `width` x `height`. */
export interface BlockResponse {
  readonly values: Float32Array;
  readonly columns: number;
  readonly rows: number;
  readonly block: number;
  readonly width: number;
  readonly height: number;
}

/** Converts a plane in the arena, multiplied by `factor`, to the blocks of an image. */
export function blockResponse(
  plane: Plane,
  factor: number,
  picture: Pick<BlockResponse, 'block' | 'width' | 'height'>,
): BlockResponse {
  const values = plane.copy() as Float32Array;
  for (let i = 0; i < values.length; i++) values[i]! *= factor;
  return { values, columns: plane.width, rows: plane.height, ...picture };
}

// Chosen with `npm run bench -- accuracy vessels`, as described at the top of this file.

/** In pixels of a field of view as wide as in DRIVE (REFERENCE). */
const scales = { thick: [1.3, 2.1, 3.4], all: [0.4, 0.65, 1.05, 1.7, 2.7] } as const;
/**
 * Width of the field of view in working pixels that the finest of the scales needs. Larger photographs are averaged.
 */
export const fields = { thick: 350, all: 1300 } as const;
/** Length of the line at scale s. */
const lengthAt = (s: number) => 5 + 3 * s;
const factors = { thick: 1.25, all: 1.1 } as const;
/**
 * Position of the border in manual masks: they end at the outer border of the last pixel that the vessel touches, on
 * average half a pixel outside the edge. The response falls by this share over that distance at DRIVE's scale, and by
 * less with finer pixels.
 */
const HALF_PIXEL = 0.35;
/** Maximum reduction of the threshold for coarse pixels. */
const MOST = 0.45;
/** A component needs a point above this multiple of the threshold, */
const STRONG = 1.5;
/** this area at DRIVE's scale, */
const AREA = 100;
/** and must fill at most this share of the square over its longer side. */
const FILL = 0.5;

export function scalesOf({ diameter, block }: WorkingPlane, { scales: which, sigma }: Params) {
  const unit = diameter / REFERENCE;
  const list = scales[which];
  const factor = sigma > 0 ? sigma / block / unit / list[0] : 1;
  return list.map((s) => ({
    sigma: Math.min(32, Math.max(0.3, s * factor * unit)),
    length: lengthAt(s * factor) * unit,
  }));
}

function checkSource({ width, height }: Plane, { sigma }: Params): void {
  if (sigma > Math.max(width, height))
    throw new FoveolaError(
      'invalid-argument',
      `sigma must be at most the longer side of the image (${Math.max(width, height)} px), not ${sigma} px.`,
    );
}

/** An intermediate result whose response is still on blocks. */
type Found = Omit<VesselResult, 'response'> & { response: BlockResponse };

interface Response {
  /** On the working plane. */
  readonly plane: Plane;
  readonly levels: ResponseLevels;
  /** Response at the border of the vessels. */
  readonly level: number;
  /** A component needs a point above this value. */
  readonly strong: number;
  readonly quality?: ImageQuality;
}

/** The response to dark lines. With a network it is its probability, joined with the lines. */
function* responseOf(scope: Scope, work: WorkingPlane, given: Params, network: Network | null): Plan<Response> {
  const { contrast, inside, block } = work;
  const learned = network && work.width * work.height <= MOST_PIXELS ? network : null;
  const params: Params = learned ? { ...given, scales: 'all', thresholdFactor: 1 } : given;
  const unit = work.diameter / REFERENCE;
  const scales = scaleList(scalesOf(work, params));
  const lines =
    params.variant === 'paper'
      ? yield* eigenvalueResponse(scope, contrast, inside, scales.at(-2)!)
      : (yield* scope.run(lineResponse, [contrast, inside, scales]))[0];
  const edge = 1 - Math.min(MOST, HALF_PIXEL / (unit * block));
  const levels = yield* levelsOf(scope, lines, inside, params.thresholdFactor * factors[params.scales] * edge);
  if (!learned || !(levels.level > 0))
    return { plane: lines, levels, level: levels.level, strong: STRONG * levels.level };
  const probabilities = yield* networkResponse(scope, work, learned);
  const quality = qualityOf(probabilities);
  const level = probabilityLevel(given.thresholdFactor);
  const strong = (1 + level) / 2;
  const line = { response: (yield* scope.read(lines)) as Float32Array, level: levels.level };
  scope.free(lines);
  yield* joinLines(scope, probabilities, line, { work, level, strong });
  if (given.scales === 'thick') yield* keepThick(scope, probabilities, work, level);
  const plane = scope.own(scope.runtime.plane(work.width, work.height, 'f32', probabilities));
  return { plane, levels, level, strong, quality };
}

const TOO_LARGE =
  'The field of view is a small part of the image, so the vessels are from line filters. Crop the image for the network.';

/** Without a network, the response is that to dark lines. */
export function* findVessels(scope: Scope, source: Plane, params: Params, network: Network | null): Plan<Found> {
  checkSource(source, params);
  yield* scope.onArena(source);
  const { width, height } = source;
  const work = yield* workingPlane(scope, source, network ? FIELD : fields[params.scales]);
  const { block, field, fieldSize } = work;
  const color = meanColor(scope, source, work);
  const unit = work.diameter / REFERENCE;
  const contrasts = contrastsOf(scope, work, unit);
  const bright = brightAreas(scope, work, unit);
  const gray = params.measures ? yield* contrastChannel(scope, source) : null;
  if (gray !== source) scope.free(source); // frees four bytes per pixel before the scales need memory
  const { plane: response, levels, level, strong, quality } = yield* responseOf(scope, work, params, network);
  scope.free(work.contrast);
  scope.free(work.inside);
  const values = blockResponse(response, level > 0 ? 1 / level : 0, { block, width, height });
  let vessels = response;
  let components: Extent[] = [];
  // Without any response every value is 0, and no value is above 0.
  if (level > 0) {
    const rules = Float64Array.of(level, strong, AREA * unit * unit, FILL);
    const [cleaned, extents] = yield* scope.run(clean, [response, rules]);
    scope.free(response);
    vessels = cleaned;
    components = extentsOf(extents);
  }
  const whole = scope.own(scope.runtime.plane(fieldSize.width, fieldSize.height, 'f32', field.mask));
  const geometry = Float64Array.of(width, height, block, fieldSize.block, level);
  const [data, over, fraction] = yield* scope.run(fullSizeMasks, [vessels, whole, geometry]);
  const outlined = outlinedAreas(scope, bright, vessels, level);
  const evidence = { plane: work, color, contrasts, levels, components, outlined, fraction, quality };
  const { confidence, warnings } = judge(evidence);
  if (network && !quality && level > 0) warnings.unshift(TOO_LARGE);
  scope.free(vessels);
  scope.free(whole);
  const measures = gray ? yield* measuresOf(scope, { width, height, data }, gray, work, params) : undefined;
  if (gray === source) scope.free(source);
  scope.progress(1);
  return {
    mask: { width, height, data },
    response: values,
    fieldOfView: { width, height, data: over },
    fraction,
    ...measures,
    confidence,
    ...(quality && { quality }),
    warnings,
  };
}

function* measuresOf(
  scope: Scope,
  mask: GrayImage,
  gray: Plane,
  { field, fieldSize }: WorkingPlane,
  { micrometresPerPixel }: Params,
): Plan<VesselMeasures> {
  const inner = scope.own(scope.runtime.plane(fieldSize.width, fieldSize.height, 'f32', field.inner));
  return yield* measure(scope, mask, {
    photograph: { gray, field: inner, block: fieldSize.block },
    unit: unitOf(mask, field),
    micrometresPerPixel,
  });
}
