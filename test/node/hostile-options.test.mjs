// Options and arguments that cannot be read, or are of a kind that nobody expects: 'invalid-argument', and the next call works.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { importTs } from '../../tools/import-ts.mjs';

const library = await importTs('src/index.ts');
const throwing = () => {
  throw new Error('as asked for');
};
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
/** Values for one option. */
const values = {
  symbol: () => Symbol('s'),
  BigInt: () => 1n,
  function: () => () => 1,
  'no string': () => Object.create(null),
  'throwing text': () => ({ toString: throwing, valueOf: throwing, [Symbol.toPrimitive]: throwing }),
  'revoked proxy': revoked,
};
/** Whole objects of options, with a name that is one of them. */
const objects = {
  'throwing getter': (name) => Object.defineProperty({}, name, { enumerable: true, get: throwing }),
  'getter that throws a symbol': (name) => Object.defineProperty({}, name, { enumerable: true, get: () => { throw Symbol('s'); } }), // prettier-ignore
  'revoked proxy': revoked,
  'throwing proxy': () => new Proxy({}, { ownKeys: throwing, get: throwing, getPrototypeOf: throwing }),
};
const image = () => ({ width: 32, height: 32, data: Uint8Array.from({ length: 1024 }, (_, i) => (i * 37) % 251) });
const given = (name) => [
  ...Object.entries(values).map(([kind, make]) => [kind, { [name]: make() }]),
  ...Object.entries(objects).map(([kind, make]) => [kind, make(name)]),
];

describe('hostile options', () => {
  let engine;
  const unhandled = [];
  const note = (reason) => unhandled.push(reason);
  before(async () => {
    process.on('unhandledRejection', note);
    engine = await library.createEngine();
  });
  after(async () => {
    await engine.dispose();
    process.off('unhandledRejection', note);
    assert.deepEqual(unhandled, []);
  });

  const refused = async (what, call) => {
    const error = await (async () => call())().then(() => null, (reason) => reason); // prettier-ignore
    assert.equal(error?.code, 'invalid-argument', `${what}: ${error}`);
  };

  it('of every operation', async () => {
    for (const { name, params, sources, data = [] } of library.operations.values()) {
      if (!sources.length) continue;
      for (const option of [...Object.keys(params), 'keep', 'transfer', 'signal', 'onProgress']) {
        for (const [kind, options] of given(option)) {
          if (option === 'onProgress' && kind === 'function') continue;
          const args = [...sources.map(image), ...data.map(() => [])];
          await refused(`${name} ${option} ${kind}`, () => engine[name](...args, options));
        }
      }
    }
    assert.equal((await engine.gaussian(image())).data.length, 1024);
  });

  it('of every tracker, its frames and new parameters', async () => {
    for (const method of ['createPupilTracker', 'createObjectTracker']) {
      const { params } = [...library.trackers.values()].find(({ name }) => method === `create${name[0].toUpperCase()}${name.slice(1)}Tracker`); // prettier-ignore
      const tracker = engine[method]();
      for (const option of [...Object.keys(params), 'roi'])
        for (const [kind, options] of given(option)) {
          await refused(`${method} ${option} ${kind}`, () => engine[method](options));
          await refused(`${method} set ${option} ${kind}`, () => tracker.setParameters(options));
        }
      for (const option of ['timestamp', 'dropped', 'signal', 'transfer'])
        for (const [kind, options] of given(option))
          await refused(`${method} process ${option} ${kind}`, () => tracker.process(image(), options));
      assert.equal((await tracker.process(image(), { timestamp: 1 })).width, 32);
      await tracker.dispose();
    }
  });

  it('of createEngine and the shared engine', async () => {
    for (const option of ['backend', 'threads', 'worker', 'assetBase', 'profile'])
      for (const [kind, options] of given(option)) {
        await refused(`createEngine ${option} ${kind}`, () => library.createEngine(options));
        await refused(`sharedEngine ${option} ${kind}`, () => library.sharedEngine(options).engine);
      }
  });

  it('sources and lists', async () => {
    for (const [kind, make] of [...Object.entries(values), ...Object.entries(objects)]) {
      await refused(`source ${kind}`, () => engine.gaussian(make('width')));
      await refused(`points ${kind}`, () => engine.trackPoints(image(), image(), make('length')));
    }
    await refused('sides', () => engine.gaussian({ ...image(), width: 32n }));
    await refused('sides', () => engine.gaussian({ ...image(), width: Symbol('w') }));
    assert.equal((await engine.gaussian(image())).data.length, 1024);
  });
});
