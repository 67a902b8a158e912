/**
 * The smoothed image of a box with filled reflections, on the GPU. It uses the same piece of the frame as
 * PreparedFrame.filled in WASM, so the bytes are equal.
 */
import ranksFragment from '../../../glsl/pupil/preparation/ranks.frag';
import type { AnyPass } from '../../runtime/gpu/gpu-programs.ts';
import type { Texture } from '../../runtime/gpu/gpu-backend.ts';
import { definePass } from '../../runtime/gpu/pass.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Scope } from '../../runtime/scope.ts';
import type { PupilValues } from '../parameters.ts';
import type { Region } from '../search/region.ts';
import { fillPass, smoothPass, spotsPass, windowPass } from './passes.gpu.ts';
import { GpuPreparation } from './prepare.gpu.ts';
import { cropped, filledBox } from './prepared-frame.ts';

const declare = (plain: boolean) =>
  definePass({
    name: `pupil/ranks${plain ? ' plain' : ''}`,
    fragment: ranksFragment,
    textures: ['levels'],
    uniforms: { origin: 'ivec2', first: 'int', stride: 'int', most: 'int' },
    outputs: ['ranks'],
    defines: plain ? { PLAIN: 1 } : {},
  });

/** For each sample, the number of thresholds that it exceeds, sixteen samples per texel. */
export const ranksPass = declare(false);
/** The gray values themselves, one per texel: the number of thresholds 0, 1, ... that a sample exceeds. */
export const levelsPass = declare(true);

export class GpuFilled {
  readonly #values: PupilValues;
  readonly #preparation: GpuPreparation;

  constructor(runtime: Runtime, values: PupilValues) {
    const reflections = values.reflections === 'none' ? 'none' : 'interpolate';
    this.#values = values;
    this.#preparation = new GpuPreparation(runtime, { ...values, reflections });
  }

  /** Programs to compile before the first frame. */
  static passes({ smoothing, reflections, reflectionSize, reflectionDilation, gaussianSize }: PupilValues): AnyPass[] {
    if (smoothing === 'median') return []; // compiled when they are drawn for the first time
    const smooth = [smoothPass('ACROSS', gaussianSize >> 1, true), smoothPass('DOWN', gaussianSize >> 1, true)];
    if (reflections === 'none') return smooth;
    const [kernel, grow] = [reflectionSize >> 1, reflectionDilation >> 1];
    return [
      windowPass('erode', kernel, true),
      windowPass('erode', 0, true),
      windowPass('dilate', kernel, true),
      windowPass('dilate', grow, true),
      windowPass('dilate', 0, true),
      spotsPass(0, true),
      fillPass(true, false),
      ...smooth,
    ];
  }

  /**
   * Enqueues upload and passes. Returns the gray values, four per texel, as a texture of the scope, and the position of
   * the box's first value in it.
   */
  draw(scope: Scope, source: Plane, box: Region): { levels: Texture; origin: readonly [number, number] } {
    const piece = filledBox(box, source, this.#values);
    const { x0, y0, x1, y1 } = piece;
    const size = [x1 - x0, y1 - y0] as const;
    // The median is computed for whole images.
    const own = this.#preparation.whole;
    const part = own ? cropped(scope, source, piece) : source;
    const place = { origin: own ? ([0, 0] as const) : ([x0, y0] as const), size, window: box };
    return { levels: this.#preparation.prepare(scope, part, place), origin: [box.x0 - x0, box.y0 - y0] };
  }

  dispose(): void {
    this.#preparation.dispose();
  }
}
