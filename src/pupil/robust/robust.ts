/**
 * The robust detector behind the common interface: what edge segments, dark regions and the last outline propose,
 * refined and judged by one measure (assembly/pupil/robust/robust.ts names the sources).
 */
import type { Pupil } from '../../results/types.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { WasmSide } from '../../runtime/wasm-side.ts';
import type { Detector, Last, Method, Steps } from '../search/method.ts';
import type { PupilValues } from '../parameters.ts';
import type { PreparedFrame } from '../preparation/prepared-frame.ts';
import { outlineEllipse, readPupil } from '../search/result.ts';
import type { Region } from '../search/region.ts';
import { RobustSearch } from './robust-search.ts';
import { regionsToTry } from '../starburst/start.ts';
import { alone } from '../search/steps.ts';

class RobustDetector implements Detector {
  readonly #search: RobustSearch;
  readonly #values: PupilValues;
  readonly #side: WasmSide;

  constructor(runtime: Runtime, values: PupilValues, width: number) {
    this.#values = values;
    this.#side = runtime.wasm;
    this.#search = new RobustSearch(runtime, values, width);
  }

  find(source: Plane, frame: PreparedFrame, region: Region, last: Last | null, lost: number): Pupil {
    return alone(this.#side, this.steps(source, frame, region, last, lost));
  }

  *steps(source: Plane, frame: PreparedFrame, region: Region, last: Last | null, lost: number): Steps {
    const values = this.#values;
    this.#search.begin(source, frame, region);
    yield this.#search.finding(values.tracking ? last : null, regionsToTry(lost, values));
    return readPupil(this.#search.starburst, values);
  }

  launch(): null {
    return null;
  }

  next({ x, y, diameter }: Pupil): Last {
    const { starburst } = this.#search;
    const ellipse = outlineEllipse(starburst);
    return { x, y, r: diameter / 2, ellipse, contrast: starburst.get('contrast'), dark: starburst.get('dark') };
  }

  dispose(): void {
    this.#search.dispose();
  }
}

/**
 * All of it on the WASM side: tracing, splitting and fitting a few hundred short lists is serial, and the rest reads
 * pixels only where an outline may be.
 */
export class RobustMethod implements Method {
  readonly #runtime: Runtime;
  readonly #values: PupilValues;

  /** The paper's variant is Starburst's; here there is only one. */
  constructor(runtime: Runtime, values: PupilValues) {
    this.#runtime = runtime;
    this.#values = { ...values, variant: 'default' };
  }

  detector(width: number): Detector {
    return new RobustDetector(this.#runtime, this.#values, width);
  }

  usesGpu(): boolean {
    return false;
  }

  async prepare(): Promise<void> {}
  dispose(): void {}
}
