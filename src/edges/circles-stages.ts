/** The searches for circles as stages: the best one, on either backend, and lists of all that have enough votes. */
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { defineStage, type Backend } from '../runtime/stage.ts';
import { octantsGpu, bestCircleGpu, circlesFit } from './circles.gpu.ts';
import type { CircleValues } from './parameters.ts';
import {
  bestCircle,
  circleCandidates,
  distinctCircles,
  leastVotes,
  radiiInParts,
  type CenterRegion,
  type CircleSearch,
  type VotedCircle,
} from './circles.ts';

/**
 * Edges with their directions of increasing brightness. Bit i of an edge pixel's sample is set if the brightness
 * increases in a direction within 45 degrees of i * 45 degrees. Every edge has two bits, or none on a flat area.
 */

/** Computes them from the image and its edges, both in the arena, into a new plane there. */
export function* edgeOctants(scope: Scope, image: Plane, edges: Plane): Plan<Plane> {
  const { width, height } = edges;
  const target = scope.plane(width, height, 'u8');
  yield* scope.kernels.edgeOctants({ source: image, edges, target, width, height }, { rows: height, minimumBand: 64 });
  return target;
}

export const octants = defineStage({
  name: 'edges/octants',
  params: {},
  inputs: ['u8', 'u8'],
  outputs: ['u8'],
  tolerance: 0,
  fits: (gpu, [{ width, height }]) => gpu.fits(width, height),
  // Edges are few, and WASM reads only them.
  pays: () => false,
  *gpu(scope, [image, edges]) {
    return [octantsGpu(scope, image, edges)];
  },
  *wasm(scope, [image, edges]) {
    return [yield* edgeOctants(scope, image, edges)];
  },
});

/** Search parameters, and the minimum number of votes. */
export interface CircleQuestion extends CircleSearch {
  readonly least: number;
}

declare module '../runtime/kinds.ts' {
  interface Kinds {
    circles: CircleQuestion;
  }
}

/** Flattens circles to x, y, radius and votes of each. */
const toList = (circles: readonly VotedCircle[]): Int32Array =>
  Int32Array.from(circles.flatMap(({ x, y, r, votes }) => [x, y, r, votes]));

const fromList = (list: Int32Array): VotedCircle[] =>
  Array.from({ length: list.length / 4 }, (_, i) => {
    const [x = 0, y = 0, r = 0, votes = 0] = list.subarray(4 * i);
    return { x, y, r, votes };
  });

/** The circle with the most votes in an edge image. Empty if no circle has enough votes. */
export const circle = defineStage({
  name: 'edges/circle',
  params: {},
  inputs: ['u8', 'circles'],
  outputs: ['i32[]'],
  tolerance: 0,
  fits: (gpu, [edges, question]) => circlesFit(gpu, edges, question),
  *gpu(scope, [edges, question]) {
    const best = yield* bestCircleGpu(scope, edges, question, question.least);
    return [toList(best ? [best] : [])];
  },
  *wasm(scope, [edges, question]) {
    const best = yield* bestCircle(scope, edges, question, question.least);
    return [toList(best ? [best] : [])];
  },
});

/** All circles that have enough votes, sorted by decreasing votes. Fewer if there are too many (circleCandidates). */
export const circles = defineStage({
  name: 'edges/circles',
  params: {},
  inputs: ['u8', 'circles'],
  outputs: ['i32[]'],
  tolerance: 0,
  wasmOnly: 'A list of unknown length, sorted: the GPU would have to write all counts, and the CPU to read them.',
  *wasm(scope, [edges, question]) {
    return [toList(yield* circleCandidates(scope, edges, question, question.least))];
  },
});

/** Returns the circles of an edge image (u8, edges non-zero), sorted by decreasing votes, without near duplicates. */
export function* circlesOf(
  scope: Scope,
  edges: Plane,
  params: CircleValues & { readonly region?: CenterRegion },
  forced?: Backend,
): Plan<VotedCircle[]> {
  const { minRadius, maxRadius, angleStep, region, max } = params;
  const question = { minRadius, maxRadius, angleStep, region, least: leastVotes(params) };
  if (max === 1) {
    const [best] = yield* scope.run(circle, [edges, question], {}, forced);
    return fromList(best);
  }
  const found: VotedCircle[] = [];
  for (const [from, to] of radiiInParts(edges, question)) {
    scope.progress((from - minRadius) / (maxRadius - minRadius + 1));
    const [list] = yield* scope.run(circles, [edges, { ...question, minRadius: from, maxRadius: to }]);
    for (const one of fromList(list)) found.push(one); // an image of noise has more circles than a call may have arguments
  }
  return distinctCircles(found, params);
}
