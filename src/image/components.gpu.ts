/**
 * Connected components on the GPU. Blocks of 2 x 2 pixels share one label, which is the index of a pixel. At first this
 * is the first pixel of the block itself. A label refers to the block of that pixel, so labels are the trees of a
 * union-find. First, each block picks the smallest label that it touches, and all labels are followed to their roots.
 * Then, in rounds, each root is set to a smaller label that some block of its tree touches. These writes are scattered
 * as points, which needs no blending. Labels only decrease, and end as the first pixel of the component. Counting these
 * pixels in raster order produces the numbers of the WASM backend. Sources: Shiloach and Vishkin, J. Algorithms 3(1),
 * 1982. Blocks after Grana, Borghesani and Cucchiara, IEEE Trans. IP 19(6), 2010.
 *
 * Cost for n pixels: 16 fetches for each of n / 4 blocks, 9 for the smallest label, and some for the roots, twice. A
 * round costs n / 4 to n / 2 vertices, one point for each block that touches another tree, and one pass of some fetches
 * for each block. Before every third round, 12 bytes are read that show whether any labels are left to join. Convex
 * shapes need no round, combs and spirals need three. Noise at the density where it starts to connect needs six, even
 * in one megapixel (test/image/components.test.ts counts them). Then: 1 fetch for each pixel, 7 for the scan, 3 for its
 * number.
 */
import blocksFragment from '../../glsl/image/components-blocks.frag';
import firstFragment from '../../glsl/image/components-first.frag';
import joinFragment from '../../glsl/image/components-join.frag';
import joinVertex from '../../glsl/image/components-join.vert';
import lowestFragment from '../../glsl/image/components-lowest.frag';
import openFragment from '../../glsl/image/components-open.frag';
import rootsFragment from '../../glsl/image/components-roots.frag';
import fragment from '../../glsl/image/components.frag';
import type { Texture } from '../runtime/gpu/gpu-backend.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { compactCountPass, reduceGpu, scanLinear } from './scan.gpu.ts';

const blocksPass = definePass({
  name: 'image/component-blocks',
  fragment: blocksFragment,
  textures: ['source'],
  uniforms: {},
  outputs: ['first', 'links'],
});
const linked = { textures: ['labels', 'links'], uniforms: {} } as const;
const lowestPass = definePass({
  name: 'image/component-lowest',
  fragment: lowestFragment,
  ...linked,
  outputs: ['lower'],
});
const openPass = definePass({ name: 'image/component-open', fragment: openFragment, ...linked, outputs: ['open'] });
const joinPass = definePass({
  name: 'image/component-join',
  fragment: joinFragment,
  vertex: joinVertex,
  primitive: 'points',
  textures: ['labels', 'links'],
  uniforms: { width: 'uint', factor: 'uint', offset: 'uint', mask: 'uint' },
  outputs: ['hook'],
});
const rootsPass = definePass({
  name: 'image/component-roots',
  fragment: rootsFragment,
  textures: ['labels', 'hooks'],
  uniforms: { width: 'uint' },
  outputs: ['root'],
  defines: { HOPS: 64 },
});
const firstPass = definePass({
  name: 'image/component-first',
  fragment: firstFragment,
  textures: ['labels'],
  uniforms: { width: 'uint' },
  outputs: ['first'],
});
const numbersPass = definePass({
  name: 'image/components',
  fragment,
  textures: ['source', 'labels', 'numbers'],
  uniforms: {},
  outputs: ['number'],
});

export { componentStatistics } from './component-statistics.ts';

/** Number of rounds between two checks whether the labels are final. */
const ROUNDS = 3;
const NONE = 0xffffffff;
/** Odd numbers: the first is 2^32 divided by the golden ratio. They order the blocks without a pattern. */
const FACTORS = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f];

/**
 * Order of the vertices in a round: forwards, backwards, then mixed, because the last of several smaller labels
 * remains.
 */
function orderOf(round: number, mask: number): { factor: number; offset: number; mask: number } {
  if (round < 2) return { factor: round ? NONE : 1, offset: round ? mask : 0, mask };
  return { factor: FACTORS[round % FACTORS.length]!, offset: Math.imul(round, FACTORS[0]!) >>> 0, mask };
}

/**
 * Labels of a u8 plane (samples that are not 0), numbered like components.ts, and their number, as planes of the scope.
 */
export function* componentsGpu(scope: Scope, source: Plane): Plan<[Plane, Plane]> {
  const { width, height } = source;
  return yield* scope.part(function* (inner) {
    const labels = yield* rootsOf(inner, source);
    const out = scope.gpuPlane(width, height, 'u32');
    const count = scope.gpuPlane(1, 1, 'u32');
    const flags = inner.texture(width, height, 'u8');
    const numbers = inner.texture(width, height, 'u32');
    inner.draw(firstPass, { targets: [flags], textures: { labels }, uniforms: { width } });
    scanLinear(inner, flags, numbers, { inclusive: true });
    inner.draw(numbersPass, { targets: [out], textures: { source, labels, numbers }, uniforms: {} });
    inner.draw(compactCountPass, { targets: [count], textures: { counts: numbers }, uniforms: {} });
    return [out, count];
  });
}

/** Returns, for each block, the index of the first pixel of its component. */
function* rootsOf(scope: Scope, source: Plane): Plan<Texture<'u32'>> {
  const { width } = source;
  const [across, down] = [(width + 1) >> 1, (source.height + 1) >> 1];
  const blocks = () => scope.texture(across, down, 'u32');
  let [labels, other] = [blocks(), blocks()];
  const hooks = blocks();
  const links = scope.texture(across, down, 'u8');
  const follow = () => {
    scope.draw(rootsPass, { targets: [other], textures: { labels, hooks }, uniforms: { width } });
    [labels, other] = [other, labels];
  };
  scope.draw(blocksPass, { targets: [labels, links], textures: { source }, uniforms: {} });
  scope.draw(lowestPass, { targets: [hooks], textures: { labels, links }, uniforms: {} });
  // Paths only lead to smaller pixels, so they are no longer than the width plus twice the height: two passes reach
  // 4096 blocks.
  follow();
  scope.gpu.clear([hooks], [NONE, NONE, NONE, NONE]);
  follow();
  const mask = 2 ** Math.ceil(Math.log2(across * down)) - 1;
  for (let round = 0; ; round++) {
    if (round % ROUNDS === 0 && !(yield* isOpen(scope, labels, links))) return labels;
    scope.draw(joinPass, {
      targets: [hooks],
      textures: { labels, links },
      uniforms: { width, ...orderOf(round, mask) },
      count: mask + 1,
      clear: [NONE, NONE, NONE, NONE],
    });
    follow();
  }
}

/** Returns whether some block touches a block with a different label. */
function* isOpen(scope: Scope, labels: Texture, links: Texture): Plan<boolean> {
  return yield* scope.part(function* (inner) {
    const open = inner.gpuPlane(labels.width, labels.height, 'u8');
    inner.draw(openPass, { targets: [open], textures: { labels, links }, uniforms: {} });
    const [sum] = yield* inner.read(reduceGpu(inner, open));
    return sum! > 0;
  });
}
