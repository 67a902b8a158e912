/** Types of the public contract: the engine, its operations and its trackers. */
import type { Operations, Trackers } from './capabilities.ts';
import type { VotedCircle } from './edges/circles.ts';
import type { EdgeInput } from './edges/operations.ts';
import type { Line } from './edges/lines.ts';
import type { FaceBox } from './faces/grouping.ts';
import type { FaceTracker, FaceTrackerParameters } from './faces/tracker.ts';
import type { OpticalFlowResult } from './flow/optical-flow.ts';
import type { TrackedPoints } from './flow/track-points.ts';
import type { Component } from './image/components.ts';
import type { ComponentsResult, IntegralResult } from './image/operations.ts';
import type { InpaintProgress } from './inpaint/parameters.ts';
import type { LoadProgress, ModelSource } from './models/load.ts';
import type { ObjectTracker } from './objects/tracker.ts';
import type { Roi } from './pupil/parameters.ts';
import type { PupilParameters, PupilTracker } from './pupil/tracker/tracker.ts';
import type { Capabilities, EngineImage, GrayImage, ResultBackend, Source } from './results/types.ts';
import type { CallOptions, TransferOption } from './runtime/engine/options.ts';
import type { Methods } from './runtime/capability.ts';
import type { ProcessOptions, TrackerHandle } from './runtime/engine/tracker-proxy.ts';
import type { BackendProfileData } from './runtime/backend-profile.ts';
import type { FeatureResult, Sigmas, VesselnessResult, HessianResult } from './vessels/hessian/operations.ts';

/**
 * `createPupilTracker`, `createObjectTracker` and `chain` return immediately. Every other call returns a promise, which
 * rejects with a FoveolaError: 'invalid-argument' (the message names the parameter and its range), 'source-…',
 * 'decode-failed', 'image-too-large', 'out-of-memory', 'aborted', 'disposed', 'worker-lost' (the worker crashed during
 * the call, and another one runs the next), 'engine-stopped' (it crashed too often), and 'context-lost' for an image
 * that was only on the GPU. A failed call does not affect the next one.
 *
 * A call copies its sources and arguments before it returns, so you may change your arrays immediately. With `transfer:
 * true` the sources are transferred instead, see TransferOption.
 */
export interface Engine extends Methods<Operations>, Methods<Trackers> {
  readonly capabilities: Capabilities;

  /**
   * Loads models in advance for later calls that name them, and keeps the last few. `onProgress` receives the share of
   * the bytes and a LoadProgress. `signal` cancels the loading. Rejects with 'invalid-argument', 'model-load',
   * 'model-format', 'model-checksum', 'aborted' and 'disposed'.
   */
  preload(
    models: { cascade?: string | URL; verifier?: string | URL; model?: string | URL },
    options?: CallOptions,
  ): Promise<void>;

  /**
   * Returns the measured time of calls on each backend of this device, as plain data. Save it and pass it to
   * `createEngine({ profile })` on the next visit. Null if the backends are not compared (`backend` is set, or no
   * hardware GPU exists).
   */
  profile(): Promise<BackendProfileData | null>;

  /**
   * Several operations as one call, each on the image from the previous one: `engine.chain(image).gaussian({ sigma: 2
   * }).canny().result()`. The source is read and copied when you call `result`.
   */
  chain(source: Source): Chain;

  /** Idempotent. All later calls reject with code 'disposed'. */
  dispose(): Promise<void>;
}

/** The operations that accept one source. Operations that return an image continue the chain, and the others end it. */
export type ChainLinks = {
  [K in keyof Operations as LinkOf<Operations[K]> extends never ? never : K]: LinkOf<Operations[K]>;
};
type LinkOf<O> = O extends { readonly call?: infer C } ? LinkOfCall<NonNullable<C>> : never;
type LinkOfCall<C> = C extends (source: EngineImage, options?: infer P) => Promise<infer R>
  ? (
      options?: Omit<NonNullable<P>, keyof CallOptions | 'keep' | 'transfer'>,
    ) => R extends GrayImage ? Chain : ChainEnd<R>
  : never;

/** A chain whose last operation returns `R`. */
export interface ChainEnd<R> {
  /** @throws {FoveolaError} (rejects) the errors of the operations */
  result(options?: CallOptions & TransferOption): Promise<R>;
}

