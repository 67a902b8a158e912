/** A context that is lost at each pass of each operation and tracker: the same call is answered all the same. */
import { expect } from 'chai';
import { createEngine, type Engine } from '../../src/index.ts';
import { everyCall, makePictures, uncalled, unlike, type Pictures } from '../support/every-call.ts';

/** Losses that are tried of each call, where it has more passes: the first, the last, and some between. */
const TRIED = 4;

interface Context {
  readonly gl: WebGL2RenderingContext;
  readonly extension: WEBGL_lose_context;
  /** Calls that draw or read since the last `count`. */
  drawn: number;
  /** At which of them the context is lost, and whether it comes back at once. */
  loseAt: number;
  restore: boolean;
  lost: boolean;
}

/** Watches the contexts that are made from now on. */
function watchContexts(): { newest(): Context; end(): void } {
  const contexts: Context[] = [];
  const { getContext } = OffscreenCanvas.prototype;
  OffscreenCanvas.prototype.getContext = function (this: OffscreenCanvas, ...given: [never, never]) {
    const gl = getContext.apply(this, given) as WebGL2RenderingContext | null;
    if (given[0] !== 'webgl2' || !gl || contexts.some((known) => known.gl === gl)) return gl;
    const extension = gl.getExtension('WEBGL_lose_context')!; // a lost context gives none
    const context: Context = { gl, extension, drawn: 0, loseAt: Infinity, restore: false, lost: false };
    contexts.push(context);
    for (const name of ['drawArrays', 'readPixels', 'getBufferSubData', 'texSubImage2D'] as const) {
      const real = gl[name] as (...given: unknown[]) => void;
      (gl as unknown as Record<string, unknown>)[name] = (...args: unknown[]) => {
        if (context.drawn++ === context.loseAt) {
          context.lost = true;
          extension.loseContext();
          if (context.restore) setTimeout(() => extension.restoreContext(), 5);
        }
        real.apply(gl, args);
      };
    }
    return gl;
  } as typeof getContext;
  return { newest: () => contexts.at(-1)!, end: () => void (OffscreenCanvas.prototype.getContext = getContext) };
}

const restored = ({ gl, extension, restore }: Context) =>
  new Promise<void>((resolve) => {
    if (!gl.isContextLost()) return resolve();
    gl.canvas.addEventListener('webglcontextrestored', () => resolve(), { once: true });
    // A task later: the browser first hears that somebody wants it back.
    if (!restore) setTimeout(() => extension.restoreContext(), 5);
  });

describe('a context lost at any pass', () => {
  let watch: ReturnType<typeof watchContexts>;
  let gpu: Engine;
  let wasm: Engine;
  let pictures: Pictures;
  let context: Context;
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below;

  before(async () => {
    watch = watchContexts();
    pictures = await makePictures();
    gpu = await createEngine({ backend: 'gpu', worker: false });
    context = watch.newest();
    wasm = await createEngine({ backend: 'wasm', worker: false });
  });
  afterEach(() => {
    context.loseAt = Infinity;
    return restored(context);
  });
  after(async () => {
    watch.end();
    await gpu.dispose();
    await wasm.dispose();
  });

  it('is tried of everything that the engine has', () => expect(uncalled()).to.deep.equal([]));

  for (const { name, wasmOnly, run } of everyCall)
    it(name, async () => {
      const expected = await run(wasm, pictures);
      context.drawn = 0;
      await run(gpu, pictures);
      const passes = context.drawn;
      expect(passes === 0).to.equal(wasmOnly ?? false);
      const places = new Set([0, passes - 1]);
      while (places.size < Math.min(TRIED, passes)) places.add(random(passes));
      let back = false;
      let lost = 0;
      for (const place of passes ? places : []) {
        Object.assign(context, { drawn: 0, loseAt: place, lost: false, restore: (back = !back) });
        const result = await run(gpu, pictures);
        lost += Number(context.lost); // inpainting has passes by the time that it takes
        expect(unlike(result, expected), `lost at pass ${place} of ${passes}, ${back ? 'restored' : 'gone'}`).to.equal(
          '',
        );
        context.loseAt = Infinity;
        await restored(context);
      }
      expect(lost).to.be.at.least(wasmOnly ? 0 : places.size - 2);
    });

  for (const method of ['starburst', 'hough'] as const)
    it(`overlapping frames of a pupil tracker, ${method}`, async () => {
      const { eye, next } = pictures;
      for (const place of [3, 40, 90, 170]) {
        const tracker = gpu.createPupilTracker({ method });
        Object.assign(context, { drawn: 0, loseAt: place, lost: false, restore: place > 50 });
        const frames = Array.from({ length: 8 }, (_, i) => tracker.process(i % 2 ? next : eye, { timestamp: 40 * i }));
        const results = await Promise.all(frames);
        expect(results.map(({ timestamp }) => timestamp)).to.deep.equal(frames.map((_, i) => 40 * i));
        results.forEach(({ pupils }, i) => expect(pupils[0]!.x).to.be.closeTo(i % 2 ? 47 : 44, 1));
        await tracker.dispose();
        await restored(context);
      }
    });
});
