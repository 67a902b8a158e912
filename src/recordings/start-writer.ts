/**
 * Starts the worker that writes (opfs-writer.ts). In the built package dist/recording-writer.js stands in its place, named
 * by one static `new URL('./file', import.meta.url)`, which is the only form that bundlers carry along.
 */
export const startWriter = (trusted: (url: string) => string): Worker =>
  new Worker(trusted(new URL('./opfs-writer.ts', import.meta.url).href), { type: 'module', name: 'foveola-recording' });
