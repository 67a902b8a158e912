/** What an engine on a graphics card does with its first calls, and says of them. The card is a name that software goes by here. */
import { expect } from 'chai';
import type { Engine } from '../../src/api.ts';
import { createEngine, engineOn } from '../../src/engine.ts';
import { readers } from '../../src/engine-home.ts';
import { toPacket } from '../../src/frames/to-packet.ts';
import { Connection } from '../../src/runtime/engine/connection.ts';
import { startRemote } from '../../src/runtime/engine/start.ts';
import { serveEngine } from '../../src/runtime/engine/worker.ts';
import { compiled } from '../parity/backends.ts';
import { short } from '../support/full.ts';

const CARD = 'ANGLE (NVIDIA, Vulkan 1.4.312 (NVIDIA NVIDIA H100 80GB HBM3 (0x00002330)), NVIDIA)';
const gray = (width: number, height: number) => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height }, (_, i) => 128 + 90 * Math.sin(i / 7) * Math.cos(i / width / 5)),
});
const small = gray(64, 48);
const frame = gray(160, 120);

/** On the page: the worker's end behind a channel, as if it were in a worker. */
async function inWorker(): Promise<Engine> {
  const { port1, port2 } = new MessageChannel();
  serveEngine(port2, readers);
  const worker = Object.assign(port1, { terminate: () => port1.close() }) as unknown as Worker;
  const booted = { worker, lock: null, release: () => {} };
  const init = { module: await compiled(), threads: 1, backend: 'auto', places: {}, reasons: [] } as const;
  return engineOn(await Connection.open(() => startRemote(booted, { ...init, reasons: [] }), toPacket));
}

for (const [where, start] of [
  ['on the page', () => createEngine({ worker: false })],
  ['in a worker', inWorker],
] as const)
  (short && start === inWorker ? describe.skip : describe)(`the first calls of an engine ${where}`, () => {
    const { getParameter } = WebGL2RenderingContext.prototype;
    const { now } = performance;
    let engine: Engine;
    before(async () => {
      // Everything takes a hundredth of a millisecond, however busy the machine is.
      let time = now.call(performance);
      performance.now = () => (time += 0.01);
      WebGL2RenderingContext.prototype.getParameter = function (name: number): unknown {
        return name === this.RENDERER ? CARD : (getParameter.call(this, name) as unknown);
      };
      engine = await start();
    });
    after(async () => {
      WebGL2RenderingContext.prototype.getParameter = getParameter;
      performance.now = now;
      await engine.dispose();
    });
    const said = (name: string) => engine.capabilities.backends[name]!;

    it('are said before they come, by size', () => {
      expect(engine.capabilities.gpu).to.equal(CARD);
      const { backend, why } = said('hessianEigenvalues');
      expect(backend).to.equal('wasm');
      expect(why.split('; ')).to.have.length(3);
      expect(why).to.match(
        /^0\.26 megapixels: wasm, predicted: wasm [\d.]+ ms, gpu [\d.]+ ms, of it [\d.]+ ms up, [\d.]+ ms down/,
      );
      expect(said('opticalFlow').backend).to.equal('gpu');
      expect(said('houghLines').backend).to.equal('measured');
    });

    it('go to the predicted side, and what they took stands in place of the prediction', async () => {
      expect((await engine.gaussian(frame)).backend).to.equal('wasm');
      // The first call brings the GPU half; until it is there, everything runs in WASM.
      const tiny = gray(32, 24);
      for (let i = 0; i < 500 && (await engine.opticalFlow(tiny, tiny)).backend === 'wasm'; i++);
      expect((await engine.opticalFlow(frame, frame)).backend).to.equal('gpu');
      for (let i = 0; i < 2; i++) await engine.gaussian(small);
      expect(said('gaussian').why).to.match(/0\.0041 megapixels: wasm, measured: wasm [\d.]+ ms/);
      expect(said('gaussian').why).to.match(/0\.26 megapixels: wasm, predicted/);
      for (let i = 0; i < 4; i++) await engine.opticalFlow(frame, frame);
      expect(said('opticalFlow').why).to.match(/0\.033 megapixels: wasm, measured: wasm [\d.]+ ms, gpu [\d.]+ ms/);
      expect(said('opticalFlow').backend).to.equal('measured');
    });

    it('are known to the next engine of the device', async () => {
      const next = await createEngine({ worker: false, profile: (await engine.profile())! });
      expect(next.capabilities.backends['opticalFlow']!.why).to.match(/0\.033 megapixels: wasm, measured: wasm/);
      await next.dispose();
    });
  });
