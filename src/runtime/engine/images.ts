/**
 * The planes that calls work on. Packets become planes. Images that stay in the engine between calls are kept by
 * number. Other formats that calls requested (such as the gray version of a color image) are kept with them, each made
 * once. An image that is in use when it is dropped is freed after its last use.
 */
import type { SourceFormat } from '../capability.ts';
import { FoveolaError } from '../error.ts';
import type { Plane } from '../plane.ts';
import type { InsideModel, Runtime } from '../runtime.ts';
import type { ThreadSpawn } from '../wasm/thread-pool.ts';
import type { FramePacket, ImageReference, ReadablePacket } from './protocol.ts';

/** `backend`: the plane must be on the arena. `keep`: the packet stays open to be read again. */
export interface ReadOptions {
  backend?: 'wasm';
  keep?: boolean;
}

/**
 * Functions that the engine receives to read sources. The code that assembles the engine passes them in, so that this
 * folder does not depend on others.
 */
export interface EngineReaders {
  readPacket(
    runtime: Runtime,
    packet: ReadablePacket,
    format: SourceFormat,
    options: ReadOptions,
  ): Promise<Plane> | Plane;
  /** Makes a new plane: gray from color, or color from gray. */
  planeAs(runtime: Runtime, plane: Plane, format: 'gray' | 'rgba' | 'color'): Promise<Plane>;
  /** Problems with reading sources on this platform, for `capabilities.reasons`. */
  reasons(): string[];
}

export interface EngineHome extends EngineReaders {
  worker: boolean;
  insideModel?: InsideModel;
  /** Starts a helper thread, if Atomics.wait is allowed. */
  spawn?: ThreadSpawn;
  /** Reports that nothing works here any more, and why. The page then starts another worker. */
  failed?: (why: string) => void;
}

interface Kept {
  readonly plane: Plane;
  readonly forms: Map<SourceFormat, Promise<Plane>>;
  /** Number of references and uses. */
  holders: number;
}

/** An image that a call works on. */
export interface ImageUse {
  /** Location of its samples. */
  readonly on: Plane['on'];
  plane(format: SourceFormat): Promise<Plane> | Plane;
  done(): void;
}

/**
 * Whether a call that requires `wanted` accepts the plane unchanged. Throws 'invalid-argument' if it is not an image.
 */
export function fits({ format }: Plane, wanted: SourceFormat): boolean {
  if (wanted === 'any' || format === (wanted === 'rgba' ? 'rgba8' : 'u8')) return true;
  if (format === 'u8' || format === 'rgba8') return wanted === 'pixels';
  throw new FoveolaError(
    'invalid-argument',
    `A map of ${format} samples is not an image. Call read() for its samples.`,
  );
}

export class Images {
  readonly runtime: Runtime;
  readonly home: EngineHome;
  readonly #images = new Map<number, Kept>();
  readonly #before: number;
  #next: number;

  /** `before`: numbers up to this belong to an engine that was lost. */
  constructor(runtime: Runtime, home: EngineHome, before = 0) {
    this.runtime = runtime;
    this.home = home;
    this.#before = before;
    this.#next = before + 1;
  }

  /**
   * For a packet of a kept image. Called immediately, because the image may be dropped while the call waits for its
   * turn.
   */
  used(packet: FramePacket): ImageUse | null {
    return packet.kind === 'image' ? this.use(packet.image) : null;
  }

  /** The packet's plane. `use`: the use of the image that the packet names. */
  read(
    packet: FramePacket,
    use: ImageUse | null,
    format: SourceFormat,
    options: ReadOptions = {},
  ): Promise<Plane> | Plane {
    if (packet.kind !== 'image') return this.home.readPacket(this.runtime, packet, format, options);
    const plane = use!.plane(format);
    return options.backend && (plane instanceof Promise || plane.on === 'gpu')
      ? Promise.resolve(plane).then((there) => there.arena().then(() => there))
      : plane;
  }

  /** Becomes the owner of the plane. One plane may be kept under several numbers. */
  keep(plane: Plane): ImageReference {
    let kept = [...this.#images.values()].find((one) => one.plane === plane);
    kept ??= { plane, forms: new Map(), holders: 0 };
    kept.holders++;
    const image = this.#next++;
    this.#images.set(image, kept);
    const { width, height, format, on } = plane;
    const samples = on === 'gpu' ? null : plane.rows();
    const backend = on === 'gpu' ? 'gpu' : 'wasm';
    const reference = { image, width, height, format, backend } as const;
    return samples && !(samples.buffer instanceof ArrayBuffer) ? { ...reference, samples } : reference;
  }

  /** Throws 'disposed' for an unknown image, and 'worker-lost' if it was lost with another worker. */
  use(image: number): ImageUse {
    const kept = this.#images.get(image);
    if (!kept && image <= this.#before)
      throw new FoveolaError('worker-lost', 'The image was lost with its worker. Load it again.');
    if (!kept) throw new FoveolaError('disposed', 'The image was disposed of. Load it again.');
    kept.holders++;
    let used = true;
    return {
      on: kept.plane.on,
      plane: (format) => {
        const { plane, forms } = kept;
        if (plane.lost)
          throw new FoveolaError(
            'context-lost',
            'The image was only on the GPU and was lost with the WebGL context. Load or compute it again.',
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
    // All other requested formats fit.
    const form = Promise.resolve(this.home.planeAs(this.runtime, plane, format as 'gray'));
    forms.set(format, form);
    form.catch(() => forms.delete(format));
    return form;
  }

  /** A converted plane that was lost with the context is made again. */
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
