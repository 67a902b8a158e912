/**
 * The engine's calls for edges and lines. Lines and circles get their edges from the source, by Canny or directly, or
 * from an image.
 */
import type { GrayImage, Source } from '../results/types.ts';
import { FoveolaError } from '../runtime/error.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { resolveParameters, type ParameterTable, type Values, choice, boolean } from '../runtime/parameters.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { canny } from './canny.ts';
import { type CannyValues, lineParameters } from './parameters.ts';
import { defineOperations, operationOn, operation } from '../runtime/capability.ts';
import { linesOf, type Line, segmentOf } from './lines.ts';
import { toImage } from '../image/image-of.ts';

/**
 * `edges` is true if the source already shows edges as non-zero samples. It can also be the edges of a source of the
 * same size.
 */
export interface EdgeInput {
  edges?: boolean | GrayImage;
}

const isGray = (value: unknown): value is GrayImage => {
  const { width, height, data } = (value ?? {}) as Partial<GrayImage>;
  return data instanceof Uint8Array && width! > 0 && height! > 0 && data.length === width! * height!;
};

/** Resolves the parameters of a table, and `edges`. Throws 'invalid-argument'. */
export function resolveWithEdges<T extends ParameterTable>(
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
  // Copy the array, because the caller may write to it while the call waits.
  return { ...values, edges: { ...edges, data: edges.data.slice() } };
}

const known = Object.keys(canny.params) as (keyof CannyValues)[];

/** Returns the edges, on the backend that has them. Throws 'invalid-argument' for edges of another size. */
export function* edgesOf(scope: Scope, source: Plane, params: CannyValues & EdgeInput, where: string): Plan<Plane> {
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

/** Backend that counts the votes of Hough transforms. */
export const voting = choice({
  default: 'auto',
  values: ['auto', 'wasm', 'gpu'],
  effect: 'Backend that counts the votes. The CPU is used if the GPU cannot count them.',
});

const houghLinesTable = {
  ...lineParameters,
  segments: boolean({ default: false, effect: 'Adds the end points of the longest piece along edges.' }),
  voting,
  ...canny.params,
} as const;

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
   * Lines through Canny's edges, sorted by decreasing votes, like OpenCV's HoughLines: x cos(theta) + y sin(theta) =
   * rho, in source pixels and radians. With `segments: true`, each line has the end points of its longest piece with
   * edges. `edges` is true if the source already shows edges (samples that are not 0), or holds the edges, in the
   * source's size. Source: Duda and Hart, CACM 15(1), 1972.
   * @throws {FoveolaError} (rejects) 'invalid-argument', also for edges of another size, and as every call, see {@link
   * Engine}
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
   * Sets edges to 255 and all other pixels to 0, in an image of the source's size. The default is bit for bit OpenCV's
   * Canny with a 3x3 aperture. `low` and `high` are gradient magnitudes and are swapped if they are in the wrong order.
   * Source: Canny, PAMI 8(6), 1986. For `derivative: 'gaussian'` and `thresholds: 'auto'`: "Parallel pupil tracking",
   * section 2.4.
   * @throws {FoveolaError} (rejects) as every call of the engine, see {@link Engine}
   */
  canny: cannyOperation,
});
