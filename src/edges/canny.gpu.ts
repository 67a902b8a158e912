/**
 * The GPU side of edges/canny: gradients, suppression to marks, marks packed into tiles of 8x8 pixels, then hysteresis
 * either by passes over the tiles, several between two looks at whether anything changed, or by handing the tiles to the
 * flood of the WASM side. Reading waits, so this returns a promise; nothing else does.
 */
import edgesFragment from '../../glsl/edges/canny-edges.frag';
import gradientFragment from '../../glsl/edges/canny-gradient.frag';
import packFragment from '../../glsl/edges/canny-pack.frag';
import suppressFragment from '../../glsl/edges/canny-suppress.frag';
import hysteresisFragment from '../../glsl/edges/hysteresis.frag';
import type { GpuSide, Texture } from '../runtime/gpu-side.ts';
import { definePass } from '../runtime/pass.ts';
import type { Plane } from '../runtime/plane.ts';
import type { CannyLevels, CannyValues } from './canny-parameters.ts';

const gradientPass = (name: string, defines: Record<string, number>) =>
  definePass({
    name: `edges/${name}`,
    fragment: gradientFragment,
    textures: ['source'],
    uniforms: {},
    outputs: ['gradient'],
    defines,
  });
const suppressPass = (name: string, defines: Record<string, number>) =>
  definePass({
    name: `edges/${name}`,
    fragment: suppressFragment,
    textures: ['gradient'],
    uniforms: { low: 'int', high: 'int', marks: 'uvec2' },
    outputs: ['mark'],
    defines,
  });

export const gradientPasses = {
  sobel: gradientPass('canny-sobel', {}),
  gaussian: gradientPass('canny-derivative', { DERIVATIVE: 1 }),
} as const;
export const suppressPasses = {
  L1: suppressPass('canny-suppress', {}),
  L2: suppressPass('canny-suppress-squared', { SQUARED: 1 }),
} as const;
export const packPass = definePass({
  name: 'edges/canny-pack',
  fragment: packFragment,
  textures: ['marks'],
  uniforms: {},
  outputs: ['tile'],
});
export const hysteresisPass = definePass({
  name: 'edges/hysteresis',
  fragment: hysteresisFragment,
  textures: ['tiles'],
  uniforms: {},
  outputs: ['tile', 'changed'],
});
export const edgesPass = definePass({
  name: 'edges/canny-edges',
  fragment: edgesFragment,
  textures: ['tiles'],
  uniforms: {},
  outputs: ['edge'],
});

export type Tiles = Texture<'rgba32ui'>;

/** Passes between two looks. An edge crosses a tile a pass, and most that are faint end within a few tiles. */
const STEPS = 6;

/** Gradients and suppression; marks are those of the WASM side's map, or the edges themselves without hysteresis. */
function drawMarks(
  side: GpuSide,
  source: Plane,
  { low, high }: CannyLevels,
  { derivative, norm }: Pick<CannyValues, 'derivative' | 'norm'>,
  target: Plane | Texture<'u8'>,
  marks: readonly [number, number],
): void {
  const { width, height } = source;
  side.scope((lend) => {
    const gradients = lend(width, height, 'rg16i');
    side.draw(gradientPasses[derivative], { targets: [gradients], textures: { source }, uniforms: {} });
    side.draw(suppressPasses[norm], {
      targets: [target],
      textures: { gradient: gradients },
      uniforms: { low, high, marks },
    });
  });
}

/** Edges without hysteresis: what is kept and above `high`. */
export function strongEdges(side: GpuSide, source: Plane, { high }: CannyLevels, params: CannyValues): Plane {
  return side.scope((_, plane) => {
    const out = plane(source.width, source.height, 'u8');
    drawMarks(side, source, { low: high, high }, params, out, [0, 255]);
    return out;
  });
}

/** Weak and strong marks as tiles, to be released by the caller. */
export function markTiles(side: GpuSide, source: Plane, levels: CannyLevels, params: CannyValues): Tiles {
  const { width, height } = source;
  const tiles = side.allocate((width + 7) >> 3, (height + 7) >> 3, 'rgba32ui');
  try {
    side.scope((lend) => {
      const marks = lend(width, height, 'u8');
      drawMarks(side, source, levels, params, marks, [1, 128]);
      side.draw(packPass, { targets: [tiles], textures: { marks }, uniforms: {} });
    });
  } catch (error) {
    side.release(tiles);
    throw error;
  }
  return tiles;
}

/** Hysteresis on the GPU until nothing changes; the tiles are released. */
export async function hysteresisByPasses(side: GpuSide, tiles: Tiles, width: number, height: number): Promise<Plane> {
  let from = tiles;
  const more: Texture[] = [];
  try {
    let to = side.allocate(tiles.width, tiles.height, 'rgba32ui');
    more.push(to);
    const changed = side.allocate(tiles.width, tiles.height, 'u8');
    more.push(changed);
    for (let busy = true; busy;) {
      for (let i = 0; i < STEPS; i++) {
        side.draw(hysteresisPass, { targets: [to, changed], textures: { tiles: from }, uniforms: {} });
        [from, to] = [to, from];
      }
      busy = (await side.read(changed)).some((flag) => flag !== 0);
    }
    return side.scope((_, plane) => {
      const out = plane(width, height, 'u8');
      side.draw(edgesPass, { targets: [out], textures: { tiles: from }, uniforms: {} });
      return out;
    });
  } finally {
    for (const texture of [tiles, ...more]) side.release(texture);
  }
}
