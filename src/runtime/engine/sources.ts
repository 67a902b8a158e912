/**
 * Sources that are passed to calls, and images that stay in the engine, as the page sees them. Such an image is a
 * number with a size, and can be a source of every call.
 */
import type { EngineImage, GrayImage, SampleMap, SampleView, Source } from '../../results/types.ts';
import { asFoveolaError, FoveolaError, reading } from '../error.ts';
import type { PlaneArray } from '../plane.ts';
import type { Connection } from './connection.ts';
import { closePacket, isReference, ownPacket, takenOver, type FramePacket, type ImageReference } from './protocol.ts';

const formats: Readonly<Record<string, EngineImage['format']>> = { u8: 'gray', rgba8: 'rgba', f32: 'f32', u32: 'u32' };

/** A source that is passed to a call. `done` is called at the end of the call. */
export interface TakenSource<P = FramePacket | Promise<FramePacket>> {
  readonly packet: P;
  done(): void;
}

const nothing = () => {};
const disposed = () => new FoveolaError('disposed', 'The image was disposed of. Load it again.');

const isPromise = <T>(value: T | Promise<T>): value is Promise<T> => typeof (value as Promise<T>).then === 'function';

/**
 * Converts a source to a packet, synchronously if the browser allows it. Throws the errors of its reader, and an error
 * for images that are disposed or belong to another engine.
 */
function takeSource(connection: Connection, source: Source, signal?: AbortSignal): TakenSource {
  if (reading('The source', () => source instanceof ImageHandle))
    return (source as unknown as ImageHandle).use(connection);
  return { packet: reading('The source', () => connection.readSource(source, signal)), done: nothing };
}

/** How a call uses its sources. */
export interface TakeOptions {
  readonly signal?: AbortSignal;
  readonly transfer?: boolean;
  /** The call does something else first. It therefore copies data that it would otherwise post immediately. */
  readonly waits?: boolean;
}

/** Sources that are passed to a call: `now` if none of them is asynchronous, otherwise `late`. */
export interface TakenSources {
  readonly now: FramePacket[] | null;
  /**
   * Resolves with the packets and the result of `copy`, which is called immediately. Rejects with a FoveolaError. All
   * packets are then closed.
   */
  late<T>(copy: () => T): Promise<[FramePacket[], T]>;
  done(): void;
}

/**
 * All sources of a call in their current state. Posting to a worker copies the samples, and happens immediately if
 * nothing is asynchronous. Otherwise they are copied here. Throws the errors of their readers.
 */
export function takeSources(
  connection: Connection,
  sources: readonly Source[],
  { signal, transfer, waits }: TakeOptions,
): TakenSources {
  const taken: TakenSource[] = [];
  const done = () => taken.forEach((one) => one.done());
  try {
    for (const source of sources) taken.push(takeSource(connection, source, signal));
    let packets = taken.map(({ packet }) => packet);
    const ready = packets.filter((packet) => !isPromise(packet)) as FramePacket[];
    let own: readonly FramePacket[] = ready;
    if (transfer) own = takenOver(ready);
    else if (waits || ready.length < packets.length) own = ready.map((packet) => ownPacket(packet));
    packets = packets.map((packet) => (isPromise(packet) ? packet : own[ready.indexOf(packet)]!));
    if (transfer) void Promise.allSettled(packets).then(() => sources.forEach(closeGiven));
    const now = ready.length === packets.length && !waits ? (packets as FramePacket[]) : null;
    return { now, done, late: (copy) => settled(packets, copy) };
  } catch (error) {
    done();
    for (const { packet } of taken) Promise.resolve(packet).then(closePacket, nothing);
    throw asFoveolaError(error, 'Reading the source');
  }
}

