/** Operations and trackers that tests define. Tests of every shipped one do without them, although they share a page. */
import { defineOperations, defineTrackers, operations, trackers } from '../../src/runtime/capability.ts';

const dummies = new Set<object>();

export function defineDummies(
  given: Parameters<typeof defineOperations>[0],
  ofTrackers: Parameters<typeof defineTrackers>[0] = {},
): void {
  const before = new Set<object>([...operations.values(), ...trackers.values()]);
  defineOperations(given);
  defineTrackers(ofTrackers);
  for (const one of [...operations.values(), ...trackers.values()]) if (!before.has(one)) dummies.add(one);
}

const shipped = <T extends object>(all: ReadonlyMap<string, T>): T[] =>
  [...all.values()].filter((one) => !dummies.has(one));
export const shippedOperations = () => shipped(operations);
export const shippedTrackers = () => shipped(trackers);
