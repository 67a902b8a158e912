/**
 * The accumulator of the Hough transform by blending: one point for each edge and angle, each adds 1 to its counter.
 * 32-bit float counters are exact to 2^24 votes. A vote may lie one bin off the WASM side's where its distance is within
 * the last bits of a half, since a GPU may fuse or reorder the two products; their number is the same.
 */
import fragment from '../../glsl/edges/line-votes.frag';
import vertex from '../../glsl/edges/line-votes.vert';
import { compactGpu } from '../image/compact.gpu.ts';
import type { GpuSide, Texture } from '../runtime/gpu-side.ts';
import { definePass } from '../runtime/pass.ts';
import type { Plane } from '../runtime/plane.ts';
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

/** Whether this device can add up votes of this many counters. */
export const linesFit = (side: GpuSide, { distances, angles }: AccumulatorShape): boolean =>
  side.capabilities.floatBlend && side.fits(distances, angles);

/** Votes of an edge image (u8, edges non-zero) as a plane of distances x angles; the number of edges is read first. */
export async function lineVotesGpu(side: GpuSide, edges: Plane, shape: AccumulatorShape): Promise<Plane> {
  const { width } = edges;
  const { distances, angles, cosines, sines } = shape;
  const [list, count] = compactGpu(side.unscoped, edges, 0);
  let tables: Texture<'rg32f'> | null = null;
  let votes: Plane | null = null;
  try {
    const bytes = await side.download(count.texture());
    const total = new Uint32Array(bytes.buffer, bytes.byteOffset, 1)[0]!;
    tables = side.allocate(angles, 1, 'rg32f');
    const pairs = Float32Array.from({ length: 2 * angles }, (_, i) => (i % 2 ? sines[i >> 1]! : cosines[i >> 1]!));
    side.upload(tables, new Uint8Array(pairs.buffer), 8 * angles);
    votes = side.plane(distances, angles, 'f32');
    side.clear([votes]);
    if (total > 0)
      side.draw(lineVotesPass, {
        targets: [votes],
        textures: { list, tables },
        uniforms: { width, angles, distances },
        count: total * angles,
      });
    return votes;
  } catch (error) {
    votes?.dispose();
    throw error;
  } finally {
    if (tables) side.release(tables);
    list.dispose();
    count.dispose();
  }
}
