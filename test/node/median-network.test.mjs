// The exchange networks of the medians: what is committed is what the generator writes, and it finds medians.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { floatSource } from '../../tools/flow/median-network.mjs';
import { Network, plan, selectNetwork, source } from '../../tools/median-network.mjs';

let s = 77;
const random = (n) => {
  s ^= s << 13;
  s ^= s >>> 17;
  s ^= s << 5;
  return (s >>> 0) % n;
};
const ascending = (a, b) => a - b;

describe('median networks', () => {
  for (const k of [5, 7, 11])
    it(`of ${k} are what the generator writes`, () => {
      const file = new URL(`../../assembly/image/median-${k}.ts`, import.meta.url);
      assert.equal(readFileSync(file, 'utf8'), source(k));
    });

  it('of floats are what their generator writes', () => {
    const file = new URL('../../assembly/flow/refine-median.ts', import.meta.url);
    assert.equal(readFileSync(file, 'utf8'), floatSource());
  });

  it('merge lists of any two lengths', () => {
    for (let m = 0; m <= 9; m++)
      for (let n = 0; n <= 9; n++) {
        const network = new Network();
        const inputs = Array.from({ length: m + n }, (_, i) => network.input(i));
        const out = network.merge(inputs.slice(0, m), inputs.slice(m));
        const list = (length) => Array.from({ length }, () => random(12)).sort(ascending);
        const values = [...list(m), ...list(n)];
        const merged = network.run(out, (i) => values[i]);
        assert.deepEqual(merged, values.slice().sort(ascending), `${m} and ${n}`);
      }
  });

  for (const k of [5, 7, 11])
    it(`of ${k} select the median of both windows`, () => {
      const p = plan(k);
      const [network, outputs] = selectNetwork(p);
      for (let trial = 0; trial < 40; trial++) {
        const levels = [2, 5, 256][trial % 3];
        // Rows of k + 4 samples, the window's own first column is at 0.
        const rows = Array.from({ length: k + 1 }, () => Array.from({ length: k }, () => random(levels)));
        const core = (x, width) =>
          rows
            .slice(1, k)
            .flatMap((row) => row.slice(x, x + width))
            .sort(ascending);
        const valueOf = ({ array, shift }) => {
          const x = shift + p.radius;
          if (array >= p.quad) return core(x, 4)[array - p.quad];
          if (array >= p.pair) return core(x, 2)[array - p.pair];
          if (array >= p.extra) return rows[array === p.extra ? 0 : k][x];
          return core(x, 1)[array];
        };
        const median = (list) => list.flat().sort(ascending)[(k * k - 1) / 2];
        assert.deepEqual(network.run(outputs, valueOf), [median(rows.slice(0, k)), median(rows.slice(1))]);
      }
    });
});
