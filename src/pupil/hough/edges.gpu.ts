/**
 * The edges for the circle search of the Hough method, made on the GPU (paper 000, sections 2.1 and 2.4): reflections
 * filled, smoothing, pyramid levels, Canny with its hysteresis, directions. They stay on the GPU for the votes. Only 2
 * KB of Canny's counts, twice, and the flag whether hysteresis continues are read back. Byte for byte equal to the WASM
 * backend.
 */
import { canny } from '../../edges/canny.ts';
import {
  edgesPass,
  gradientPasses,
  hysteresisPass,
  packPass,
  suppressPasses,
  digitsPasses,
} from '../../edges/canny.gpu.ts';
import type { CannyValues } from '../../edges/parameters.ts';
import { octantsPass } from '../../edges/circles.gpu.ts';
import { octants } from '../../edges/circles-stages.ts';
import { pyramidDownPass } from '../../image/filters.gpu.ts';
import { pyramidDown } from '../../image/pyramid-down.ts';
import type { AnyPass } from '../../runtime/gpu/gpu-programs.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Scope } from '../../runtime/scope.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { PupilValues } from '../parameters.ts';
import { GpuFilled, levelsPass } from '../preparation/filled.gpu.ts';
import type { Region } from '../search/region.ts';

/** Programs to compile before the first frame. */
export const edgePasses = (values: PupilValues): AnyPass[] => [
  ...GpuFilled.passes(values),
  ...[levelsPass, pyramidDownPass, gradientPasses.sobel, digitsPasses.L1, suppressPasses.L1],
  ...[packPass, hysteresisPass, edgesPass, octantsPass],
];

export class GpuEdges {
  readonly #values: PupilValues;
  readonly #filled: GpuFilled;

  constructor(runtime: Runtime, values: PupilValues) {
    this.#values = values;
    this.#filled = new GpuFilled(runtime, values);
  }

  /**
   * Finds the edges of a box of a frame at this pyramid level. Adds directions, except in the paper's variant. The
   * planes belong to the scope.
   */
  *find(
    scope: Scope,
    source: Plane,
    box: Region,
    halvings: number,
    params: Partial<CannyValues>,
  ): Plan<{ edges: Plane; octants: Plane | null }> {
    let image = scope.within((inner) => {
      const { levels, origin } = this.#filled.draw(inner, source, box);
      const plane = scope.gpuPlane(box.x1 - box.x0, box.y1 - box.y0, 'u8');
      const uniforms = { origin, first: 0, stride: 1, most: 255 };
      scope.draw(levelsPass, { targets: [plane], textures: { levels }, uniforms });
      return plane;
    });
    for (let i = 0; i < halvings; i++) [image] = yield* scope.run(pyramidDown, [image], { border: 'replicate' }, 'gpu');
    const [edges] = yield* scope.run(canny, [image], { ...params, hysteresis: 'passes' }, 'gpu');
    if (this.#values.variant === 'paper') return { edges, octants: null };
    const [directions] = yield* scope.run(octants, [image, edges], {}, 'gpu');
    return { edges, octants: directions };
  }

  dispose(): void {
    this.#filled.dispose();
  }
}
