/** The passes of the cascade on the GPU (glsl/faces). */
import firstFragment from '../../glsl/faces/cascade-first-stages.frag';
import foundFragment from '../../glsl/faces/cascade-found.frag';
import gatherFragment from '../../glsl/faces/cascade-gather.frag';
import halveFragment from '../../glsl/faces/resize-halve.frag';
import laterFragment from '../../glsl/faces/cascade-later-stages.frag';
import numberFragment from '../../glsl/faces/cascade-number.frag';
import resizeFragment from '../../glsl/faces/resize.frag';
import rowsVertex from '../../glsl/faces/cascade-rows.vert';
import survivorsFragment from '../../glsl/faces/cascade-survivors.frag';
import varianceFragment from '../../glsl/faces/variance-map.frag';
import { contrastPass } from '../image/histogram.gpu.ts';
import { definePass } from '../runtime/gpu/pass.ts';

export const halvePass = definePass({
  name: 'faces/halve',
  fragment: halveFragment,
  textures: ['source'],
  uniforms: {},
  outputs: ['mean'],
});

export const resizePass = definePass({
  name: 'faces/resize',
  fragment: resizeFragment,
  textures: ['source', 'tables'],
  uniforms: { origin: 'ivec2', row: 'int' },
  outputs: ['reduced'],
});

/** Draws the image of a scale into its part of the atlas, and its number next to it. */
export const placePass = definePass({
  name: 'faces/resize placed',
  fragment: resizeFragment,
  textures: ['source', 'tables'],
  uniforms: { origin: 'ivec2', row: 'int', number: 'uint' },
  outputs: ['reduced', 'scale'],
  defines: { PLACED: 1 },
});

/** Draws only the number, if all scales share one image. */
export const numberPass = definePass({
  name: 'faces/number',
  fragment: numberFragment,
  textures: [],
  uniforms: { number: 'uint' },
  outputs: ['scale'],
});

export const variancePass = definePass({
  name: 'faces/variance',
  fragment: varianceFragment,
  textures: ['scales', 'places', 'sums', 'squares', 'contrast'],
  uniforms: { limits: 'vec3' },
  outputs: ['factor'],
});

export const survivorsPass = definePass({
  name: 'faces/survivors',
  fragment: survivorsFragment,
  textures: ['scales', 'places', 'verdicts'],
  uniforms: { skips: 'int' },
  outputs: ['survives'],
});

/** Compile-time options of the stage shaders. */
export interface StageKind {
  readonly scaled: boolean;
  readonly trees: boolean;
}

/** Texels of nodes that fit in the uniforms of the first stages. Every device supports 224 in total. */
export const HEAD = 128;

const kinds = (['stumps', 'trees', 'scaled stumps', 'scaled trees'] as const).map((name, i) => {
  const defines = { ...(i & 1 && { TREES: 1 }), ...(i & 2 && { SCALED: 1 }) } as Record<string, number>;
  return {
    first: definePass({
      name: `faces/first-stages ${name}`,
      fragment: firstFragment,
      textures: ['scales', 'places', 'sums', 'nodes', 'stages', 'factors'],
      uniforms: { end: 'int', tableTexels: 'int' },
      outputs: ['verdict'],
      defines,
    }),
    head: definePass({
      name: `faces/first-stages of uniforms, ${name}`,
      fragment: firstFragment,
      textures: ['scales', 'places', 'sums', 'stages', 'factors'],
      uniforms: { end: 'int', tableTexels: 'int', head: `uvec4[${HEAD}]` },
      outputs: ['verdict'],
      defines: { ...defines, HEAD },
    }),
    later: definePass({
      name: `faces/later-stages ${name}`,
      fragment: laterFragment,
      vertex: rowsVertex,
      primitive: 'triangles',
      textures: ['scales', 'places', 'sums', 'nodes', 'stages', 'factors', 'list', 'counters'],
      uniforms: { counter: 'int', size: 'ivec2', range: 'ivec2', tableTexels: 'int' },
      outputs: ['passes'],
      defines,
    }),
  };
});

export const stagePasses = ({ scaled, trees }: StageKind) => kinds[(trees ? 1 : 0) + (scaled ? 2 : 0)]!;

const gathers = <const T extends string>(name: string, textures: readonly T[], defines: Record<string, number>) => ({
  gather: definePass({
    name: `faces/gather ${name}`,
    fragment: gatherFragment,
    vertex: rowsVertex,
    primitive: 'triangles',
    textures,
    uniforms: { counter: 'int', size: 'ivec2' },
    outputs: ['place'],
    defines,
  }),
  found: definePass({
    name: `faces/found ${name}`,
    fragment: foundFragment,
    textures,
    uniforms: { counter: 'int', width: 'int' },
    outputs: ['found'],
    defines,
  }),
});

export const gatherFromAll = gathers('from all', ['counts', 'counters'], {});
export const gatherFromList = gathers('from a list', ['counts', 'counters', 'list'], { FROM_LIST: 1 });

/** All passes of a search of this kind, to compile before the first search. */
export const passesOf = (kind: StageKind, hasHead: boolean) => [
  placePass,
  numberPass,
  contrastPass,
  variancePass,
  survivorsPass,
  hasHead ? stagePasses(kind).head : stagePasses(kind).first,
  stagePasses(kind).later,
  ...Object.values(gatherFromAll),
  ...Object.values(gatherFromList),
];
