/** An image that stays in the engine, as the page sees it: a number with a size, and a source for every call. */
import type { EngineImage, GrayImage, SampleMap, SampleView, Source } from '../../results/types.ts';
import { FoveolaError } from '../error.ts';
import type { EngineCalls } from './engine-calls.ts';
import { isReference, type ImageReference } from './image-reference.ts';
import type { PlaneArray } from '../plane.ts';
import type { FramePacket } from './packet.ts';

const formats: Readonly<Record<string, EngineImage['format']>> = { u8: 'gray', rgba8: 'rgba', f32: 'f32', u32: 'u32' };

/** A source on its way into a call; `done` at the end of the call. */
export interface TakenSource<P = FramePacket | Promise<FramePacket>> {
  readonly packet: P;
  done(): void;
}

const nothing = () => {};
const disposed = () => new FoveolaError('disposed', 'The image was disposed of; load it again.');

/** A source as a packet, at once where the browser allows it. Throws as its reader does, and for foreign or disposed images. */
export function takeSource(calls: EngineCalls, source: Source, signal?: AbortSignal): TakenSource {
  if (source instanceof ImageHandle) return source.use(calls);
  return { packet: calls.readSource(source, signal), done: nothing };
}

export class ImageHandle implements EngineImage {
  readonly width: number;
  readonly height: number;
  readonly format: EngineImage['format'];
  readonly side: 'wasm' | 'gpu';
  readonly #calls: EngineCalls;
  readonly #id: number;
  readonly #samples: PlaneArray | undefined;
  /** Calls under way that were given it. */
  #uses = 0;
  #disposed = false;

  constructor(calls: EngineCalls, { image, width, height, format, side, samples }: ImageReference) {
    this.#calls = calls;
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
    this.#calls.check();
    const use = this.use(this.#calls);
    try {
      return (await this.#calls.cancellable(undefined, (call) =>
        this.#calls.port.operation({ call, name: 'load', packets: [use.packet], data: [], params: {} }),
      )) as GrayImage | ImageData | SampleMap;
    } finally {
      use.done();
    }
  }

  /** The packet that names it in a call of this engine. */
  use(calls: EngineCalls): TakenSource<FramePacket> {
    if (calls !== this.#calls)
      throw new FoveolaError('invalid-argument', 'The image belongs to another engine; load it in this one.');
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
    if (!this.#calls.disposed) this.#calls.port.drop(this.#id);
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
export function dropImages(calls: EngineCalls, answer: unknown): void {
  if (isReference(answer)) {
    if (!calls.disposed) calls.port.drop(answer.image);
  } else if (typeof answer === 'object' && answer && !ArrayBuffer.isView(answer))
    for (const value of Object.values(answer)) dropImages(calls, value);
}

/** References in an answer become images. */
export function imagesOf(calls: EngineCalls, answer: unknown): unknown {
  if (isReference(answer)) return new ImageHandle(calls, answer);
  if (typeof answer !== 'object' || answer === null || ArrayBuffer.isView(answer)) return answer;
  for (const [key, value] of Object.entries(answer))
    if (typeof value === 'object' && value) (answer as Record<string, unknown>)[key] = imagesOf(calls, value);
  return answer;
}
