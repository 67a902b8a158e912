/** The calls that the benchmark of edges times, under the names of native.py. */
import { bestCircle, cannyOf, linesOf, type CannyValues } from '../../../src/edges/index.ts';
import type { Plane } from '../../../src/runtime/plane.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { driveNow } from '../../../src/runtime/stage.ts';
import { plainCanny, plainLines } from './baseline.ts';
import type { Scene } from './scenes.ts';

export const LINES = { rho: 1, theta: Math.PI / 180, threshold: 100, max: 100000, gap: 10 } as const;

const cannies: Record<string, Partial<CannyValues>> = {
  'Canny, L1': {},
  'Canny, L2': { norm: 'L2' },
  'Canny, smoothed 5x5, sigma 2': { sigma: 2, size: 5, low: 20, high: 60 },
};

export interface Calls {
  /** Calls whose peers exist. */
  readonly compared: Readonly<Record<string, () => Plane[] | void>>;
  /** Ours alone. */
  readonly own: Readonly<Record<string, () => Plane[] | void>>;
  readonly plain: Readonly<Record<string, () => unknown>>;
  readonly edges: number;
  readonly lines: string;
}

export function callsOf(runtime: Runtime, scene: Scene): Calls {
  const { width, height, data } = scene;
  const edgesOf = (params: Partial<CannyValues> = {}) => driveNow(runtime, (scope) => cannyOf(scope, source, params));
  const lines = (edges: Plane) => driveNow(runtime, (scope) => linesOf(scope, edges, LINES));
  const source = runtime.plane(width, height, 'u8', data);
  const edges = edgesOf();
  const samples = edges.copy() as Uint8Array;
  const canny = (params: Partial<CannyValues>) => () => [edgesOf(params)];
  const both = () => {
    const found = edgesOf();
    lines(found);
    return [found];
  };
  const found = lines(edges);
  return {
    compared: {
      ...Object.fromEntries(Object.entries(cannies).map(([name, params]) => [name, canny(params)])),
      'Hough lines': () => void lines(edges),
    },
    own: {
      'Canny, without hysteresis': canny({ hysteresis: 'none' }),
      'Canny, automatic thresholds': canny({ thresholds: 'auto' }),
      'Canny, derivative of Gaussian': canny({ derivative: 'gaussian', thresholds: 'auto', norm: 'L2' }),
      'Hough lines with Canny': both,
    },
    plain: {
      'Canny, L1': () => plainCanny(scene, 50, 150, true),
      'Canny, without hysteresis': () => plainCanny(scene, 50, 150, false),
      'Hough lines with Canny': () => plainLines({ width, height, data: plainCanny(scene, 50, 150, true) }),
    },
    edges: samples.reduce((sum, v) => sum + (v ? 1 : 0), 0),
    lines: JSON.stringify(found.map(({ rho, theta, votes }) => [rho, theta, votes])),
  };
}

/** The circle searches of the paper: Canny with automatic thresholds of the smoothed frame, then votes. */
export function circleCalls(runtime: Runtime, scene: Scene, minRadius: number, maxRadius: number, steps: number[]) {
  const source = runtime.plane(scene.width, scene.height, 'u8', scene.data);
  return Object.fromEntries(
    steps.map((degrees) => [
      `${degrees}`,
      () => {
        const edges = driveNow(runtime, (scope) => cannyOf(scope, source, { sigma: 2, thresholds: 'auto' }));
        const search = { minRadius, maxRadius, angleStep: (degrees * Math.PI) / 180 };
        driveNow(runtime, (scope) => bestCircle(scope, edges, search));
        return [edges];
      },
    ]),
  );
}

/** Median milliseconds of a call over about `budget` ms; outputs are freed outside of the clock. */
export function timeOf(call: () => unknown, budget: number): number {
  const times: number[] = [];
  const end = performance.now() + budget;
  while (times.length < 3 || performance.now() < end) {
    const start = performance.now();
    const out = call();
    times.push(performance.now() - start);
    if (Array.isArray(out)) for (const plane of out) (plane as Partial<Plane>)?.dispose?.();
  }
  return times.sort((a, b) => a - b)[times.length >> 1]!;
}
