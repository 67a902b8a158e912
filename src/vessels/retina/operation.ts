/** engine.opticDisc. */
import type { Source } from '../../results/types.ts';
import { defineOperations, operationOn } from '../../runtime/capability.ts';
import { FoveolaError } from '../../runtime/error.ts';
import { resolveParameters } from '../../runtime/parameters.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import { vesselParameters } from '../parameters.ts';
import { findVessels } from '../vessels.ts';
import { depthsOf, type VesselDepths } from './depths.ts';
import { findDisc, type FoundDisc } from './disc.ts';
import { findFovea, type FoundFovea } from './fovea.ts';
import { smallPicture } from './small-picture.ts';
import { strandsOf, type MiddleLine } from './strands.ts';

/** In pixels of the source. */
export interface OpticDiscResult {
  disc: FoundDisc | null;
  fovea: FoundFovea | null;
  /** Of every segment given, for telling arteries from veins; null where none were given. */
  depths: VesselDepths[] | null;
  warnings: string[];
}

export interface OpticDiscOptions {
  /** Of `engine.vessels` of the same photograph with `measures: true`; without them they are measured here. */
  segments?: readonly MiddleLine[];
}

/** Confidences below these are no disc and no fovea: see docs/retinal-measures.md. */
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
    } else {
      const params = resolveParameters(vesselParameters, { scales: 'all', measures: true }, 'vessels');
      lines = (yield* findVessels(scope, source, params)).segments!;
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
   * Optic disc and fovea of a fundus photograph, in pixels, each with a confidence (0..1), null where none was found;
   * with the `segments` of `engine.vessels` also how dark each vessel is in red and green (`depths`), for
   * `retinalMeasures`. The photograph is upright, mirrored or not. Idea: vessels converge at the disc and leave the macula
   * free (Ben Sayadia et al., J. Electronic Imaging 29(6), 2020); the method is our own, see docs/retinal-measures.md.
   * @throws {FoveolaError} (rejects) 'invalid-argument' for segments that are none, and as every call, see {@link Engine}
   */
  opticDisc: opticDiscOperation,
});
