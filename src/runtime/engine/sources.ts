/**
 * Sources on their way into calls, and images that stay in the engine, as the page sees them: a number with a size, and a source
 * for every call.
 */
import type { EngineImage, GrayImage, SampleMap, SampleView, Source } from '../../results/types.ts';
import { asFoveolaError, FoveolaError, reading } from '../error.ts';
import type { PlaneArray } from '../plane.ts';
import type { Connection } from './connection.ts';
import { closePacket, isReference, ownPacket, takenOver, type FramePacket, type ImageReference } from './protocol.ts';

const formats: Readonly<Record<string, EngineImage['format']>> = { u8: 'gray', rgba8: 'rgba', f32: 'f32', u32: 'u32' };

/** A source on its way into a call; `done` at the end of the call. */
export interface TakenSource<P = FramePacket | Promise<FramePacket>> {
  readonly packet: P;
  done(): void;
}

const nothing = () => {};
const disposed = () => new FoveolaError('disposed', 'The image was disposed of. Load it again.');

const isPromise = <T>(value: T | Promise<T>): value is Promise<T> => typeof (value as Promise<T>).then === 'function';

/** A source as a packet, at once where the browser allows it. Throws as its reader does, and for foreign or disposed images. */
function takeSource(connection: Connection, source: Source, signal?: AbortSignal): TakenSource {
  if (reading('The source', () => source instanceof ImageHandle))
    return (source as unknown as ImageHandle).use(connection);
  return { packet: reading('The source', () => connection.readSource(source, signal)), done: nothing };
}

/** What a call does with its sources. */
export interface TakeOptions {
  readonly signal?: AbortSignal;
  readonly transfer?: boolean;
  /** The call does something else first, and so copies what it would else have posted at once. */
  readonly waits?: boolean;
}

/** Sources on their way into a call: `now` where none of them has to be waited for, else `late`. */
export interface TakenSources {
  readonly now: FramePacket[] | null;
  /** With what `copy` gives, which is called at once. Rejects with a FoveolaError; then all packets are closed. */
  late<T>(copy: () => T): Promise<[FramePacket[], T]>;
  done(): void;
}

/**
 * All sources of a call, as they are at this moment. Samples are copied when they are posted to a worker, which is at once
 * where nothing has to be waited for, else here. Throws as their readers do.
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
  // A proxy of an element or a file is refused by their own methods.
  throw failed.reason instanceof TypeError
    ? new FoveolaError('invalid-argument', `The source cannot be read: ${failed.reason.message}`, {
        cause: failed.reason,
      })
    : asFoveolaError(failed.reason, 'Reading the source');
}

/** Frames and bitmaps that were given away; the call has its own. */
function closeGiven(source: unknown): void {
  if (typeof VideoFrame !== 'undefined' && source instanceof VideoFrame) source.close();
  if (typeof ImageBitmap !== 'undefined' && source instanceof ImageBitmap) source.close();
}

export class ImageHandle implements EngineImage {
  readonly width: number;
  readonly height: number;
  readonly format: EngineImage['format'];
  readonly side: 'wasm' | 'gpu';
  readonly #connection: Connection;
  readonly #id: number;
  readonly #samples: PlaneArray | undefined;
  /** Calls under way that were given it. */
  #uses = 0;
  #disposed = false;

  constructor(connection: Connection, { image, width, height, format, side, samples }: ImageReference) {
    this.#connection = connection;
    this.#id = image;
    this.width = width;
    this.height = height;
    this.format = formats[format]!;
    this.side = side;
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

// `using image = await engine.load(source)`, where the language has it.
const disposeSymbol = (Symbol as { dispose?: symbol }).dispose;
if (disposeSymbol)
  Object.defineProperty(ImageHandle.prototype, disposeSymbol, {
    value(this: ImageHandle) {
      this.dispose();
    },
  });

/** What a call kept that nobody waits for any more. */
export function dropImages(connection: Connection, answer: unknown): void {
  if (isReference(answer)) connection.tell('drop', answer.image);
  else if (typeof answer === 'object' && answer && !ArrayBuffer.isView(answer))
    for (const value of Object.values(answer)) dropImages(connection, value);
}

/** References in an answer become images. */
export function imagesOf(connection: Connection, answer: unknown): unknown {
  if (isReference(answer)) return new ImageHandle(connection, answer);
  if (typeof answer !== 'object' || answer === null || ArrayBuffer.isView(answer)) return answer;
  for (const [key, value] of Object.entries(answer))
    if (typeof value === 'object' && value) (answer as Record<string, unknown>)[key] = imagesOf(connection, value);
  return answer;
}
