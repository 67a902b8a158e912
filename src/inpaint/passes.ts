/** The passes of the GPU side. One patch is eleven to fifteen draws; what the CPU learns of it is one texel of a log. */
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
import termsFragment from '../../glsl/inpaint/terms.frag';
import { definePass } from '../runtime/gpu/pass.ts';

export const beginPass = definePass({
  name: 'inpaint/begin',
  fragment: beginFragment,
  textures: ['source', 'mask'],
  uniforms: {},
  outputs: ['pixel', 'confidence', 'origin'],
});

const termUniforms = { reach: 'int', inverse: 'uint[33]' } as const;

export const termsPass = definePass({
  name: 'inpaint/terms',
  fragment: termsFragment,
  textures: ['image', 'confidences'],
  uniforms: termUniforms,
  outputs: ['confidenceTerm', 'dataTerm'],
});

export const keyPass = definePass({
  name: 'inpaint/key',
  fragment: keyFragment,
  textures: ['image', 'confidences'],
  uniforms: { ...termUniforms, corner: 'ivec2' },
  outputs: ['key'],
});

export const bestPass = definePass({
  name: 'inpaint/best',
  fragment: bestFragment,
  textures: ['keys'],
  uniforms: {},
  outputs: ['best'],
});

/** Candidates a side in the square around a patch that gives the first bound, every second pixel. */
export const NEARBY = 32;

const distanceUniforms = { reach: 'int', near: 'int', window: 'int' } as const;

export const nearbyPass = definePass({
  name: 'inpaint/nearby',
  fragment: distanceFragment,
  textures: ['source', 'image', 'center'],
  uniforms: distanceUniforms,
  outputs: ['candidate'],
  defines: { NEARBY },
});

export const distancePass = definePass({
  name: 'inpaint/distance',
  fragment: distanceFragment,
  textures: ['source', 'image', 'center', 'bound'],
  uniforms: distanceUniforms,
  outputs: ['candidate'],
});

export const nearestPass = definePass({
  name: 'inpaint/nearest',
  fragment: nearestFragment,
  textures: ['candidates'],
  uniforms: {},
  outputs: ['nearest'],
});

export const matchPass = definePass({
  name: 'inpaint/match',
  fragment: matchFragment,
  textures: ['nearest'],
  uniforms: { width: 'int' },
  outputs: ['value'],
});

export const patchPass = definePass({
  name: 'inpaint/patch',
  fragment: patchFragment,
  textures: ['image', 'confidences', 'source', 'center', 'nearest'],
  uniforms: { reach: 'int' },
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
  textures: ['colors', 'center', 'nearest'],
  uniforms: {},
  outputs: ['entry'],
});
