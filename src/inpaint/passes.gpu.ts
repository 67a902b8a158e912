/** The passes of the GPU side. One patch is eleven to thirteen draws; what the CPU learns of it is one texel of a log. */
import beginFragment from '../../glsl/inpaint/state-begin.frag';
import bestFragment from '../../glsl/inpaint/reduce-best.frag';
import distanceFragment from '../../glsl/inpaint/match-distance.frag';
import keyFragment from '../../glsl/inpaint/terms-key.frag';
import logFragment from '../../glsl/inpaint/fill-log.frag';
import matchFragment from '../../glsl/inpaint/match.frag';
import nearestFragment from '../../glsl/inpaint/reduce-nearest.frag';
import patchFragment from '../../glsl/inpaint/fill-patch.frag';
import scatterFragment from '../../glsl/inpaint/fill-scatter.frag';
import scatterVertex from '../../glsl/inpaint/fill-scatter.vert';
import rowsFragment from '../../glsl/inpaint/terms-rows.frag';
import termsFragment from '../../glsl/inpaint/terms.frag';
import { definePass } from '../runtime/gpu/pass.ts';

/** One program for each side of a patch, so that the loops over a row unroll and their fetches do not wait for each other. */
function bySide<P>(make: (side: number) => P): (side: number) => P {
  const made = new Map<number, P>();
  return (side) => {
    const pass = made.get(side) ?? make(side);
    made.set(side, pass);
    return pass;
  };
}

export const beginPass = definePass({
  name: 'inpaint/begin',
  fragment: beginFragment,
  textures: ['source', 'mask'],
  uniforms: {},
  outputs: ['pixel', 'confidence', 'origin'],
});

export const rowsPass = bySide((SIDE) =>
  definePass({
    name: `inpaint/rows ${SIDE}`,
    fragment: rowsFragment,
    textures: ['image', 'confidences'],
    uniforms: { corner: 'ivec2' },
    outputs: ['row'],
    defines: { SIDE },
  }),
);

const termUniforms = { reach: 'int', corner: 'ivec2', inverse: 'uint[33]' } as const;

export const termsPass = definePass({
  name: 'inpaint/terms',
  fragment: termsFragment,
  textures: ['image', 'rows'],
  uniforms: termUniforms,
  outputs: ['confidenceTerm', 'dataTerm'],
});

export const keyPass = definePass({
  name: 'inpaint/key',
  fragment: keyFragment,
  textures: ['image', 'rows'],
  uniforms: termUniforms,
  outputs: ['key'],
});

/** Sides of the blocks of keys, and of candidates, that one fragment looks through. */
export const KEYS = 12;
export const CANDIDATES = 8;

export const bestPass = definePass({
  name: 'inpaint/best',
  fragment: bestFragment,
  textures: ['keys'],
  uniforms: {},
  outputs: ['best'],
  defines: { KEYS },
});

/** Candidates beside each other that one fragment compares. */
export const ABREAST = 4;
/** How far to each side of a patch lie those that give the first bound: all columns, every second row. */
export const NEARBY = 32;

const distanceUniforms = { near: 'int', window: 'int' } as const;

export const nearbyPass = bySide((SIDE) =>
  definePass({
    name: `inpaint/nearby ${SIDE}`,
    fragment: distanceFragment,
    textures: ['source', 'image', 'center'],
    uniforms: distanceUniforms,
    outputs: ['candidate'],
    defines: { NEARBY, SIDE },
  }),
);

export const distancePass = bySide((SIDE) =>
  definePass({
    name: `inpaint/distance ${SIDE}`,
    fragment: distanceFragment,
    textures: ['source', 'image', 'center', 'bound'],
    uniforms: distanceUniforms,
    outputs: ['candidate'],
    defines: { SIDE },
  }),
);

export const nearestPass = definePass({
  name: 'inpaint/nearest',
  fragment: nearestFragment,
  textures: ['candidates'],
  uniforms: {},
  outputs: ['nearest'],
  defines: { CANDIDATES },
});

export const matchPass = definePass({
  name: 'inpaint/match',
  fragment: matchFragment,
  textures: ['candidates'],
  uniforms: { width: 'int' },
  outputs: ['value'],
  defines: { CANDIDATES },
});

export const patchPass = definePass({
  name: 'inpaint/patch',
  fragment: patchFragment,
  textures: ['image', 'rows', 'source', 'entries'],
  uniforms: { reach: 'int', corner: 'ivec2', n: 'int' },
  outputs: ['color', 'fact'],
});

export const scatterPass = definePass({
  name: 'inpaint/scatter',
  vertex: scatterVertex,
  fragment: scatterFragment,
  textures: ['colors', 'facts', 'center'],
  uniforms: { reach: 'int', size: 'ivec2' },
  outputs: ['pixel', 'confidence', 'origin'],
});

export const logPass = definePass({
  name: 'inpaint/log',
  fragment: logFragment,
  textures: ['candidates', 'image', 'rows', 'center'],
  uniforms: { reach: 'int', corner: 'ivec2' },
  outputs: ['entry'],
  defines: { CANDIDATES },
});
