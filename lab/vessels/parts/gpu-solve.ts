/** Table 3 and figures 7 to 10 of paper 003 on the GPU: the Hessian's solution of given planes, and transfers. */
import { definePass } from '../../../src/runtime/gpu/pass.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { Scope } from '../../../src/runtime/scope.ts';
import { median } from '../../../bench/parts/numbers.ts';
import fragment from './solve-alone.frag';

const solvePass = definePass({
  name: 'vessels/solve-alone',
  fragment,
  textures: ['across', 'down', 'diagonal'],
  uniforms: {},
  outputs: ['lambda1', 'lambda2'],
  defines: { VALUES: 'vec4' },
});

const ROUNDS = 15;

/** Milliseconds until a fence, by the GPU's clock, of the upload of three float planes and of the read-back of two. */
export async function solveAlone(runtime: Runtime, width: number, height: number) {
  const gpu = runtime.gpu!;
  const kept = new Scope(runtime, { backend: 'gpu' });
  const columns = Math.ceil(width / 4);
  const bytes = new Uint8Array(16 * columns * height);
  const floats = new Float32Array(bytes.buffer);
  for (let i = 0; i < floats.length; i++) floats[i] = ((i * 7919) % 1009) / 1009 - 0.5;
  const texture = () => kept.texture(columns, height, 'rgba32f');
  const [across, down, diagonal, lambda1, lambda2] = Array.from({ length: 5 }, texture) as ReturnType<typeof texture>[];
  const planes = { across: across!, down: down!, diagonal: diagonal! };
  const targets = [lambda1!, lambda2!];
  const draw = () => kept.draw(solvePass, { targets, textures: planes, uniforms: {} });
  const times = {
    upload: [] as number[],
    solution: [] as number[],
    clock: [] as number[],
    'read-back': [] as number[],
  };
  const timed = async (list: number[], body: () => unknown) => {
    const start = performance.now();
    await body();
    await gpu.fence();
    list.push(performance.now() - start);
  };
  for (let i = 0; i <= (gpu.capabilities.software ? 1 : ROUNDS); i++) {
    await timed(times.upload, () => Object.values(planes).forEach((plane) => gpu.upload(plane, bytes, 16 * columns)));
    await timed(times.solution, draw);
    const clock = await gpu.time(draw);
    if (clock !== null) times.clock.push(clock);
    await timed(times['read-back'], () => Promise.all(targets.map((target) => gpu.read(target))));
    if (!i) for (const list of Object.values(times)) list.length = 0;
  }
  kept.dispose();
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, list.length ? median(list) : null]));
}
