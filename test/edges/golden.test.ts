/** The WASM side of edges against OpenCV's figures. */
import { expect } from 'chai';
import { cannyOf } from '../../src/edges/index.ts';
import { kernelBytes } from '../../src/runtime/assets.ts';
import { compileKernels } from '../../src/runtime/kernels.ts';
import { Runtime } from '../../src/runtime/runtime.ts';
import { ownGolden, sharedGolden, type Golden, type GoldenCase } from '../image/golden.ts';
import { canny as reference } from '../reference/canny.ts';

interface CannyCase {
  smooth: { ksize: number; sigma: number } | null;
  low?: number;
  high?: number;
  L2?: boolean;
}

function difference(actual: ArrayLike<number>, expected: ArrayLike<number>): string {
  if (actual.length !== expected.length) return `${actual.length} samples instead of ${expected.length}`;
  for (let i = 0; i < expected.length; i++)
    if (actual[i] !== expected[i]) return `${actual[i]} instead of ${expected[i]} at ${i}`;
  return '';
}

describe('golden figures of edges', () => {
  let runtime: Runtime;
  before(async () => {
    const bytes = await kernelBytes('st', {});
    runtime = await Runtime.create({
      module: await compileKernels(bytes instanceof Response ? Promise.resolve(bytes) : bytes),
    });
  });
  after(() => {
    expect(runtime.arena.blocks, 'blocks of the arena besides the scratch').to.be.at.most(1);
    runtime.dispose();
  });

  function cannyParameters(c: GoldenCase) {
    const { smooth, low, high, L2 } = c.params as unknown as CannyCase;
    return {
      low: low ?? 50,
      high: high ?? 150,
      norm: L2 ? ('L2' as const) : ('L1' as const),
      sigma: smooth?.sigma ?? 0,
      size: smooth?.ksize ?? 5,
      thresholds: c.op === 'canny_auto_u8' ? ('auto' as const) : ('given' as const),
      gradient: 'sobel' as const,
      hysteresis: 'auto' as const,
    };
  }

  /** Against the expected edges, and for the small ones the test's own reference as well. */
  async function canny(golden: Golden, c: GoldenCase): Promise<string> {
    const [height, width] = c.inputs[0]!.shape as [number, number];
    const data = (await golden.samples(c.inputs[0]!)) as Uint8Array;
    const source = runtime.plane(width, height, 'u8', data);
    const out = cannyOf(runtime.wasm, source, cannyParameters(c));
    const edges = out.copy();
    for (const plane of [source, out]) plane.dispose();
    const expected = await golden.samples(c.expected[0]!);
    const wrong = difference(edges, expected);
    if (wrong || width * height > 4096) return wrong;
    const [plain] = reference([{ width, height, format: 'u8', data }], cannyParameters(c));
    return difference(plain!.data, expected) && 'the reference differs';
  }

  const checks: Record<string, (golden: Golden, c: GoldenCase) => Promise<string>> = {
    canny_u8: canny,
    canny_auto_u8: canny,
  };
  async function all(golden: Golden, operation: string): Promise<number> {
    const cases = golden.cases.filter(({ op }) => op === operation);
    for (const c of cases) expect(await checks[operation]!(golden, c), c.id).to.equal('');
    return cases.length;
  }

  describe('in test/golden', () => {
    let golden: Golden;
    before(async () => void (golden = await ownGolden('edges')));
    for (const operation of Object.keys(checks))
      it(`${operation} is reproduced`, async () => expect(await all(golden, operation)).to.be.above(0));
  });

  describe('in ../shared', () => {
    let golden: Golden | null;
    before(async () => void (golden = await sharedGolden()));
    for (const operation of Object.keys(checks))
      it(`${operation} is reproduced`, async function () {
        if (!golden) this.skip();
        else expect(await all(golden, operation)).to.be.above(0);
      });
  });
});
