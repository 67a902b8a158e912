/**
 * A frame that faces are followed in, and the halvings of it that either side needs, made where they are needed. It has a
 * copy of the pixels on the arena, so that it outlives its source, and a lost GPU context.
 */
import { FlowPyramid } from '../flow/pyramid.ts';
import type { GpuFlowPyramid } from '../flow/pyramid.gpu.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import { Scope } from '../runtime/scope.ts';
import type { Side } from '../runtime/side.ts';

export class FollowedFrame {
  readonly plane: Plane;
  /** What is freed with it. */
  readonly kept: Scope;
  #wasm: FlowPyramid | null = null;
  /** The halvings as textures: see follow.gpu.ts, which makes them. */
  gpu: GpuFlowPyramid | null = null;

  /** Of an 8-bit gray plane that lives on the arena. It belongs to the caller. */
  constructor(scope: Scope, { width, height, stride, address }: Plane) {
    this.kept = new Scope(scope.runtime);
    this.plane = this.kept.plane(width, height, 'u8');
    this.kept.arena.u8.copyWithin(this.plane.address, address, address + stride * height);
  }

  *wasm(): Plan<FlowPyramid> {
    return (this.#wasm ??= this.kept.own(yield* FlowPyramid.build(this.kept, this.plane)));
  }

  /** Idempotent. */
  dispose(): void {
    this.kept.dispose();
  }
}

/** The present frame; a copy is made where it is needed: without a face and between searches it is not. */
export class PresentFrame {
  readonly #plane: Plane;
  /** The copy if it was needed. */
  made: FollowedFrame | null = null;
  /** The sides that worked on it. */
  readonly sides = new Set<Side>();

  constructor(plane: Plane) {
    this.#plane = plane;
  }

  copy(scope: Scope): FollowedFrame {
    return (this.made ??= new FollowedFrame(scope, this.#plane));
  }
}
