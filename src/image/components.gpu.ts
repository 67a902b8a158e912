/**
 * Connected components on the GPU. Blocks of 2 x 2 pixels have one label, the index of a pixel: at first their own first
 * one. A label names the block of that pixel, so labels are the trees of a union-find: each block takes the smallest label
 * that it touches, all labels are followed to their roots, and then in rounds each root takes a smaller label that some
 * block of its tree touches: scattered as points, for which nothing is blended. Labels only fall, and end as the first
 * pixel of the component; counting these in raster order gives the numbers of the WASM side. Sources: Shiloach and
 * Vishkin, J. Algorithms 3(1), 1982; blocks after Grana, Borghesani and Cucchiara, IEEE Trans. IP 19(6), 2010.
 *
 * Of n pixels: 16 fetches for each of n / 4 blocks, 9 for the smallest label, and some for the roots, twice. A round:
 * n / 4 to n / 2 vertices, as many points as there are blocks that touch another tree, and one pass of some fetches for
 * each block. Before every third round 12 bytes are read, which say whether anything is left to join: convex shapes need
 * no round, combs and spirals three, noise of the density at which it hangs together six, also of a megapixel
 * (test/image/components.test.ts counts them). Then 1 fetch for each pixel, 7 for the scan, 3 for its number.
 */
import blocksFragment from '../../glsl/image/components-blocks.frag';
import firstFragment from '../../glsl/image/components-first.frag';
import joinFragment from '../../glsl/image/components-join.frag';
import joinVertex from '../../glsl/image/components-join.vert';
import lowestFragment from '../../glsl/image/components-lowest.frag';
import openFragment from '../../glsl/image/components-open.frag';
import rootsFragment from '../../glsl/image/components-roots.frag';
import fragment from '../../glsl/image/components.frag';
import type { Texture } from '../runtime/gpu/gpu-side.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { compactCountPass } from './compact.gpu.ts';
import { reduceGpu } from './reduce.gpu.ts';
import { scanLinear } from './scan.gpu.ts';

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

/** Rounds between two looks at whether labels are final. */
const ROUNDS = 3;
const NONE = 0xffffffff;
/** Odd numbers near the golden ratio of 2^32 and beyond: orders of the blocks without a pattern. */
const FACTORS = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f];

/** The order of the vertices in a round: forwards, backwards, then mixed, as the last of several smaller labels stays. */
function orderOf(round: number, mask: number): { factor: number; offset: number; mask: number } {
  if (round < 2) return { factor: round ? NONE : 1, offset: round ? mask : 0, mask };
  return { factor: FACTORS[round % FACTORS.length]!, offset: Math.imul(round, FACTORS[0]!) >>> 0, mask };
}

/** Labels of a u8 plane (samples that are not 0) as in components.ts, and their number, as planes of the scope. */
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

/** The index of the first pixel of its component for each block. */
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
  // Ways fall through the picture, so they are no longer than its width and twice its height: two passes reach 4096 blocks.
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

/** Whether some block touches one of another label. */
function* isOpen(scope: Scope, labels: Texture, links: Texture): Plan<boolean> {
  return yield* scope.part(function* (inner) {
    const open = inner.gpuPlane(labels.width, labels.height, 'u8');
    inner.draw(openPass, { targets: [open], textures: { labels, links }, uniforms: {} });
    const [sum] = yield* inner.read(reduceGpu(inner, open));
    return sum! > 0;
  });
}