/** A chain whose last operation returns an image. */
export interface Chain extends ChainLinks {
  result(options: CallOptions & TransferOption & { keep: true }): Promise<EngineImage>;
  result(options?: CallOptions & TransferOption & { keep?: false }): Promise<GrayImage & { backend: ResultBackend }>;
}

/** An image in the memory of an EngineSync. `data` is valid until its next call. */
export interface SyncImage extends GrayImage {
  dispose(): void;
}

/** A map in the memory of an EngineSync, which can be a source of operations on maps. */
export interface SyncMap {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array | Uint32Array | Float32Array;
  dispose(): void;
}

/** Source types of these calls: images and maps of this engine replace those that stay in another engine. */
type SyncSources<A extends readonly unknown[]> = { [I in keyof A]: A[I] extends EngineImage ? SyncMap : A[I] };
/** Images and maps of this engine in place of images and maps of another one. */
type SyncKept<K> = K extends EngineImage
  ? SyncImage
  : K extends readonly unknown[]
    ? SyncImage[]
    : { [P in keyof Omit<K, 'backend'>]: EngineImage extends K[P] ? SyncMap : K[P] };
type SyncResult<R> = R extends readonly unknown[] ? R : Omit<R, 'backend'>;
type Keeping = { keep: true };

type SyncCall<C> = C extends {
  (...args: [...infer A, options: infer Q]): Promise<infer K>;
  (...args: [...infer _, options?: infer P]): Promise<infer R>;
}
  ? Q extends Keeping
    ? {
        (...args: [...SyncSources<A>, options: Omit<NonNullable<P>, 'keep' | 'transfer'> & Keeping]): SyncKept<K>;
        (...args: [...SyncSources<A>, options?: Omit<NonNullable<P>, 'transfer'>]): SyncResult<R>;
      }
    : (...args: [...SyncSources<A>, options?: Omit<NonNullable<P>, 'transfer'>]) => SyncResult<R>
  : never;
type SyncTracker<T> = {
  [K in keyof T]: K extends 'process'
    ? T[K] extends (source: Source, options?: infer P) => Promise<infer R>
      ? (source: Source, options?: P) => R
      : never
    : T[K] extends (...args: infer A) => Promise<infer R>
      ? (...args: A) => R
      : T[K];
};
type SyncLinks = {
  [K in Exclude<keyof ChainLinks, WithModels>]: ChainLinks[K] extends (options?: infer P) => infer C
    ? (options?: P) => C extends Chain ? SyncChain : C extends ChainEnd<infer R> ? SyncChainEnd<SyncResult<R>> : never
    : never;
};
/** A chain whose last operation returns `R`. */
export interface SyncChainEnd<R> {
  result(): R;
}
/** A chain whose last operation returns an image. */
export interface SyncChain extends SyncLinks {
  result(options: Keeping): SyncImage;
  result(options?: { keep?: false }): GrayImage;
}
type WithModels = 'detectFaces' | 'landmarks' | 'landmarkFits' | 'load';

/**
 * Calls that return their results synchronously, with the WASM backend. Samples of results are views of the engine's
 * memory and are valid until its next call. Copy the data that you need for longer, or keep images with `keep: true`.
 */
export type EngineSync = {
  readonly [K in Exclude<keyof Operations, WithModels>]: SyncCall<NonNullable<Operations[K]['call']>>;
} & {
  /** An image in the engine's memory: a source that is not copied again. */
  load(source: GrayImage | ImageData, options?: { format?: 'source' | 'gray' }): SyncImage;
  /** Several operations as one call, each on the image from the previous one. */
  chain(source: Source): SyncChain;
  createPupilTracker(parameters?: Partial<PupilParameters>): Promise<SyncTracker<PupilTracker>>;
  createObjectTracker(...args: Parameters<Engine['createObjectTracker']>): Promise<SyncTracker<ObjectTracker>>;
  /** Idempotent. All later calls throw 'disposed'. */
  dispose(): void;
};

export type {
  CallOptions,
  Component,
  ComponentsResult,
  EdgeInput,
  FeatureResult,
  InpaintProgress,
  HessianResult,
  FaceBox,
  FaceTracker,
  FaceTrackerParameters,
  IntegralResult,
  Line,
  LoadProgress,
  ModelSource,
  ObjectTracker,
  OpticalFlowResult,
  ProcessOptions,
  PupilParameters,
  PupilTracker,
  Roi,
  BackendProfileData as SideProfileData,
  Sigmas,
  TrackedPoints,
  TrackerHandle,
  TransferOption,
  VesselnessResult,
  VotedCircle,
};
