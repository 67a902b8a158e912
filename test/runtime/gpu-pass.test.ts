import { expect } from 'chai';
import { definePass } from '../../src/runtime/gpu/pass.ts';
import { makeHost, rejection } from './gpu-support.ts';

const fragment = `
  uniform usampler2D source;
  uniform sampler2D weights;
  uniform int shift;
  uniform vec2 scale;
  uniform float taps[3];
  layout(location = 0) out uint moved;
  layout(location = 1) out vec4 color;
  void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    moved = texelFetch(source, ivec2(max(p.x - shift, 0), p.y), 0).r;
    color = vec4(texelFetch(weights, p, 0).r * scale, taps[0], taps[2]);
  }`;
const good = {
  name: 'test/good',
  fragment,
  textures: ['source', 'weights'],
  uniforms: { shift: 'int', scale: 'vec2', taps: 'float[3]' },
  outputs: ['moved', 'color'],
} as const;

describe('a pass', () => {
  const host = makeHost();
  after(() => {
    expect(host.gpu.context.gl.getError(), 'WebGL errors').to.equal(0);
    host.gpu.dispose();
  });

  it('is refused when its declaration and its shader differ', () => {
    expect(() => definePass({ ...good, textures: ['source'] })).to.throw(/also needs 'weights'/);
    expect(() => definePass({ ...good, textures: ['source', 'weights', 'mask'] })).to.throw(/no sampler 'mask'/);
    expect(() => definePass({ ...good, uniforms: { shift: 'int', scale: 'vec2' } })).to.throw(/also needs 'taps'/);
    expect(() => definePass({ ...good, uniforms: { ...good.uniforms, shif: 'int' } })).to.throw(/no uniform 'shif'/);
    expect(() => definePass({ ...good, uniforms: { ...good.uniforms, shift: 'uint' } })).to.throw(
      /is int in the shader/,
    );
    expect(() => definePass({ ...good, outputs: ['moved'] })).to.throw(/outputs are 'moved', 'color'/);
    expect(() => definePass({ ...good, outputs: ['color', 'moved'] })).to.throw(/outputs are/);
    expect(definePass(good).outputs).to.deep.equal(['uint', 'float']);
  });

  it('draws several targets and refuses wrong arguments', async () => {
    const pass = definePass(good);
    const source = host.plane(3, 2, 'u8', Uint8Array.of(1, 2, 3, 4, 5, 6));
    const weights = host.plane(3, 2, 'f32', Float32Array.of(1, 2, 3, 4, 5, 6));
    const moved = host.gpu.plane(3, 2, 'u8');
    const color = host.gpu.allocate(3, 2, 'rgba32f');
    const textures = { source, weights };
    const uniforms = { shift: 1, scale: [10, 100], taps: [7, 8, 9] };
    const targets = [moved, color];
    host.gpu.draw(pass, { targets, textures, uniforms });
    expect([...(await moved.read())]).to.deep.equal([1, 1, 2, 4, 4, 5]);
    const floats = new Float32Array((await host.gpu.read(color)).buffer);
    expect([...floats.subarray(4, 8)]).to.deep.equal([20, 200, 7, 9]);

    const other = host.gpu.plane(2, 2, 'u8');
    const refused: [object, RegExp][] = [
      [{ targets: [moved], textures, uniforms }, /2 targets are needed, not 1/],
      [{ targets: [color, moved], textures, uniforms }, /output 0 is uint, its target is rgba32f/],
      [{ targets: [other, color], textures, uniforms }, /one size/],
      [{ targets: [source, color], textures, uniforms }, /'source' is also a target/],
      [{ targets, textures: { source }, uniforms }, /texture 'weights' is missing/],
      [{ targets, textures: { source: weights, weights }, uniforms }, /texture 'source' must be uint, not f32/],
      [{ targets, textures: { ...textures, mask: source }, uniforms }, /one texture too many/],
      [{ targets, textures, uniforms: { shift: 1, scale: [1, 1] } }, /uniform 'taps' is missing/],
      [{ targets, textures, uniforms: { ...uniforms, shift: NaN } }, /uniform 'shift' is missing or NaN/],
      [{ targets, textures, uniforms: { ...uniforms, sigma: 1 } }, /one uniform too many/],
    ];
    for (const [draw, message] of refused) {
      const error = await rejection(() => host.gpu.draw(pass, draw as never));
      expect(error.code).to.equal('internal');
      expect(error.message).to.match(message);
    }
    for (const plane of [source, weights, moved, other]) plane.dispose();
    host.gpu.release(color);
  });

  it('sets uniforms of every type', async () => {
    const types = {
      i: 'int', u: 'uint', f: 'float',
      i2: 'ivec2', i3: 'ivec3', i4: 'ivec4', u2: 'uvec2', u3: 'uvec3', u4: 'uvec4', f2: 'vec2', f3: 'vec3', f4: 'vec4',
      m2: 'mat2', m3: 'mat3', m4: 'mat4', fs: 'float[2]', us: 'uint[2]', is: 'int[2]', pairs: 'ivec2[2]', quads: 'vec4[2]',
    } as const; // prettier-ignore
    const declared = Object.entries(types).map(([name, type]) => {
      const [plain, length] = type.split('[');
      return `uniform ${plain} ${name}${length ? `[${length}` : ''};`;
    });
    // Each is added up with a weight of its own, so that a value in a wrong place shows.
    const parts = Object.entries(types).flatMap(([name, type]) => {
      const [, plain, size, count] = /^([a-z]+)(\d?)(?:\[(\d)\])?$/.exec(type)!;
      const places = Array.from({ length: Number(size || 1) }, (_, at) => (size ? `[${at}]` : ''));
      const cells = plain === 'mat' ? places.flatMap((row) => places.map((column) => row + column)) : places;
      const elements = count ? ['[0]', '[1]'] : [''];
      return elements.flatMap((element) => cells.map((cell) => `${name}${element}${cell}`));
    });
    const pass = definePass({
      name: 'test/uniforms',
      fragment: `${declared.join('\n')}\nout float sum;\nvoid main() { sum = ${parts
        .map((part, at) => `float(${part}) * ${at + 1}.0`)
        .join(' + ')}; }`,
      textures: [],
      uniforms: types,
      outputs: ['sum'],
    });
    let value = 0;
    let expected = 0;
    let place = 0;
    const uniforms = Object.fromEntries(
      Object.entries(types).map(([name, type]) => {
        const cells = parts.filter((part) => part.replace(/\[.*/, '') === name).length;
        const values = Array.from({ length: cells }, () => {
          value = (value * 7 + 3) % 11;
          expected += value * ++place;
          return value;
        });
        return [name, /\d/.test(type) ? values : values[0]!];
      }),
    );
    const plane = host.gpu.plane(1, 1, 'f32');
    host.gpu.draw(pass, { targets: [plane], textures: {}, uniforms: uniforms as never });
    expect([...(await plane.read())]).to.deep.equal([expected]);
    plane.dispose();
  });

  it('draws only the region, after clearing', async () => {
    const fill = definePass({
      name: 'test/fill',
      fragment: 'uniform uint value;\nout uint result;\nvoid main() { result = value; }',
      textures: [],
      uniforms: { value: 'uint' },
      outputs: ['result'],
    });
    const plane = host.gpu.plane(4, 3, 'u8');
    const region = { x: 1, y: 1, width: 2, height: 1 };
    host.gpu.draw(fill, { targets: [plane], textures: {}, uniforms: { value: 9 }, clear: [3, 0, 0, 0], region });
    expect([...(await plane.read())]).to.deep.equal([3, 3, 3, 3, 3, 9, 9, 3, 3, 3, 3, 3]);
    plane.dispose();
  });

  it('scatters points with blending where the device blends floats', async function () {
    const votes = definePass({
      name: 'test/votes',
      vertex: `uniform usampler2D list;
        void main() {
          float bin = float(texelFetch(list, ivec2(gl_VertexID, 0), 0).r);
          gl_Position = vec4((bin + 0.5) / 4.0 - 1.0, 0.0, 0.0, 1.0);
          gl_PointSize = 1.0;
        }`,
      fragment: 'out float vote;\nvoid main() { vote = 1.0; }',
      textures: ['list'],
      uniforms: {},
      outputs: ['vote'],
      blend: 'add',
    });
    const list = host.plane(6, 1, 'u8', Uint8Array.of(0, 3, 3, 7, 3, 0));
    if (!host.gpu.capabilities.floatBlend) return this.skip();
    const bins = host.gpu.plane(8, 1, 'f32');
    const draw = { targets: [bins], textures: { list }, uniforms: {}, clear: [0, 0, 0, 0] } as const;
    host.gpu.draw(votes, { ...draw, count: 6 });
    expect([...(await bins.read())]).to.deep.equal([2, 0, 0, 3, 0, 0, 0, 1]);
    expect(() => host.gpu.draw(votes, draw)).to.throw(/count/);
    // Blending is off again for the next pass.
    const integers = host.gpu.plane(8, 1, 'u8');
    expect(() => host.gpu.draw(votes, { ...draw, targets: [integers], count: 6 })).to.throw(/output 0 is float/);
    for (const plane of [list, bins, integers]) plane.dispose();
  });

  it('compiles ahead, and says which pass does not compile', async () => {
    const fine = definePass({ ...good, name: 'test/ahead' });
    await host.gpu.prepare([fine, fine]);
    await host.gpu.prepare([fine]);
    const broken = definePass({
      name: 'test/broken',
      fragment: 'out uint result;\nvoid main() { result = 1.0; }',
      textures: [],
      uniforms: {},
      outputs: ['result'],
    });
    const ahead = await rejection(host.gpu.prepare([broken]));
    expect(ahead.code).to.equal('internal');
    expect(ahead.message).to.include("'test/broken'");
    const plane = host.gpu.plane(2, 2, 'u8');
    const drawn = await rejection(() => host.gpu.draw(broken, { targets: [plane], textures: {}, uniforms: {} }));
    expect(drawn.message).to.include("'test/broken'");
    for (const { message } of [ahead, drawn]) expect(message).to.match(/ERROR|error|result/); // what the compiler said
    plane.dispose();
  });
});
