/**
 * Scope: what a running plan may use, and the only owner of what it makes. Planes, blocks, records and textures made
 * through a scope are freed with it, whatever becomes of the plan; what should live on is given away by `release`. A
 * tracker holds a scope of its own for what it keeps between frames.
 */
import type { Arena } from './wasm/arena.ts';
import type { Draw, GpuSide, Texture, TextureFormat } from './gpu/gpu-side.ts';
import type { Pass, UniformTable } from './gpu/pass.ts';
import { FoveolaError, onlyGpu } from './error.ts';
import type { KernelCalls } from './wasm/kernel-calls.ts';
import type { InputsOf, Kind, OutputsOf } from './kinds.ts';
import { Turn, Wait, type Call, type Plan } from './wasm/kernel-step.ts';
import { Plane, type PlaneArray, type PlaneFormat } from './plane.ts';
import { RecordView, type RecordLayout } from './wasm/record.ts';
import type { Runtime } from './runtime.ts';
import { sideOf, type Side } from './side.ts';
import { resolveParameters, type ParameterTable, type Values } from './parameters.ts';

/** Bytes that are copied in one go: fresh memory takes its time. */
const SOME = 4 << 20;

/** Memory on the arena. */
export interface Block {
  readonly address: number;
  readonly bytes: number;
}

/** Planes, and what holds memory of its own: pyramids, searches. */
export interface Disposable {
  dispose(): void;
}

export type Progress = (done: number, detail?: unknown) => void;

export interface ScopeOptions {
  /** The side that is forced on the stages that run in it. */
  readonly side?: Side;
  readonly progress?: Progress;
  /** For what a plan waits for; the plan itself ends at its next pause. */
  readonly signal?: AbortSignal;
  /** Called each time with the side that a stage took. */
  readonly took?: (side: Side) => void;
  /** What becomes of a picture that a plan gives (see Scope.give), in place of its samples. */
  readonly give?: (plane: Plane) => unknown;
  /** Whether what is given stays in the engine. */
  readonly keep?: boolean;
  /** Memory for samples that are read. */
  readonly memory?: (bytes: number) => ArrayBuffer;
}

/** One named operation: see stage.ts, where it is defined by name. */
export interface Stage<
  I extends readonly Kind[] = readonly Kind[],
  O extends readonly Kind[] = readonly Kind[],
  T extends ParameterTable = ParameterTable,
> {
  /** capability/name, for example 'image/gaussian'. */
  readonly name: string;
  readonly params: T;
  readonly inputs: I;
  readonly outputs: O;
  /** @internal Inputs are on the arena, outputs as well. */
  wasm(scope: Scope, inputs: InputsOf<I>, params: Values<T>): Plan<OutputsOf<O>>;
  /** @internal Enqueues passes; outputs may be on either side. */
  gpu?(scope: Scope, inputs: InputsOf<I>, params: Values<T>): Plan<OutputsOf<O>>;
  /**
   * Whether the GPU of this device can do it, where more than the size and the format of the planes decides. Where it
   * cannot, the WASM side does it, also for those who ask for the GPU.
   * @internal
   */
  fits?(gpu: GpuSide, inputs: InputsOf<I>, params: Values<T>): boolean;
  /** @internal Whether the GPU is likely to be faster; always, where this is left out. Not asked where the caller wants the GPU. */
  pays?(inputs: InputsOf<I>, params: Values<T>): boolean;
  /** Why there is no GPU side. Exactly one of gpu and wasmOnly is given. */
  readonly wasmOnly?: string;
  /** Largest difference of a sample between the sides; 0 means equal bytes. */
  readonly tolerance: number;
}

export class Scope {
  readonly runtime: Runtime;
  readonly options: ScopeOptions;
  #disposables = new Set<Disposable>();
  #blocks = new Set<number>();
  #textures = new Set<Texture>();

  constructor(runtime: Runtime, options: ScopeOptions = {}) {
    this.runtime = runtime;
    this.options = options;
  }

  get kernels(): KernelCalls {
    return this.runtime.kernels.calls;
  }

  get threads(): number {
    return this.runtime.pool.threads;
  }

  get arena(): Arena {
    return this.runtime.arena;
  }

  /** The GPU half; only plans of a GPU side ask for it. */
  get gpu(): GpuSide {
    if (!this.runtime.gpu) throw new FoveolaError('internal', 'This plan needs a GPU, but none is available.');
    return this.runtime.gpu;
  }

  /** A new, uninitialized plane on the arena. */
  plane(width: number, height: number, format: PlaneFormat): Plane {
    return this.own(Plane.onArena(this.runtime, width, height, format));
  }

