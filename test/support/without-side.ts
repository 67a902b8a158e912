/** Entries of a list without the side that computed them: what two engines are compared by. */
export const withoutSide = <T extends { side?: unknown }>(list: readonly T[]): Omit<T, 'side'>[] =>
  list.map(({ side: _, ...rest }) => rest);
