/**
 * Scope: the resources of a running plan, and the only owner of everything that it creates. Planes, blocks, records and
 * textures created through a scope are freed with it, whether the plan succeeds or fails. Call `release` for objects
 * that must outlive it. A tracker has a separate scope for the state that it keeps between frames.
 */
import type { Arena } from './wasm/arena.ts';
import type { Draw, GpuBackend, Texture, TextureFormat } from './gpu/gpu-backend.ts';
import type { Pass, UniformTable } from './gpu/pass.ts';
import { FoveolaError, onlyGpu } from './error.ts';
import type { KernelCalls } from './wasm/kernel-calls.ts';
import type { InputsOf, Kind, OutputsOf } from './kinds.ts';
import { Turn, Wait, type Call, type Plan } from './wasm/kernel-step.ts';
import { Plane, type PlaneArray, type PlaneFormat } from './plane.ts';
import { RecordView, type RecordLayout } from './wasm/record.ts';
import { type Runtime, backendOf, type Backend } from './runtime.ts';
import { resolveParameters, type ParameterTable, type Values } from './parameters.ts';

/** Bytes that are copied at once, because the first write to new memory is slow. */
const SOME = 4 << 20;

/** Memory on the arena. */
export interface Block {
  readonly address: number;
  readonly bytes: number;
}

/** Planes, and objects that own memory: pyramids, searches. */
export interface Disposable {
  dispose(): void;
}

export type Progress = (done: number, detail?: unknown) => void;

export interface ScopeOptions {
  /** The backend that its stages must use. */
  readonly backend?: Backend;
  /** The plan runs to its end at once and cannot wait. */
  readonly sync?: boolean;
  readonly progress?: Progress;
  /** Cancels the asynchronous steps of a plan. The plan itself ends at its next pause. */
  readonly signal?: AbortSignal;
  /** Called with the backend of each stage. */
  readonly took?: (backend: Backend) => void;
  /** Handles an image that a plan returns (see Scope.give), in place of its samples. */
  readonly give?: (plane: Plane) => unknown;
  /** Whether returned images stay in the engine. */
  readonly keep?: boolean;
  /** Memory for samples that are read. */
  readonly memory?: (bytes: number) => ArrayBuffer;
}

