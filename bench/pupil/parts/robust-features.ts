/** Every outline that the robust detector judges in a frame, with its features, and whether it is right. */
import { pupilParameters } from '../../../src/pupil/parameters.ts';
import { PreparedFrame } from '../../../src/pupil/preparation/prepared-frame.ts';
import { RobustSearch } from '../../../src/pupil/robust/robust-search.ts';
import { resolveParameters } from '../../../src/runtime/parameters.ts';
import { Runtime } from '../../../src/runtime/runtime.ts';
import { driveNow } from '../../../src/runtime/stage.ts';
import type { EyeFrame } from '../../../tools/eyes/index.ts';
import type { Candidate } from './features.ts';

export { robustWeights } from '../../../src/pupil/robust/weights.ts';

export class RobustReader {
  readonly #runtime: Runtime;
  readonly #values = resolveParameters(pupilParameters, { method: 'robust' } as never, 'bench');

  private constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  static async open(kernels: BufferSource): Promise<RobustReader> {
    return new RobustReader(await Runtime.create({ module: await WebAssembly.compile(kernels) }));
  }

  /**
   * Right: center, and seven tenths of the radius, within 1.5 px or 12 % of the radius of the truth, whatever is more.
   * What has the center within twice that and is not right is neither right nor wrong, and left out.
   */
  read({ width, height, data, truth }: EyeFrame<unknown>): Candidate[] {
    const runtime = this.#runtime;
    const plane = runtime.plane(width, height, 'u8', data);
    const frame = new PreparedFrame(runtime, width, height);
    const search = new RobustSearch(runtime, this.#values, width);
    search.keepAll();
    driveNow(runtime, () => frame.begin(plane, this.#values));
    search.begin(plane, frame, { x0: 0, y0: 0, x1: width, y1: height });
    driveNow(runtime, () => search.find(null, this.#values.candidates));
    const out: Candidate[] = [];
    for (const { x, y, a, b, score, features } of search.judged()) {
      const { ellipse, circle, present } = truth;
      const limit = circle ? Math.max(1.5, 0.12 * circle.r) : 0;
      const off = present ? Math.hypot(x - ellipse!.x, y - ellipse!.y) : Infinity;
      const right = off <= limit && 0.7 * Math.abs((a + b) / 2 - circle!.r) <= limit;
      if (right || off > 2 * limit) out.push({ features: [...features], score, right });
    }
    search.dispose();
    frame.dispose();
    plane.dispose();
    return out;
  }
}
