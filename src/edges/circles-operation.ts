/** The engine's call for circles. */
import type { Source } from '../results/types.ts';
import { defineOperations, operationOn } from '../runtime/capability.ts';
import { FoveolaError } from '../runtime/error.ts';
import type { Values } from '../runtime/parameters.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { canny } from './canny.ts';
import { circlesOf } from './circles-stages.ts';
import type { VotedCircle } from './circles.ts';
import { edgesOf, resolveWithEdges, voting, type EdgeInput } from './operations.ts';
import { circleParameters } from './parameters.ts';

const houghCirclesTable = { ...circleParameters, voting, ...canny.params } as const;

type HoughCirclesValues = Values<typeof houghCirclesTable> & EdgeInput;

const houghCirclesOperation = operationOn<[source: Source], EdgeInput>()({
  params: houghCirclesTable,
  sources: ['gray'],
  resolve(given): HoughCirclesValues {
    const values = resolveWithEdges(houghCirclesTable, given, 'houghCircles');
    if (values.minRadius > values.maxRadius)
      throw new FoveolaError(
        'invalid-argument',
        `houghCircles: minRadius (${values.minRadius}) must not exceed maxRadius (${values.maxRadius}).`,
      );
    return values;
  },
  *plan(scope, [source], params: HoughCirclesValues): Plan<VotedCircle[]> {
    const edges = yield* edgesOf(scope, source, params, 'houghCircles');
    return yield* circlesOf(scope, edges, params, params.voting === 'auto' ? undefined : params.voting);
  },
});

export const circleOperations = defineOperations({
  /**
   * Circles through Canny's edges, sorted by decreasing votes. Center and radius `r` are integers in source pixels.
   * `votes` counts the directions, `angleStep` radians apart, in which an edge is on the circle. `edges` works like in
   * houghLines. Source: "Parallel pupil tracking", section 2.4; Duda and Hart, CACM 15(1), 1972.
   * @throws {FoveolaError} (rejects) 'invalid-argument', also if minRadius exceeds maxRadius, 'image-too-large' past
   * 65535 pixels per side, and as every call, see {@link Engine}
   */
  houghCircles: houghCirclesOperation,
});
