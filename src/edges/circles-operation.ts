/** The call of the engine for circles. */
import type { Source } from '../results/types.ts';
import { defineOperations, operationOn } from '../runtime/capability.ts';
import { FoveolaError } from '../runtime/error.ts';
import type { Values } from '../runtime/parameters.ts';
import { canny } from './canny.ts';
import { circleParameters } from './circle-parameters.ts';
import { bestCircleGpu, circlesFit } from './circles.gpu.ts';
import { circlesOf, leastVotes, type VotedCircle } from './circles.ts';
import { resolveWithEdges, withEdges, type EdgeInput } from './edge-input.ts';
import { voting } from './voting.ts';

const houghCirclesTable = { ...circleParameters, voting, ...canny.params } as const;

/** `edges`, see edge-input.ts, besides the table. */
export type HoughCirclesValues = Values<typeof houghCirclesTable> & EdgeInput;

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
  run: ({ runtime, slice, progress }, [source], params: HoughCirclesValues): Promise<VotedCircle[]> =>
    withEdges(runtime, source!, params, 'houghCircles', async (edges) => {
      const { gpu, preferred } = runtime;
      const wanted = params.voting === 'gpu' || (params.voting === 'auto' && preferred === 'gpu');
      // The GPU finds the best circle; lists of them come from the other side.
      if (gpu && wanted && params.max === 1 && circlesFit(gpu, edges, params)) {
        const best = await bestCircleGpu(gpu, edges, params, leastVotes(params));
        return best ? [best] : [];
      }
      await edges.arena();
      return circlesOf(runtime.wasm, edges, params, (done) => (progress(done), slice()));
    }),
});

export const circleOperations = defineOperations({
  /**
   * Circles of Canny's edges by falling votes: center and radius `r` in source pixels, whole numbers; `votes` counts the
   * directions, `angleStep` radians apart, in which an edge lies on the circle. `edges` as in houghLines. Source: "Parallel
   * pupil tracking", section 2.4; Duda and Hart, CACM 15(1), 1972.
   * @throws {FoveolaError} (rejects) 'invalid-argument', also where minRadius exceeds maxRadius, 'image-too-large' past 65535
   * pixels a side, and as every call, see {@link Engine}
   */
  houghCircles: houghCirclesOperation,
});
