/** Types of the public contract: the engine, its operations and its trackers. */
import type { Operations, Trackers } from './capabilities.ts';
import type { VotedCircle } from './edges/circles.ts';
import type { EdgeInput } from './edges/edge-input.ts';
import type { Line } from './edges/lines.ts';
import type { FaceBox } from './faces/grouping.ts';
import type { FaceTracker, FaceTrackerParameters } from './faces/tracker-handle.ts';
import type { OpticalFlowResult } from './flow/optical-flow.ts';
import type { TrackedPoints } from './flow/track-points.ts';
import type { Component } from './image/components.ts';
import type { ComponentsResult, IntegralResult } from './image/operations.ts';
import type { InpaintProgress } from './inpaint/fill-report.ts';
import type { LoadProgress, ModelSource } from './models/load.ts';
import type { ObjectTracker } from './objects/tracker-handle.ts';
import type { Roi } from './pupil/parameters.ts';
import type { PupilParameters, PupilTracker } from './pupil/tracker-handle.ts';
import type { Capabilities, EngineImage, GrayImage, Sides, Source } from './results/types.ts';
import type { CallOptions, TransferOption } from './runtime/engine/options.ts';
import type { Methods } from './runtime/capability.ts';
import type { ProcessOptions } from './runtime/engine/tracker-proxy.ts';
import type { SideProfileData } from './runtime/side-profile.ts';
import type { TrackerHandle } from './runtime/engine/tracker-proxy.ts';
import type { FeatureResult, Sigmas, VesselnessResult } from './vessels/hessian/feature-operations.ts';
import type { HessianResult } from './vessels/hessian/hessian-operation.ts';

/**
 * `createPupilTracker`, `createObjectTracker` and `chain` return at once. Every other call returns a promise, which rejects
 * with a FoveolaError: 'invalid-argument' (the message names the parameter and its range), 'source-…', 'decode-failed', 'image-too-large', 'out-of-memory', 'aborted', 'disposed',
 * 'worker-lost' (the worker died under the call; another one takes the next), 'engine-stopped' (it died too often), and
 * 'context-lost' for an image that lay on the GPU alone. A bad call does not harm the next one.
 *
 * A call takes a copy of its sources and arguments before it returns: you may change your arrays at once. With
 * `transfer: true` the sources are given away instead, see TransferOption.
 */
export interface Engine extends Methods<Operations>, Methods<Trackers> {
  readonly capabilities: Capabilities;

  /**
   * Loads models ahead of the calls that will name them, and keeps the last few. `onProgress` gets the share of the
   * bytes and a LoadProgress; `signal` ends the loading. Rejects with 'invalid-argument', 'model-load', 'model-format',
   * 'model-checksum', 'aborted' and 'disposed'.
   */
  preload(
    models: { cascade?: string | URL; confirm?: string | URL; model?: string | URL },
    options?: CallOptions,
  ): Promise<void>;

  /**
   * What calls took on each side of this device, as plain data to be kept and given to `createEngine({ profile })` on the
   * next visit; null where nothing is compared (`backend` is given, or there is no graphics hardware).
   */
  profile(): Promise<SideProfileData | null>;

  /**
   * Operations in a row as one call, each on the picture of the one before: `engine.chain(image).gaussian({ sigma: 2
   * }).canny().result()`. The source is read, and copied, when `result` is called.
   */
  chain(source: Source): Chain;

  /** Idempotent; afterwards every call rejects with code 'disposed'. */
  dispose(): Promise<void>;
}

/** The operations that take one source: those that give a picture go on, the others end the chain. */
export type ChainLinks = {
  [K in keyof Operations as LinkOf<Operations[K]> extends never ? never : K]: LinkOf<Operations[K]>;
};
type LinkOf<O> = O extends { readonly call?: infer C } ? LinkOfCall<NonNullable<C>> : never;
type LinkOfCall<C> = C extends (source: EngineImage, options?: infer P) => Promise<infer R>
  ? (
      options?: Omit<NonNullable<P>, keyof CallOptions | 'keep' | 'transfer'>,
    ) => R extends GrayImage ? Chain : ChainEnd<R>
  : never;

/** A chain whose last operation gives `R`. */
export interface ChainEnd<R> {
  /** @throws {FoveolaError} (rejects) as the operations do */
  result(options?: CallOptions & TransferOption): Promise<R>;
}

/** A chain whose last operation gives a picture. */
export interface Chain extends ChainLinks {
  result(options: CallOptions & TransferOption & { keep: true }): Promise<EngineImage>;
  result(options?: CallOptions & TransferOption & { keep?: false }): Promise<GrayImage & { side: Sides }>;
}

/** An image in the memory of an EngineSync; `data` holds until its next call. */
export interface SyncImage extends GrayImage {
  dispose(): void;
}

/** The same of a map: a source of operations on maps. */
export interface SyncMap {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array | Uint32Array | Float32Array;
  dispose(): void;
}

/** Sources as these calls take them: their own images and maps for those that stay in another engine. */
type SyncSources<A extends readonly unknown[]> = { [I in keyof A]: A[I] extends EngineImage ? SyncMap : A[I] };
/** Images and maps of this engine in place of those of another. */
type SyncKept<K> = K extends EngineImage
  ? SyncImage
  : K extends readonly unknown[]
    ? SyncImage[]
    : { [P in keyof Omit<K, 'side'>]: EngineImage extends K[P] ? SyncMap : K[P] };
type SyncResult<R> = R extends readonly unknown[] ? R : Omit<R, 'side'>;
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
/** A chain whose last operation gives `R`. */
export interface SyncChainEnd<R> {
  result(): R;
}
/** A chain whose last operation gives a picture. */
export interface SyncChain extends SyncLinks {
  result(options: Keeping): SyncImage;
  result(options?: { keep?: false }): GrayImage;
}
type WithModels = 'detectFaces' | 'landmarks' | 'landmarkFits' | 'load';

/**
 * Calls that give their results at once, on the WASM side. Samples of results are views of the engine's memory and hold
 * until its next call: copy what should live on, or keep images with `keep: true`.
 */
export type EngineSync = {
  readonly [K in Exclude<keyof Operations, WithModels>]: SyncCall<NonNullable<Operations[K]['call']>>;
} & {
  /** An image in the engine's memory: a source that is not copied again. */
  load(source: GrayImage | ImageData, options?: { format?: 'source' | 'gray' }): SyncImage;
  /** Operations in a row as one call, each on the picture of the one before. */
  chain(source: Source): SyncChain;
  createPupilTracker(parameters?: Partial<PupilParameters>): Promise<SyncTracker<PupilTracker>>;
  createObjectTracker(...args: Parameters<Engine['createObjectTracker']>): Promise<SyncTracker<ObjectTracker>>;
  /** Idempotent; afterwards every call throws 'disposed'. */
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
  SideProfileData,
  Sigmas,
  TrackedPoints,
  TrackerHandle,
  TransferOption,
  VesselnessResult,
  VotedCircle,
};
