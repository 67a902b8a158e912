/** The integrator of the default variant (assembly/objects/filter-integrator.ts), with the memory of its filters. */
import type { Address, Plan } from '../runtime/wasm/kernel-step.ts';
import type { RecordOf } from '../runtime/wasm/record.ts';
import { FilterIntegratorRecord } from '../runtime/wasm/records.ts';
import type { Scope } from '../runtime/scope.ts';
import { Appearance } from './appearance.ts';
import type { SharedFrame } from './frame.ts';
import { FILTER_RULE } from './filter-integrator-rule.ts';

/** The usual response, before it is known; and how fast the follower learns what the user gave. */
const FIRST_USUAL = 0.45;
const CORRECTED = 0.5;

export class FilterIntegrator {
  readonly appearance: Appearance;
  readonly record: RecordOf<typeof FilterIntegratorRecord>;
  readonly #scope: Scope;

  /** What it holds belongs to the scope. */
  constructor(scope: Scope, size: { width: number; height: number }, colored = false) {
    this.#scope = scope;
    this.appearance = new Appearance(scope, size, colored);
    this.record = scope.record(FilterIntegratorRecord, {
      usual: FIRST_USUAL,
      lastWidth: size.width,
      lastHeight: size.height,
      rivalry: 1,
      ...FILTER_RULE,
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
    const { record: integrator, appearance } = this;
    appearance.makeRoom();
    yield* this.#scope.kernels.filterTeach({ integrator, appearance, frame, box, rate });
  }

  /** Where the follower sees the target; `flow` writes where a box went to a record. */
  *follow(frame: SharedFrame, flow: (box: { readonly address: number }) => Plan<Address>): Plan<void> {
    const { record: integrator, appearance } = this;
    if (!integrator.get('placed')) return yield* this.lose();
    const motion = yield* flow(integrator);
    yield* this.#scope.kernels.filterFollow({ integrator, appearance, frame, motion });
  }

  /** There is no frame to follow it from: it has to be found. */
  *lose(): Plan<void> {
    yield* this.#scope.kernels.filterLose({ integrator: this.record });
  }

  /** What is believed then, in the record `belief`; returns whether there is an answer. */
  *decide(
    frame: SharedFrame,
    model: Address,
    search: Address,
    belief: Address,
    { minConfidence, learning }: { minConfidence: number; learning: boolean },
  ): Plan<boolean> {
    const { record: integrator, appearance } = this;
    integrator.set({ minConfidence, learning });
    yield* this.#scope.kernels.filterDecide({ integrator, appearance, model, search, frame, belief });
    if (integrator.get('prepares')) {
      appearance.makeRoom();
      yield* this.#scope.kernels.filterPrepare({ integrator, appearance, frame });
    }
    return integrator.get('kept') === 1;
  }
}
