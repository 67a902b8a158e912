/** The value of what may be a promise, for callers that know that nothing is under way: then it is none. */
export function atOnce<T>(value: T | Promise<T>): T {
  if (value instanceof Promise) throw new Error('Something was under way: what was to be done at once has to wait.');
  return value;
}
