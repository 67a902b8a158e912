/** engine.opticDisc. */
import { kindNetworkIfThere } from '../../models/network-models.ts';
import type { Source } from '../../results/types.ts';
import { defineOperations, operationOn } from '../../runtime/capability.ts';
import { loadEnginePart, VESSELS_PART } from '../../runtime/engine-parts.ts';
import { FoveolaError } from '../../runtime/error.ts';
import { resolveParameters } from '../../runtime/parameters.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import { arteryOdds, oddsAlong } from '../learned/artery-odds.ts';
import { vesselParameters } from '../parameters.ts';
import { findVessels } from '../segment/find-vessels.ts';
import { depthsOf, type VesselDepths, strandsOf, type MiddleLine } from './strands.ts';
import { findDisc, type FoundDisc } from './disc.ts';
import { findFovea, type FoundFovea } from './fovea.ts';
import { smallPicture } from './small-picture.ts';

/** In pixels of the source. */
export interface OpticDiscResult {
  disc: FoundDisc | null;
  fovea: FoundFovea | null;
  /** Depths of every input segment, to distinguish arteries from veins. Null without input segments. */
  depths: VesselDepths[] | null;
  warnings: string[];
}

export interface OpticDiscOptions {
  /**
   * Result of `engine.vessels` for this photograph with `measures: true`. Without it the segments are measured here.
   */
  segments?: readonly MiddleLine[];
}

/** Minimum confidences of a disc and a fovea: see docs/retinal-measures.md. */
const LEAST = { disc: 0.5, fovea: 0.15 };

function resolve(given: Record<string, unknown>): OpticDiscOptions {
  const { segments, ...rest } = given;
  resolveParameters({}, rest, 'opticDisc');
  const numbers = (value: unknown) => value instanceof Float32Array;
  const good =
    segments === undefined ||
    (Array.isArray(segments) &&
      segments.every(
        (s: Partial<MiddleLine> | null) =>
          s && numbers(s.points) && numbers(s.widths) && s.points!.length === 2 * s.widths!.length,
      ));
  if (!good)
    throw new FoveolaError(
      'invalid-argument',
      'opticDisc: segments must be from a result of engine.vessels with measures: true.',
    );
  return segments === undefined ? {} : { segments: segments as MiddleLine[] };
}

const opticDiscOperation = operationOn<[source: Source], OpticDiscOptions>()({
  params: {},
  sources: ['pixels'],
  resolve,
  *plan(scope, [source], { segments }): Plan<OpticDiscResult> {
    const loading = loadEnginePart(scope.runtime, VESSELS_PART);
    if (loading) yield* scope.wait(loading);
    yield* scope.onArena(source);
    const picture = yield* smallPicture(scope, source);
    const colors = source.format === 'rgba8';
    const warnings: string[] = [];
    let depths: VesselDepths[] | null = null;
    let lines = segments;
    if (lines) {
      const { width, height, address, stride } = source;
      const samples = { width, height, data: scope.arena.u8, start: address, stride, step: colors ? 4 : 1 };
      depths = lines.map((line) => depthsOf(samples, line));
      const network = colors && (yield* scope.wait(kindNetworkIfThere(scope.runtime)));
      const odds = network && (yield* arteryOdds(scope, source, network));
      if (odds) depths.forEach((depth, i) => (depth.odds = oddsAlong(odds, lines![i]!)));
    } else {
      const params = resolveParameters(vesselParameters, { scales: 'all', measures: true }, 'vessels');
      lines = (yield* findVessels(scope, source, params, null)).segments!;
    }
    const strands = strandsOf(lines, picture.block);
    let disc = findDisc(picture, strands);
    if (!disc || disc.confidence < LEAST.disc) {
      warnings.push('No optic disc was found: no bright circle exists where vessels meet.');
      disc = null;
    }
    let fovea = disc && findFovea(picture, strands, disc);
    if (disc && (!fovea || fovea.confidence < LEAST.fovea)) {
      warnings.push('No fovea was found: no area next to the disc is dark and free of vessels.');
      fovea = null;
    }
    const full = <T extends { x: number; y: number }>(place: T): T => ({
      ...place,
      x: (place.x + 0.5) * picture.block - 0.5,
      y: (place.y + 0.5) * picture.block - 0.5,
    });
    return {
      disc: disc && { ...full(disc), radius: disc.radius * picture.block },
      fovea: fovea && full(fovea),
      depths,
      warnings,
    };
  },
});

export const opticDiscOperations = defineOperations({
  /**
   * Optic disc and fovea of a fundus photograph, in pixels, each with a confidence (0 to 1), or null if not found. With
   * the `segments` of `engine.vessels` it also returns `depths` for `retinalMeasures`. Each contains the darkness of a
   * vessel in red and green. For a color photograph, it also contains the odds of an artery. Their network is loaded
   * on first use. The photograph must be upright. It may be mirrored. Idea: vessels converge at the disc and leave
   * the macula free (Ben Sayadia et al., J. Electronic Imaging 29(6), 2020). The method is our own, see
   * docs/retinal-measures.md.
   * @throws {FoveolaError} (rejects) 'invalid-argument' for invalid segments, and as every call, see {@link Engine}
   */
  opticDisc: opticDiscOperation,
});
