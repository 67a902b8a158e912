// The border to WASM as tools/kernel-border.mjs reads it from assembly/: names that mean one thing, calls as methods.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { calledKernels, readBorder } from '../../tools/kernel-border.mjs';

describe('the border to WASM', () => {
  let folder;
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'foveola-border-'));
    mkdirSync(path.join(folder, 'assembly/image'), { recursive: true });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  const read = (files) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, 'assembly/image', name), text);
    return readBorder(folder);
  };
  const record = 'size: i32;';
  const kernel = (name) =>
    `export function ${name}(source: usize, sourceStride: i32, width: i32): i32 {\n  return 0;\n}\n`;

  it('refuses two records of one name, wherever they lie', () => {
    const text = `@unmanaged\nexport class Level {\n  ${record}\n}\n`;
    assert.throws(() => read({ 'a.ts': text, 'b.ts': text }), /Two records are called Level: in .*a\.ts and .*b\.ts/);
    const { records } = read({ 'a.ts': text, 'b.ts': '' });
    assert.equal(records.get('Level').bytes, 4);
  });

  it('refuses two kernels of one name where they are called', () => {
    const border = read({ 'a.ts': kernel('erode'), 'b.ts': kernel('erode') });
    assert.throws(() => calledKernels(border, 'yield* scope.kernels.erode({})'), /Two kernels are called erode/);
  });

  it('takes a kernel for called where it is a method of the kernels, not where something has its name', () => {
    const border = read({ 'a.ts': kernel('erode') + kernel('dilate') + kernel('median'), 'b.ts': '' });
    const code = "yield* scope.kernels.erode({}); stages.get('dilate'); `med${'ian'}`; 'median'";
    assert.deepEqual(calledKernels(border, code), ['erode']);
  });
});
