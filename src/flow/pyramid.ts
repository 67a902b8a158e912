/**
 * A frame and its halvings on the arena, made once and used twice: as the next frame, then as the previous one. The
 * derivatives that Lucas-Kanade needs are computed inside of the windows that need them, so a pyramid is no more than
 * its images.
 */
import { pyramidDown } from '../image/pyramid-down.ts';
import { FoveolaError } from '../runtime/error.ts';
import type { Plane } from '../runtime/plane.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';

/** Bytes of one level in the kernels' table: address, row stride, width, height. */
const LEVEL = 16;

export interface FlowPyramidOptions {
  /** How often the frame is halved; 3 as in OpenCV's maxLevel. */
  levels?: number;
  /** Levels that are not larger than this in both directions are left out, as in OpenCV. */
  window?: number;
  /** Copies the frame, so that the pyramid outlives it. */
  copy?: boolean;
}

export class FlowPyramid {
  readonly width: number;
  readonly height: number;
  /** The frame itself first. */
  readonly planes: readonly Plane[];
  /** Address of the kernels' table. */
  readonly table: number;
  readonly #side: WasmSide;
  readonly #owned: readonly Plane[];
  #disposed = false;

  private constructor(side: WasmSide, planes: readonly Plane[], owned: readonly Plane[]) {
    this.#side = side;
    this.#owned = owned;
    this.planes = planes;
    this.width = planes[0]!.width;
    this.height = planes[0]!.height;
    this.table = side.arena.allocate(LEVEL * planes.length);
    planes.forEach(({ address, stride, width, height }, i) =>
      side.arena.i32.set([address, stride, width, height], (this.table + LEVEL * i) >> 2),
    );
  }

  /**
   * Of an 8-bit gray plane that lives on the arena (`await plane.arena()`). Without `copy` the plane must live as long
   * as the pyramid. Throws 'invalid-argument' and 'out-of-memory'; nothing stays behind then.
   */
  static build(side: WasmSide, frame: Plane, { levels = 3, window = 21, copy = false }: FlowPyramidOptions = {}) {
    if (frame.format !== 'u8')
      throw new FoveolaError('invalid-argument', `A flow pyramid takes gray planes (u8), not ${frame.format}.`);
    return side.guarded(() => {
      const owned: Plane[] = [];
      let plane = frame;
      if (copy) owned.push((plane = copyOf(side, frame)));
      const planes = [plane];
      while (planes.length <= levels) {
        const width = (plane.width + 1) >> 1;
        const height = (plane.height + 1) >> 1;
        if (width <= window || height <= window) break;
        [plane] = side.now((scope) => pyramidDown.wasm(scope, [plane], { border: 'reflect' })) as [Plane];
        planes.push(plane);
        owned.push(plane);
      }
      return new FlowPyramid(side, planes, owned);
    });
  }

  /** Levels in use: the frame and its halvings. */
  get levels(): number {
    return this.planes.length;
  }

  /** Idempotent. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#side.arena.free(this.table);
    for (const plane of this.#owned) plane.dispose();
  }
}

function copyOf(side: WasmSide, frame: Plane): Plane {
  const { width, height, stride, address } = frame;
  const plane = side.plane(width, height, 'u8');
  side.arena.u8.copyWithin(plane.address, address, address + stride * height);
  return plane;
}
