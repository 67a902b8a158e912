/** What operations and trackers of one engine share on its own side: the runtime, who works when, kept images, cancels. */
import type { SourceFormat } from '../capability.ts';
import type { Pauses } from '../driver.ts';
import { FoveolaError } from '../error.ts';
import type { Plane } from '../plane.ts';
import type { InsideModel, Runtime } from '../runtime.ts';
import type { ThreadSpawn } from '../wasm/thread-pool.ts';
import { Scheduler } from './engine-scheduler.ts';
import { KeptImages, type ImageUse } from './kept-images.ts';
import type { FramePacket, ReadablePacket } from './packet.ts';

/** `side`: it is needed on the arena; `keep`: the packet stays open, to be read once more. */
export interface ReadOptions {
  side?: 'wasm';
  keep?: boolean;
}

/** What becomes of a packet; given by whoever puts the engine together, so that this folder stays below the others. */
export type PacketReader = (
  runtime: Runtime,
  packet: ReadablePacket,
  format: SourceFormat,
  options: ReadOptions,
) => Promise<Plane> | Plane;

/** What the engine gets to read sources, from whoever puts it together. */
export interface EngineReaders {
  readPacket: PacketReader;
  /** A new plane, gray of color or color of gray. */
  planeAs(runtime: Runtime, plane: Plane, format: 'gray' | 'rgba' | 'color'): Promise<Plane>;
  /** What is wrong with reading sources here, for `capabilities.reasons`. */
  reasons(): string[];
}

export interface EngineHome extends EngineReaders {
  worker: boolean;
  insideModel?: InsideModel;
  /** Where Atomics.wait is allowed: starts a helper thread. */
  spawn?: ThreadSpawn;
  /** Says that nothing works here any more, and why: the page starts another worker. */
  failed?: (why: string) => void;
}

export const disposed = () => new FoveolaError('disposed', 'The engine was disposed of; create a new one.');

export class EngineContext {
  readonly runtime: Runtime;
  readonly home: EngineHome;
  readonly scheduler = new Scheduler();
  readonly images: KeptImages;
  readonly #calls = new Map<number, AbortController>();
  disposed = false;

  /** `images`: see EngineInit. */
  constructor(runtime: Runtime, home: EngineHome, images = 0) {
    this.runtime = runtime;
    this.home = home;
    this.images = new KeptImages(
      (plane, format) => home.planeAs(runtime, plane, format as 'gray'), // whatever else is asked for fits
      images,
    );
  }

  begin(call: number): AbortSignal {
    if (this.disposed) throw disposed();
    const controller = new AbortController();
    this.#calls.set(call, controller);
    return controller.signal;
  }

  end(call: number): void {
    this.#calls.delete(call);
  }

  abort(call: number): void {
    this.#calls.get(call)?.abort();
  }

  abortAll(reason: FoveolaError): void {
    for (const controller of this.#calls.values()) controller.abort(reason);
  }

  pauses(signal: AbortSignal, framesFirst: boolean): Pauses {
    return { pause: this.scheduler.slicer(signal, framesFirst) };
  }

  /** For a packet of an image that stays; at once, since it may be dropped while the call waits for its turn. */
  use(packet: FramePacket): ImageUse | null {
    return packet.kind === 'image' ? this.images.use(packet.image) : null;
  }

  read(
    packet: FramePacket,
    use: ImageUse | null,
    format: SourceFormat,
    options: ReadOptions = {},
  ): Promise<Plane> | Plane {
    if (packet.kind !== 'image') return this.home.readPacket(this.runtime, packet, format, options);
    const plane = use!.plane(format);
    return options.side && (plane instanceof Promise || plane.on === 'gpu')
      ? Promise.resolve(plane).then((there) => there.arena().then(() => there))
      : plane;
  }
}
