/** Declarations of the passes from rays to circle. Passes that read an image exist for packed and plain images. */
import beginFragment from '../../../glsl/pupil/starburst/begin.frag';
import bestFragment from '../../../glsl/pupil/starburst/best.frag';
import endsFragment from '../../../glsl/pupil/starburst/ends.frag';
import eventsFragment from '../../../glsl/pupil/starburst/events.frag';
import listFragment from '../../../glsl/pupil/starburst/list.frag';
import ransacFragment from '../../../glsl/pupil/starburst/ransac.frag';
import resultFragment from '../../../glsl/pupil/starburst/result.frag';
import stepFragment from '../../../glsl/pupil/starburst/step.frag';
import { definePass } from '../../runtime/gpu/pass.ts';

const place = { region: 'ivec4', window: 'ivec4', origin: 'ivec2' } as const;
const walk = { ...place, rays: 'int', segments: 'int', paper: 'int' } as const;

const makeRayPasses = (packed: boolean) => {
  const defines: Record<string, number> = packed ? { PACKED: 1 } : {};
  const second = { SECOND: 1, ...defines };
  const name = packed ? '' : ' plain';
  return {
    firstEvents: definePass({
      name: `pupil/events first${name}`,
      fragment: eventsFragment,
      textures: ['state', 'prepared', 'directions'],
      uniforms: { ...place, rays: 'int', segment: 'int', paper: 'int' },
      outputs: ['event'],
      defines,
    }),
    firstEnds: definePass({
      name: `pupil/ends first${name}`,
      fragment: endsFragment,
      textures: ['state', 'prepared', 'directions', 'events'],
      uniforms: walk,
      outputs: ['hit'],
      defines,
    }),
    secondEvents: definePass({
      name: `pupil/events second${name}`,
      fragment: eventsFragment,
      textures: ['state', 'prepared', 'directions', 'hits', 'arc'],
      uniforms: { ...walk, segment: 'int' },
      outputs: ['event'],
      defines: second,
    }),
    secondEnds: definePass({
      name: `pupil/ends second${name}`,
      fragment: endsFragment,
      textures: ['state', 'prepared', 'directions', 'hits', 'arc', 'events'],
      uniforms: { ...walk, arcRays: 'int' },
      outputs: ['hit'],
      defines: second,
    }),
  };
};

export type RayPasses = ReturnType<typeof makeRayPasses>;

const made = new Map<boolean, RayPasses>();

/** Makes the passes for images of four samples per texel (`packed`) or one. */
export function rayPasses(packed: boolean): RayPasses {
  let passes = made.get(packed);
  if (!passes) made.set(packed, (passes = makeRayPasses(packed)));
  return passes;
}

export const beginPass = definePass({
  name: 'pupil/begin',
  fragment: beginFragment,
  textures: [],
  uniforms: { starts: 'vec4[32]', rounds: 'float[32]' },
  outputs: ['result'],
});

export const firstListPass = definePass({
  name: 'pupil/list first',
  fragment: listFragment,
  textures: ['state', 'first'],
  uniforms: { rays: 'int', paper: 'int' },
  outputs: ['entry'],
});

export const listPass = definePass({
  name: 'pupil/list',
  fragment: listFragment,
  textures: ['state', 'first', 'second'],
  uniforms: { rays: 'int', secondRays: 'int', paper: 'int' },
  outputs: ['entry'],
  defines: { SECOND: 1 },
});

export const circleUniforms = { rows: 'int', radii: 'vec2', voteDistance: 'float' } as const;

export const ransacPass = definePass({
  name: 'pupil/ransac',
  fragment: ransacFragment,
  textures: ['state', 'list', 'table'],
  uniforms: circleUniforms,
  outputs: ['circle'],
});

export const bestPass = definePass({
  name: 'pupil/best',
  fragment: bestFragment,
  textures: ['state', 'circles'],
  uniforms: { rows: 'int' },
  outputs: ['best'],
});

export const stepPass = definePass({
  name: 'pupil/step',
  fragment: stepFragment,
  textures: ['state', 'list', 'best'],
  uniforms: { region: 'ivec4', iterations: 'int', epsilon: 'float', paper: 'int' },
  outputs: ['result'],
});

export const resultPass = definePass({
  name: 'pupil/result',
  fragment: resultFragment,
  textures: ['state', 'list'],
  uniforms: {},
  outputs: ['result'],
});
