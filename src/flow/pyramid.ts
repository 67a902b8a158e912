/**
 * A frame and its pyramid levels in the arena. They are made once and used twice: as the next frame, then as the
 * previous one. The derivatives for Lucas-Kanade are computed only inside the windows that need them, so a pyramid
 * contains only its images.
 */
import { pyramidDown } from '../image/pyramid-down.ts';
import { FoveolaError } from '../runtime/error.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import { PyramidLevelRecord } from '../runtime/wasm/records.ts';
import { Scope } from '../runtime/scope.ts';

export interface FlowPyramidOptions {
  /** Number of pyramid levels below the frame. The default is 3, like OpenCV's maxLevel. */
  levels?: number;
  /** Levels whose width or height is not larger than this are left out, like in OpenCV. */
  window?: number;
  /** Copies the frame, so that the pyramid outlives it. */
  copy?: boolean;
}

export class FlowPyramid {
  readonly width: number;
  readonly height: number;
  /** The frame itself is the first one. */
  readonly planes: readonly Plane[];
  /** Address of the kernels' table. */
  readonly table: number;
  readonly #kept: Scope;

  private constructor(kept: Scope, planes: readonly Plane[]) {
    this.#kept = kept;
    this.planes = planes;
    this.width = planes[0]!.width;
    this.height = planes[0]!.height;
    const { bytes } = PyramidLevelRecord;
    this.table = kept.block(bytes * planes.length).address;
    planes.forEach(({ address, stride, width, height }, i) =>
      kept.view(PyramidLevelRecord, this.table + bytes * i).set({ address, stride, width, height }),
    );
  }

  /**
   * Builds the pyramid of an 8-bit gray plane in the arena (`scope.onArena`). Without `copy`, the plane must live as
   * long as the pyramid. The pyramid belongs to the caller, who stores it or lets a scope own it. Throws
   * 'invalid-argument' and 'out-of-memory', and then leaves nothing behind.
   */
  static *build(
    scope: Scope,
    frame: Plane,
    { levels = 3, window = 21, copy = false }: FlowPyramidOptions = {},
  ): Plan<FlowPyramid> {
    if (frame.format !== 'u8')
      throw new FoveolaError('invalid-argument', `A flow pyramid needs gray planes (u8), not ${frame.format}.`);
    const kept = new Scope(scope.runtime);
    try {
      const planes = [copy ? copyOf(kept, frame) : frame];
      for (let plane = planes[0]!; planes.length <= levels; planes.push(plane)) {
        const width = (plane.width + 1) >> 1;
        const height = (plane.height + 1) >> 1;
        if (width <= window || height <= window) break;
        [plane] = yield* pyramidDown.wasm(kept, [plane], { border: 'reflect' });
      }
      return new FlowPyramid(kept, planes);
    } catch (error) {
      kept.dispose();
      throw error;
    }
  }

  /** Number of levels in use: the frame and the levels below it. */
  get levels(): number {
    return this.planes.length;
  }

  /** Can be called more than once. */
  dispose(): void {
    this.#kept.dispose();
  }
}

function copyOf(scope: Scope, frame: Plane): Plane {
  const { width, height, stride, address } = frame;
  const plane = scope.plane(width, height, 'u8');
  scope.arena.u8.copyWithin(plane.address, address, address + stride * height);
  return plane;
}
