/** Scans, compaction and sums by seed against the checksums of the golden figures, and at 10^7 values. */
import { expect } from 'chai';
import { compactIndices, reduceFloats, reduceIntegers, scan, scan32 } from '../../src/image/scan.ts';
import { kernelBytes } from '../../src/runtime/engine/assets.ts';
import { compileKernels } from '../../src/runtime/wasm/kernels.ts';
import type { Plane } from '../../src/runtime/plane.ts';
import { Runtime } from '../../src/runtime/runtime.ts';
import { driveNow } from '../../src/runtime/stage.ts';
import { ownGolden, type GoldenCase } from './golden.ts';
import { itInFull, short } from '../support/full.ts';

/** Plain `npm test` leaves out longer lists. */
const LONGEST = 1 << 17;

interface Sums {
  total: number;
  inclusive: { words32: number };
  exclusive: { words32: number };
}
interface List {
  count: number;
  words32: number;
}
interface Results {
  bytes: Sums;
  words: Sums;
  floatSum: { exact: number; min: number; max: number };
  [list: `compact_${string}`]: List;
}

/** FNV-1a over 32-bit words. */
const checksum = (words: ArrayLike<number>) => {
  let h = 0x811c9dc5;
  for (let i = 0; i < words.length; i++) h = Math.imul(h ^ words[i]!, 0x01000193);
  return h >>> 0;
};

function randomWords(count: number, seed: number): Uint32Array {
  let s = seed | 0;
  return Uint32Array.from({ length: count }, () => {
    s ^= s << 13;
    s ^= s >>> 17;
    s ^= s << 5;
    return s >>> 0;
  });
}

const predicates: Record<string, (v: number) => boolean> = {
  odd: (v) => v % 2 === 1,
  zero: (v) => v === 0,
  below200: (v) => v < 200,
  none: () => false,
  all: () => true,
};

describe('scan, compaction and reduction of long lists', () => {
  let runtime: Runtime;
  let cases: GoldenCase[];
  before(async () => {
    const { bytes } = await kernelBytes({});
    const module = await compileKernels(bytes);
    runtime = await Runtime.create({ module });
    cases = (await ownGolden()).cases.filter((c) => c.op === 'scan');
  });
  after(() => runtime.dispose());

  const using = <T>(plane: Plane, body: (plane: Plane) => T): T => {
    const value = body(plane);
    plane.dispose();
    return value;
  };

  it('give the checksums of every golden length', () => {
    expect(cases.length).to.equal(33);
    for (const c of cases) {
      const { n, seed } = c.params as { n: number; seed: number };
      if (short && n > LONGEST) continue;
      const results = c.results as Results;
      const words = randomWords(n, seed);
      const bytes = Uint8Array.from(words, (v) => v >>> 24);
      for (const [kind, stage, plane] of [
        ['bytes', scan, runtime.plane(n, 1, 'u8', bytes)],
        ['words', scan32, runtime.plane(n, 1, 'u32', words)],
      ] as const) {
        for (const order of ['inclusive', 'exclusive'] as const) {
          const [out] = driveNow(runtime, (scope) => stage.wasm(scope, [plane], { inclusive: order === 'inclusive' }));
          const sums = using(out!, (p) => p.copy());
          expect(checksum(sums), `${c.id} ${kind} ${order}`).to.equal(results[kind][order].words32);
        }
        expect(
          using(plane, (p) => driveNow(runtime, (scope) => reduceIntegers(scope, p))).sum,
          `${c.id} ${kind}`,
        ).to.equal(results[kind].total);
      }
      for (const [name, keep] of Object.entries(predicates)) {
        const mask = runtime.plane(
          n,
          1,
          'u8',
          Uint8Array.from(bytes, (v) => (keep(v) ? 1 : 0)),
        );
        const list = using(mask, (p) => driveNow(runtime, (scope) => compactIndices(scope, p, 0)));
        const { count, words32 } = results[`compact_${name}`]!;
        expect([list.length, checksum(list)], `${c.id} ${name}`).to.deep.equal([count, words32]);
      }
      const floats = runtime.plane(
        n,
        1,
        'f32',
        Float32Array.from(words, (v) => (v >>> 8) / 16777216),
      );
      const { sum, min, max } = using(floats, (p) => driveNow(runtime, (scope) => reduceFloats(scope, p)));
      expect(sum, `${c.id} float sum`).to.be.closeTo(results.floatSum.exact, 1e-6 * results.floatSum.exact);
      expect([min, max], `${c.id} float extremes`).to.deep.equal([results.floatSum.min, results.floatSum.max]);
    }
  });

  itInFull('hold for 10^7 values laid out as rows', () => {
    const [width, height] = [4096, 2442];
    const bytes = Uint8Array.from(randomWords(width * height, 99), (v) => v >>> 24);
    const sums = new Uint32Array(bytes.length);
    bytes.reduce((sum, v, i) => (sums[i] = sum + v), 0);
    const indices: number[] = [];
    bytes.forEach((v, i) => v > 250 && indices.push(i));
    const source = runtime.plane(width, height, 'u8', bytes);
    const [out] = driveNow(runtime, (scope) => scan.wasm(scope, [source], { inclusive: true }));
    expect(checksum(using(out!, (p) => p.copy()))).to.equal(checksum(sums));
    expect(checksum(using(source, (p) => driveNow(runtime, (scope) => compactIndices(scope, p, 250))))).to.equal(
      checksum(indices),
    );
  });
});
