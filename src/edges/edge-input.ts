/** Where lines and circles take their edges from: Canny of the source, the source itself, or an image that was given. */
import type { GrayImage } from '../results/types.ts';
import { FoveolaError } from '../runtime/error.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { resolveParameters, type ParameterTable, type Values } from '../runtime/parameters.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { canny } from './canny.ts';
import type { CannyValues } from './canny-parameters.ts';

/** `edges`: true where the source shows edges already, as non-zero samples; or the edges of a source of the same size. */
export interface EdgeInput {
  edges?: boolean | GrayImage;
}

const isGray = (value: unknown): value is GrayImage => {
  const { width, height, data } = (value ?? {}) as Partial<GrayImage>;
  return data instanceof Uint8Array && width! > 0 && height! > 0 && data.length === width! * height!;
};

/** The parameters of a table, and `edges`. Throws 'invalid-argument'. */
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
  // A copy: the caller may write to his array while the call waits.
  return { ...values, edges: { ...edges, data: edges.data.slice() } };
}

const known = Object.keys(canny.params) as (keyof CannyValues)[];

/** The edges, on whichever side they came to be. Throws 'invalid-argument' for edges of another size. */
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
      `${where}: edges are ${edges.width}x${edges.height}, the source is ${source.width}x${source.height}; both must be of one size.`,
    );
  return scope.own(scope.runtime.plane(edges.width, edges.height, 'u8', edges.data));
}
