/**
 * A stage that fails at any of its steps frees all that it made: blocks of the arena and textures are counted after each
 * failure. The plan is driven by hand, and an error thrown into it in place of its n-th answer.
 */
import { expect } from 'chai';
import '../../src/capabilities.ts';
import '../../src/stages.ts';
import { Turn, Wait, type Plan, type Step } from '../../src/runtime/wasm/kernel-step.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { isPlane, Scope } from '../../src/runtime/scope.ts';
import { stages, type Stage } from '../../src/runtime/stage.ts';
import { isImage } from '../reference/image.ts';
import { generator, inputsOf, parameters, seedOf } from './cases.ts';
import { makers, settled } from './makers.ts';
import { makeRuntime } from './backends.ts';
import { short } from '../support/full.ts';

const WIDTH = 61;
const HEIGHT = 47;
/** Steps after which the rest is taken to behave alike. */
const MOST = 40;
/** Plain `npm test` fails every fourth step, three in all. The first one depends on the stage. */
const [STRIDE, FEW] = [4, 12];
/** Steps that a plan may take to save what it has. */
const SAVING = 4;

describe('a stage that fails at any step', () => {
  let runtime: Runtime;
  before(async () => {
    runtime = await makeRuntime();
    runtime.pool.reserve(1 << 20);
  });
  after(() => runtime.dispose());

  async function settle(step: Step): Promise<void> {
    if (step instanceof Wait) step.result = await step.promise;
    else if (step instanceof Turn) await Promise.resolve();
    else runtime.driver.step(step);
  }

  /** Runs to step `failing` and throws there; says whether the plan got that far. */
  async function fails(stage: Stage, backend: 'wasm' | 'gpu', failing: number): Promise<boolean> {
    const before = { lent: runtime.gpu!.textures.lent, blocks: runtime.arena.blocks };
    const given = inputsOf(stage, makers, [WIDTH, HEIGHT], 0, generator(seedOf(stage.name))).map((value) =>
      isImage(value) ? runtime.plane(value.width, value.height, value.format, value.data) : value,
    );
    const blocks = runtime.arena.blocks;
    const lent = runtime.gpu!.textures.lent;
    const inputTextures = given.filter((value) => isPlane(value) && value.on !== 'arena').length;
    const scope = new Scope(runtime, { backend });
    const defaults = parameters(stage.params, 0, generator(0));
    const params = settled[stage.name]?.(defaults, 0) ?? defaults;
    const plan = (backend === 'gpu' ? stage.gpu! : stage.wasm)(scope, given, params) as Plan<unknown>;
    let reached = false;
    try {
      let outcome = plan.next();
      for (let step = 0; !outcome.done; step++) {
        if (step === failing) {
          reached = true;
          // A failure is reported when what was waited for is there.
          if (outcome.value instanceof Wait) await Promise.allSettled([outcome.value.promise]);
          outcome = plan.throw(new Error('injected'));
          // A plan may save what it has, and must then pass the error on.
          for (let saving = 0; saving < SAVING && !outcome.done; saving++) {
            await settle(outcome.value);
            outcome = plan.next();
          }
          throw new Error(`${stage.name} goes on after a failure.`);
        }
        await settle(outcome.value);
        outcome = plan.next();
      }
    } catch (error) {
      if ((error as Error).message !== 'injected') throw error;
    }
    scope.dispose();
    if (reached) {
      expect(runtime.arena.blocks, `${stage.name}, ${backend}, blocks after step ${failing}`).to.be.at.most(
        // An input may have come to the arena meanwhile; it is the caller's.
        blocks + inputTextures,
      );
      expect(
        runtime.gpu!.textures.lent - lent,
        `${stage.name}, ${backend}, textures after step ${failing}`,
      ).to.be.at.most(given.length);
    }
    for (const value of given) if (isPlane(value)) value.dispose();
    expect(runtime.gpu!.textures.lent, `${stage.name}, ${backend}: textures left after step ${failing}`).to.equal(
      before.lent,
    );
    expect(runtime.arena.blocks, `${stage.name}, ${backend}: blocks left after step ${failing}`).to.equal(
      before.blocks,
    );
    return reached;
  }

  for (const stage of stages.values())
    it(`${stage.name} frees all it made`, async () => {
      for (const backend of stage.gpu ? (['wasm', 'gpu'] as const) : (['wasm'] as const)) {
        const first = short ? seedOf(stage.name) % STRIDE : 0;
        let reached = 0;
        for (let step = first; step < (short ? FEW : MOST); step += short ? STRIDE : 1)
          if (await fails(stage, backend, step)) reached++;
          else break;
        if (!reached) await fails(stage, backend, 0); // a plan of few steps
      }
    }).timeout(60_000);
});
