/**
 * The learner (assembly/objects/learner.ts): what it needs of the frame is made here, then kernels teach the model.
 * `box` is the address of a box record.
 */
import type { WasmSide } from '../runtime/wasm-side.ts';
import type { Detector } from './detector.ts';
import { FERNS } from './ferns.ts';
import type { SharedFrame } from './frame.ts';
import { callKernel } from './kernel.ts';
import type { ObjectModel } from './model.ts';

/** How often the windows far from the first box teach. */
const ROUNDS = 2;

export class Learner {
  readonly #side: WasmSide;
  readonly #model: ObjectModel;

  constructor(side: WasmSide, model: ObjectModel) {
    this.#side = side;
    this.#model = model;
  }

  /** What is near the box, in the parts of the frame that the kernels read. */
  #prepare(frame: SharedFrame, detector: Detector, box: number): number[] {
    void frame.sums; // made now
    detector.near(frame, box);
    return [this.#model.address, detector.address, frame.address, box];
  }

  /** The first box makes the model. */
  begin(frame: SharedFrame, detector: Detector, box: number): void {
    const { record } = this.#model;
    const args = this.#prepare(frame, detector, box);
    callKernel(this.#side, 'learnFirst', args, this.#model.address);
    detector.variance(frame, record.get('leastVariance'));
    const least = FERNS * record.get('fernThreshold');
    const { count } = detector.windows.grid;
    this.#side.temporary(count, (drawn) => {
      this.#side.arena.u8.fill(0, drawn, drawn + count);
      for (let round = 0; round < ROUNDS; round++) {
        detector.votes(frame, this.#model, least);
        callKernel(this.#side, 'learnFar', [...args, drawn]);
        if (!record.get('learned')) break;
      }
      detector.votes(frame, this.#model, least);
      this.#side.kernels.call('raiseFernThreshold', this.#model.address, detector.address, box, drawn);
    });
    callKernel(this.#side, 'learnBackground', args);
  }

  /** Teaches with a trusted box, if it may: returns whether it did. */
  learn(frame: SharedFrame, detector: Detector, box: number): boolean {
    void frame.sums; // made now
    callKernel(this.#side, 'mayLearn', [this.#model.address, frame.address, box]);
    if (!this.#model.record.get('learned')) return false;
    this.teach(frame, detector, box);
    return true;
  }

  /** Teaches with a box that is trusted for other reasons. */
  teach(frame: SharedFrame, detector: Detector, box: number): void {
    callKernel(this.#side, 'learnBox', this.#prepare(frame, detector, box), this.#model.address);
  }

  /** A box that is the target by the user's word; `before`: where it was believed, 0 if nowhere. */
  correct(frame: SharedFrame, detector: Detector, box: number, before: number): void {
    callKernel(this.#side, 'learnCorrection', [...this.#prepare(frame, detector, box), before], this.#model.address);
  }
}