  /** A new plane on the GPU, undefined content. */
  gpuPlane(width: number, height: number, format: PlaneFormat): Plane {
    return this.own(this.gpu.plane(width, height, format));
  }

  /** A texture lent until the scope ends. */
  texture<F extends TextureFormat>(width: number, height: number, format: F): Texture<F> {
    const texture = this.gpu.allocate(width, height, format);
    this.#textures.add(texture);
    return texture;
  }

  /** A u8 plane as a texture of 4 or 16 samples a texel (see GpuSide.packed), lent until the scope ends. */
  packed(plane: Plane, samples: 4 | 16): Texture<'rgba8ui' | 'rgba32ui'> {
    const texture = this.gpu.packed(plane, samples);
    this.#textures.add(texture);
    return texture;
  }

  /** Uninitialized memory on the arena. */
  block(bytes: number): Block {
    const address = this.arena.allocate(bytes);
    this.#blocks.add(address);
    return { address, bytes };
  }

  /** Zeroed memory on the arena. */
  zeros(bytes: number): Block {
    const block = this.block(bytes);
    this.arena.u8.fill(0, block.address, block.address + bytes);
    return block;
  }

  /** A copy of an array on the arena. */
  table(data: ArrayBufferView): Block {
    const block = this.block(data.byteLength);
    this.arena.u8.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), block.address);
    return block;
  }

  /** Zeroed records, one after the other; the view is of the first. */
  record<F extends string>(
    layout: RecordLayout<F>,
    values?: Partial<Readonly<Record<F, number | boolean>>>,
  ): RecordView<F> {
    const { address } = this.zeros(layout.bytes);
    const view = new RecordView(this.arena, layout, address);
    return values ? view.set(values) : view;
  }

  /** A record that lies at an address. */
  view<F extends string>(layout: RecordLayout<F>, address: number): RecordView<F> {
    return new RecordView(this.arena, layout, address);
  }

  /** `count` numbers at an address. Never keep them over a `yield`: the memory may grow. */
  u32({ address }: { readonly address: number }, count: number): Uint32Array {
    return new Uint32Array(this.arena.memory.buffer, address, count);
  }
  f32({ address }: { readonly address: number }, count: number): Float32Array {
    return new Float32Array(this.arena.memory.buffer, address, count);
  }
  f64({ address }: { readonly address: number }, count: number): Float64Array {
    return new Float64Array(this.arena.memory.buffer, address, count);
  }

  /** Takes over what someone else made: a plane, or whatever else is disposed of. */
  own<D extends Disposable>(made: D): D {
    this.#disposables.add(made);
    return made;
  }

  /** Gives it away: it outlives the scope. */
  release<D extends Disposable>(made: D): D {
    this.#disposables.delete(made);
    return made;
  }

  /** `release` for results of any kind. */
  giveAway(value: unknown): void {
    if (isPlane(value)) this.#disposables.delete(value);
  }

  /** Frees something before the scope ends. */
  free(made: Disposable | Block | Texture): void {
    if ('dispose' in made) {
      if (this.#disposables.delete(made)) made.dispose();
    } else if ('address' in made) {
      // Textures have `bytes` as well.
      if (this.#blocks.delete(made.address)) this.arena.free(made.address);
    } else if (this.#textures.delete(made)) this.gpu.release(made);
  }

  /**
   * Planes of this scope, and scratch, go down on the arena to where there is room: what is free is then in one piece, for what
   * is large. Others' planes stay, since their addresses may be in use.
   */
  settle(...planes: readonly Plane[]): void {
    for (const plane of planes) if (this.#disposables.has(plane)) plane.settle();
    this.runtime.pool.settle();
  }

  progress(done: number, detail?: unknown): void {
    this.options.progress?.(done, detail);
  }

  /**
   * A place where the thread may go to others: every few milliseconds in work that is done in TypeScript. `work`: what comes
   * next, by what comes between other turns of the plan.
   */
  turn(work = 1): Call<void> {
    return new Turn(work);
  }

  /** What arrives later. */
  wait<T>(promise: PromiseLike<T> | T): Call<T> {
    return new Wait(promise);
  }

  /** The plane, on the arena. */
  *onArena(plane: Plane): Plan<Plane> {
    if (plane.on === 'gpu') yield* this.wait(plane.arena());
    return plane;
  }

  /** Samples of a plane, tightly packed, from wherever it lives. */
  *read(plane: Plane): Plan<PlaneArray> {
    if (plane.on === 'gpu') return yield* this.wait(plane.read());
    const samples = plane.samples(this.options.memory);
    const some = Math.max(1, Math.floor(SOME / plane.stride));
    for (let y = 0; y < plane.height; y += some) {
      plane.copy(samples, y, Math.min(plane.height, y + some));
      yield* this.turn();
    }
    return samples;
  }

  /** A picture as part of a plan's result: made of its samples; or the plane itself is given away, where it stays in the engine. */
  *give<T>(plane: Plane, made: (samples: PlaneArray) => T): Plan<T> {
    const { give } = this.options;
    if (!give) return made(yield* this.read(plane));
    this.release(plane);
    return give(plane) as T;
  }

  /** Draws one pass. */
  draw<T extends string, U extends UniformTable>(pass: Pass<T, U>, draw: Draw<T, U>): void {
    this.gpu.draw(pass, draw);
  }

  /** Runs `body` with a scope of its own, freed at its end: for textures and planes that a few passes need. */
  within<T>(body: (scope: Scope) => T): T {
    const scope = new Scope(this.runtime, this.options);
    try {
      return body(scope);
    } finally {
      scope.dispose();
    }
  }

  /** The same for a part of a plan. */
  *part<T>(body: (scope: Scope) => Plan<T>): Plan<T> {
    const scope = new Scope(this.runtime, this.options);
    try {
      return yield* body(scope);
    } finally {
      scope.dispose();
    }
  }

  /** The side that `run` takes, for who must know before: frames that overlap on the GPU. */
  sideOf<I extends readonly Kind[], O extends readonly Kind[], T extends ParameterTable>(
    stage: Stage<I, O, T>,
    inputs: InputsOf<I>,
    params?: Partial<Values<T>>,
    forced: Side | undefined = this.options.side,
  ): Side {
    return sideOf(this.runtime, stage, inputs, forced, resolveParameters(stage.params, params, stage.name));
  }

  /**
   * Runs a stage on the side that suits it. The planes it returns belong to this scope; what it made besides is freed.
   * Where the context is lost under it, or its textures are too small, the WASM side does it, if what it works on is
   * still there.
   * Errors: 'invalid-argument' for parameters out of range.
   */
  *run<I extends readonly Kind[], O extends readonly Kind[], T extends ParameterTable>(
    stage: Stage<I, O, T>,
    inputs: InputsOf<I>,
    params?: Partial<Values<T>>,
    forced: Side | undefined = this.options.side,
  ): Plan<OutputsOf<O>> {
    const values = resolveParameters(stage.params, params, stage.name);
    const planes = (inputs as readonly unknown[]).filter(isPlane);
    if (
      inputs.length !== stage.inputs.length ||
      (inputs as readonly unknown[]).some((input, i) => isPlane(input) && input.format !== stage.inputs[i])
    )
      throw new FoveolaError('invalid-argument', `${stage.name} needs (${stage.inputs.join(', ')}).`);
    const side = sideOf(this.runtime, stage, inputs, forced, values);
    try {
      return yield* this.#on(side, stage, inputs, planes, values, forced);
    } catch (error) {
      if (side === 'wasm' || forced || !onlyGpu(error) || planes.some(({ lost }) => lost)) throw error;
      return yield* this.#on('wasm', stage, inputs, planes, values, forced);
    }
  }

  *#on<I extends readonly Kind[], O extends readonly Kind[], T extends ParameterTable>(
    side: Side,
    stage: Stage<I, O, T>,
    inputs: InputsOf<I>,
    planes: readonly Plane[],
    values: Values<T>,
    forced: Side | undefined,
  ): Plan<OutputsOf<O>> {
    const scope = new Scope(this.runtime, { ...this.options, side: forced });
    try {
      if (side === 'gpu') this.gpu.usable();
      else for (const plane of planes) yield* this.onArena(plane);
      const outputs = yield* (side === 'gpu' ? stage.gpu! : stage.wasm)(scope, inputs, values);
      for (const output of outputs as readonly unknown[])
        if (isPlane(output) && scope.#disposables.delete(output)) this.own(output);
      this.options.took?.(side);
      return outputs;
    } finally {
      scope.dispose();
    }
  }

  dispose(): void {
    for (const made of this.#disposables) made.dispose();
    for (const address of this.#blocks) this.arena.free(address);
    for (const texture of this.#textures) this.runtime.gpu?.release(texture);
    this.#disposables.clear();
    this.#blocks.clear();
    this.#textures.clear();
  }
}

export const isPlane = (value: unknown): value is Plane =>
  typeof value === 'object' && value !== null && 'dispose' in value && 'format' in value;
