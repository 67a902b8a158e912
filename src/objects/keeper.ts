/** The integrator of the default variant (assembly/objects/keeper.ts), with the memory of its filters. */
import type { WasmSide } from '../runtime/wasm-side.ts';
import { Appearance } from './appearance.ts';
import type { Detector } from './detector.ts';
import type { SharedFrame } from './frame.ts';
import { callKernel } from './kernel.ts';
import type { ObjectModel } from './model.ts';
import { RecordView, type RecordOf } from '../runtime/record.ts';
import { KeeperRecord } from '../runtime/records.ts';

/** The usual response, before it is known; and how fast the follower learns what the user gave. */
const FIRST_USUAL = 0.45;
const CORRECTED = 0.5;

export class Keeper {
  readonly appearance: Appearance;
  readonly record: RecordOf<typeof KeeperRecord>;
  readonly #side: WasmSide;

  constructor(side: WasmSide, size: { width: number; height: number }) {
    this.#side = side;
    this.appearance = new Appearance(side, size);
    try {
      this.record = new RecordView(side.arena, KeeperRecord, side.arena.allocate(KeeperRecord.bytes)).clear();
    } catch (error) {
      this.appearance.dispose();
      throw error;
    }
    this.usual = FIRST_USUAL;
  }

  get #addresses(): [number, number] {
    return [this.record.address, this.appearance.address];
  }

  get usual(): number {
    return this.record.get('usual');
  }

  set usual(usual: number) {
    this.record.set({ usual });
  }

  /** The box record is the target. */
  begin(frame: SharedFrame, box: number): void {
    this.#teach(frame, box, 1);
  }

  /** The same by a correction. */
  correct(frame: SharedFrame, box: number): void {
    this.#teach(frame, box, CORRECTED);
  }

  #teach(frame: SharedFrame, box: number, rate: number): void {
    this.appearance.makeRoom();
    callKernel(this.#side, 'keeperTeach', [...this.#addresses, frame.address, box, rate]);
  }

  /** Where the follower sees the target; `flow` tells the address of the motion of the box at an address. */
  follow(frame: SharedFrame, flow: (box: number) => number): void {
    if (!this.record.get('placed')) return this.lose();
    callKernel(this.#side, 'keeperFollow', [...this.#addresses, frame.address, flow(this.record.address)]);
  }

  /** There is no frame to follow it from: it has to be found. */
  lose(): void {
    this.#side.kernels.call('keeperLose', this.record.address);
  }

  /** What is believed then, in the record at `belief`; returns whether there is an answer. */
  decide(
    frame: SharedFrame,
    model: ObjectModel,
    detector: Detector,
    belief: number,
    { minConfidence, learning }: { minConfidence: number; learning: boolean },
  ): boolean {
    const { record } = this;
    record.set({ minConfidence, learning });
    const args = [...this.#addresses, model.address, detector.address, frame.address, belief];
    callKernel(this.#side, 'keeperDecide', args, detector.address);
    if (record.get('prepares')) {
      this.appearance.makeRoom();
      callKernel(this.#side, 'keeperPrepare', [...this.#addresses, frame.address]);
    }
    return record.get('kept') === 1;
  }

  dispose(): void {
    this.#side.arena.free(this.record.address);
    this.appearance.dispose();
  }
}
