import { expect } from 'chai';
import { sharedEngine } from '../../src/engine.ts';
import { engineSharing } from '../../src/runtime/engine/start.ts';
import { scriptedEngines } from './engine-dummies.ts';

const task = () => new Promise((resolve) => setTimeout(resolve, 20));

describe('the engine that elements share', () => {
  it('is one for equal options, and ends with its last user', async () => {
    const { create, made } = scriptedEngines();
    const share = engineSharing(create);
    const [a, b, c] = [share(), share({ backend: 'auto' }), share({ backend: 'gpu' })];
    expect(await a.engine).to.equal(await b.engine);
    expect(await c.engine).not.to.equal(await a.engine);
    expect(made.length).to.equal(2);
    a.release();
    a.release();
    await task();
    expect(made[0]!.disposed).to.equal(false);
    b.release();
    await task();
    expect(made.map(({ disposed }) => disposed)).to.deep.equal([true, false]);
    expect(await share().engine).to.equal(made[2]);
  });

  it('survives an element that is moved', async () => {
    const { create, made } = scriptedEngines();
    const share = engineSharing(create);
    const before = share();
    before.release();
    const after = share();
    await task();
    expect(await after.engine).to.equal(await before.engine);
    expect([made.length, made[0]!.disposed]).to.deep.equal([1, false]);
  });

  it('is tried again after a failure', async () => {
    const { create, made } = scriptedEngines(1);
    const share = engineSharing(create);
    const first = share();
    let failed = false;
    await first.engine.catch(() => (failed = true));
    expect(failed).to.equal(true);
    expect(await share().engine).to.equal(made[0]);
    first.release();
    await task();
    expect(made[0]!.disposed).to.equal(false);
  });

  it('works for real', async () => {
    const { engine, release } = sharedEngine({ backend: 'wasm' });
    const { data } = await (await engine).threshold({ width: 2, height: 1, data: Uint8Array.of(1, 200) });
    expect([...data]).to.deep.equal([0, 255]);
    release();
    await task();
    const again = sharedEngine({ backend: 'wasm' });
    expect(await again.engine).not.to.equal(await engine);
    again.release();
  });
});
