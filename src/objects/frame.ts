/**
 * What all targets of a frame share: its pyramid, the blurred image of the ferns, integral images of gray values and of
 * their squares. Made once a frame, whatever the number of targets.
 */
import { FlowPyramid } from '../flow/index.ts';
import { gaussian, integral, integralSquares } from '../image/index.ts';
import { gaussianTaps } from '../image/gaussian-kernel.ts';
import type { Box } from '../results/types.ts';
import type { Plane } from '../runtime/plane.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import type { ObjectValues } from './parameters.ts';
import { RecordView, type RecordOf } from '../runtime/record.ts';
import { ObjectFrameRecord } from '../runtime/records.ts';

/** 9x9, sigma 1.5 (golden 19-tld). */
export const BLUR = { size: 9, sigma: 1.5 };

interface Area {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** Frames so far. */
let serial = 0;

export class SharedFrame {
  readonly width: number;
  readonly height: number;
  readonly pyramid: FlowPyramid;
  /** The frame as the kernels see it. */
  readonly record: RecordOf<typeof ObjectFrameRecord>;
  /** Whether the blurred image may be made in parts: the detector does not need it here. */
  partly = false;
  readonly #side: WasmSide;
  #blurred: Plane | null = null;
  /** The part that is blurred, or null: all of it. */
  #area: Area | null = null;
  #sums: Plane | null = null;
  #squares: Plane | null = null;
  #disposed = false;

  constructor(side: WasmSide, gray: Plane, { flowLevels, flowWindow }: ObjectValues) {
    this.#side = side;
    this.width = gray.width;
    this.height = gray.height;
    const options = { levels: flowLevels, window: flowWindow, copy: true };
    this.pyramid = side.now((scope) => FlowPyramid.build(scope, gray, options));
    try {
      const address = side.arena.allocate(ObjectFrameRecord.bytes);
      this.record = new RecordView(side.arena, ObjectFrameRecord, address).clear();
    } catch (error) {
      this.pyramid.dispose();
      throw error;
    }
    const { address, stride, width, height } = this.gray;
    const { table, levels } = this.pyramid;
    serial = (serial + 1) & 0x7fffffff || 1;
    this.record.set({ gray: address, grayStride: stride, width, height, levels: table, levelCount: levels, serial });
  }

  get address(): number {
    return this.record.address;
  }

  get gray(): Plane {
    return this.pyramid.planes[0]!;
  }

  get blurred(): Plane {
    if (this.#area) {
      this.#blurred?.dispose();
      this.#blurred = this.#area = null;
    }
    return (this.#blurred ??= this.#shown(this.#side.now((scope) => gaussian.wasm(scope, [this.gray], BLUR))[0]!));
  }

  #shown(blurred: Plane): Plane {
    this.record.set({ blurred: blurred.address, blurredStride: blurred.stride });
    return blurred;
  }

  /**
   * The blurred image, right at least in the boxes and as far around them as warped copies reach: where the GPU blurs
   * the frame for the detector, this side needs no more.
   */
  blurredAround(boxes: readonly Box[]): Plane {
    if (this.#blurred && !this.#area) return this.#blurred;
    const near = this.#around(boxes, 1 / 4);
    const done = this.#area;
    if (done && near.x0 >= done.x0 && near.y0 >= done.y0 && near.x1 <= done.x1 && near.y1 <= done.y1)
      return this.#blurred!;
    // Some more than is asked for: the next boxes are close to these.
    const area = this.#around(boxes, 0.55);
    if (!this.partly || 2 * (area.x1 - area.x0) * (area.y1 - area.y0) > this.width * this.height) return this.blurred;
    return this.#blurPart(area);
  }

  /** The boxes and what lies around them, by a share of their longer side; columns in whole registers. */
  #around(boxes: readonly Box[], share: number): Area {
    let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const { x, y, width, height } of boxes) {
      const reach = share * Math.max(width, height) + 8;
      x0 = Math.min(x0, x - reach);
      y0 = Math.min(y0, y - reach);
      x1 = Math.max(x1, x + width + reach);
      y1 = Math.max(y1, y + height + reach);
    }
    return {
      x0: Math.max(0, Math.floor(x0)) & ~15,
      y0: Math.max(0, Math.floor(y0)),
      x1: Math.min(this.width, (Math.ceil(x1) + 15) & ~15),
      y1: Math.min(this.height, Math.ceil(y1)),
    };
  }

  /** Blurs a part by itself; with the kernel's radius around it, cut off there, its pixels are those of the whole. */
  #blurPart(area: Area): Plane {
    const side = this.#side;
    const { address, stride } = this.gray;
    const out = (this.#blurred ??= this.#shown(side.plane(this.width, this.height, 'u8')));
    const taps = gaussianTaps(BLUR.size, BLUR.sigma);
    const left = Math.max(0, area.x0 - 16);
    const width = Math.min(this.width, area.x1 + 16) - left;
    side.temporary(2 * taps.length, (table) => {
      side.arena.u8.set(new Uint8Array(Uint16Array.from(taps).buffer), table);
      const args = [address + left, stride, out.address + left, out.stride, width, this.height, table];
      side.bands('gaussian', area.y1, [...args, BLUR.size >> 1], {
        first: area.y0,
        scratch: 1280 + 4 * stride,
      });
    });
    this.#area = area;
    return out;
  }

  get sums(): Plane {
    if (!this.#sums) {
      const plane = (this.#sums = this.#side.now((scope) => integral.wasm(scope, [this.gray], {}))[0]!);
      this.record.set({ sums: plane.address, sumStride: plane.stride });
    }
    return this.#sums;
  }

  get squares(): Plane {
    if (!this.#squares) {
      const plane = (this.#squares = this.#side.now((scope) => integralSquares.wasm(scope, [this.gray], {}))[0]!);
      this.record.set({ squares: plane.address });
    }
    return this.#squares;
  }

  /** What only the detector needs; the next frame needs the pyramid. */
  disposeDetection(): void {
    for (const plane of [this.#blurred, this.#sums, this.#squares]) plane?.dispose();
    this.#blurred = this.#area = this.#sums = this.#squares = null;
    this.record.set({ blurred: 0, sums: 0, squares: 0 });
  }

  /** Idempotent. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.disposeDetection();
    this.pyramid.dispose();
    this.#side.arena.free(this.record.address);
  }
}