/** One named operation. See stage.ts, where it is defined by name. */
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
  /** @internal Inputs and outputs are on the arena. */
  wasm(scope: Scope, inputs: InputsOf<I>, params: Values<T>): Plan<OutputsOf<O>>;
  /** @internal Enqueues passes. Outputs may be on either backend. */
  gpu?(scope: Scope, inputs: InputsOf<I>, params: Values<T>): Plan<OutputsOf<O>>;
  /**
   * Whether the GPU of this device supports it, if more than the size and format of the planes matters. If not, the
   * WASM backend is used, even if the caller requested the GPU.
   * @internal
   */
  fits?(gpu: GpuBackend, inputs: InputsOf<I>, params: Values<T>): boolean;
  /** @internal Whether the GPU is likely to be faster. Default: always. Not called if the caller requested the GPU. */
  pays?(inputs: InputsOf<I>, params: Values<T>): boolean;
  /** Why there is no GPU implementation. Exactly one of gpu and wasmOnly is set. */
  readonly wasmOnly?: string;
  /** Maximum difference of a sample between the backends. 0 means equal bytes. */
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

  /** The GPU backend. Only plans for the GPU use it. */
  get gpu(): GpuBackend {
    if (!this.runtime.gpu) throw new FoveolaError('internal', 'This plan needs a GPU, but none is available.');
    return this.runtime.gpu;
  }

  /** A new, uninitialized plane on the arena. */
  plane(width: number, height: number, format: PlaneFormat): Plane {
    return this.own(Plane.onArena(this.runtime, width, height, format));
  }

  /** A new plane on the GPU with undefined content. */
  gpuPlane(width: number, height: number, format: PlaneFormat): Plane {
    return this.own(this.gpu.plane(width, height, format));
  }

  /** A texture that is borrowed until the scope ends. */
  texture<F extends TextureFormat>(width: number, height: number, format: F): Texture<F> {
    const texture = this.gpu.allocate(width, height, format);
    this.#textures.add(texture);
    return texture;
  }

  /** A u8 plane as a texture of 4 or 16 samples per texel (see GpuSide.packed), borrowed until the scope ends. */
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

  /** Zeroed records, one after the other. The view is of the first. */
  record<F extends string>(
    layout: RecordLayout<F>,
    values?: Partial<Readonly<Record<F, number | boolean>>>,
  ): RecordView<F> {
    const { address } = this.zeros(layout.bytes);
    const view = new RecordView(this.arena, layout, address);
    return values ? view.set(values) : view;
  }

  /** A view of a record at an address. */
  view<F extends string>(layout: RecordLayout<F>, address: number): RecordView<F> {
    return new RecordView(this.arena, layout, address);
  }

  /** `count` numbers at an address. Never keep the view across a `yield`, because the memory may grow. */
  u32({ address }: { readonly address: number }, count: number): Uint32Array {
    return new Uint32Array(this.arena.memory.buffer, address, count);
  }
  f32({ address }: { readonly address: number }, count: number): Float32Array {
    return new Float32Array(this.arena.memory.buffer, address, count);
  }
  f64({ address }: { readonly address: number }, count: number): Float64Array {
    return new Float64Array(this.arena.memory.buffer, address, count);
  }

  /** Becomes the owner of a plane or another disposable object that was created elsewhere. */
  own<D extends Disposable>(made: D): D {
    this.#disposables.add(made);
    return made;
  }

  /** Gives up ownership, so that the object outlives the scope. */
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
      // Textures also have `bytes`.
      if (this.#blocks.delete(made.address)) this.arena.free(made.address);
    } else if (this.#textures.delete(made)) this.gpu.release(made);
  }

  /**
   * Moves planes of this scope, and scratch memory, to free space lower on the arena. The free memory is then in one
   * piece, for large allocations. Planes of other scopes stay, because their addresses may be in use.
   */
  settle(...planes: readonly Plane[]): void {
    for (const plane of planes) if (this.#disposables.has(plane)) plane.settle();
    this.runtime.pool.settle();
  }

  progress(done: number, detail?: unknown): void {
    this.options.progress?.(done, detail);
  }

  /**
   * A point at which the thread may yield: every few milliseconds in work that is done in TypeScript. `work`: the
   * amount of work until the next point, relative to other points of the plan.
   */
  turn(work = 1): Call<void> {
    return new Turn(work);
  }

  /** Waits for an asynchronous value. */
  wait<T>(promise: PromiseLike<T> | T): Call<T> {
    return new Wait(promise);
  }

  /** The plane, on the arena. */
  *onArena(plane: Plane): Plan<Plane> {
    if (plane.on === 'gpu') yield* this.wait(plane.arena());
    return plane;
  }

  /** Samples of a plane, tightly packed, wherever it is stored. */
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

  /**
   * Returns an image as part of a plan's result: either made from its samples, or the plane itself if it stays in the
   * engine.
   */
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

  /**
   * Runs `body` with a separate scope that is freed at its end, for textures and planes that only a few passes need.
   */
  within<T>(body: (scope: Scope) => T): T {
    const scope = new Scope(this.runtime, this.options);
    try {
      return body(scope);
    } finally {
      scope.dispose();
    }
  }

  /** Like `within`, for a part of a plan. */
  *part<T>(body: (scope: Scope) => Plan<T>): Plan<T> {
    const scope = new Scope(this.runtime, this.options);
    try {
      return yield* body(scope);
    } finally {
      scope.dispose();
    }
  }

  /** The backend that `run` uses, for callers that need it in advance: frames that overlap on the GPU. */
  backendOf<I extends readonly Kind[], O extends readonly Kind[], T extends ParameterTable>(
    stage: Stage<I, O, T>,
    inputs: InputsOf<I>,
    params?: Partial<Values<T>>,
    forced: Backend | undefined = this.options.backend,
  ): Backend {
    return backendOf(this.runtime, stage, inputs, forced, resolveParameters(stage.params, params, stage.name));
  }

  /**
   * Runs a stage on the best backend. The returned planes belong to this scope, and everything else that it created is
   * freed. If the context is lost meanwhile, or its textures are too small, the WASM backend is used, provided that the
   * inputs still exist. Errors: 'invalid-argument' for parameters out of range.
   */
  *run<I extends readonly Kind[], O extends readonly Kind[], T extends ParameterTable>(
    stage: Stage<I, O, T>,
    inputs: InputsOf<I>,
    params?: Partial<Values<T>>,
    forced: Backend | undefined = this.options.backend,
  ): Plan<OutputsOf<O>> {
    const values = resolveParameters(stage.params, params, stage.name);
    const planes = (inputs as readonly unknown[]).filter(isPlane);
    if (
      inputs.length !== stage.inputs.length ||
      (inputs as readonly unknown[]).some((input, i) => isPlane(input) && input.format !== stage.inputs[i])
    )
      throw new FoveolaError('invalid-argument', `${stage.name} needs (${stage.inputs.join(', ')}).`);
    const backend = backendOf(this.runtime, stage, inputs, forced, values);
    try {
      return yield* this.#on(backend, stage, inputs, planes, values, forced);
    } catch (error) {
      if (backend === 'wasm' || forced || !onlyGpu(error) || planes.some(({ lost }) => lost)) throw error;
      return yield* this.#on('wasm', stage, inputs, planes, values, forced);
    }
  }

  *#on<I extends readonly Kind[], O extends readonly Kind[], T extends ParameterTable>(
    backend: Backend,
    stage: Stage<I, O, T>,
    inputs: InputsOf<I>,
    planes: readonly Plane[],
    values: Values<T>,
    forced: Backend | undefined,
  ): Plan<OutputsOf<O>> {
    const scope = new Scope(this.runtime, { ...this.options, backend: forced });
    try {
      if (backend === 'gpu') this.gpu.usable();
      else for (const plane of planes) yield* this.onArena(plane);
      const outputs = yield* (backend === 'gpu' ? stage.gpu! : stage.wasm)(scope, inputs, values);
      for (const output of outputs as readonly unknown[])
        if (isPlane(output) && scope.#disposables.delete(output)) this.own(output);
      this.options.took?.(backend);
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
