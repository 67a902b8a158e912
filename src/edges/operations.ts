/** The call of the engine for edges. */
import type { GrayImage, Source } from '../results/types.ts';
import { FoveolaError } from '../runtime/error.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { resolveParameters, type ParameterTable, type Values, choice, boolean } from '../runtime/parameters.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { canny } from './canny.ts';
import { type CannyValues, circleParameters, lineParameters } from './parameters.ts';
import { defineOperations, operationOn, operation } from '../runtime/capability.ts';
import { circlesOf } from './circles-stages.ts';
import type { VotedCircle } from './circles.ts';
import { linesOf, type Line, segmentOf } from './lines.ts';
import { toImage } from '../image/image-of.ts';

/** Where lines and circles take their edges from: Canny of the source, the source itself, or an image that was given. */

/** `edges`: true where the source shows edges already, as non-zero samples; or the edges of a source of the same size. */
export interface EdgeInput {
  edges?: boolean | GrayImage;
}

const isGray = (value: unknown): value is GrayImage => {
  const { width, height, data } = (value ?? {}) as Partial<GrayImage>;
  return data instanceof Uint8Array && width! > 0 && height! > 0 && data.length === width! * height!;
};

/** The parameters of a table, and `edges`. Throws 'invalid-argument'. */
function resolveWithEdges<T extends ParameterTable>(
  table: T,
  given: Record<string, unknown>,
  where: string,
): Values<T> & EdgeInput {
  const { edges, ...rest } = given;
  const values = resolveParameters(table, rest as Partial<Values<T>>, where);
  if (edges === undefined || typeof edges === 'boolean') return { ...values, edges };
  if (!isGray(edges))
    throw new FoveolaError(
      'invalid-argument',
      `${where}: edges must be true, false or a gray image { width, height, data: Uint8Array of width * height }.`,
    );
  // A copy: the caller may write to his array while the call waits.
  return { ...values, edges: { ...edges, data: edges.data.slice() } };
}

const known = Object.keys(canny.params) as (keyof CannyValues)[];

/** The edges, on whichever side they came to be. Throws 'invalid-argument' for edges of another size. */
function* edgesOf(scope: Scope, source: Plane, params: CannyValues & EdgeInput, where: string): Plan<Plane> {
  const { edges } = params;
  if (edges === true) return source;
  if (!edges) {
    const values: Partial<Record<keyof CannyValues, unknown>> = {};
    for (const name of known) values[name] = params[name];
    return (yield* scope.run(canny, [source], values as CannyValues))[0];
  }
  if (edges.width !== source.width || edges.height !== source.height)
    throw new FoveolaError(
      'invalid-argument',
      `${where}: edges are ${edges.width}x${edges.height}, but the source is ${source.width}x${source.height}. Both must have the same size.`,
    );
  return scope.own(scope.runtime.plane(edges.width, edges.height, 'u8', edges.data));
}

/** Where the votes of Hough transforms are counted. */

const voting = choice({
  default: 'auto',
  values: ['auto', 'wasm', 'gpu'],
  effect: 'Backend that counts the votes. The CPU is used if the GPU cannot count them.',
});

/** The call of the engine for circles. */

const houghCirclesTable = { ...circleParameters, voting, ...canny.params } as const;

/** `edges`, see edge-input.ts, besides the table. */
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
   * Circles of Canny's edges by falling votes: center and radius `r` in source pixels, whole numbers; `votes` counts the
   * directions, `angleStep` radians apart, in which an edge lies on the circle. `edges` as in houghLines. Source: "Parallel
   * pupil tracking", section 2.4; Duda and Hart, CACM 15(1), 1972.
   * @throws {FoveolaError} (rejects) 'invalid-argument', also where minRadius exceeds maxRadius, 'image-too-large' past 65535
   * pixels a side, and as every call, see {@link Engine}
   */
  houghCircles: houghCirclesOperation,
});

/** The call of the engine for lines. */

const houghLinesTable = {
  ...lineParameters,
  segments: boolean({ default: false, effect: 'Adds the end points of the longest piece along edges.' }),
  voting,
  ...canny.params,
} as const;

/** `edges`, see edge-input.ts, besides the table. */
type HoughLinesValues = Values<typeof houghLinesTable> & EdgeInput;

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

const cannyOperation = operation({
  params: canny.params,
  sources: ['gray'],
  keeps: 'asked',
  *plan(scope, [source], params) {
    const [edges] = yield* scope.run(canny, [source], params);
    return yield* toImage(scope, edges!);
  },
});

export const cannyOperations = defineOperations({
  /**
   * Edges as 255, all else 0, in an image of the source's size; by default bit for bit OpenCV's Canny with a 3x3
   * aperture. `low` and `high` are gradient magnitudes; in the wrong order they change places. Source: Canny, PAMI 8(6),
   * 1986; `derivative: 'gaussian'` and `thresholds: 'auto'`: "Parallel pupil tracking", section 2.4.
   * @throws {FoveolaError} (rejects) as every call of the engine, see {@link Engine}
   */
  canny: cannyOperation,
});
