/** A result with other parts. Spread, its response would be made at every pixel, as whoever reads it has it made. */
export function changed<R extends object, P extends object>(result: R, parts: P): R & P {
  return Object.assign(Object.defineProperties({}, Object.getOwnPropertyDescriptors(result)) as R, parts);
}
