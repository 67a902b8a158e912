/**
 * Starts the worker that writes (opfs-writer.ts). In the built package dist/recording-writer.js stands in its place, named
 * by one static `new URL('./file', import.meta.url)`, which is the only form that bundlers carry along.
 */
import { fileWorker } from '../runtime/engine/policy.ts';

/** The hash of dist/recording-writer.js, which the build puts here. */
const hash = '';
const START_TIMEOUT = 15_000;

/** What the page says of the worker. */
export interface WriterParts {
  /** An address as the Worker constructor takes it. */
  trusted(url: string): string;
  /** The file has to be as it was built: so for the CDN scripts, while a bundler may change it. */
  pinned?: boolean;
}

export const startWriter = ({ trusted, pinned }: WriterParts): Promise<Worker> =>
  fileWorker(new URL('./opfs-writer.ts', import.meta.url).href, {
    name: 'foveola-recording',
    trusted,
    integrity: pinned ? hash : undefined,
    timeout: START_TIMEOUT,
  });
