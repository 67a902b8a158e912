/**
 * Dense flow with a separate window for each pixel, on the GPU: the iterations of trackPoints for all pixels at once,
 * in the same fixed point. A window that has converged costs one more fetch. Sums of products are exact. So are the
 * determinants for the steps (glsl/flow/windows-exact.glsl), which are rounded once, to 32-bit floats.
 *
 * Cost for n pixels on each level: 1 pass of 9 fetches per sample, 1 pass for the tensor and 1 for each iteration, both
 * over every pixel of the frame. Windows of s samples need 2 s fetches for the tensor, 4 s per iteration, and 3 s on
 * the finest level: 1764 and 1323 at 21 x 21. Draws are split into bands with a fence between two. Textures: 72 n
 * bytes. Nothing is read back.
 */
import expandFragment from '../../glsl/flow/dense-expand.frag';
import type { Texture, Region } from '../runtime/gpu/gpu-backend.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Scope } from '../runtime/scope.ts';
import endFragment from '../../glsl/flow/windows-end.frag';
import pairsFragment from '../../glsl/flow/windows-pairs.frag';
import samplesFragment from '../../glsl/flow/windows-samples.frag';
import stepFragment from '../../glsl/flow/windows-step.frag';
import tensorFragment from '../../glsl/flow/windows-tensor.frag';
import type { Plane } from '../runtime/plane.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { sparseParameters, type FieldValues } from './parameters.ts';

// A flow field on the GPU between two levels: two neighbors per texel (u, v, u, v).

export interface Field {
  readonly flow: Texture<'rgba32f'>;
  /** Width of a row in pixels. */
  readonly width: number;
}

/** Larger levels wait for their iterations, so that a cancel does not have to wait for seconds of enqueued work. */
export const PATIENT = 1 << 20;

const expand = definePass({
  name: 'flow/expand',
  fragment: expandFragment,
  textures: ['coarse'],
  uniforms: { width: 'int' },
  outputs: ['flow'],
});

/** Expands the flow to the next finer level, of this width and height. The texture belongs to the scope. */
export function expandFlow(
  scope: Scope,
  { flow, width }: Field,
  finer: { readonly width: number; readonly height: number },
): Texture<'rgba32f'> {
  const out = scope.texture((finer.width + 1) >> 1, finer.height, 'rgba32f');
  scope.draw(expand, { targets: [out], textures: { coarse: flow }, uniforms: { width } });
  return out;
}

const samplesPass = definePass({
  name: 'flow/windows-samples',
  fragment: samplesFragment,
  textures: ['source'],
  uniforms: {},
  outputs: ['samples'],
});
const tensorPass = definePass({
  name: 'flow/windows-tensor',
  fragment: tensorFragment,
  textures: ['samples'],
  uniforms: { scale: 'float', window: 'int', least: 'float' },
  outputs: ['tensor'],
});
const stepPass = definePass({
  name: 'flow/windows-step',
  fragment: stepFragment,
  textures: ['samples', 'next', 'tensors', 'before'],
  uniforms: {
    scale: 'float',
    window: 'int',
    epsilon: 'float',
    first: 'int',
    grow: 'float',
    finest: 'int',
  },
  outputs: ['state'],
});
const endPass = definePass({
  name: 'flow/windows-end',
  fragment: endFragment,
  textures: ['before'],
  uniforms: { window: 'int' },
  outputs: ['found'],
});
const pairsPass = definePass({
  name: 'flow/windows-pairs',
  fragment: pairsFragment,
  textures: ['found'],
  uniforms: {},
  outputs: ['flow'],
});

/**
 * Number of window samples per draw. Large frames are drawn in parts, so that neither a cancel nor the screen has to
 * wait.
 */
const PART = 1 << 28;

interface WindowsField extends Field {
  /** u, v, and 1 if the window was found, one pixel per texel. */
  readonly found: Texture<'rgba32f'>;
}

/** Draws bands of rows, with a fence between two. */
function* inBands(
  scope: Scope,
  { width, height }: Texture,
  samples: number,
  draw: (region: Region) => void,
): Plan<void> {
  const rows = Math.max(1, Math.floor(PART / (width * samples)));
  for (let y = 0; y < height; y += rows) {
    if (y > 0) yield* scope.wait(scope.gpu.fence());
    draw({ x: 0, y, width, height: Math.min(rows, height - y) });
  }
}

/** Computes the flow of the separate window of every pixel, 0 where it was lost. The textures belong to the scope. */
export function* windowsFlowGpu(
  scope: Scope,
  previous: readonly Plane[],
  next: readonly Plane[],
  { window, iterations, minEigenvalue: least }: FieldValues,
  progress: (done: number) => void,
): Plan<WindowsField> {
  const { width, height } = previous[0]!;
  const levels = previous.length;
  const epsilon = sparseParameters.epsilon.default;
  const found = scope.texture(width, height, 'rgba32f');
  yield* scope.part(function* (inner) {
    let [before, state] = [0, 1].map(() => inner.texture(width, height, 'rgba32f')) as [Texture, Texture];
    const tensors = inner.texture(width, height, 'rgba32i');
    for (let n = levels - 1; n >= 0; n--) {
      const from = previous[n]!;
      const scale = 1 / 2 ** n;
      const samples = inner.texture(from.width, from.height, 'rgba16i');
      inner.draw(samplesPass, { targets: [samples], textures: { source: from }, uniforms: {} });
      yield* inBands(inner, tensors, window ** 2, (region) =>
        inner.draw(tensorPass, {
          targets: [tensors],
          textures: { samples },
          uniforms: { scale, window, least },
          region,
        }),
      );
      const given = { scale, window, epsilon, finest: n === 0 ? 1 : 0 };
      for (let i = 0; i < iterations; i++) {
        const uniforms = { ...given, first: i === 0 ? 1 : 0, grow: n < levels - 1 ? 2 : 0 };
        const textures = { samples, next: next[n]!, tensors, before };
        const targets = [state];
        yield* inBands(inner, state, window ** 2, (region) =>
          inner.draw(stepPass, { targets, textures, uniforms, region }),
        );
        [before, state] = [state, before];
        progress((levels - 1 - n + (i + 1) / iterations) / levels);
        yield* inner.turn();
      }
      inner.free(samples);
    }
    inner.draw(endPass, { targets: [found], textures: { before }, uniforms: { window } });
  });
  const flow = scope.texture((width + 1) >> 1, height, 'rgba32f');
  scope.draw(pairsPass, { targets: [flow], textures: { found }, uniforms: {} });
  return { flow, width, found };
}
