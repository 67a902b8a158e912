/**
 * What `rate` of assembly/pupil/search/judge.ts weighs, for every start candidate of a frame: the same search as the
 * tracker's, candidate by candidate, its measurements read from the search's state.
 */
import { pupilParameters } from '../../../src/pupil/parameters.ts';
import { PreparedFrame } from '../../../src/pupil/preparation/prepared-frame.ts';
import { PupilSearch } from '../../../src/pupil/search/search.ts';
import { resolveParameters } from '../../../src/runtime/parameters.ts';
import { Runtime } from '../../../src/runtime/runtime.ts';
import { driveNow } from '../../../src/runtime/stage.ts';
import type { EyeFrame } from '../../eyes/index.ts';

/** In the order of the source. */
export const featureNames = [
  'constant',
  'support',
  'support squared',
  'support x steady',
  'steady',
  'visible',
  'spread / r, at most 0.1',
  'spread, at most 3',
  'range inside / contrast, at most 3',
  'gap / contrast, -2 to 1.5',
  'inside - dark, 0 to 80',
  'axis ratio, at least 0.3',
  'votes / points',
  'points / rays cast',
  'r / diagonal, 0.02 to 0.06',
] as const;

export interface Candidate {
  features: number[];
  score: number;
  right: boolean;
}

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

function featuresOf(search: PupilSearch, width: number, height: number): number[] {
  const get = search.get.bind(search);
  const r = Math.sqrt(get('ea') * get('eb'));
  const c = Math.max(get('contrast'), 1);
  const [support, steady, spread, points] = [get('support'), get('steady'), get('spread'), get('points')];
  return [
    1,
    support,
    support * support,
    support * steady,
    steady,
    get('visible'),
    Math.min(spread / r, 0.1),
    Math.min(spread, 3),
    Math.min(get('insideRange') / c, 3),
    clamp(get('gap') / c, -2, 1.5),
    clamp(get('inside') - get('dark'), 0, 80),
    Math.max(get('eb') / get('ea'), 0.3),
    get('votes') / points,
    points / (get('rays') * (get('arcRays') + 1)),
    clamp(r / Math.hypot(width, height), 0.02, 0.06),
  ];
}

/** Right: center, and seven tenths of the radius, within 2 px or 12 % of the radius of the truth, whatever is more. */
export function isRight(x: number, y: number, r: number, { truth }: Pick<EyeFrame<unknown>, 'truth'>): boolean {
  if (!truth.present) return false;
  const { ellipse, circle } = truth;
  const limit = Math.max(2, 0.12 * circle!.r);
  return Math.hypot(x - ellipse!.x, y - ellipse!.y) <= limit && 0.7 * Math.abs(r - circle!.r) <= limit;
}

export class FeatureReader {
  readonly #runtime: Runtime;
  readonly #values = resolveParameters(pupilParameters, {}, 'bench');
  #search: PupilSearch | null = null;
  #frame: PreparedFrame | null = null;

  private constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  static async open(kernels: BufferSource): Promise<FeatureReader> {
    return new FeatureReader(await Runtime.create({ module: await WebAssembly.compile(kernels) }));
  }

  /** Every candidate of a frame that led to an outline. */
  read(eye: EyeFrame<unknown>): Candidate[] {
    const { width, height, data } = eye;
    const values = this.#values;
    if (this.#frame?.width !== width || this.#frame.height !== height) {
      this.#search?.dispose();
      this.#frame?.dispose();
      this.#frame = new PreparedFrame(this.#runtime, width, height);
      this.#search = new PupilSearch(this.#runtime, values, width);
    }
    const search = this.#search!;
    const plane = this.#runtime.plane(width, height, 'u8', data);
    const runtime = this.#runtime;
    const frame = this.#frame;
    driveNow(runtime, () => frame.begin(plane, values));
    search.begin(plane, frame, { x0: 0, y0: 0, x1: width, y1: height });
    driveNow(runtime, () => search.startInDark(values.candidates));
    const list = search.get('starts');
    const count = search.get('startCount');
    const found: Candidate[] = [];
    for (let i = 0; i < count; i++) {
      search.state.set({ starts: list + 16 * i, startCount: 1 });
      driveNow(runtime, () => search.tryStarts());
      if (!search.get('entered')) continue;
      const r = (search.get('ea') + search.get('eb')) / 2;
      const right = isRight(search.get('ex'), search.get('ey'), r, eye);
      found.push({ features: featuresOf(search, width, height), score: search.get('score'), right });
    }
    search.state.set({ starts: list });
    plane.dispose();
    return found;
  }
}
