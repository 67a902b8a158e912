/** Test files run side by side on one origin, and there is one storage an origin: who uses it has it alone. */
export function aloneWithStorage(): { before: () => Promise<void>; after: () => void } {
  let release: () => void = () => {};
  return {
    before: () =>
      new Promise<void>((begin) => {
        void navigator.locks.request('tests of the storage', () => {
          begin();
          return new Promise<void>((resolve) => (release = resolve));
        });
      }),
    after: () => release(),
  };
}
