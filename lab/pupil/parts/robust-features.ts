/** Every outline that the robust detector judges in a frame, with its features, and whether it is right. */
import { pupilParameters } from '../../../src/pupil/parameters.ts';
import { PreparedFrame } from '../../../src/pupil/preparation/prepared-frame.ts';
import { RobustSearch } from '../../../src/pupil/robust/robust.ts';
import { working, workingFactor } from '../../../src/pupil/tracker/working-size.ts';
import { resolveParameters } from '../../../src/runtime/parameters.ts';
import { Runtime } from '../../../src/runtime/runtime.ts';
import { Scope } from '../../../src/runtime/scope.ts';
import { driveNow } from '../../../src/runtime/stage.ts';
import type { EyeFrame } from '../../eyes/index.ts';
import type { Candidate } from './features.ts';

export { PROPORTIONED, robustWeights } from '../../../src/pupil/robust/weights.ts';

/** An outline of a frame: `off` is the distance of the centers, `size` the error of the radius, px that were searched. */
export interface Judged extends Candidate {
  /** Neither right nor wrong: near the pupil, and left out of a fit. */
  unclear: boolean;
  off: number;
  size: number;
  /** True radius. */
  r: number;
  /** Center and semi-axes, px that were searched. */
  x: number;
  y: number;
  a: number;
  b: number;
}

export class RobustReader {
  readonly #runtime: Runtime;
  readonly #values;

  private constructor(runtime: Runtime, given: Record<string, unknown>) {
    this.#runtime = runtime;
    this.#values = resolveParameters(pupilParameters, { ...given, method: 'robust' } as never, 'bench');
  }

  static async open(kernels: BufferSource, given: Record<string, unknown> = {}): Promise<RobustReader> {
    return new RobustReader(await Runtime.create({ module: await WebAssembly.compile(kernels) }), given);
  }

  /** The outlines that are right or wrong. */
  read(eye: EyeFrame<unknown>, polarity?: 'dark' | 'bright'): Judged[] {
    return this.readAll(eye, polarity).filter(({ unclear }) => !unclear);
  }

  /**
   * Right: center, and seven tenths of the radius, within 1.5 px or 12 % of the radius of the truth, whatever is more.
   * What has the center within twice that and is not right is unclear. The frame is reduced as the tracker does it.
   */
  readAll({ width, height, data, truth }: EyeFrame<unknown>, polarity: 'dark' | 'bright' = 'dark'): Judged[] {
    const runtime = this.#runtime;
    const scope = new Scope(runtime, { backend: 'wasm' });
    const source = runtime.plane(width, height, 'u8', data);
    const factor = workingFactor(source, this.#values);
    const { image: plane } = runtime.driver.now(working(scope, source, { ...this.#values, polarity }));
    const frame = new PreparedFrame(runtime, plane.width, plane.height);
    const search = new RobustSearch(runtime, this.#values, plane.width, plane.height);
    search.keepAll();
    driveNow(runtime, () => frame.begin(plane, this.#values));
    search.begin(plane, frame, { x0: 0, y0: 0, x1: plane.width, y1: plane.height });
    driveNow(runtime, () => search.find(null, this.#values.candidates));
    const { ellipse, circle, present } = truth;
    const place = (v: number) => (v + 0.5) / factor - 0.5;
    const r = circle ? circle.r / factor : 0;
    const limit = Math.max(1.5, 0.12 * r);
    const out = search.judged().map(({ x, y, a, b, score, features }) => {
      const off = present ? Math.hypot(x - place(ellipse!.x), y - place(ellipse!.y)) : Infinity;
      const size = present ? (a + b) / 2 - r : Infinity;
      const right = off <= limit && 0.7 * Math.abs(size) <= limit;
      return { features: [...features], score, right, unclear: !right && off <= 2 * limit, off, size, r, x, y, a, b };
    });
    search.dispose();
    frame.dispose();
    scope.dispose();
    source.dispose();
    return out;
  }
}
