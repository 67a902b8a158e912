/**
 * Starburst behind the common interface (paper 000, section 2.3): tries around the last pupil, then over the region; all
 * of it on the WASM side, or with rays and RANSAC on the GPU.
 */
import type { Pupil } from '../../results/types.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { WasmSide } from '../../runtime/wasm-side.ts';
import type { Detector, Landing, Last, Method, Steps } from '../search/method.ts';
import { GpuStarburst } from './circles.gpu.ts';
import { GpuTracking, type GpuCounts } from './starburst.gpu.ts';
import type { Ladder } from './ladder.ts';
import type { PupilValues } from '../parameters.ts';
import type { PreparedFrame } from '../preparation/prepared-frame.ts';
import { outlineEllipse, readPupil } from '../search/result.ts';
import type { Region } from '../search/region.ts';
import { StarburstSearch } from '../search/search.ts';
import { paperStart, regionsToTry, trackingStart } from './start.ts';
import { alone } from '../search/steps.ts';

class StarburstDetector implements Detector {
  readonly #search: StarburstSearch;
  readonly #values: PupilValues;
  readonly #side: WasmSide;
  readonly #gpu: () => GpuTracking;

  constructor(runtime: Runtime, values: PupilValues, width: number, gpu: () => GpuTracking) {
    this.#values = values;
    this.#gpu = gpu;
    this.#side = runtime.wasm;
    this.#search = new StarburstSearch(runtime, values, width);
  }

  find(source: Plane, frame: PreparedFrame, region: Region, last: Last | null, lost: number): Pupil {
    return alone(this.#side, this.steps(source, frame, region, last, lost));
  }

  *steps(source: Plane, frame: PreparedFrame, region: Region, last: Last | null, lost: number): Steps {
    const values = this.#values;
    const search = this.#search;
    search.begin(source, frame, region);
    if (values.variant === 'paper') {
      const { x, y } = paperStart(last, region, values);
      yield search.asPaper(x, y);
      return readPupil(search, values);
    }
    if (values.tracking && last) {
      const { x, y, reach, gradient } = trackingStart(last, values);
      yield search.attempting(x, y, reach, gradient, last.dark);
      const pupil = readPupil(search, values);
      if (pupil.found) return pupil;
    }
    yield search.searching(regionsToTry(lost, values));
    return readPupil(search, values);
  }

  launch(source: Plane, frame: PreparedFrame, region: Region, last: Last | null, lost: number): Landing {
    const gpu = this.#gpu();
    const search = this.#search;
    const launched = gpu.launch(search, source, frame, region, last, lost);
    return async (lost) => {
      await gpu.land(search, source, frame, launched, lost);
      return readPupil(search, this.#values);
    };
  }

  next({ x, y, diameter }: Pupil): Last {
    const search = this.#search;
    const ellipse = outlineEllipse(search);
    return { x, y, r: diameter / 2, ellipse, contrast: search.get('contrast'), dark: search.get('dark') };
  }

  dispose(): void {
    this.#search.dispose();
  }
}

export class StarburstMethod implements Method {
  readonly #runtime: Runtime;
  readonly #values: PupilValues;
  readonly #ladder: Ladder;
  #gpu: GpuTracking | null = null;

  constructor(runtime: Runtime, values: PupilValues, ladder: Ladder) {
    this.#runtime = runtime;
    this.#values = values;
    this.#ladder = ladder;
  }

  detector(width: number): Detector {
    return new StarburstDetector(this.#runtime, this.#values, width, () => this.#tracking());
  }

  #tracking(): GpuTracking {
    return (this.#gpu ??= new GpuTracking(this.#runtime, this.#runtime.gpu!, this.#values, this.#ladder));
  }

  usesGpu(width: number, height: number): boolean {
    const { gpu, gpuForced } = this.#runtime;
    return gpuForced && gpu !== null && !gpu.lost && gpu.fits(width, height) && !GpuStarburst.refuses(this.#values);
  }

  async prepare(): Promise<void> {
    if (!this.usesGpu(1, 1)) return;
    await this.#tracking()
      .starburst.compile()
      .catch((error) => {
        if (!this.#runtime.gpu?.lost) throw error;
      });
  }

  /** What the GPU path did so far, or null without one. */
  get counts(): GpuCounts | null {
    return this.#gpu?.counts ?? null;
  }

  /** After a loss of the context there is nothing to give back. */
  dispose(): void {
    this.#gpu?.dispose();
    this.#gpu = null;
  }
}
