/** The WASM side of the image stages against OpenCV's figures. */
import { expect } from 'chai';
import * as image from '../../src/image/index.ts';
import { compileKernels } from '../../src/runtime/wasm/kernels.ts';
import type { Plane, PlaneArray, PlaneFormat } from '../../src/runtime/plane.ts';
import { Runtime } from '../../src/runtime/runtime.ts';
import { driveNow } from '../../src/runtime/stage.ts';
import { componentBorder } from './component-border.ts';
import { allGolden, difference, type Golden, type GoldenCase, type GoldenRecord } from './golden.ts';

const size = ({ shape }: GoldenRecord) => ({ height: shape[0]!, width: shape[1]! });

describe('golden figures of the image stages', () => {
  let runtime: Runtime;
  before(async () => {
    // With the kernels that only tests call.
    const module = await compileKernels(fetch('/build/kernels.test.wasm'));
    runtime = await Runtime.create({ module });
  });
  after(() => runtime.dispose());

  /** Runs `body` with the case's input as a plane; whatever it returns is read and freed. */
  async function results(
    golden: Golden,
    c: GoldenCase,
    body: (source: Plane) => readonly Plane[],
  ): Promise<PlaneArray[]> {
    const record = c.inputs[0]!;
    const { width, height } = size(record);
    const format = (record.shape[2] === 4 ? 'rgba8' : record.dtype) as PlaneFormat;
    const source = runtime.plane(width, height, format, await golden.samples(record));
    const outputs = body(source);
    const arrays = outputs.map((plane) => plane.copy());
    for (const plane of [source, ...outputs]) plane.dispose();
    return arrays;
  }

  const simple: Record<string, (c: GoldenCase, source: Plane) => readonly Plane[]> = {
    rgba_to_gray_u8: (_, p) => driveNow(runtime, (scope) => image.gray.wasm(scope, [p], {})),
    gaussian_u8: ({ params }, p) =>
      driveNow(runtime, (scope) => image.gaussian.wasm(scope, [p], { size: params.ksize!, sigma: params.sigma! })),
    median_u8: ({ params }, p) => driveNow(runtime, (scope) => image.median.wasm(scope, [p], { size: params.ksize! })),
    erode_rect_u8: ({ params }, p) =>
      driveNow(runtime, (scope) => image.erode.wasm(scope, [p], { size: params.ksize! })),
    dilate_rect_u8: ({ params }, p) =>
      driveNow(runtime, (scope) => image.dilate.wasm(scope, [p], { size: params.ksize! })),
    tophat_rect_u8: ({ params }, p) =>
      driveNow(runtime, (scope) => image.topHat.wasm(scope, [p], { size: params.ksize! })),
    sobel_i16: (_, p) => driveNow(runtime, (scope) => image.gradient.wasm(scope, [p], { derivative: 'sobel' })),
    scharr_i16: (_, p) => driveNow(runtime, (scope) => image.gradient.wasm(scope, [p], { derivative: 'scharr' })),
    sobel_f32: (_, p) => driveNow(runtime, (scope) => image.gradientFloat.wasm(scope, [p], { derivative: 'sobel' })),
    scharr_f32: (_, p) => driveNow(runtime, (scope) => image.gradientFloat.wasm(scope, [p], { derivative: 'scharr' })),
    pyrdown_u8: ({ params, border }, p) => {
      let level: readonly [Plane] = [p];
      for (let i = 0; i < params.level!; i++) {
        const next = driveNow(runtime, (scope) =>
          image.pyramidDown.wasm(scope, level, {
            border: border === 'replicate' ? 'replicate' : 'reflect',
          }),
        );
        if (i) level[0]!.dispose();
        level = next;
      }
      return level;
    },
  };

  async function integral(golden: Golden, c: GoldenCase): Promise<string> {
    const { width } = size(c.inputs[0]!);
    const [sums, squares] = (await results(golden, c, (p) => [
      ...driveNow(runtime, (scope) => image.integral.wasm(scope, [p], {})),
      ...driveNow(runtime, (scope) => image.integralSquares.wasm(scope, [p], {})),
    ])) as [Uint32Array, Uint32Array];
    if (c.op === 'integral')
      return (
        (await difference(golden, c.expected[0]!, sums)) ||
        difference(golden, c.expected[1]!, image.squaredSums(sums, squares, width))
      );
    const { w, h } = c.params as { w: number; h: number };
    const shape = size(c.expected[0]!);
    const variance = Float64Array.from({ length: shape.width * shape.height }, (_, i) =>
      image.windowVariance(sums, squares, width, i % shape.width, Math.floor(i / shape.width), w, h),
    );
    return difference(golden, c.expected[0]!, variance, c.tolerance.maxAbs);
  }

  async function components(golden: Golden, c: GoldenCase): Promise<string> {
    const { width, height } = size(c.inputs[0]!);
    const borders: Uint8Array[] = [];
    let found!: image.Components;
    const [labels] = await results(golden, c, (p) => {
      found = driveNow(runtime, (scope) => image.labelComponents(scope, p, { statistics: true }));
      const largest = image.largestComponent(found.statistics);
      for (const which of ['inner', 'outer'] as const) {
        const border = new Uint8Array(width * height);
        if (largest >= 0)
          for (const i of driveNow(runtime, (scope) => componentBorder(scope, found, largest, which))) border[i] = 255;
        borders.push(border);
      }
      return [found.labels];
    });
    const record = (name: string) => c.expected.find((r) => r.name === name)!;
    const stats = (await golden.json(record('stats'))) as {
      largest: number | null;
      components: { area: number; box: number[]; centroid: number[] }[];
    };
    const flat = found.statistics.flatMap((s) => [s.area, s.x, s.y, s.width, s.height, s.centerX, s.centerY]);
    if (stats.components.length && image.largestComponent(found.statistics) + 1 !== stats.largest) return 'largest';
    const wanted = stats.components.flatMap((s) => [s.area, ...s.box, ...s.centroid]);
    expect(flat, c.id).to.have.length(wanted.length);
    flat.forEach((v, i) => expect(v, `${c.id}, figure ${i}`).to.be.closeTo(wanted[i]!, 1e-9));
    return (
      (await difference(golden, record('labels'), labels!)) ||
      (await difference(golden, record('borderOfLargest'), borders[0]!)) ||
      difference(golden, record('outerBorderOfLargest'), borders[1]!)
    );
  }

  async function check(golden: Golden, c: GoldenCase): Promise<string> {
    if (c.op === 'integral' || c.op === 'window_variance') return integral(golden, c);
    if (c.op === 'components8') return components(golden, c);
    const outputs = await results(golden, c, (p) => simple[c.op]!(c, p));
    for (const [i, output] of outputs.entries()) {
      const wrong = await difference(golden, c.expected[i]!, output, c.tolerance.maxAbs);
      if (wrong) return wrong;
    }
    return '';
  }

  const operations = [...Object.keys(simple), 'integral', 'window_variance', 'components8'];
  async function all(golden: Golden, operation: string): Promise<number> {
    const cases = golden.cases.filter(
      (c) => c.op === operation && c.inputs.every((r) => r.file || r.offset !== undefined),
    );
    for (const c of cases) expect(await check(golden, c), c.id).to.equal('');
    return cases.length;
  }

  let every: Golden[];
  before(async () => void (every = await allGolden()));
  for (const operation of operations)
    it(`${operation} is reproduced`, async () => {
      for (const golden of every) expect(await all(golden, operation)).to.be.above(0);
    });
});
