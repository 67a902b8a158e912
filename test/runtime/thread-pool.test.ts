/** What the pool does with helpers that do not come, come late, or fail. Tests of its results are those of parity. */
import { expect } from 'chai';
import { gaussian } from '../../src/image/gaussian.ts';
import { Runtime } from '../../src/runtime/runtime.ts';
import { run } from '../../src/runtime/stage.ts';
import type { ThreadStart } from '../../src/runtime/wasm/thread-pool.ts';
import { compiled, makeRuntime } from '../parity/backends.ts';

const [width, height] = [200, 150];
const samples = Uint8Array.from({ length: width * height }, (_, i) => (i * 37) % 251);

/** On the page's thread, where nobody may wait: the pool must not have to. */
async function withHelpers(): Promise<{ runtime: Runtime; starts: ThreadStart[] }> {
  const starts: ThreadStart[] = [];
  const spawn = (start: ThreadStart) => {
    starts.push(start);
    return Promise.resolve({ terminate: () => {} });
  };
  return { runtime: await Runtime.create({ module: await compiled(true), threads: 3, spawn }), starts };
}

async function smoothed(runtime: Runtime): Promise<ArrayLike<number>> {
  const source = runtime.plane(width, height, 'u8', samples);
  const [result] = await run(runtime, gaussian, [source], { size: 5, sigma: 2 });
  const list = await result.read();
  result.dispose();
  source.dispose();
  return list;
}

describe('the pool of threads', () => {
  let alone: Runtime;
  before(async () => void (alone = await makeRuntime()));
  after(() => alone.dispose());

  it('does a job without the helpers that have not woken, with the same bytes', async () => {
    const { runtime, starts } = await withHelpers();
    expect(starts.map(({ thread }) => thread)).to.deep.equal([1, 2]);
    expect(await smoothed(runtime)).to.deep.equal(await smoothed(alone));
    expect(await smoothed(runtime)).to.deep.equal(await smoothed(alone));
    runtime.dispose();
  });

  it('shuts the gate behind a job: who comes late finds nothing to do', async () => {
    const { runtime, starts } = await withHelpers();
    const words = new Int32Array(starts[0]!.memory.buffer);
    const gate = (starts[0]!.job >> 2) + 5;
    const shut = words[gate];
    expect(shut).to.not.equal(0);
    await smoothed(runtime);
    expect(words[gate]).to.equal(shut);
    runtime.dispose();
  });
});
