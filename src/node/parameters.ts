/** The parameters of an engine's method, before there is an engine. */
import { operations, resolveOptions, trackerMethods } from '../runtime/capability.ts';
import { FoveolaError } from '../runtime/error.ts';

/**
 * Defaults filled in, every given value checked.
 * @param method of the engine: 'vessels', 'createPupilTracker'
 * @throws {FoveolaError} 'invalid-argument': the message names the parameter and its range
 */
export function methodParameters(method: string, given: Record<string, unknown>): Record<string, unknown> {
  const of = operations.get(method) ?? trackerMethods.get(method);
  if (!of) throw new FoveolaError('invalid-argument', `The engine has no method '${method}'.`);
  return { ...resolveOptions(of, given) };
}
