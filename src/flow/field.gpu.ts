/** A flow field on the GPU on its way from level to level, two neighbors a texel (u, v, u, v), and in the end to the arena. */
import expandFragment from '../../glsl/flow/dense-expand.frag';
import packFragment from '../../glsl/flow/field-pack.frag';
import type { Texture } from '../runtime/gpu/gpu-side.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Scope } from '../runtime/scope.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';

export interface Field {
  readonly flow: Texture<'rgba32f'>;
  /** Pixels of a row. */
  readonly width: number;
}

/** Larger levels wait for their iterations, so that a cancel does not meet seconds of enqueued work. */
export const PATIENT = 1 << 20;

const expand = definePass({
  name: 'flow/expand',
  fragment: expandFragment,
  textures: ['coarse'],
  uniforms: { width: 'int' },
  outputs: ['flow'],
});

/** The flow on the next finer level, of this width and height; the texture is the scope's. */
export function expandFlow(
  scope: Scope,
  { flow, width }: Field,
  finer: { readonly width: number; readonly height: number },
): Texture<'rgba32f'> {
  const out = scope.texture((finer.width + 1) >> 1, finer.height, 'rgba32f');
  scope.draw(expand, { targets: [out], textures: { coarse: flow }, uniforms: { width } });
  return out;
}

const pack = definePass({
  name: 'flow/pack',
  fragment: packFragment,
  textures: ['judged'],
  uniforms: { unit: 'float' },
  outputs: ['packed'],
});

/** Half of the 22 bits of a component: 0. */
const ZERO = 1 << 21;
/** Pixels between two places where the thread may go to others. */
const SOME = 1 << 20;

/** u, v, validity and confidence of a flow. */
export type Lists = [u: Float32Array, v: Float32Array, valid: Uint8Array, confidence: Float32Array];

/**
 * Reads a flow from texels of u, v, confidence and validity. Reading takes longer than finding a flow, so it is half as many
 * bytes: u and v in steps of 2^-10 px where no side has more than 1024, of 2^-n px for twice as many each. No component is
 * larger than the longer side.
 */
export function* readFlow(scope: Scope, judged: Texture<'rgba32f'>): Plan<Lists> {
  const { width, height } = judged;
  const unit = 2 ** (20 - Math.ceil(Math.log2(Math.max(2, width, height))));
  const row = (width + 1) >> 1;
  const texels = scope.texture(row, height, 'rgba32ui');
  scope.draw(pack, { targets: [texels], textures: { judged }, uniforms: { unit } });
  const bytes = yield* scope.wait(scope.gpu.read(texels));
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, 4 * row * height);
  const count = width * height;
  const [u, v, confidence] = [new Float32Array(count), new Float32Array(count), new Float32Array(count)];
  const valid = new Uint8Array(count);
  const step = 1 / unit;
  const rows = Math.max(1, Math.floor(SOME / width));
  for (let y = 0, i = 0; y < height; y++) {
    for (let w = 4 * row * y, end = i + width; i < end; i++, w += 2) {
      const [low, high] = [words[w]!, words[w + 1]!];
      u[i] = ((low & 0x3fffff) - ZERO) * step;
      v[i] = (((low >>> 22) | ((high & 0xfff) << 10)) - ZERO) * step;
      confidence[i] = ((high >>> 12) & 0x7ffff) / 0x7ffff;
      valid[i] = high >>> 31;
    }
    if ((y + 1) % rows === 0) yield* scope.turn();
  }
  return [u, v, valid, confidence];
}
