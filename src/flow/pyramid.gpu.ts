/** A frame and its halvings as textures, two passes a halving: FlowPyramid for the GPU sides. */
import { pyramidDownGpu } from '../image/pyramid-down.gpu.ts';
import type { Plane } from '../runtime/plane.ts';
import { Scope } from '../runtime/scope.ts';
import type { FlowPyramidOptions } from './pyramid.ts';

/** The frame itself and its halvings, which are the scope's. */
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

/** The same where it outlives the plan that made it, as in a tracker. */
export class GpuFlowPyramid {
  readonly width: number;
  readonly height: number;
  /** The frame itself first. */
  readonly planes: readonly Plane[];
  readonly #kept: Scope;
  readonly #forget: () => void;
  #lost = false;

  /** Of an 8-bit gray plane on either side, which must live as long as this. It belongs to the caller. */
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

  /** The halvings went with a lost context. */
  get lost(): boolean {
    return this.#lost;
  }

  get levels(): number {
    return this.planes.length;
  }

  /** Idempotent. */
  dispose(): void {
    this.#forget();
    this.#kept.dispose();
  }
}
