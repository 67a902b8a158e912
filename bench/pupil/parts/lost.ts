/** What the tracker does with a pupil that is lost, and what that costs: searches are counted, nothing is timed. */
import type { Detector } from '../../../src/pupil/search/method.ts';
import { BELIEF } from '../../../src/pupil/tracker/coarse-search.ts';
import { shippedMethods, type Methods, PupilTrackerCore } from '../../../src/pupil/tracker/tracker.ts';
import type { PupilResult } from '../../../src/results/types.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import type { EyeFrame } from '../../../tools/eyes/index.ts';
import { atOnce } from '../../../tools/at-once.ts';

export { BELIEF } from '../../../src/pupil/tracker/coarse-search.ts';
export { openRuntime } from './leads.ts';

type Name = keyof Methods;

interface Counts {
  searches: number;
}

const counted = (detector: Detector, counts: Counts): Detector => ({
  ...(detector.sideBySide && { sideBySide: true }),
  ...(detector.sameStarts && { sameStarts: true }),
  *find(scope, view) {
    counts.searches++;
    return yield* detector.find(scope, view);
  },
  dispose: () => detector.dispose(),
});

/** Follows sequences with a belief of its own about where a lost pupil is not. */
export class LostReader {
  readonly #runtime: Runtime;
  readonly #core: PupilTrackerCore;
  readonly #counts: Counts = { searches: 0 };

  constructor(runtime: Runtime, method: Name, absent: number) {
    this.#runtime = runtime;
    const make: Methods[Name] = (host, values) => {
      const made = shippedMethods[method](host, values);
      const detector = made.detector.bind(made);
      made.detector = (width, height) => counted(detector(width, height), this.#counts);
      return made;
    };
    this.#core = new PupilTrackerCore(
      runtime,
      { method },
      { ...shippedMethods, [method]: make },
      { ...BELIEF, absent },
    );
  }

  /** The next frame of a sequence: whether a pupil is reported, whether within 5 px of it, and how many searches that took. */
  read({ width, height, data, truth, meta }: EyeFrame<{ frame: number; time: number }>) {
    if (meta.frame === 0) atOnce(this.#core.reset());
    this.#counts.searches = 0;
    const plane = this.#runtime.plane(width, height, 'u8', data);
    const { found, x, y } = (this.#core.track(plane, meta.time) as PupilResult).pupils[0]!;
    plane.dispose();
    const { ellipse } = truth;
    const right = found && !!ellipse && Math.hypot(x - ellipse.x, y - ellipse.y) <= 5;
    return { found, right, searches: this.#counts.searches };
  }

  dispose(): void {
    atOnce(this.#core.dispose());
  }
}