async function settled<T>(
  packets: readonly (FramePacket | Promise<FramePacket>)[],
  copy: () => T,
): Promise<[FramePacket[], T]> {
  const copied = (async () => copy())();
  const [first, ...results] = await Promise.allSettled([copied, ...packets]);
  const read = results.flatMap((result) => (result.status === 'fulfilled' ? (result.value as FramePacket) : []));
  const failed = [first, ...results].find((result) => result.status === 'rejected');
  if (!failed) return [read, await copied];
  read.forEach(closePacket);
  // The native methods of an element or a file refuse a proxy of it.
  throw failed.reason instanceof TypeError
    ? new FoveolaError('invalid-argument', `The source cannot be read: ${failed.reason.message}`, {
        cause: failed.reason,
      })
    : asFoveolaError(failed.reason, 'Reading the source');
}

/** Closes frames and bitmaps that were transferred. The call has separate ones. */
function closeGiven(source: unknown): void {
  if (typeof VideoFrame !== 'undefined' && source instanceof VideoFrame) source.close();
  if (typeof ImageBitmap !== 'undefined' && source instanceof ImageBitmap) source.close();
}

export class ImageHandle implements EngineImage {
  readonly width: number;
  readonly height: number;
  readonly format: EngineImage['format'];
  readonly backend: 'wasm' | 'gpu';
  readonly #connection: Connection;
  readonly #id: number;
  readonly #samples: PlaneArray | undefined;
  /** Calls in flight that use it. */
  #uses = 0;
  #disposed = false;

  constructor(connection: Connection, { image, width, height, format, backend, samples }: ImageReference) {
    this.#connection = connection;
    this.#id = image;
    this.width = width;
    this.height = height;
    this.format = formats[format]!;
    this.backend = backend;
    this.#samples = samples;
  }

  view(): SampleView | null {
    if (this.#disposed) throw disposed();
    const { width, height } = this;
    const data = this.#samples as SampleView['data'] | undefined;
    return data ? { width, height, data, stride: data.length / height } : null;
  }

  async read(): Promise<GrayImage | ImageData | SampleMap> {
    this.#connection.check();
    const use = this.use(this.#connection);
    try {
      const call = { name: 'load', packets: [use.packet], data: [], params: {} };
      return (await this.#connection.request('operation', call)) as GrayImage | ImageData | SampleMap;
    } finally {
      use.done();
    }
  }

  /** The packet that names it in a call of this engine. */
  use(connection: Connection): TakenSource<FramePacket> {
    if (connection !== this.#connection)
      throw new FoveolaError('invalid-argument', 'The image belongs to another engine. Load it in this one.');
    if (this.#disposed) throw disposed();
    this.#uses++;
    const { width, height } = this;
    return {
      packet: { kind: 'image', image: this.#id, width, height },
      done: () => {
        if (--this.#uses === 0 && this.#disposed) this.#drop();
      },
    };
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    if (!this.#uses) this.#drop();
  }

  #drop(): void {
    this.#connection.tell('drop', this.#id);
  }
}

// Enables `using image = await engine.load(source)`, if the language supports it.
const disposeSymbol = (Symbol as { dispose?: symbol }).dispose;
if (disposeSymbol)
  Object.defineProperty(ImageHandle.prototype, disposeSymbol, {
    value(this: ImageHandle) {
      this.dispose();
    },
  });

/** Drops images that a call kept and that no caller waits for any more. */
export function dropImages(connection: Connection, answer: unknown): void {
  if (isReference(answer)) connection.tell('drop', answer.image);
  else if (typeof answer === 'object' && answer && !ArrayBuffer.isView(answer))
    for (const value of Object.values(answer)) dropImages(connection, value);
}

/** Replaces references in an answer by images. */
export function imagesOf(connection: Connection, answer: unknown): unknown {
  if (isReference(answer)) return new ImageHandle(connection, answer);
  if (typeof answer !== 'object' || answer === null || ArrayBuffer.isView(answer)) return answer;
  for (const [key, value] of Object.entries(answer))
    if (typeof value === 'object' && value) (answer as Record<string, unknown>)[key] = imagesOf(connection, value);
  return answer;
}
