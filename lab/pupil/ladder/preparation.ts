/**
 * Preprocessing on the GPU with optimizations switched off: one sample a texel, k x k at once, one step a pass, loops
 * whose bounds are uniforms.
 */
import type { PupilValues } from '../../../src/pupil/parameters.ts';
import { smoothAndGrowPass, smoothPass, spotsPass, windowPass } from '../../../src/pupil/preparation/passes.gpu.ts';
import { draw, GpuPreparation, type Work } from '../../../src/pupil/preparation/prepare.gpu.ts';
import type { AnyPass } from '../../../src/runtime/gpu/gpu-programs.ts';
import type { Texture } from '../../../src/runtime/gpu/gpu-backend.ts';
import { definePass, passNamed, type Pass } from '../../../src/runtime/gpu/pass.ts';
import type { Plane } from '../../../src/runtime/plane.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import type { Ladder } from './ladder.ts';
import residueFragment from './residue.frag';

const differencePass = definePass({
  name: 'pupil/difference',
  fragment: residueFragment,
  textures: ['source', 'opened'],
  uniforms: {},
  outputs: ['result'],
});

const thresholdPass = definePass({
  name: 'pupil/threshold',
  fragment: residueFragment,
  textures: ['source'],
  uniforms: { level: 'uint' },
  outputs: ['result'],
  defines: { THRESHOLD: 1 },
});

/** The same pass with its radii as uniforms instead of defines, made once. */
const rolledPasses = new WeakMap<Pass, { pass: Pass; radii: Record<string, number> }>();
function rolled(given: Pass) {
  const known = rolledPasses.get(given);
  if (known) return known;
  const radii: Record<string, number> = {};
  const fragment = given.fragment
    .replace(/#define (RADIUS|GROW) (\d+)/g, (_, name: string, value: string) => {
      radii[name] = Number(value);
      return `uniform int ${name};`;
    })
    .replaceAll('const int REACH', 'int REACH');
  const pass = {
    ...given,
    name: `${given.name} rolled`,
    fragment,
    uniforms: [...given.uniforms, ...Object.keys(radii)],
  };
  const made = { pass, radii };
  rolledPasses.set(given, made);
  return made;
}

/** A scope whose draws take the radii as uniforms. */
function rolling(scope: Work['scope']): Work['scope'] {
  const draw = (given: Pass, { uniforms, ...rest }: { uniforms: object }) => {
    const { pass, radii } = rolled(passNamed(given));
    scope.draw(pass, { ...rest, uniforms: { ...uniforms, ...radii } } as never);
  };
  return { draw } as never;
}

export class LadderPreparation extends GpuPreparation {
  readonly #ladder: Ladder;

  constructor(runtime: Runtime, values: PupilValues, ladder: Ladder) {
    super(runtime, values);
    this.#ladder = ladder;
  }

  override passes(): AnyPass[] {
    const { packed, fused, separable, unrolled } = this.#ladder;
    return packed && fused && separable && unrolled ? super.passes() : []; // compiled when they are first drawn
  }

  override get whole(): boolean {
    return !this.#ladder.region || super.whole;
  }

  protected override get lanes(): 1 | 4 {
    return this.#ladder.packed ? 4 : 1;
  }

  protected override enqueue(given: Work, source: Plane, image: Texture): Texture {
    const work = this.#ladder.unrolled ? given : { ...given, scope: rolling(given.scope) };
    if (this.#ladder.fused) return super.enqueue(work, source, image);
    if (this.values.reflections === 'none') return this.apart(work, source, image, null);
    const radius = this.values.reflectionSize >> 1;
    const opened = this.window(work, 'dilate', this.window(work, 'erode', image, radius), radius);
    const hat = work.eight();
    draw(work, differencePass, [hat], { source: image, opened }, {});
    const spots = work.eight();
    draw(work, thresholdPass, [spots], { source: hat }, { level: this.values.reflectionThreshold });
    return this.apart(work, source, image, this.grow(work, spots));
  }

  protected override smoothAndGrow(work: Work, image: Texture, spots: Texture): Texture {
    if (this.#ladder.separable) return super.smoothAndGrow(work, image, spots);
    const { gaussianSize, reflectionDilation } = this.values;
    const pass = smoothAndGrowPass('BOTH', gaussianSize >> 1, reflectionDilation >> 1, this.#ladder.packed);
    const out = work.sixteen();
    draw(work, pass, [out], { source: image, spots }, { size: work.size, taps: this.taps });
    return out;
  }

  protected override spots(work: Work, image: Texture): Texture {
    if (this.#ladder.separable) return super.spots(work, image);
    const { reflectionSize, reflectionThreshold: level } = this.values;
    const radius = reflectionSize >> 1;
    const source = this.window(work, 'erode', image, radius);
    const out = work.eight();
    const uniforms = { size: work.size, first: -radius, stride: 1, last: radius, level };
    draw(work, spotsPass(radius, this.#ladder.packed), [out], { source, original: image }, uniforms);
    return out;
  }

  protected override window(work: Work, kind: 'erode' | 'dilate', source: Texture, radius: number): Texture {
    if (this.#ladder.separable) return super.window(work, kind, source, radius);
    const out = work.eight();
    const uniforms = { size: work.size, first: -radius, stride: 1, last: radius };
    draw(work, windowPass(kind, radius, this.#ladder.packed), [out], { source }, uniforms);
    return out;
  }

  protected override gaussian(work: Work, source: Texture): Texture {
    if (this.#ladder.separable) return super.gaussian(work, source);
    const out = work.sixteen();
    const pass = smoothPass('BOTH', this.values.gaussianSize >> 1, this.#ladder.packed);
    draw(work, pass, [out], { source }, { size: work.size, taps: this.taps });
    return out;
  }
}
