/** The call of the engine for lines. */
import type { Source } from '../results/types.ts';
import { defineOperations, operationOn } from '../runtime/capability.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { boolean, type Values } from '../runtime/parameters.ts';
import { canny } from './canny.ts';
import { edgesOf, resolveWithEdges, type EdgeInput } from './edge-input.ts';
import { lineParameters } from './line-parameters.ts';
import { linesOf, type Line } from './lines.ts';
import { segmentOf } from './segments.ts';
import { voting } from './votes.ts';

const houghLinesTable = {
  ...lineParameters,
  segments: boolean({ default: false, effect: 'With the end points of the longest piece that edges lie on.' }),
  voting,
  ...canny.params,
} as const;

/** `edges`, see edge-input.ts, besides the table. */
export type HoughLinesValues = Values<typeof houghLinesTable> & EdgeInput;

const houghLinesOperation = operationOn<[source: Source], EdgeInput>()({
  params: houghLinesTable,
  sources: ['gray'],
  resolve: (given): HoughLinesValues => resolveWithEdges(houghLinesTable, given, 'houghLines'),
  *plan(scope, [source], params: HoughLinesValues): Plan<Line[]> {
    const edges = yield* edgesOf(scope, source, params, 'houghLines');
    const lines = yield* linesOf(scope, edges, params, params.voting === 'auto' ? undefined : params.voting);
    if (!params.segments) return lines;
    yield* scope.onArena(edges);
    return lines.map((line) => ({ ...line, ...segmentOf(scope.arena.u8, edges, line, params) }));
  },
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
