import { expect } from 'chai';
import { hasShared } from '../support/shared.ts';
import shader from './shader.frag';

// What every other test stands on: the test page, its server and its shader imports.
describe('the test page', () => {
  it('is cross-origin isolated, in a worker too', async () => {
    expect(crossOriginIsolated).to.equal(true);
    const source = new Blob(['postMessage(crossOriginIsolated)'], { type: 'text/javascript' });
    const url = URL.createObjectURL(source);
    const worker = new Worker(url);
    const answer = await new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
    worker.terminate();
    URL.revokeObjectURL(url);
    expect(answer).to.equal(true);
  });

  it('speaks English, wherever it runs', () => {
    expect(navigator.language).to.equal('en-US');
    expect(() => new Intl.NumberFormat(navigator.language)).to.not.throw();
  });

  it('has WebGL2 with float targets', () => {
    const gl = new OffscreenCanvas(1, 1).getContext('webgl2')!;
    expect(gl).to.not.equal(null);
    expect(gl.getExtension('EXT_color_buffer_float')).to.not.equal(null);
  });

  it('compiles the kernels while they stream in', async () => {
    const response = await fetch('/dist/kernels.wasm');
    expect(response.headers.get('content-type')).to.equal('application/wasm');
    expect(await WebAssembly.compileStreaming(response)).to.be.instanceOf(WebAssembly.Module);
  });

  it('turns a trap in WebAssembly into an error', async () => {
    // (func (export "f") (result i32) (i32.load (i32.const 0xfffffff0))), one page of memory
    const header = [
      0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 127, 3, 2, 1, 0, 5, 3, 1, 0, 1, 7, 5, 1, 1, 102, 0, 0,
    ];
    const body = [10, 12, 1, 10, 0, 65, 240, 255, 255, 127, 40, 2, 0, 11];
    const { instance } = await WebAssembly.instantiate(new Uint8Array([...header, ...body]));
    expect(instance.exports.f as () => number).to.throw(WebAssembly.RuntimeError);
  });

  it('imports shaders as text that compiles', () => {
    expect(shader.split('\n')[0]).to.equal('#version 300 es');
    expect(shader.match(/float half_/g)).to.have.length(1);
    expect(shader).to.not.match(/\/\/|\/\*|include/);
    const gl = new OffscreenCanvas(1, 1).getContext('webgl2')!;
    const object = gl.createShader(gl.FRAGMENT_SHADER)!;
    gl.shaderSource(object, shader);
    gl.compileShader(object);
    expect(gl.getShaderInfoLog(object) || 'compiled').to.equal('compiled');
  });
});

describe('files', () => {
  it('are served with ranges', async () => {
    const whole = new Uint8Array(await (await fetch('/README.md')).arrayBuffer());
    const part = await fetch('/README.md', { headers: { Range: 'bytes=2-5' } });
    expect(part.status).to.equal(206);
    expect(part.headers.get('content-range')).to.equal(`bytes 2-5/${whole.length}`);
    expect([...new Uint8Array(await part.arrayBuffer())]).to.deep.equal([...whole.slice(2, 6)]);
  });
});

describe('/shared/', () => {
  it('does not lead anywhere else', async () => {
    expect((await fetch('/shared/no-such-file')).status).to.equal(404);
    expect((await fetch('/shared/..%2fmain%2fpackage.json')).status).to.equal(404);
    expect(hasShared).to.be.a('boolean');
  });
});
