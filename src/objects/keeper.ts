/** The integrator of the default variant (assembly/objects/keeper.ts), with the memory of its filters. */
import type { Address, Plan } from '../runtime/wasm/kernel-step.ts';
import type { RecordOf } from '../runtime/wasm/record.ts';
import { KeeperRecord } from '../runtime/wasm/records.ts';
import type { Scope } from '../runtime/scope.ts';
import { Appearance } from './appearance.ts';
import type { SharedFrame } from './frame.ts';
import { KEEPER_RULE } from './keeper-rule.ts';

/** The usual response, before it is known; and how fast the follower learns what the user gave. */
const FIRST_USUAL = 0.45;
const CORRECTED = 0.5;

export class Keeper {
  readonly appearance: Appearance;
  readonly record: RecordOf<typeof KeeperRecord>;
  readonly #scope: Scope;

  /** What it holds belongs to the scope. */
  constructor(scope: Scope, size: { width: number; height: number }) {
    this.#scope = scope;
    this.appearance = new Appearance(scope, size);
    this.record = scope.record(KeeperRecord, {
      usual: FIRST_USUAL,
      lastWidth: size.width,
      lastHeight: size.height,
      ...KEEPER_RULE,
    });
  }

  get usual(): number {
    return this.record.get('usual');
  }

  set usual(usual: number) {
    this.record.set({ usual });
  }

  get viewUsual(): number {
    return this.record.get('viewUsual');
  }

  set viewUsual(viewUsual: number) {
    this.record.set({ viewUsual });
  }

  /** The box record is the target. */
  begin(frame: SharedFrame, box: Address): Plan<void> {
    return this.#teach(frame, box, 1);
  }

  /** The same by a correction. */
  correct(frame: SharedFrame, box: Address): Plan<void> {
    return this.#teach(frame, box, CORRECTED);
  }

  *#teach(frame: SharedFrame, box: Address, rate: number): Plan<void> {
    const { record: keeper, appearance } = this;
    appearance.makeRoom();
    yield* this.#scope.kernels.keeperTeach({ keeper, appearance, frame, box, rate });
  }

  /** Where the follower sees the target; `flow` writes where a box went to a record. */
  *follow(frame: SharedFrame, flow: (box: { readonly address: number }) => Plan<Address>): Plan<void> {
    const { record: keeper, appearance } = this;
    if (!keeper.get('placed')) return yield* this.lose();
    const motion = yield* flow(keeper);
    yield* this.#scope.kernels.keeperFollow({ keeper, appearance, frame, motion });
  }

  /** There is no frame to follow it from: it has to be found. */
  *lose(): Plan<void> {
    yield* this.#scope.kernels.keeperLose({ keeper: this.record });
  }

  /** What is believed then, in the record `belief`; returns whether there is an answer. */
  *decide(
    frame: SharedFrame,
    model: Address,
    search: Address,
    belief: Address,
    { minConfidence, learning }: { minConfidence: number; learning: boolean },
  ): Plan<boolean> {
    const { record: keeper, appearance } = this;
    keeper.set({ minConfidence, learning });
    yield* this.#scope.kernels.keeperDecide({ keeper, appearance, model, search, frame, belief });
    if (keeper.get('prepares')) {
      appearance.makeRoom();
      yield* this.#scope.kernels.keeperPrepare({ keeper, appearance, frame });
    }
    return keeper.get('kept') === 1;
  }
}
