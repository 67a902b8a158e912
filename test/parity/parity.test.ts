// Own page: it is one of the longest, and starts first.
/**
 * Every registered stage, on one thread, on two threads and on the GPU, against its plain reference: fuzzed sizes,
 * sampled parameters, five kinds of content. Integer stages agree exactly, the others within their tolerance.
 */
import { expect } from 'chai';
import '../../src/capabilities.ts';
import '../../src/stages.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { stages, type Stage } from '../../src/runtime/stage.ts';
import { references } from '../reference/index.ts';
import { full, short } from '../support/full.ts';
import { borderSizes, generator, inputsOf, parameters, seedOf, smallSizes } from './cases.ts';
import { borderline, makers, settled } from './makers.ts';
import { compiled, difference, makeRuntime, onSide, type Answer } from './backends.ts';
import { exceptions, watch, type Reached } from './reached.ts';
import { shaders } from './shaders.ts';
import type { Asked, Job, Start } from './worker.ts';

/** A part of the names of the stages to be compared; empty: all of them. */
const only = await (await fetch('/test/parity/only.txt')).text();

describe('parity of the sides', function () {
  if (full) this.timeout(300_000); // all cases of the slowest reference
  let runtime: Runtime;
  let worker: Worker;
  let reached: Reached;
  const ask = (message: Job | Start | Asked) =>
    new Promise<Answer>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<Answer>) => resolve(data);
      worker.onerror = (event) => reject(new Error(event.message));
      worker.postMessage(message);
    });

  before(async () => {
    runtime = await makeRuntime();
    reached = watch(runtime);
    worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    expect(await ask({ role: 'start', module: await compiled(true) })).to.deep.equal({ value: [] });
  });
  after(() => {
    runtime.dispose();
    worker.terminate();
  });

  async function compare(
    stage: Stage,
    [width, height]: readonly [number, number],
    i: number,
    random: () => number,
    every: number,
    always = i === 0,
  ): Promise<void> {
    const sampled = parameters(stage.params, i, random);
    const params = settled[stage.name]?.(sampled, i) ?? sampled;
    const inputs = inputsOf(stage, makers, [width, height], i, random);
    // Without --full the defaults, a telling size and some others; each stage begins elsewhere. The numbers that follow stay the same.
    const step = (only ? 1 : short ? 8 : 2) * every;
    if (!full && !always && (i + seedOf(stage.name)) % step) return;
    const where = `${width}x${height} ${JSON.stringify(params)} case ${i}`;
    const answers: [string, Answer][] = [['wasm', await onSide(runtime, 'wasm', stage, inputs, params)]];
    answers.push(['two threads', await ask({ role: 'run', stage: stage.name, inputs, params })]);
    // What comes before may have left its results on either side.
    if (stage.gpu) answers.push(['gpu', await onSide(runtime, 'gpu', stage, inputs, params, i % 2 === 1)]);
    const first = answers[0]![1];
    // Parameters that do not go together are refused, then by every side.
    if ('error' in first && first.error.code === 'invalid-argument') {
      for (const [side, answer] of answers)
        expect('error' in answer && answer.error.code, `${side}, ${where}`).to.equal('invalid-argument');
      return;
    }
    const expected = references[stage.name]!(inputs, params as never);
    for (const [side, answer] of answers) {
      if ('error' in answer) throw new Error(`${side}, ${where}: ${answer.error.message}`);
      expect(answer.value.length, `outputs of ${side}, ${where}`).to.equal(expected.length);
      expected.forEach((image, k) => {
        const found = difference(answer.value[k]!, image, stage.tolerance, borderline[stage.name]);
        if (found) throw new Error(`output ${k} of ${side}, ${where}: ${found}`);
      });
    }
  }

  for (const stage of [...stages.values()].filter(({ name }) => name.includes(only)))
    describe(stage.name, () => {
      const random = generator(seedOf(stage.name));

      it('has a reference, and a GPU side or the reason why not', () => {
        expect(references[stage.name], 'test/reference/index.ts').to.be.a('function');
        expect(stage.gpu === undefined, 'gpu, or wasmOnly').to.equal(stage.wasmOnly !== undefined);
        if (!stage.gpu) expect(stage.wasmOnly).to.have.length.above(20);
      });

      it('agrees at sizes from 1 to 67', async () => {
        let i = 0;
        for (const size of smallSizes(random)) {
          const telling = i === 0 || String(size) === '15,16'; // the smallest that most windows fit into
          await compare(stage, size, i++, random, short ? Infinity : 3, telling);
        }
      });

      it('agrees across the borders of tiles, bands and texture rows', async () => {
        let i = 0;
        for (const size of borderSizes) await compare(stage, size, i++, random, 2);
      });

      it('leaves nothing behind', () => {
        expect(runtime.gpu!.textures.lent, 'textures').to.equal(0);
        expect(runtime.gpu!.context.gl.getError(), 'WebGL errors').to.equal(0);
        expect(runtime.arena.blocks, 'blocks of the arena besides the scratch').to.be.at.most(1);
      });
    });

  // The last: all stages have run above.
  (only || !full ? describe.skip : describe)('the whole tree', () => {
    it('reaches every kernel and every fragment shader of the package', async () => {
      expect(Object.keys(exceptions)).to.have.length.at.most(5);
      const several = await ask({ role: 'reached' });
      for (const name of several as unknown as string[]) reached.kernels.add(name);
      const drawn = [...reached.fragments];
      const missed = [
        ...Object.keys(runtime.kernels.calls).filter((name) => !reached.kernels.has(name)),
        ...Object.keys(shaders).filter((file) => !drawn.some((text) => text.endsWith(shaders[file]!))),
      ];
      expect(missed.sort()).to.deep.equal(Object.keys(exceptions).sort());
    });
  });
});
