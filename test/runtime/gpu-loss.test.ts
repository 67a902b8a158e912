import { expect } from 'chai';
import { definePass } from '../../src/runtime/gpu/pass.ts';
import { event, makeHost, randomBytes, rejection, type Host } from './gpu-support.ts';

const invert = definePass({
  name: 'test/invert',
  fragment: `uniform usampler2D source;
    out uint result;
    void main() { result = 255u - texelFetch(source, ivec2(gl_FragCoord.xy), 0).r; }`,
  textures: ['source'],
  uniforms: {},
  outputs: ['result'],
});

async function lose(host: Host): Promise<WEBGL_lose_context> {
  const { canvas, gl } = host.gpu.context;
  const extension = gl.getExtension('WEBGL_lose_context')!;
  const lost = event(canvas, 'webglcontextlost');
  extension.loseContext();
  await lost;
  // The browser looks at preventDefault only when all listeners are done: a task later it takes restoreContext().
  await new Promise((resolve) => setTimeout(resolve, 0));
  return extension;
}

async function restore(host: Host, extension: WEBGL_lose_context): Promise<void> {
  const restored = event(host.gpu.context.canvas, 'webglcontextrestored');
  extension.restoreContext();
  await restored;
}

describe('a lost context', () => {
  let host: Host;
  beforeEach(() => (host = makeHost()));
  afterEach(() => host.gpu.dispose());

  it('fails what is in flight, says so until restored, and goes on with planes that the arena has', async () => {
    const data = randomBytes(13 * 7, 3);
    const kept = host.plane(13, 7, 'u8', data);
    const result = host.gpu.plane(13, 7, 'u8');
    const draw = () => host.gpu.draw(invert, { targets: [result], textures: { source: kept }, uniforms: {} });
    draw();
    const calls: string[] = [];
    host.gpu.onLost(() => calls.push('lost'));
    host.gpu.onRestored(() => calls.push('restored'));
    const flying = rejection(host.gpu.download(result.texture()));
    const extension = await lose(host);
    expect((await flying).code).to.equal('context-lost');
    expect(host.gpu.lost).to.equal(true);
    expect(calls).to.deep.equal(['lost']);
    for (const call of [
      () => host.gpu.usable(),
      () => host.gpu.plane(2, 2, 'u8'),
      () => kept.texture(),
      () => result.arena(),
      draw,
      () => host.gpu.fence(),
    ])
      expect((await rejection(call)).code).to.equal('context-lost');
    await restore(host, extension);
    expect(calls).to.deep.equal(['lost', 'restored']);
    expect(host.gpu.lost).to.equal(false);
    // Only on the GPU: gone for good. Also on the arena: uploaded again.
    expect((await rejection(() => result.arena())).code).to.equal('context-lost');
    const again = host.gpu.plane(13, 7, 'u8');
    host.gpu.draw(invert, { targets: [again], textures: { source: kept }, uniforms: {} });
    expect(await again.read()).to.deep.equal(data.map((v) => 255 - v));
    for (const plane of [kept, result, again]) plane.dispose();
    expect(host.gpu.textures.lent).to.equal(0);
    expect(host.arena.blocks).to.equal(0);
  });

  it('can be lost again and again', async () => {
    const source = host.plane(4, 4, 'u8', randomBytes(16, 9));
    for (let i = 0; i < 3; i++) {
      const extension = await lose(host);
      await restore(host, extension);
      const result = host.gpu.plane(4, 4, 'u8');
      host.gpu.draw(invert, { targets: [result], textures: { source }, uniforms: {} });
      expect(await result.read()).to.deep.equal(source.copy().map((v) => 255 - v));
      result.dispose();
    }
    source.dispose();
  });
});
