/** What the tracker finds in frames that a camera with too little light gives, by how their levels are spread. */
import { shippedMethods, PupilTrackerCore } from '../../../src/pupil/tracker/tracker.ts';
import { pictureOf, type Exposure, workingFactor } from '../../../src/pupil/tracker/working-size.ts';
import { BELIEF } from '../../../src/pupil/tracker/coarse-search.ts';
import { pupilParameters } from '../../../src/pupil/parameters.ts';
import { resolveParameters } from '../../../src/runtime/parameters.ts';
import type { PupilResult } from '../../../src/results/types.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { atOnce } from '../../../tools/at-once.ts';
import type { EyeFrame } from '../../../tools/eyes/index.ts';
import { normalTable, Random } from '../../../tools/eyes/random.ts';

export { EXPOSURE } from '../../../src/pupil/tracker/working-size.ts';
export { openRuntime } from './leads.ts';

/** With so many times less light, and then the sensor's own noise. */
export function darker<Frame extends EyeFrame<unknown>>(
  frame: Frame,
  times: number,
  sigma: number,
  seed: number,
): Frame {
  const random = new Random(seed, 17);
  const table = normalTable();
  const data = Uint8ClampedArray.from(frame.data, (v) => v / times + sigma * table[random.word() & 4095]!);
  return { ...frame, data: new Uint8Array(data.buffer) };
}

type Polarity = 'dark' | 'bright';

/** Whether a frame by itself shows a pupil, whether one was found, and whether that is right, for each exposure. */
export class ExposureReader {
  readonly #runtime: Runtime;
  readonly #cores: readonly Readonly<Record<Polarity, PupilTrackerCore>>[];
  readonly #exposures: readonly Exposure[];

  constructor(runtime: Runtime, method: string, exposures: readonly Exposure[]) {
    this.#runtime = runtime;
    this.#exposures = exposures;
    const core = (polarity: Polarity, exposure: Exposure) =>
      new PupilTrackerCore(runtime, { method, polarity }, shippedMethods, BELIEF, exposure);
    this.#cores = exposures.map((exposure) => ({ dark: core('dark', exposure), bright: core('bright', exposure) }));
  }

  /** Right: center, and seven tenths of the radius, within 2 px or 12 % of the radius of the truth, whatever is more. */
  read({ width, height, data, truth }: EyeFrame<unknown>, polarity: Polarity = 'dark') {
    const plane = this.#runtime.plane(width, height, 'u8', data);
    const region = { x0: 0, y0: 0, x1: width, y1: height };
    const { u8 } = this.#runtime.arena;
    const reduced = workingFactor(plane, resolveParameters(pupilParameters, {}, 'levels')) !== 1;
    const limit = truth.present ? Math.max(2, 0.12 * truth.circle!.r) : 0;
    const known = new Map<string, { present: boolean; found: boolean; right: boolean }>();
    const results = this.#exposures.map((exposure, k) => {
      // The same levels give the same result; those of a frame that is reduced first are not known here.
      const key = JSON.stringify(reduced ? exposure : pictureOf(plane, u8, region, polarity === 'dark', exposure));
      if (known.has(key)) return known.get(key)!;
      const core = this.#cores[k]![polarity];
      atOnce(core.reset());
      const { found, x, y, ellipse, circle } = (core.track(plane, 0) as PupilResult).pupils[0]!;
      const r = ellipse ? (ellipse.major + ellipse.minor) / 4 : circle.r;
      const right =
        truth.present &&
        found &&
        Math.hypot(x - truth.ellipse!.x, y - truth.ellipse!.y) <= limit &&
        0.7 * Math.abs(r - truth.circle!.r) <= limit;
      known.set(key, { present: truth.present, found, right });
      return known.get(key)!;
    });
    plane.dispose();
    return results;
  }

  dispose(): void {
    for (const cores of this.#cores) for (const core of Object.values(cores)) atOnce(core.dispose());
  }
}
