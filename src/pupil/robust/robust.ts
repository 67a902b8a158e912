/**
 * The robust detector behind the common interface: what edge segments, dark regions and the last outline propose,
 * refined and judged by one measure (assembly/pupil/robust/robust.ts names the sources).
 */
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Scope } from '../../runtime/scope.ts';
import { defineStage } from '../../runtime/stage.ts';
import type { PupilValues } from '../parameters.ts';
import { findStage } from '../search/find.ts';
import type { Detector, Found, Method, View } from '../search/method.ts';
import { foundBy } from '../search/result.ts';
import { regionsToTry } from '../starburst/start.ts';
import { RobustSearch } from './robust-search.ts';

class RobustDetector implements Detector {
  readonly #search: RobustSearch;
  readonly #values: PupilValues;

  constructor(runtime: Runtime, values: PupilValues, width: number, height: number) {
    this.#values = values;
    this.#search = new RobustSearch(runtime, values, width, height);
  }

  readonly sideBySide = true;
  readonly sameStarts = true;

  get blur(): number {
    return this.#search.get('sigma');
  }

  *find(_: Scope, { source, frame, region, last, lost }: View): Plan<Found> {
    const values = this.#values;
    this.#search.begin(source, frame, region);
    yield* this.#search.find(last, regionsToTry(lost, values));
    return foundBy(this.#search.search, values);
  }

  dispose(): void {
    this.#search.dispose();
  }
}

export class RobustMethod implements Method {
  readonly #runtime: Runtime;
  readonly #values: PupilValues;

  /** The paper's variant is Starburst's; here there is only one. */
  constructor(runtime: Runtime, values: PupilValues) {
    this.#runtime = runtime;
    this.#values = { ...values, variant: 'default' };
  }

  detector(width: number, height: number): Detector {
    return new RobustDetector(this.#runtime, this.#values, width, height);
  }

  onGpu(): boolean {
    return false;
  }

  async prepare(): Promise<void> {}
  dispose(): void {}
}

export const robust = defineStage({
  ...findStage({
    name: 'robust',
    make: (runtime, values) => new RobustMethod(runtime, values),
    wasmOnly:
      'Tracing, splitting and fitting a few hundred short lists is serial; the rest reads pixels only where an outline may be.',
  }),
});
