import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { loadShader, minifyShader } from '../../tools/glsl-plugin.mjs';

let folder;
before(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'foveola-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));
const write = (name, text) => {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
};

describe('shaders', () => {
  it('lose comments and idle whitespace, not meaning', () => {
    assert.equal(
      minifyShader('#version 300 es\n// c\nvoid  main( ) {\n\n  a = b - -c; /* x\ny */ d = e + f;\n}\n'),
      '#version 300 es\nvoid main(){\na=b - -c;\nd=e+f;\n}',
    );
    assert.equal(minifyShader('#define F (x)\n#define G(x) \\\n  ( x )'), '#define F (x)\n#define G(x) ( x )');
    assert.equal(minifyShader('return int(x) ; else if (a) b ++ ;'), 'return int(x);else if(a)b ++;');
    assert.equal(minifyShader('a = b + +c; a = b + + + c; i++ + j;'), 'a=b + +c;a=b + + + c;i++ + j;');
    assert.equal(minifyShader('a//b\n/*c*/b'), 'a\nb');
  });

  it('include each file once, relative to the includer', () => {
    write('a.glsl', 'float a;');
    write('b.glsl', '#include "a.glsl"\nfloat b;');
    const { text, files } = loadShader(
      write('x.frag', '#version 300 es\n#include "a.glsl"\n#include "b.glsl"\nfloat x;'),
    );
    assert.equal(text, '#version 300 es\nfloat a;\nfloat b;\nfloat x;');
    assert.deepEqual(
      files.map((file) => path.basename(file)),
      ['x.frag', 'a.glsl', 'b.glsl'],
    );
  });

  it('say which line is wrong', () => {
    assert.throws(() => loadShader(write('y.frag', '\n/*\n*/#include "none.glsl"')), /y\.frag:3.*none\.glsl/);
    assert.throws(() => loadShader(write('y.frag', '#include <a.glsl>')), /y\.frag:1.*write #include/);
    write('v.glsl', '#version 300 es');
    assert.throws(() => loadShader(write('y.frag', '#include "v.glsl"')), /v\.glsl:1.*no #version/);
    assert.equal(loadShader(write('y.frag', '// #include "none.glsl"\nfloat y;')).text, 'float y;');
  });
});
