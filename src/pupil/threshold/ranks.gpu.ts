/**
 * What the threshold method reads of a frame, made on the GPU (paper 000, sections 2.1 and 2.2): reflections filled,
 * smoothed, and for each pixel of the box at how many of the thresholds it is brighter, which is one byte however many
 * there are. At the k-th threshold (from 0) those are dark whose byte is k at most, so components, borders and circles are
 * found in WASM from the ranks as from the levels, with the same result.
 *
 * Up goes the box with what the filters reach, down one byte a pixel of it; seven fetches for sixteen pixels besides the
 * preprocessing (../preparation/prepare.gpu.ts). Frames overlap: the box is that of the last pupil that is known when a
 * frame enters, with some pixels more where others are under way; a pupil that left it is asked for again.
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

/** The box of a search grows by so many pixels to each side while other frames are under way. */
const SLACK = 16;
/** Samples a texel. */
const LANES = 16;
/** Bytes that are read behind a row. */
const BEHIND = 64;

/** Ranks of a box in linear memory, or null where the GPU cannot. Errors of other kinds are thrown. */
export type Ranked = (scope: Scope, source: Plane, box: Region) => Plan<{ address: number; stride: number } | null>;

interface Asked {
  readonly box: Region;
  readonly bytes: Promise<Uint8Array | null>;
}

/** Programs, to be compiled before the first frame. */
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

  /** Enqueues what the search of a frame is likely to ask for; the search then asks what this gives. */
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
        // As wide as the frame, so that boxes of any size need no new one.
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

  /** The part of what was read that is asked for, on the arena until the next one. */
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
