/** What fit.mjs uses, in one bundle: each frame by itself, before and after the second opinion. */
import { readNetwork } from '../../../src/models/network.ts';
import { pupilParameters, type PupilValues } from '../../../src/pupil/parameters.ts';
import { RobustMethod } from '../../../src/pupil/robust/robust.ts';
import { blobOf, mapsOf, meanInside } from '../../../src/pupil/second/maps.ts';
import { candidates } from '../../../src/pupil/second/opinion.ts';
import { regionOf } from '../../../src/pupil/search/region.ts';
import { PreparedFrame } from '../../../src/pupil/preparation/prepared-frame.ts';
import type { Found, Last } from '../../../src/pupil/search/method.ts';
import { BELIEF } from '../../../src/pupil/tracker/coarse-search.ts';
import { Eyes } from '../../../src/pupil/tracker/eyes.ts';
import { enlarged, working, workingFactor } from '../../../src/pupil/tracker/working-size.ts';
import type { Pupil } from '../../../src/results/types.ts';
import { resolveParameters } from '../../../src/runtime/parameters.ts';
import { Runtime } from '../../../src/runtime/runtime.ts';
import { Scope } from '../../../src/runtime/scope.ts';
import type { Plan } from '../../../src/runtime/wasm/kernel-step.ts';
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
    const { image, values: own } = prepared;
    const method = new RobustMethod(runtime, values);
    const eyes = new Eyes(runtime, BELIEF);
    eyes.makeRoom(image, method, own);
    const [pupil] = runtime.driver.now(eyes.find(scope, image, own)) as [Pupil];
    const placed = (one: Pupil) => {
      const whole = enlarged(one, factor);
      return { found: one.found, confidence: one.confidence, x: whole.x, y: whole.y, r: radius(whole) };
    };
    const out: Judged = { own: placed(pupil), outlines: [], covered: null, iris: null, ms: 0 };
    const unsure = pupil.confidence < 0.9;
    if (unsure || all) {
      const region = regionOf(image.width, image.height, own, 0)!;
      const frame = new PreparedFrame(runtime, image.width, image.height);
      const detector = method.detector(image.width, image.height);
      const start = performance.now();
      const maps = runtime.driver.now(mapsOf(scope, image, region, network));
      out.ms = performance.now() - start;
      function* again(last: Last): Plan<Found> {
        yield* frame.begin(image, own);
        return yield* detector.find(scope, { source: image, frame, region, last, lost: 0, any: true });
      }
      const found: Found = { pupil, last: pupil.found ? ({} as Last) : null };
      if (unsure)
        for (const one of runtime.driver.now(candidates(maps, blobOf(maps.pupil, maps), found, again)))
          out.outlines.push({ ...placed(one.found.pupil), features: one.features });
      detector.dispose();
      frame.dispose();
      const iris = blobOf(maps.iris, maps);
      if (scene && pupil.found) {
        out.covered = [1 - meanInside(maps.opening, maps, pupil.ellipse!, 1), lidShare(scene.pupil, scene.lids)];
        if (iris && !iris.cut) out.iris = [iris.ellipse.major * factor, scene.limbus.major];
      }
    }
    eyes.dispose();
    scope.dispose();
    source.dispose();
    return out;
  }
}
