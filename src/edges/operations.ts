/** The calls of the engine for edges, lines and circles. */
import { imageOf } from '../image/operations.ts';
import { defineOperation } from '../runtime/capability.ts';
import { FoveolaError } from '../runtime/error.ts';
import { boolean, choice, type Values } from '../runtime/parameters.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { canny } from './canny.ts';
import { circleParameters, directionsOf } from './circle-parameters.ts';
import { bestCircleGpu, circlesFit } from './circles.gpu.ts';
import { circlesOf, leastVotes, type VotedCircle } from './circles.ts';
import { resolveWithEdges, withEdges, type EdgeInput } from './edge-input.ts';
import { accumulatorShape, lineParameters } from './line-parameters.ts';
import { linesFit, lineVotesGpu } from './lines.gpu.ts';
import { accumulatorPeaks, linesOf, withVotes, type Line } from './lines.ts';
import { segmentOf } from './segments.ts';

export const cannyOperation = defineOperation({
  name: 'canny',
  params: canny.params,
  sources: ['gray'],
  run: ({ runtime }, planes, params) => imageOf(runtime, canny, planes, params),
});

const voting = choice({
  default: 'auto',
  values: ['auto', 'wasm', 'gpu'],
  effect: 'Where votes are counted; where the GPU cannot do it, always on the CPU.',
});

const houghLinesTable = {
  ...lineParameters,
  segments: boolean({ default: false, effect: 'With the end points of the longest piece that edges lie on.' }),
  voting,
  ...canny.params,
} as const;

/** `edges`, see edge-input.ts, besides the table. */
export type HoughLinesValues = Values<typeof houghLinesTable> & EdgeInput;

async function findLines(runtime: Runtime, edges: Plane, params: HoughLinesValues): Promise<Line[]> {
  const { gpu, wasm } = runtime;
  const shape = accumulatorShape(edges.width, edges.height, params);
  if (gpu && params.voting === 'gpu' && linesFit(gpu, shape)) {
    const votes = await lineVotesGpu(gpu, edges, shape);
    try {
      await votes.arena();
      return withVotes(wasm, votes, shape, (accumulator) => accumulatorPeaks(wasm, accumulator, params));
    } finally {
      votes.dispose();
    }
  }
  await edges.arena();
  return linesOf(wasm, edges, params);
}

export const houghLinesOperation = defineOperation({
  name: 'houghLines',
  params: houghLinesTable,
  sources: ['gray'],
  resolve: (given): HoughLinesValues => resolveWithEdges(houghLinesTable, given, 'houghLines'),
  run: ({ runtime }, [source], params: HoughLinesValues): Promise<Line[]> =>
    withEdges(runtime, source!, params, 'houghLines', async (edges) => {
      const lines = await findLines(runtime, edges, params);
      if (!params.segments) return lines;
      await edges.arena();
      return lines.map((line) => ({ ...line, ...segmentOf(runtime.wasm, edges, line, params) }));
    }),
});

const houghCirclesTable = { ...circleParameters, voting, ...canny.params } as const;

/** `edges`, see edge-input.ts, besides the table. */
export type HoughCirclesValues = Values<typeof houghCirclesTable> & EdgeInput;

export const houghCirclesOperation = defineOperation({
  name: 'houghCircles',
  params: houghCirclesTable,
  sources: ['gray'],
  resolve(given): HoughCirclesValues {
    const values = resolveWithEdges(houghCirclesTable, given, 'houghCircles');
    directionsOf(values.angleStep);
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
