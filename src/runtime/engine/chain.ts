/** Operations in a row, each on the image from the previous one. One call of the engine runs all of them. */
import { operations, resolveOptions, type NamedOperation, type SourceFormat } from '../capability.ts';
import { splitOptions } from './options.ts';
import { FoveolaError } from '../error.ts';
import { fits } from './images.ts';
import { snapshotOptions } from './protocol.ts';
import type { Plane } from '../plane.ts';
import { Scope } from '../scope.ts';
import type { Plan } from '../wasm/kernel-step.ts';

export interface ChainStep<P extends object = Record<string, unknown>> {
  readonly operation: NamedOperation;
  readonly params: P;
}

type Run = (steps: readonly ChainStep[], options: unknown) => unknown;

/** The step whose result is the result of the chain. */
export function lastOf(steps: readonly ChainStep[]): ChainStep {
  const last = steps.at(-1);
  if (!last)
    throw new FoveolaError(
      'invalid-argument',
      'The chain is empty. Add an operation, for example chain(source).gaussian().result().',
    );
  return last;
}

/**
 * Runs all operations except the last, each in a separate scope and with checked parameters. Returns the planes that
 * the last operation works on. `convert`: converts an image to another format, in a plane that the scope owns.
 */
export function* runChain(
  scope: Scope,
  steps: readonly ChainStep<object>[],
  planes: readonly Plane[],
  last: NamedOperation,
  convert: (plane: Plane, format: SourceFormat) => Plan<Plane>,
): Plan<readonly Plane[]> {
  let sources = planes;
  for (const [i, { operation, params }] of steps.entries()) {
    const inner = new Scope(scope.runtime, { ...scope.options, give: (plane) => plane });
    let made: Plane;
    try {
      made = scope.own((yield* operation.plan(inner, sources, params)) as Plane);
    } finally {
      inner.dispose();
    }
    for (const source of sources) scope.free(source); // from a previous step
    const format = (steps[i + 1]?.operation ?? last).sources[0]!;
    if (!fits(made, format)) {
      const other = yield* convert(made, format);
      scope.free(made);
      made = other;
    }
    sources = [made];
  }
  return sources;
}

/** Accepts one source and no other argument except its options. */
const isLink = ({ sources, data, models, keeps }: NamedOperation): boolean =>
  sources.length === 1 && !data?.length && !models && keeps !== 'always';

/** A chain with a method for each operation. Its methods return new chains and do not change it. */
export function chainOf(run: Run, steps: readonly ChainStep[] = []): object {
  const chain = {
    result: (options?: unknown) => run(steps, options),
  };
  for (const operation of operations.values())
    if (isLink(operation))
      Object.defineProperty(chain, operation.name, { value: (options?: unknown) => link(operation, options) });
  return chain;

  function link(operation: NamedOperation, options: unknown): object {
    const last = steps.at(-1)?.operation;
    if (last && last.keeps !== 'asked')
      throw new FoveolaError(
        'invalid-argument',
        `chain: ${last.name} returns no image and must be the last operation.`,
      );
    const { signal, onProgress, keep, transfer, params } = splitOptions(options, operation.name);
    if (signal || onProgress || keep !== undefined || transfer !== undefined)
      throw new FoveolaError(
        'invalid-argument',
        `chain: signal, onProgress, keep and transfer belong to result(), not ${operation.name}().`,
      );
    resolveOptions(operation, params); // throws where the call is written
    return chainOf(run, [...steps, { operation, params: snapshotOptions(params) }]);
  }
}
