/** The steps of the segment search on images of the test's own, through the detector's own memory. */
import { pupilParameters, type PupilValues } from '../../../src/pupil/parameters.ts';
import { PreparedFrame } from '../../../src/pupil/preparation/prepared-frame.ts';
import { RobustSearch } from '../../../src/pupil/robust/robust.ts';
import { resolveParameters } from '../../../src/runtime/parameters.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import type { Scope } from '../../../src/runtime/scope.ts';
import { driveNow } from '../../../src/runtime/stage.ts';
import { testing, type Gray } from '../search-memory.ts';

export interface Segment {
  points: { x: number; y: number; normalX: number; normalY: number }[];
  /** How far the direction turns along it, radians. */
  turn: number;
}

export interface Steps {
  edges: { x: number; y: number; normalX: number; normalY: number }[];
  segments: Segment[];
  ellipses: { x: number; y: number; a: number; b: number; score: number }[];
}

function* stepsOf(scope: Scope, { search, state: robust }: RobustSearch) {
  const given = { search: search.state, robust };
  const tests = testing(scope);
  return {
    edges: yield* tests.kernels.robustEdges(given),
    segments: yield* tests.kernels.robustSegments(given),
    ellipses: yield* tests.kernels.robustEllipses(given),
  };
}

export function segmentSteps(runtime: Runtime, image: Gray, params: Partial<PupilValues> = {}): Steps {
  const { width, height, data } = image;
  const values = resolveParameters(pupilParameters, params as never, 'test') as PupilValues;
  const plane = runtime.plane(width, height, 'u8', data);
  const frame = new PreparedFrame(runtime, width, height);
  const search = new RobustSearch(runtime, values, width, height);
  try {
    driveNow(runtime, () => frame.begin(plane, values));
    search.begin(plane, frame, { x0: 0, y0: 0, x1: width, y1: height });
    const { edges, segments, ellipses } = driveNow(runtime, (scope) => stepsOf(scope, search));
    const { f32, i32, u8 } = runtime.arena;
    const order = new Uint16Array(u8.buffer, search.get('order'), search.get('maxEdges'));
    const column = (name: 'edgeX' | 'edgeY' | 'normalX' | 'normalY', k: number) => f32[(search.get(name) >> 2) + k]!;
    const edge = (k: number) => ({
      x: column('edgeX', k),
      y: column('edgeY', k),
      normalX: column('normalX', k),
      normalY: column('normalY', k),
    });
    return {
      edges: Array.from({ length: edges }, (_, k) => edge(k)),
      segments: Array.from({ length: segments }, (_, k) => {
        const at = (search.get('segments') >> 2) + 8 * k;
        const points = Array.from({ length: i32[at + 1]! }, (_, j) => edge(order[i32[at]! + j]!));
        return { points, turn: f32[at + 2]! };
      }),
      ellipses: Array.from({ length: ellipses }, (_, k) => {
        const at = (search.get('ellipses') >> 2) + 8 * k;
        return { x: f32[at]!, y: f32[at + 1]!, a: f32[at + 2]!, b: f32[at + 3]!, score: f32[at + 6]! };
      }),
    };
  } finally {
    search.dispose();
    frame.dispose();
    plane.dispose();
  }
}
