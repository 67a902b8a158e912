// What the tests of image files share.
import { isForReader } from '../../../src/frames/blob-header.ts';
import { readImageFile } from '../../../src/frames/image-files/read.ts';
import { readImage } from '../../../src/frames/read-image.ts';
import { FoveolaError } from '../../../src/runtime/error.ts';
import type { ImageFile } from '../../../src/results/types.ts';

export const read = (bytes: Uint8Array | Blob): Promise<ImageFile> =>
  readImage(bytes instanceof Blob ? bytes : new Blob([bytes as Uint8Array<ArrayBuffer>]));

/** Samples of the image: gray as they are, RGBA without alpha where that is 255 everywhere. */
export function samplesOf({ image: { width, height, data } }: ImageFile): number[] {
  const all = [...data];
  if (all.length === width * height) return all;
  const opaque = all.every((value, i) => i % 4 < 3 || value === 255);
  return opaque ? all.filter((_, i) => i % 4 < 3) : all;
}

/** The file under test/frames/image-files. */
export async function fixture(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await fetch(`/test/frames/image-files/${name}`);
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** Bytes and lengths changed at random, from a fixed seed. */
export function* damagedCopies(bytes: Uint8Array, count: number, seed = 1): Generator<Uint8Array<ArrayBuffer>> {
  let state = seed;
  const random = (limit: number) => {
    state = (state * 48271) % 2147483647;
    return state % limit;
  };
  for (let n = 0; n < count; n++) {
    const copy = Uint8Array.from(bytes);
    if (n % 4 === 3) {
      yield copy.slice(0, random(bytes.length));
      continue;
    }
    for (let flips = 1 + random(4); flips > 0; flips--) copy[random(copy.length)] = random(256);
    yield copy;
  }
}

/** A worker ends with the file that it cannot read: so many are read by workers, the others on the page's thread. */
const BY_WORKERS = 10;

/** How many of the files end with an error; each of these must be one of ours, and none 'internal'. */
export async function faultsOf(files: Iterable<Uint8Array<ArrayBuffer>>): Promise<number> {
  let [faults, count] = [0, 0];
  for (const file of files) {
    const header = file.subarray(0, 4096);
    const byWorker = count++ < BY_WORKERS || !isForReader(header);
    const error: unknown = await (byWorker ? read(file) : readImageFile(new Blob([file]), header)).then(
      () => null,
      (reason: unknown) => reason,
    );
    if (error === null) continue;
    if (!(error instanceof FoveolaError) || error.code === 'internal') throw error;
    faults++;
  }
  return faults;
}

/** How often a reader gives its thread back while it reads the file, by a clock that goes on by 1 ms with each look at it. */
export async function yieldsOf(bytes: Uint8Array<ArrayBuffer>): Promise<number> {
  const { now } = performance;
  let time = 0;
  let yields = 0;
  const setImmediate = (work: () => void) => {
    yields++;
    queueMicrotask(work);
  };
  performance.now = () => ++time;
  Object.assign(globalThis, { setImmediate });
  try {
    await readImageFile(new Blob([bytes]), bytes.subarray(0, 4096));
  } finally {
    performance.now = now;
    Reflect.deleteProperty(globalThis, 'setImmediate');
  }
  return yields;
}
