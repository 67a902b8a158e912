/**
 * Starts the worker that writes (opfs-writer.ts). The built package uses dist/recording-writer.js instead. One static
 * `new URL('./file', import.meta.url)` names it, because bundlers include files only in that form.
 */
import { fileWorker } from '../runtime/engine/policy.ts';

/** The hash of dist/recording-writer.js, inserted by the build. */
const hash = '';
const START_TIMEOUT = 15_000;

/** The page's settings for the worker. */
export interface WriterParts {
  /** Converts a URL to the type that the Worker constructor accepts. */
  trusted(url: string): string;
  /**
   * The file must be unchanged since the build. Set for the CDN scripts. With bundlers it is not set, because they may
   * change the file.
   */
  pinned?: boolean;
}

export const startWriter = ({ trusted, pinned }: WriterParts): Promise<Worker> =>
  fileWorker(new URL('./opfs-writer.ts', import.meta.url).href, {
    name: 'foveola-recording',
    trusted,
    integrity: pinned ? hash : undefined,
    timeout: START_TIMEOUT,
  });
