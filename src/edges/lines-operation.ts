/** The call of the engine for lines. */
import type { Source } from '../results/types.ts';
import { defineOperations, operationOn } from '../runtime/capability.ts';
import { boolean, type Values } from '../runtime/parameters.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { canny } from './canny.ts';
import { resolveWithEdges, withEdges, type EdgeInput } from './edge-input.ts';
import { accumulatorShape, lineParameters } from './line-parameters.ts';
import { linesFit, lineVotesGpu } from './lines.gpu.ts';
import { accumulatorPeaks, linesOf, withVotes, type Line } from './lines.ts';
import { segmentOf } from './segments.ts';
import { voting } from './voting.ts';

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

const houghLinesOperation = operationOn<[source: Source], EdgeInput>()({
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

export const lineOperations = defineOperations({
  /**
   * Lines of Canny's edges by falling votes, as OpenCV's HoughLines: x cos(theta) + y sin(theta) = rho, in source pixels
   * and radians. `segments: true` gives the end points of the longest piece that edges lie on. `edges`: true when the
   * source shows edges already (samples that are not 0), or the edges themselves, of the source's size. Source: Duda and
   * Hart, CACM 15(1), 1972.
   * @throws {FoveolaError} (rejects) 'invalid-argument', also for edges of another size, and as every call, see {@link Engine}
   */
  houghLines: houghLinesOperation,
});
