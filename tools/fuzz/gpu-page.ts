/**
 * What runs in the page while the GPU side is fuzzed: a stage or an operation with random options and sizes, on the GPU and
 * in WASM; a tracker on the GPU. A trial fails where the two differ by more than the stage's tolerance, where only one of them
 * refuses, over an error that is not one of the library's own or is 'internal', over an error of WebGL, and where textures or
 * blocks stay behind.
 */
import '../../src/capabilities.ts';
import '../../src/stages.ts';
import { trackers } from '../../src/index.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { stages } from '../../src/runtime/stage.ts';
import { borderSizes, inputsOf, parameters } from '../../test/parity/cases.ts';
import { borderline, makers, settled } from '../../test/parity/makers.ts';
import { difference, makeRuntime, onSide } from '../../test/parity/backends.ts';
import { openCore } from '../../test/support/open-core.ts';
import { below, oneOf, type Random } from './mutation.ts';
import { callOf, calledOperations, picture, settings, shownOf } from './options.ts';
import { answerOf, type PageTrial, playTrials } from './page-trials.ts';

type Methods = Record<string, (...given: unknown[]) => unknown>;
type Opened = Awaited<ReturnType<typeof openCore>>;

const MOST_SIDE = 67;
/** Pictures of an operation are those of many stages, each within its tolerance: samples on a border may fall to either side. */
const SHARE = 0.02;
/** Below so many samples a share says nothing. */
const FEW = 200;

/** Where two results have pictures of other sizes, or ones that differ in more than a small share. */
function unlike(a: unknown, b: unknown, where = 'result'): string {
  if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b)) {
    const [one, other] = [a as Float32Array, b as Float32Array];
    if (one.length !== other.length) return `${where}: ${one.length} samples instead of ${other.length}`;
    const largest = other.reduce((most, v) => (Math.abs(v) > most ? Math.abs(v) : most), 0);
    const near = 1e-3 * Math.min(largest, 255);
    let [apart, most] = [0, 0];
    for (let i = 0; i < one.length; i++)
      if (!Object.is(one[i], other[i]) && !(Math.abs(one[i]! - other[i]!) <= near)) {
        apart++;
        most = Math.max(most, Math.abs(one[i]! - other[i]!));
      }
    return one.length >= FEW && apart > SHARE * one.length
      ? `${where}: ${apart} of ${one.length} samples differ, by ${most.toPrecision(3)} of ${largest.toPrecision(3)}`
      : '';
  }
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b || Array.isArray(a)) return '';
  for (const key of Object.keys(b))
    if (key in a) {
      const found = unlike((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key], `${where}.${key}`);
      if (found) return found;
    }
  return '';
}

class Fuzzed {
  readonly #runtime: Runtime;
  readonly #gpu: Opened;
  readonly #wasm: Opened;
  readonly #stages = [...stages.values()].filter(({ gpu }) => gpu);
  readonly #operations = calledOperations();
  readonly #models: { cascade: Uint8Array; landmarks: Uint8Array };

  constructor(runtime: Runtime, gpu: Opened, wasm: Opened, models: { cascade: Uint8Array; landmarks: Uint8Array }) {
    this.#runtime = runtime;
    this.#gpu = gpu;
    this.#wasm = wasm;
    this.#models = models;
  }

  trial(random: Random): PageTrial {
    const kind = random();
    return kind < 0.5 ? this.#stage(random) : kind < 0.85 ? this.#operation(random) : this.#tracker(random);
  }

