import type { Runtime } from '../../runtime/runtime.ts';

/** Several blocks, or none where the memory does not suffice for all. */
export function allocateAll({ arena }: Runtime, sizes: readonly number[]): number[] {
  const addresses: number[] = [];
  try {
    for (const bytes of sizes) addresses.push(arena.allocate(bytes));
  } catch (error) {
    for (const address of addresses) arena.free(address);
    throw error;
  }
  return addresses;
}
