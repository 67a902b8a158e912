/** What fit.mjs uses, in one bundle: each frame by itself, before and after the second opinion. */
import { readNetwork } from '../../../src/models/network.ts';
import { pupilParameters, type PupilValues } from '../../../src/pupil/parameters.ts';
import { RobustMethod } from '../../../src/pupil/robust/robust.ts';
import { blobOf, mapsOf, meanInside } from '../../../src/pupil/second/maps.ts';
import { candidates } from '../../../src/pupil/second/opinion.ts';
import { regionOf } from '../../../src/pupil/search/region.ts';
import type { Found } from '../../../src/pupil/search/method.ts';
import { BELIEF } from '../../../src/pupil/tracker/coarse-search.ts';
import { Eyes } from '../../../src/pupil/tracker/eyes.ts';
import { enlarged, working, workingFactor } from '../../../src/pupil/tracker/working-size.ts';
import type { Pupil } from '../../../src/results/types.ts';
import { resolveParameters } from '../../../src/runtime/parameters.ts';
import { Runtime } from '../../../src/runtime/runtime.ts';
import { Scope } from '../../../src/runtime/scope.ts';
import type { EyeFrame } from '../../eyes/index.ts';
import type { Scene } from '../../eyes/scene.ts';
import { lidShare } from '../../eyes/truth.ts';

export { hardFrame, shapesFrame, variedFrame, wideFrame } from '../../eyes/index.ts';
export { opinionWeights } from '../../../src/pupil/second/weights.ts';
export { closeLids } from './lids.ts';

/** An outline that may be the pupil, in pixels of the frame. */
export interface Outline {
  x: number;
  y: number;
  r: number;
  confidence: number;
  features: number[];
}

export interface Judged {
  /** The result of the search alone. */
  own: { found: boolean; confidence: number; x: number; y: number; r: number };
  outlines: Outline[];
  /** Of the pupil: covered by lids, by network and truth; of the iris: diameter in pixels, by network and truth. */
  covered: [number, number] | null;
  iris: [number, number] | null;
  ms: number;
}

const radius = ({ ellipse, circle }: Pupil) => (ellipse ? (ellipse.major + ellipse.minor) / 4 : circle.r);

export class Reader {
  readonly #runtime: Runtime;
  readonly #network;

  private constructor(runtime: Runtime, network: ReturnType<typeof readNetwork>) {
    this.#runtime = runtime;
    this.#network = network;
  }

  static async open(kernels: BufferSource, model: Uint8Array): Promise<Reader> {
    return new Reader(await Runtime.create({ module: await WebAssembly.compile(kernels) }), readNetwork(model));
  }

  /** `all`: also asks about sure results, for lids and iris. */
  read(eye: EyeFrame<unknown>, polarity: 'dark' | 'bright', scene: Scene | null, all: boolean): Judged {
    const runtime = this.#runtime;
    const network = this.#network;
    const values = resolveParameters(pupilParameters, { polarity } as never, 'fit') as PupilValues;
    const source = runtime.plane(eye.width, eye.height, 'u8', eye.data);
    const factor = workingFactor(source, values);
    const scope = new Scope(runtime, { backend: 'wasm' });
    const prepared = runtime.driver.now(working(scope, source, values));
    const eyes = new Eyes(runtime, BELIEF);
    const out: Judged = { own: null as never, outlines: [], covered: null, iris: null, ms: 0 };
    const placed = ({ pupil }: Found) => {
      const whole = enlarged(pupil, factor);
      return { found: pupil.found, confidence: pupil.confidence, x: whole.x, y: whole.y, r: radius(whole) };
    };
    eyes.second = function* (inner, { image, values: own, ended, find }) {
      const [found] = ended as [Found];
      out.own = placed(found);
      if (out.own.confidence >= 0.9 && !all) return;
      const start = performance.now();
      const maps = yield* mapsOf(inner, image, regionOf(image.width, image.height, own, 0)!, network);
      out.ms = performance.now() - start;
      const blob = blobOf(maps.pupil, maps);
      if (out.own.confidence < 0.9)
        for (const one of yield* candidates(maps, blob, found, (last) => find(0, last)))
          out.outlines.push({ ...placed(one.found), features: one.features });
      if (!found.last || !scene) return;
      const shape = found.pupil.ellipse!;
      out.covered = [1 - meanInside(maps.opening, maps, shape, 1), lidShare(scene.pupil, scene.lids)];
      const iris = blobOf(maps.iris, maps);
      if (iris && !iris.cut) out.iris = [iris.ellipse.major * factor, scene.limbus.major];
    };
    eyes.makeRoom(prepared.image, new RobustMethod(runtime, values), prepared.values);
    runtime.driver.now(eyes.find(scope, prepared.image, prepared.values));
    eyes.dispose();
    scope.dispose();
    source.dispose();
    return out;
  }
}
