/** Declarations of the preprocessing passes: one program for each radius, so that the loops unroll. */
import fillFragment from '../../../glsl/pupil/preparation/fill.frag';
import joinFragment from '../../../glsl/pupil/preparation/join.frag';
import smoothFragment from '../../../glsl/pupil/preparation/smooth.frag';
import windowFragment from '../../../glsl/pupil/preparation/window.frag';
import { definePass } from '../../runtime/gpu/pass.ts';

type Defines = Record<string, number>;
const packs = (packed: boolean): Defines => (packed ? { PACKED: 1 } : {});

/** Makes one pass object for each set of arguments, because the GPU backend caches its program by identity. */
function once<A extends readonly (string | number | boolean)[], P>(make: (...args: A) => P): (...args: A) => P {
  const made = new Map<string, P>();
  return (...args) => {
    const key = args.join();
    let pass = made.get(key);
    if (!pass) made.set(key, (pass = make(...args)));
    return pass;
  };
}

const rows = { size: 'ivec2', first: 'int', stride: 'int', last: 'int' } as const;

/** Erosion or dilation over `radius` columns to the left and right and some rows. */
export const windowPass = once((kind: 'erode' | 'dilate', radius: number, packed: boolean) =>
  definePass({
    name: `pupil/${kind} ${radius}`,
    fragment: windowFragment,
    textures: ['source'],
    uniforms: rows,
    outputs: ['extreme'],
    defines: { RADIUS: radius, ...(kind === 'erode' ? { ERODE: 1 } : {}), ...packs(packed) },
  }),
);

/** The last pass of the top-hat: dilation, difference and threshold. */
export const spotsPass = once((radius: number, packed: boolean) =>
  definePass({
    name: `pupil/spots ${radius}`,
    fragment: windowFragment,
    textures: ['source', 'original'],
    uniforms: { ...rows, level: 'uint' },
    outputs: ['extreme'],
    defines: { RADIUS: radius, RESIDUE: 1, ...packs(packed) },
  }),
);

const smoothUniforms = { size: 'ivec2', taps: 'uint[8]' } as const;
export type SmoothMode = 'ACROSS' | 'DOWN' | 'BOTH';

export const smoothPass = once((mode: SmoothMode, radius: number, packed: boolean) =>
  definePass({
    name: `pupil/smooth ${mode} ${radius}`,
    fragment: smoothFragment,
    textures: ['source'],
    uniforms: smoothUniforms,
    outputs: ['smoothed'],
    defines: { [mode]: 1, RADIUS: radius, ...packs(packed) },
  }),
);

/** Gaussian and dilation of the reflections in one: the horizontal pass has two outputs. */
export const smoothAndGrowPass = once((mode: SmoothMode, radius: number, grow: number, packed: boolean) =>
  definePass({
    name: `pupil/smooth and grow ${mode} ${radius} ${grow}`,
    fragment: smoothFragment,
    textures: ['source', 'spots'],
    uniforms: smoothUniforms,
    outputs: mode === 'ACROSS' ? ['smoothed', 'grown'] : ['smoothed'],
    defines: { [mode]: 1, RADIUS: radius, GROW: grow, SPOTS: 1, ...packs(packed) },
  }),
);

/** `plain` means that the result is not packed, for a stage of images. */
export const fillPass = once((packed: boolean, plain: boolean) =>
  definePass({
    name: 'pupil/fill',
    fragment: fillFragment,
    textures: ['source', 'spots'],
    uniforms: { size: 'ivec2', reach: 'int' },
    outputs: ['filled'],
    defines: { ...packs(packed), ...(plain ? { PLAIN: 1 } : {}) },
  }),
);

export const joinPass = once((plain: boolean, packed: boolean) =>
  definePass({
    name: 'pupil/join',
    fragment: joinFragment,
    textures: ['levels', 'spots'],
    uniforms: {},
    outputs: ['prepared'],
    defines: { SPOTS: 1, ...(plain ? { PLAIN: 1 } : {}), ...packs(packed) },
  }),
);

/** Like fillPass, without reflections. */
export const unmaskedPass = once((plain: boolean, packed: boolean) =>
  definePass({
    name: 'pupil/join unmasked',
    fragment: joinFragment,
    textures: ['levels'],
    uniforms: {},
    outputs: ['prepared'],
    defines: { ...(plain ? { PLAIN: 1 } : {}), ...packs(packed) },
  }),
);
