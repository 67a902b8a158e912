/** A frame and its pyramid levels as textures, two passes per level: the FlowPyramid of the GPU backend. */
import { pyramidDownGpu } from '../image/filters.gpu.ts';
import type { Plane } from '../runtime/plane.ts';
import { Scope } from '../runtime/scope.ts';
import type { FlowPyramidOptions } from './pyramid.ts';

/** Builds the frame and its pyramid levels, which belong to the scope. */
export function gpuPyramid(
  scope: Scope,
  frame: Plane,
  { levels, window }: { readonly levels: number; readonly window: number },
): Plane[] {
  const planes = [frame];
  for (let plane = frame; planes.length <= levels; planes.push(plane)) {
    if ((plane.width + 1) >> 1 <= window || (plane.height + 1) >> 1 <= window) break;
    plane = pyramidDownGpu(scope, plane, 'reflect');
  }
  return planes;
}

/** Pyramid that outlives the plan that made it, for example in a tracker. */
export class GpuFlowPyramid {
  readonly width: number;
  readonly height: number;
  /** The frame itself is the first one. */
  readonly planes: readonly Plane[];
  readonly #kept: Scope;
  readonly #forget: () => void;
  #lost = false;

  /**
   * Builds the pyramid of an 8-bit gray plane of either backend, which must live as long as this object. The pyramid
   * belongs to the caller.
   */
  constructor(scope: Scope, frame: Plane, { levels = 3, window = 21 }: Omit<FlowPyramidOptions, 'copy'> = {}) {
    this.#kept = new Scope(scope.runtime);
    this.width = frame.width;
    this.height = frame.height;
    try {
      this.planes = gpuPyramid(this.#kept, frame, { levels, window });
    } catch (error) {
      this.#kept.dispose();
      throw error;
    }
    this.#forget = scope.gpu.onLost(() => void (this.#lost = true));
  }

  /** True if the context was lost, and the pyramid levels with it. */
  get lost(): boolean {
    return this.#lost;
  }

  get levels(): number {
    return this.planes.length;
  }

  /** Can be called more than once. */
  dispose(): void {
    this.#forget();
    this.#kept.dispose();
  }
}
