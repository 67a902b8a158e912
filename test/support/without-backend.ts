/** Entries of a list without the backend that computed them: what two engines are compared by. */
export const withoutBackend = <T extends { backend?: unknown }>(list: readonly T[]): Omit<T, 'backend'>[] =>
  list.map(({ backend: _, ...rest }) => rest);
