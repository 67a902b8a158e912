/**
 * Progress of a reader so far. A worker reports it to the page. The page's watchdog ends a worker without progress
 * (reader-worker.ts).
 */
export const work = { done: 0, waiting: 0 };

/** Waits for something other than the reader's own work (a network, a disk, the browser's image decoder). */
export async function waitingFor<T>(promise: Promise<T>): Promise<T> {
  work.waiting++;
  try {
    return await promise;
  } finally {
    work.waiting--;
    work.done++;
  }
}

/** The bytes of a file or of a part of it. */
export const bytesOf = async (file: Blob): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await waitingFor(file.arrayBuffer()));
