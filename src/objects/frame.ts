/**
 * What all targets of a frame share: its pyramid, the blurred image of the ferns, integral images of gray values and of
 * their squares. Made once a frame, whatever the number of targets.
 */
import { FlowPyramid } from '../flow/index.ts';
import { gaussian, integral, integralSquares } from '../image/index.ts';
import type { Plane } from '../runtime/plane.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import type { ObjectValues } from './parameters.ts';

export class SharedFrame {
  readonly width: number;
  readonly height: number;
  readonly pyramid: FlowPyramid;
  readonly #side: WasmSide;
  #blurred: Plane | null = null;
  #sums: Plane | null = null;
  #squares: Plane | null = null;

  constructor(side: WasmSide, gray: Plane, { flowLevels, flowWindow }: ObjectValues) {
    this.#side = side;
    this.width = gray.width;
    this.height = gray.height;
    this.pyramid = FlowPyramid.build(side, gray, { levels: flowLevels, window: flowWindow, copy: true });
  }

  get gray(): Plane {
    return this.pyramid.planes[0]!;
  }

  /** 9x9, sigma 1.5 (golden 19-tld). */
  get blurred(): Plane {
    return (this.#blurred ??= gaussian.wasm(this.#side, [this.gray], { size: 9, sigma: 1.5 })[0]!);
  }

  get sums(): Plane {
    return (this.#sums ??= integral.wasm(this.#side, [this.gray], {})[0]!);
  }

  get squares(): Plane {
    return (this.#squares ??= integralSquares.wasm(this.#side, [this.gray], {})[0]!);
  }

  /** What only the detector needs; the next frame needs the pyramid. */
  disposeDetection(): void {
    for (const plane of [this.#blurred, this.#sums, this.#squares]) plane?.dispose();
    this.#blurred = this.#sums = this.#squares = null;
  }

  dispose(): void {
    this.disposeDetection();
    this.pyramid.dispose();
  }
}