  #stage(random: Random): PageTrial {
    const stage = oneOf(random, this.#stages);
    const size: readonly [number, number] =
      random() < 0.1 ? oneOf(random, borderSizes) : [1 + below(random, MOST_SIDE), 1 + below(random, MOST_SIDE)];
    const i = 1 + below(random, 60);
    const sampled = parameters(stage.params, i, random);
    const params = settled[stage.name]?.(sampled, i) ?? sampled;
    const inputs = inputsOf(stage, makers, size, i, random);
    return {
      shown: `${stage.name} ${size.join('x')} ${JSON.stringify(params)}`,
      run: async () => {
        const wasm = await onSide(this.#runtime, 'wasm', stage, inputs, params);
        const gpu = await onSide(this.#runtime, 'gpu', stage, inputs, params, random() < 0.5);
        const left = this.#left(this.#runtime);
        if (left) return left;
        const codes = [wasm, gpu].map((answer) =>
          'error' in answer ? (answer.error.code ?? answer.error.message) : '',
        );
        if (codes[0] !== codes[1]) return `refused by one side alone: '${codes.join("', '")}'`;
        if (codes[0] && codes[0] !== 'invalid-argument') return codes[0];
        if ('error' in wasm || 'error' in gpu) return '';
        for (const [k, expected] of wasm.value.entries()) {
          // Each is within the tolerance of the reference.
          const found = difference(gpu.value[k]!, expected, 2 * stage.tolerance, 2 * (borderline[stage.name] ?? 0));
          if (found) return `output ${k}: ${found}`;
        }
        return '';
      },
    };
  }

  #operation(random: Random): PageTrial {
    const { name, first, rest, options } = callOf(random, this.#operations);
    return {
      shown: `${name}(${first.width}x${first.height}, ${shownOf(options)})`,
      run: async () => {
        const { textures } = this.#gpu.core;
        const ask = ({ engine }: Opened) =>
          answerOf(() => (engine as unknown as Methods)[name]!(first, ...rest, options));
        const [gpu, wasm] = [await ask(this.#gpu), await ask(this.#wasm)];
        const left = this.#gpu.core.textures - textures;
        if (left) return `${left} textures stay behind`;
        if (gpu.code !== wasm.code) return `refused by one side alone: gpu '${gpu.code}', wasm '${wasm.code}'`;
        // A refined flow of noise goes where rounding leads it; its stage is compared on what it is made for.
        return options.refine === true ? '' : unlike(gpu.value, wasm.value);
      },
    };
  }

  #tracker(random: Random): PageTrial {
    const name = oneOf(random, ['Pupil', 'Face', 'Object']);
    const { params } = trackers.get(name.toLowerCase())!;
    const given = settings(random, params);
    if (name === 'Face')
      Object.assign(given, { cascade: this.#models.cascade, model: random() < 0.7 ? this.#models.landmarks : null });
    const first = picture(random);
    const steps = Array.from({ length: 1 + below(random, 5) }, (_, step): [string, ...unknown[]] => {
      const frame = random() < 0.8 ? { ...first } : picture(random);
      const box = { x: random() * 50 - 5, y: random() * 50 - 5, width: random() * 40, height: random() * 40 };
      const chance = random();
      if (name === 'Object' && (step === 0 || chance < 0.15)) return ['start', frame, box];
      if (chance < 0.1) return ['reset'];
      if (chance < 0.25) return ['setParameters', settings(random, params)];
      return ['process', frame, { timestamp: step * 33 }];
    });
    return {
      shown: `${name} ${shownOf(given)} ${shownOf(steps)}`,
      run: async () => {
        const { core, engine } = this.#gpu;
        const textures = core.textures;
        const made = await answerOf(() => (engine as unknown as Methods)[`create${name}Tracker`]!(given));
        if (made.code) return '';
        const tracker = made.value as Methods;
        for (const [method, ...data] of steps) await answerOf(() => tracker[method]!(...data));
        await answerOf(() => tracker.dispose!());
        return core.textures === textures ? '' : `${core.textures - textures} textures stay behind`;
      },
    };
  }

  #left({ gpu, arena }: Runtime): string {
    const error = gpu!.context.gl.getError();
    if (error) return `WebGL error ${error}`;
    if (gpu!.textures.lent) return `${gpu!.textures.lent} textures stay behind`;
    return arena.blocks > 1 ? `${arena.blocks} blocks stay behind` : '';
  }
}

let fuzzed: Fuzzed;
/** Every context of WebGL that was made here: an engine keeps its own to itself. */
const contexts: WebGL2RenderingContext[] = [];

function keepContexts(): void {
  for (const { prototype } of [OffscreenCanvas, HTMLCanvasElement] as { prototype: OffscreenCanvas }[]) {
    const { getContext } = prototype;
    prototype.getContext = function (this: OffscreenCanvas, ...given: Parameters<typeof getContext>) {
      const context = getContext.apply(this, given) as unknown;
      if (context instanceof WebGL2RenderingContext && !contexts.includes(context)) contexts.push(context);
      return context;
    } as typeof getContext;
  }
}

export async function begin(): Promise<void> {
  keepContexts();
  const bytes = async (address: string) => new Uint8Array(await (await fetch(address)).arrayBuffer());
  const models = {
    cascade: await bytes('/models/frontalface_alt.bin'),
    landmarks: await bytes('/test/media/landmarks.bin'),
  };
  fuzzed = new Fuzzed(await makeRuntime(), await openCore('gpu'), await openCore('wasm'), models);
}

/** A shader that is compiled for the first time takes a second or two in software, ms. */
const SLOW = 10_000;

const make = (random: Random): PageTrial => {
  const trial = fuzzed.trial(random);
  return {
    ...trial,
    run: async () => {
      const message = await trial.run();
      const error = contexts.map((gl) => gl.getError()).find(Boolean);
      return message || (error ? `WebGL error ${error}` : '');
    },
  };
};

export const play = (...given: [number, number, number, number]): ReturnType<typeof playTrials> =>
  playTrials(make, SLOW, given);
