/** The WASM side of edges against OpenCV's figures. */
import { expect } from 'chai';
import { bestCircle, cannyOf, circleCandidates, circleOffsets, linesOf, lineVotes } from '../../src/edges/index.ts';
import { kernelBytes } from '../../src/runtime/engine/assets.ts';
import { compileKernels } from '../../src/runtime/wasm/kernels.ts';
import { Runtime } from '../../src/runtime/runtime.ts';
import { driveNow } from '../../src/runtime/stage.ts';
import { allGolden, difference, type Golden, type GoldenCase } from '../image/golden.ts';
import { canny as reference } from '../reference/canny.ts';

interface CannyCase {
  smooth: { ksize: number; sigma: number } | null;
  low?: number;
  high?: number;
  L2?: boolean;
}

function fnv1a(bytes: Uint8Array): number {
  let h = 0x811c9dc5;
  for (const byte of bytes) h = Math.imul(h ^ byte, 0x01000193);
  return h >>> 0;
}

describe('golden figures of edges', () => {
  let runtime: Runtime;
  before(async () => {
    const { bytes } = await kernelBytes({});
    runtime = await Runtime.create({
      module: await compileKernels(bytes),
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
      derivative: 'sobel' as const,
      hysteresis: 'auto' as const,
    };
  }

  /** Against the expected edges, and for the small ones the test's own reference as well. */
  async function canny(golden: Golden, c: GoldenCase): Promise<string> {
    const [height, width] = c.inputs[0]!.shape as [number, number];
    const data = (await golden.samples(c.inputs[0]!)) as Uint8Array;
    const source = runtime.plane(width, height, 'u8', data);
    const out = driveNow(runtime, (scope) => cannyOf(scope, source, cannyParameters(c)));
    const edges = out.copy();
    for (const plane of [source, out]) plane.dispose();
    const wrong = await difference(golden, c.expected[0]!, edges);
    if (wrong || width * height > 4096) return wrong;
    const [plain] = reference([{ width, height, format: 'u8', data }], cannyParameters(c));
    return (await difference(golden, c.expected[0]!, plain!.data)) && 'the reference differs';
  }

  /** The whole accumulator, where there is one; its sum, its largest and its hash; the lines. */
  async function houghLines(golden: Golden, c: GoldenCase): Promise<string> {
    const { rho, theta, threshold } = c.params as { rho: number; theta: number; threshold: number };
    const [height, width] = c.inputs[0]!.shape as [number, number];
    const source = runtime.plane(width, height, 'u8', await golden.samples(c.inputs[0]!));
    const [votes] = driveNow(runtime, (scope) => scope.run(lineVotes, [source], { rho, theta }));
    // Without the zeros around.
    const counts = votes.copy().filter((_, i) => {
      const [x, y] = [i % votes.width, Math.floor(i / votes.width)];
      return x > 0 && y > 0 && x < votes.width - 1 && y < votes.height - 1;
    }) as Int32Array;
    const lines = driveNow(runtime, (scope) =>
      linesOf(scope, source, { rho, theta, threshold, max: 100000, gap: 10 }, 'wasm'),
    );
    for (const plane of [source, votes]) plane.dispose();
    const expected = c.expected.find(({ name }) => name === 'accumulator');
    const { accSum, accMax, accFnv1a32 } = c as unknown as Record<string, number>;
    if (counts.reduce((a, b) => a + b, 0) !== accSum) return 'sum of votes';
    if (counts.reduce((a, b) => Math.max(a, b), 0) !== accMax) return 'most votes';
    if (fnv1a(new Uint8Array(counts.buffer)) !== accFnv1a32) return 'hash of the accumulator';
    const wanted = (await golden.json(c.expected.find(({ name }) => name === 'lines')!)) as {
      total: number;
      top20: object[];
    };
    expect(lines.length, c.id).to.equal(wanted.total);
    expect(lines.slice(0, 20), c.id).to.deep.equal(wanted.top20);
    return expected ? difference(golden, expected, counts) : '';
  }

  /** Offsets, every count of the accumulator (or the most over all radii), their sum, and the best circle. */
  async function houghCircles(golden: Golden, c: GoldenCase): Promise<string> {
    const { rmin, rmax, stepDeg } = c.params as { rmin: number; rmax: number; stepDeg: number };
    const [height, width] = c.inputs[0]!.shape as [number, number];
    const { dx, dy } = (await golden.json(c.expected[0]!)) as { dx: number[][]; dy: number[][] };
    for (let r = rmin; r <= rmax; r++) {
      const offsets = dx[r - rmin]!.map((x, i) => ({ dx: x, dy: dy[r - rmin]![i]! }));
      expect(circleOffsets(r, (stepDeg * Math.PI) / 180), c.id).to.deep.equal(offsets);
    }
    const source = runtime.plane(width, height, 'u8', await golden.samples(c.inputs[0]!));
    const search = { minRadius: rmin, maxRadius: rmax, angleStep: (stepDeg * Math.PI) / 180 };
    const all = driveNow(runtime, (scope) => circleCandidates(scope, source, search, 1, width * height));
    const best = driveNow(runtime, (scope) => bestCircle(scope, source, search));
    source.dispose();
    const { accSum, best: wanted } = c as unknown as { accSum: number; best: object };
    expect(best, c.id).to.deep.equal(wanted);
    expect(all[0], c.id).to.deep.equal(wanted);
    if (all.reduce((sum, { votes }) => sum + votes, 0) !== accSum) return 'sum of votes';
    const whole = c.expected[1]!.name === 'accumulator';
    const counts = new Uint16Array(c.expected[1]!.shape.reduce((a, b) => a * b));
    for (const { x, y, r, votes } of all) {
      const at = (whole ? (r - rmin) * height * width : 0) + y * width + x;
      counts[at] = Math.max(counts[at]!, votes);
    }
    return difference(golden, c.expected[1]!, counts);
  }

  const checks: Record<string, (golden: Golden, c: GoldenCase) => Promise<string>> = {
    canny_u8: canny,
    canny_auto_u8: canny,
    hough_lines: houghLines,
    hough_circles: houghCircles,
  };
  async function all(golden: Golden, operation: string): Promise<number> {
    const cases = golden.cases.filter(({ op }) => op === operation);
    for (const c of cases) expect(await checks[operation]!(golden, c), c.id).to.equal('');
    return cases.length;
  }

  let every: Golden[];
  before(async () => void (every = await allGolden('edges')));
  for (const operation of Object.keys(checks))
    it(`${operation} is reproduced`, async () => {
      for (const golden of every) expect(await all(golden, operation)).to.be.above(0);
    });
});
