/** Plans, scopes and the driver: what they refuse, free, slice and share out. */
import { expect } from 'chai';
import { gaussian } from '../../src/image/gaussian.ts';
import { KernelStep, refuseUnknownArguments, together, type KernelEntry } from '../../src/runtime/wasm/kernel-step.ts';
import { defineRecord, RecordView } from '../../src/runtime/wasm/record.ts';
import { Scope } from '../../src/runtime/scope.ts';
import { drive, driveNow, run, stages } from '../../src/runtime/stage.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { makeRuntime } from '../parity/backends.ts';

describe('plans', () => {
  let runtime: Runtime;
  before(async () => {
    runtime = await makeRuntime();
    // The scratch of the threads is allocated once and stays.
    runtime.pool.reserve(1 << 20);
  });
  after(() => runtime.dispose());

  const picture = (width: number, height: number) =>
    runtime.plane(
      width,
      height,
      'u8',
      Uint8Array.from({ length: width * height }, (_, i) => (i * 37) % 251),
    );

  it('refuse a missing, a misspelt and an extra argument of a kernel, and name what it takes', () => {
    refuseUnknownArguments();
    const scope = new Scope(runtime);
    const { kernels } = scope;
    const image = { address: 64, stride: 16 };
    const given = { source: image, target: image, width: 3 };
    const wrong = (call: object) => () => kernels.grayFromRgba(call as never, { rows: 1 });
    expect(wrong(given)).not.to.throw();
    expect(wrong({ source: image, target: image })).to.throw(/'grayFromRgba' needs \(source, target, width\)/);
    expect(wrong({ source: image, target: image, widht: 3 })).to.throw(/not \(source, target, widht\)/);
    expect(wrong({ ...given, height: 3 })).to.throw(/'grayFromRgba' needs/);
    expect(wrong({ ...given, source: undefined })).to.throw(/'grayFromRgba' needs/);
  });

  it('hand arguments over in the order of the kernel, an image as address and stride', () => {
    const entry: KernelEntry = {
      name: 'sum',
      index: 0,
      run: (...args) => args.length,
      args: ['source/', 'list', 'flag'],
      rows: false,
      scratch: false,
      value: true,
      scratchBytes: null,
      width: -1,
    };
    const step = new KernelStep(entry, { flag: true, source: { address: 5, stride: 6 }, list: { address: 7 } });
    expect(step.args).to.deep.equal([5, 6, 7, 1]);
  });

  it('give the same bytes in one piece and in the smallest, with a pause after each', async () => {
    const source = picture(640, 400);
    const [whole] = driveNow(runtime, (scope) => gaussian.wasm(scope, [source], { size: 31, sigma: 6 }));
    // A clock on which every piece takes longer than a slice.
    const { now } = performance;
    let time = 0;
    let pauses = 0;
    performance.now = () => (time += 9);
    try {
      const [cut] = await run(
        runtime,
        gaussian,
        [source],
        { size: 31, sigma: 6 },
        { pauses: { pause: () => Promise.resolve(void pauses++) } },
      );
      expect(cut.copy()).to.deep.equal(whole.copy());
      cut.dispose();
    } finally {
      performance.now = now;
    }
    expect(pauses).to.be.at.least(3);
    whole.dispose();
    source.dispose();
  });

  it('free everything when a pause is refused, and the next call works', async () => {
    const source = picture(640, 400);
    const { blocks } = runtime.arena;
    const { now } = performance;
    let time = 0;
    performance.now = () => (time += 9);
    let failed = '';
    try {
      const pause = () => Promise.reject(new Error('cancelled'));
      await run(runtime, gaussian, [source], {}, { backend: 'wasm', pauses: { pause } }).catch(
        (error: Error) => (failed = error.message),
      );
    } finally {
      performance.now = now;
    }
    expect(failed).to.equal('cancelled');
    expect(runtime.arena.blocks).to.equal(blocks);
    const [again] = await run(runtime, gaussian, [source]);
    again.dispose();
    source.dispose();
  });

  it('free parts at their end, and keep what is given away', async () => {
    const { blocks } = runtime.arena;
    const kept = await drive(runtime, function* (scope) {
      scope.block(100);
      scope.record(defineRecord('i32:a'));
      yield* scope.part(function* (inner) {
        inner.plane(8, 8, 'u8');
        yield* inner.wait(Promise.resolve());
        expect(runtime.arena.blocks).to.equal(blocks + 3);
      });
      expect(runtime.arena.blocks).to.equal(blocks + 2);
      return scope.release(scope.plane(4, 4, 'u8'));
    });
    expect(runtime.arena.blocks).to.equal(blocks + 1);
    kept.dispose();
    expect(runtime.arena.blocks).to.equal(blocks);
  });

  it('run side by side, each with its own result, and all fail together', async () => {
    const results = await drive(runtime, (scope) =>
      together([
        (function* () {
          return (yield* scope.wait(Promise.resolve(1))) + 1;
        })(),
        null,
        (function* () {
          yield* scope.wait(0);
          return (yield* scope.wait(Promise.resolve(10))) + 1;
        })(),
      ]),
    );
    expect(results).to.deep.equal([2, null, 11]);
    let ended = 0;
    const failing = drive(runtime, (scope) =>
      together([
        (function* () {
          try {
            yield* scope.wait(Promise.reject(new Error('no')));
          } finally {
            ended++;
          }
        })(),
        (function* () {
          try {
            yield* scope.wait(1);
            yield* scope.wait(2);
          } finally {
            ended++;
          }
        })(),
      ]),
    );
    expect(await failing.catch((error: Error) => error.message)).to.equal('no');
    expect(ended).to.equal(2);
  });

  it('lay out records as the kernels do: each field on a multiple of its size', () => {
    const layout = defineRecord<'a' | 'b' | 'c' | 'd' | 'e'>('u8:a u16:b i32:c f64:d f32:e');
    expect([...layout.fields.values()].map(({ offset }) => offset)).to.deep.equal([0, 2, 4, 8, 16]);
    expect(layout.bytes).to.equal(20);
    const address = runtime.arena.allocate(layout.bytes);
    const record = new RecordView(runtime.arena, layout, address).clear();
    record.set({ a: 200, b: 60000, c: -5, d: 1 / 3, e: 0.5 });
    expect((['a', 'b', 'c', 'd', 'e'] as const).map((name) => record.get(name))).to.deep.equal([
      200,
      60000,
      -5,
      1 / 3,
      0.5,
    ]);
    expect(() => record.get('f' as never)).to.throw(/no field 'f'/);
    runtime.arena.free(address);
  });

  it('knows the stages by name', () => expect(stages.get('image/gaussian')).to.equal(gaussian));
});
