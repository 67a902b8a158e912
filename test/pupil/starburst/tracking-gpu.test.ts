/** The tracker with the GPU preferred: as on the WASM side, in order, with its optimizations off, through a loss. */
import { expect } from 'chai';
import { ladderMethods, type Ladder } from '../../../lab/pupil/ladder/ladder.ts';
import { PupilTrackerCore } from '../../../src/pupil/tracker/tracker.ts';
import type { Pupil, PupilResult } from '../../../src/results/types.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { sampleFrame } from '../../../lab/eyes/index.ts';
import { gpuRuntime, planeOf, reduce, type Gray } from '../gpu-support.ts';
import { full, itInFull, short } from '../../support/full.ts';
import { queued } from '../../support/queued.ts';

type Answers = Pupil[];

describe('tracking on the GPU', () => {
  let runtime: Runtime;
  /** A saccade, a gap, and the eye again. */
  let sequence: Gray[];
  before(async function () {
    this.timeout(60_000);
    runtime = await gpuRuntime();
    const blank = { width: 320, height: 240, data: new Uint8Array(320 * 240).fill(90) };
    const eye = [60, 61, 62, 63, 64, 65].map((i) => reduce(sampleFrame(i), 2));
    sequence = [...eye, blank, blank, ...eye.slice(2)];
  });
  after(() => {
    expect(runtime.gpu!.textures.lent).to.equal(0);
    expect(runtime.arena.blocks, 'the scratch of the kernels alone').to.be.at.most(1);
    runtime.dispose();
  });

  async function playBoth(
    given: object,
    ladder: Partial<Ladder>,
    played: readonly Gray[],
  ): Promise<[Answers, Answers]> {
    const core = new PupilTrackerCore(runtime, { method: 'starburst', outline: true, ...given }, ladderMethods(ladder));
    const reference = new PupilTrackerCore(runtime, { method: 'starburst', outline: true, ...given });
    const planes = played.map((image) => planeOf(runtime, image));
    const expected = planes.map((plane, i) => reference.track(plane, i * 16).pupils[0]!);
    const line = queued(core);
    const results = await Promise.all(planes.map((plane, i) => line.process(plane, i * 16)));
    expect(results.map(({ timestamp }) => timestamp)).to.deep.equal(played.map((_, i) => i * 16));
    expect(core.gpuCounts?.lost).to.equal(0);
    await core.dispose();
    for (const thing of [reference, ...planes]) await thing.dispose();
    return [results.map(({ pupils }) => pupils[0]!), expected];
  }

  function compare([answers, expected]: [Answers, Answers], tolerance = 0.25): void {
    expect(answers.map(({ found }) => found)).to.deep.equal(expected.map(({ found }) => found));
    answers.forEach((pupil, i) => {
      if (pupil.found) expect(Math.hypot(pupil.x - expected[i]!.x, pupil.y - expected[i]!.y)).to.be.at.most(tolerance);
    });
  }

  it('gives what the WASM side gives, frame by frame', async function () {
    this.timeout(120_000);
    // The gap with two frames before it and after it, or everything.
    const played = short ? sequence.slice(4, 10) : sequence;
    const [answers, expected] = await playBoth({ depth: 1 }, {}, played);
    compare([answers, expected]);
    expect(answers.filter(({ found }) => found).length).to.be.at.least(played.length - 4);
    answers.forEach(({ outline }, i) => expect(outline?.length).to.equal(expected[i]!.outline?.length));
    compare(await playBoth({ variant: 'paper', depth: 1 }, {}, sequence.slice(0, short ? 2 : 4)));
    if (short) return;
    compare(await playBoth({ tracking: false, fit: 'circle', depth: 1 }, {}, sequence.slice(0, 3)));
    compare(await playBoth({ eyes: 2, secondaryRays: 0, depth: 1 }, {}, sequence.slice(0, 3)));
    compare(await playBoth({ smoothing: 'median', depth: 1 }, {}, sequence.slice(0, 3)));
  });

  it('keeps to the WASM side, at once, unless the GPU was asked for', async () => {
    const core = new PupilTrackerCore(runtime, { method: 'starburst' });
    const plane = planeOf(runtime, sequence[0]!);
    runtime.gpuForced = false;
    try {
      await core.prepare();
      const result = core.process(plane, 0);
      expect(result).not.to.be.instanceOf(Promise);
      expect(core.gpuCounts).to.equal(null);
    } finally {
      runtime.gpuForced = true;
      plane.dispose();
      await core.dispose();
    }
  });

  /** Results of all frames at once, `depth` of them in flight. */
  async function overlapped(given: object, depth: number, played: readonly Gray[]): Promise<PupilResult[]> {
    const core = new PupilTrackerCore(runtime, { method: 'starburst', outline: true, ...given, depth });
    const planes = played.map((image) => planeOf(runtime, image));
    const line = queued(core);
    const results = await Promise.all(planes.map((plane, i) => line.process(plane, i * 16)));
    for (const thing of [core, ...planes]) await thing.dispose();
    return results;
  }

  itInFull('gives the same results, in order, however many frames are in flight', async function () {
    this.timeout(300_000);
    const small = (full ? sequence : sequence.slice(3, 10)).map((image) => reduce(image, 2));
    const variants = [{ variant: 'paper' }, { variant: 'paper', fit: 'circle', eyes: 2 }, {}, { tracking: false }];
    for (const [i, given] of variants.entries()) {
      const alone = await overlapped(given, 1, small);
      expect(alone.some(({ pupils }) => pupils[0]!.found)).to.equal(true);
      for (const depth of full ? [2, 6] : [[2, 6, 6, 2][i]!])
        expect(await overlapped(given, depth, small), JSON.stringify({ ...given, depth })).to.deep.equal(alone);
    }
    compare(await playBoth({ depth: 3 }, {}, sequence.slice(0, 5)));
  });

  // The laboratory's ladder.
  (full ? it : it.skip)('finds the same with each optimization switched off', async function () {
    this.timeout(120_000);
    const few = sequence.slice(0, 3);
    for (const ladder of [{ packed: false }, { fused: false }, { region: false }, { rounds: 1 }, { unrolled: false }])
      compare(await playBoth({ depth: 1 }, ladder, few));
    compare(await playBoth({ reflectionSize: 5, depth: 1 }, { separable: false }, few));
    const [answers] = await playBoth({ depth: 1 }, { ransacTable: false }, few);
    for (const { found } of answers) expect(found).to.equal(true);
  });

  it('takes new parameters and other sizes between frames in flight', async function () {
    this.timeout(120_000);
    const core = new PupilTrackerCore(runtime, { method: 'starburst' });
    const small = reduce(sequence[0]!, 2);
    const planes = [sequence[0]!, sequence[1]!, small, small, sequence[2]!].map((image) => planeOf(runtime, image));
    const line = queued(core);
    const process = (i: number) => line.process(planes[i]!, 16 * i);
    const running = [process(0), process(1), process(2)];
    void line.call(() => core.setParameters({ fit: 'circle' }));
    running.push(process(3), process(4));
    const results = await Promise.all(running);
    expect(results.map(({ width }) => width)).to.deep.equal([320, 320, 160, 160, 320]);
    expect(results.map(({ pupils }) => pupils[0]!.ellipse !== null)).to.deep.equal([true, true, true, false, false]);
    await core.dispose();
    for (const plane of planes) plane.dispose();
  });

  itInFull('goes on through a loss of the context', async function () {
    this.timeout(120_000);
    const core = new PupilTrackerCore(runtime, { method: 'starburst' });
    const planes = sequence.slice(0, 5).map((image) => planeOf(runtime, image));
    const { canvas, gl } = runtime.gpu!.context;
    const extension = gl.getExtension('WEBGL_lose_context')!;
    const event = (name: string) => new Promise((resolve) => canvas.addEventListener(name, resolve, { once: true }));
    const first = await core.process(planes[0]!, 0);
    const line = queued(core);
    const flying = line.process(planes[1]!, 16);
    await line.entered();
    const lost = event('webglcontextlost');
    extension.loseContext();
    await lost;
    await new Promise((resolve) => setTimeout(resolve, 0)); // restoreContext() is not allowed within the event
    const during = [await flying, await core.process(planes[2]!, 32)];
    const restored = event('webglcontextrestored');
    extension.restoreContext();
    await restored;
    const { local } = core.gpuCounts!;
    const after = [await core.process(planes[3]!, 48), await core.process(planes[4]!, 64)];
    for (const { pupils } of [first, ...during, ...after]) expect(pupils[0]!.found).to.equal(true);
    expect(core.gpuCounts).to.include({ lost: 1, wide: 1, local: local + 2 });
    await core.dispose();
    for (const plane of planes) plane.dispose();
  });
});
