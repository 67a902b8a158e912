/** Operations in a row, each on the picture of the one before; one call of the engine runs them all. */
import { operations, resolveOptions, type NamedOperation } from '../capability.ts';
import { splitOptions } from './call-options.ts';
import { FoveolaError } from '../error.ts';

export interface ChainStep {
  readonly operation: NamedOperation;
  readonly params: Record<string, unknown>;
}

type Run = (steps: readonly ChainStep[], options: unknown) => Promise<unknown>;

/** Takes one source and nothing else beside its options. */
const isLink = ({ sources, data, models, keeps }: NamedOperation): boolean =>
  sources.length === 1 && !data?.length && !models && keeps !== 'always';

/** A chain with a method for each operation; chains are not changed by their methods. */
export function chainOf(run: Run, steps: readonly ChainStep[] = []): object {
  const chain = {
    async result(options?: unknown): Promise<unknown> {
      if (!steps.length)
        throw new FoveolaError(
          'invalid-argument',
          'The chain is empty: chain(source).gaussian().result(), for example.',
        );
      return run(steps, options);
    },
  };
  for (const operation of operations.values())
    if (isLink(operation))
      Object.defineProperty(chain, operation.name, { value: (options?: unknown) => link(operation, options) });
  return chain;

  function link(operation: NamedOperation, options: unknown): object {
    const last = steps.at(-1)?.operation;
    if (last && last.keeps !== 'asked')
      throw new FoveolaError('invalid-argument', `chain: ${last.name} gives no image, so nothing can follow it.`);
    const { signal, onProgress, keep, params } = splitOptions(options, operation.name);
    if (signal || onProgress || keep !== undefined)
      throw new FoveolaError(
        'invalid-argument',
        `chain: signal, onProgress and keep belong to result(), not ${operation.name}().`,
      );
    resolveOptions(operation, params); // where it is written
    return chainOf(run, [...steps, { operation, params }]);
  }
}
