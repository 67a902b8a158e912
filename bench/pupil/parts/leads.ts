/** What the tracker finds in a frame where an outline may lead its shape by more or less (src/pupil/search/search.ts, LEAD). */
import { HoughMethod } from '../../../src/pupil/hough/hough.ts';
import { StarburstMethod } from '../../../src/pupil/starburst/starburst.ts';
import { ThresholdMethod } from '../../../src/pupil/threshold/threshold.ts';
import { shippedMethods, type Methods, PupilTrackerCore } from '../../../src/pupil/tracker/tracker.ts';
import type { PupilResult } from '../../../src/results/types.ts';
import { Runtime } from '../../../src/runtime/runtime.ts';
import type { EyeFrame } from '../../../tools/eyes/index.ts';
import { atOnce } from '../../../tools/at-once.ts';

export { LEAD } from '../../../src/pupil/search/search.ts';

const methodsWith = (lead: number): Methods => ({
  ...shippedMethods,
  starburst: (runtime, values) => new StarburstMethod(runtime, values, undefined, lead),
  threshold: (runtime, values) => new ThresholdMethod(runtime, values, lead),
  hough: (runtime, values) => new HoughMethod(runtime, values, lead),
});

export const openRuntime = async (kernels: BufferSource): Promise<Runtime> =>
  Runtime.create({ module: await WebAssembly.compile(kernels) });

/** The frames as first frames: whether there was a pupil, whether it was found, and whether that is right. */
export class LeadReader {
  readonly #runtime: Runtime;
  readonly #cores: Readonly<Record<'dark' | 'bright', PupilTrackerCore>>;

  constructor(runtime: Runtime, method: 'starburst' | 'threshold' | 'hough', lead: number) {
    this.#runtime = runtime;
    const core = (polarity: string) => new PupilTrackerCore(runtime, { method, polarity }, methodsWith(lead));
    this.#cores = { dark: core('dark'), bright: core('bright') };
  }

  /** Right: center, and seven tenths of the radius, within 2 px or 12 % of the radius of the truth, whatever is more. */
  read({ width, height, data, truth }: EyeFrame<unknown>, polarity: 'dark' | 'bright' = 'dark') {
    const core = this.#cores[polarity];
    const plane = this.#runtime.plane(width, height, 'u8', data);
    atOnce(core.reset());
    const { found, x, y, ellipse, circle } = (core.track(plane, 0) as PupilResult).pupils[0]!;
    plane.dispose();
    const { present } = truth;
    const limit = present ? Math.max(2, 0.12 * truth.circle!.r) : 0;
    const r = ellipse ? (ellipse.major + ellipse.minor) / 4 : circle.r;
    const right =
      present &&
      found &&
      Math.hypot(x - truth.ellipse!.x, y - truth.ellipse!.y) <= limit &&
      0.7 * Math.abs(r - truth.circle!.r) <= limit;
    return { present, found, right };
  }

  dispose(): void {
    for (const core of Object.values(this.#cores)) atOnce(core.dispose());
  }
}
