/**
 * Ranks of a frame for the threshold method, made on the GPU (paper 000, sections 2.1 and 2.2): reflections filled,
 * smoothing, and for each pixel of the box the number of thresholds that it exceeds. That is one byte for any number of
 * thresholds. At the k-th threshold (from 0), a pixel is dark if its byte is at most k. So WASM finds components,
 * borders and circles from the ranks with the same result as from the gray values.
 *
 * The box plus the filters' reach is uploaded, and one byte per pixel of it is read back. It needs seven fetches for
 * sixteen pixels in addition to the preprocessing (../preparation/prepare.gpu.ts). Frames overlap. The box belongs to
 * the last known pupil when a frame enters, with a margin if other frames are in flight. If the pupil has left the box,
 * another box is requested.
 */
import { onlyGpu } from '../../runtime/error.ts';
import type { AnyPass } from '../../runtime/gpu/gpu-programs.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { Scope, type Block } from '../../runtime/scope.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { PupilValues } from '../parameters.ts';
import { GpuFilled, ranksPass } from '../preparation/filled.gpu.ts';
import type { View } from '../search/method.ts';
import { around, contains, grownBy, type Region } from '../search/region.ts';

/** Margin in pixels around a search box while other frames are in flight. */
const SLACK = 16;
/** Samples per texel. */
const LANES = 16;
/** Bytes that are read beyond a row. */
const BEHIND = 64;

/** Ranks of a box in linear memory, or null if the GPU cannot make them. Other errors are thrown. */
export type Ranked = (scope: Scope, source: Plane, box: Region) => Plan<{ address: number; stride: number } | null>;

interface Asked {
  readonly box: Region;
  readonly bytes: Promise<Uint8Array | null>;
}

/** Programs to compile before the first frame. */
export const rankPasses = (values: PupilValues): AnyPass[] => [...GpuFilled.passes(values), ranksPass];

export class GpuRanks {
  readonly #runtime: Runtime;
  readonly #values: PupilValues;
  readonly #scope: Scope;
  readonly #filled: GpuFilled;
  #room: Block | null = null;
  #underWay = 0;

  constructor(runtime: Runtime, values: PupilValues) {
    this.#runtime = runtime;
    this.#values = values;
    this.#scope = new Scope(runtime);
    this.#filled = new GpuFilled(runtime, values);
  }

  /**
   * Enqueues the box that the search of a frame will probably request. The search then requests boxes from the returned
   * function.
   */
  enqueue({ source, region, last }: View): Ranked {
    const whole = !last || this.#values.variant === 'paper';
    const slack = this.#underWay++ ? SLACK : 0;
    let asked = this.#ask(source, whole ? region : grownBy(around(last, region), slack, region));
    let entered = true;
    const again = (box: Region) => (contains(asked.box, box) ? asked : (asked = this.#ask(source, box)));
    const take = this.#take.bind(this);
    const landed = () => {
      if (entered) this.#underWay--;
      entered = false;
    };
    return function* (scope, _, box) {
      landed();
      const { box: outer, bytes } = again(box);
      const ranks = yield* scope.wait(bytes);
      if (!ranks) return null;
      scope.options.took?.('gpu');
      return take(ranks, outer, box);
    };
  }

  #ask(source: Plane, box: Region): Asked {
    return { box, bytes: this.#read(source, box) };
  }

  /** Enqueues at once. */
  async #read(source: Plane, box: Region): Promise<Uint8Array | null> {
    try {
      return await this.#scope.within((scope) => {
        const { thresholdFrom: first, thresholdTo, thresholdStep: stride } = this.#values;
        const { levels, origin } = this.#filled.draw(scope, source, box);
        // As wide as the frame, so that boxes of any size can reuse the texture.
        const ranks = scope.texture(Math.ceil(source.width / LANES), source.height, 'rgba32ui');
        const region = { x: 0, y: 0, width: Math.ceil((box.x1 - box.x0) / LANES), height: box.y1 - box.y0 };
        const most = Math.floor((thresholdTo - first) / stride) + 1;
        const uniforms = { origin, first, stride, most };
        scope.draw(ranksPass, { targets: [ranks], textures: { levels }, uniforms, region });
        return scope.gpu.read(ranks, region);
      });
    } catch (error) {
      if (!this.#runtime.gpu?.lost && !onlyGpu(error)) throw error;
      return null;
    }
  }

  /** Copies the requested part of the read bytes to the arena. It is valid until the next request. */
  #take(ranks: Uint8Array, outer: Region, { x0, y0 }: Region): { address: number; stride: number } {
    const scope = this.#scope;
    const stride = LANES * Math.ceil((outer.x1 - outer.x0) / LANES);
    if (this.#room && this.#room.bytes < ranks.length + BEHIND) {
      scope.free(this.#room);
      this.#room = null;
    }
    const { address } = (this.#room ??= scope.block(ranks.length + BEHIND));
    scope.arena.u8.set(ranks, address);
    return { address: address + (y0 - outer.y0) * stride + x0 - outer.x0, stride };
  }

  dispose(): void {
    this.#filled.dispose();
    this.#scope.dispose();
  }
}
