/**
 * Images that stay in the engine between calls, by number: their planes, and the other forms that calls asked for (the
 * gray one of a colored image), each made once. What is in use when it is dropped goes with its last use.
 */
import type { SourceFormat } from '../capability.ts';
import { FoveolaError } from '../error.ts';
import type { Plane } from '../plane.ts';
import type { ImageReference } from './image-reference.ts';

/** Another form of a plane; a new one. */
export type PlaneConverter = (plane: Plane, format: SourceFormat) => Promise<Plane> | Plane;

interface Kept {
  readonly plane: Plane;
  readonly forms: Map<SourceFormat, Promise<Plane>>;
  /** Numbers and uses. */
  holders: number;
}

/** An image that a call works on. */
export interface ImageUse {
  /** Where it lies now. */
  readonly on: Plane['on'];
  plane(format: SourceFormat): Promise<Plane> | Plane;
  done(): void;
}

/** Whether a call that takes `wanted` takes the plane as it is. Throws 'invalid-argument' for what is no picture. */
export function fits({ format }: Plane, wanted: SourceFormat): boolean {
  if (wanted === 'any' || format === (wanted === 'rgba' ? 'rgba8' : 'u8')) return true;
  if (format === 'u8' || format === 'rgba8') return wanted === 'pixels';
  throw new FoveolaError(
    'invalid-argument',
    `A kept map of ${format} samples is no picture; read() gives its samples.`,
  );
}

export class KeptImages {
  readonly #images = new Map<number, Kept>();
  readonly #convert: PlaneConverter;
  readonly #before: number;
  #next: number;

  /** `before`: numbers up to it were of an engine that died. */
  constructor(convert: PlaneConverter, before = 0) {
    this.#convert = convert;
    this.#before = before;
    this.#next = before + 1;
  }

  /** Takes the plane over; the same plane may be kept under several numbers. */
  keep(plane: Plane): ImageReference {
    let kept = [...this.#images.values()].find((one) => one.plane === plane);
    kept ??= { plane, forms: new Map(), holders: 0 };
    kept.holders++;
    const image = this.#next++;
    this.#images.set(image, kept);
    const { width, height, format, on } = plane;
    const samples = on === 'gpu' ? null : plane.rows();
    const side = on === 'gpu' ? 'gpu' : 'wasm';
    const reference = { image, width, height, format, side } as const;
    return samples && !(samples.buffer instanceof ArrayBuffer) ? { ...reference, samples } : reference;
  }

  /** Throws 'disposed' for what is not there, 'worker-lost' for what went with another worker. */
  use(image: number): ImageUse {
    const kept = this.#images.get(image);
    if (!kept && image <= this.#before)
      throw new FoveolaError('worker-lost', 'The image was lost with the worker that held it; load it again.');
    if (!kept) throw new FoveolaError('disposed', 'The image was disposed of; load it again.');
    kept.holders++;
    let used = true;
    return {
      on: kept.plane.on,
      plane: (format) => {
        const { plane, forms } = kept;
        if (plane.lost)
          throw new FoveolaError(
            'context-lost',
            'The image lay on the GPU alone and went with the WebGL context; load it or compute it again.',
          );
        if (fits(plane, format)) return plane;
        const known = forms.get(format);
        return known ? known.then((made) => this.#living(kept, format, known, made)) : this.#form(kept, format);
      },
      done: () => {
        if (used) this.#release(kept);
        used = false;
      },
    };
  }

  #form({ plane, forms }: Kept, format: SourceFormat): Promise<Plane> {
    const form = Promise.resolve(this.#convert(plane, format));
    forms.set(format, form);
    form.catch(() => forms.delete(format));
    return form;
  }

  /** A form that went with the context is made once more. */
  #living(kept: Kept, format: SourceFormat, known: Promise<Plane>, made: Plane): Promise<Plane> | Plane {
    if (!made.lost) return made;
    const now = kept.forms.get(format);
    if (now && now !== known) return now;
    made.dispose();
    return this.#form(kept, format);
  }

  drop(image: number): void {
    const kept = this.#images.get(image);
    this.#images.delete(image);
    if (kept) this.#release(kept);
  }

  #release(kept: Kept): void {
    if (--kept.holders > 0) return;
    kept.plane.dispose();
    for (const form of kept.forms.values()) form.then((plane) => plane.dispose()).catch(() => {});
  }

  clear(): void {
    for (const image of [...this.#images.keys()]) this.drop(image);
  }
}
