/**
 * The accumulator of the Hough transform by blending: one point for each edge and angle, each adds 1 to its counter.
 * 32-bit float counters are exact to 2^24 votes. A vote may lie one bin off the WASM side's where its distance is within
 * the last bits of a half, since a GPU may fuse or reorder the two products; their number is the same.
 */
import countsFragment from '../../glsl/edges/lines-counts.frag';
import fragment from '../../glsl/edges/lines-votes.frag';
import vertex from '../../glsl/edges/lines-votes.vert';
import { compactGpu } from '../image/compact.gpu.ts';
import type { GpuSide } from '../runtime/gpu/gpu-side.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import type { AccumulatorShape } from './line-parameters.ts';

export const lineVotesPass = definePass({
  name: 'edges/line-votes',
  fragment,
  vertex,
  primitive: 'points',
  blend: 'add',
  textures: ['list', 'tables'],
  uniforms: { width: 'int', angles: 'int', distances: 'int' },
  outputs: ['vote'],
});

/** The sums as whole numbers. */
export const lineCountsPass = definePass({
  name: 'edges/line-counts',
  fragment: countsFragment,
  textures: ['votes'],
  uniforms: {},
  outputs: ['count'],
});

/** Whether this device can add up votes of this many counters. */
export const linesFit = (side: GpuSide, { distances, angles }: AccumulatorShape): boolean =>
  side.capabilities.floatBlend && side.fits(distances + 2, angles + 2);

/** Votes of an edge image (u8, edges non-zero) as in lines.ts; the number of edges is read first. */
export function* lineVotesGpu(scope: Scope, edges: Plane, shape: AccumulatorShape): Plan<Plane> {
  const { width } = edges;
  const { distances, angles, cosines, sines } = shape;
  const [list, count] = compactGpu(scope, edges, 0);
  const total = (yield* scope.read(count))[0]!;
  return scope.within((inner) => {
    const out = scope.gpuPlane(distances + 2, angles + 2, 'i32');
    const tables = inner.texture(angles, 1, 'rg32f');
    const pairs = Float32Array.from({ length: 2 * angles }, (_, i) => (i % 2 ? sines[i >> 1]! : cosines[i >> 1]!));
    scope.gpu.upload(tables, new Uint8Array(pairs.buffer), 8 * angles);
    const votes = inner.texture(distances + 2, angles + 2, 'f32');
    scope.gpu.clear([votes]);
    if (total > 0)
      scope.draw(lineVotesPass, {
        targets: [votes],
        textures: { list, tables },
        uniforms: { width, angles, distances },
        count: total * angles,
      });
    scope.draw(lineCountsPass, { targets: [out], textures: { votes }, uniforms: {} });
    return out;
  });
}
