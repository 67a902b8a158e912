// Some seconds of each target of `npm run fuzz`.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { root } from '../../tools/setup.mjs';

const fuzz = (...args) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/fuzz.mjs', ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

describe('fuzzing', () => {
  it('finds none in the operations, the trackers and what targets learned', () => {
    const { status, stdout, stderr } = fuzz('0.08', '--only', 'calls,trackers,objects');
    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, /^calls +\d{2,}/m);
    assert.match(stdout, /^trackers +\d{2,}/m);
    assert.match(stdout, /^objects +\d{2,}/m);
  });

  it('finds no result of the command that is mixed up or overwritten', () => {
    const { status, stdout, stderr } = fuzz('0.15', '--only', 'identity', '--inputs', '60');
    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, /^identity +[1-9]\d* +\d+ +0$/m);
  });

  it('finds none in attributes, properties and methods of the elements', () => {
    const { status, stdout, stderr } = fuzz('0.1', '--only', 'elements');
    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, /^elements +[1-9]/m);
  });

  it('finds none on the GPU and in media as a page reads them', () => {
    const { status, stdout, stderr } = fuzz('0.04', '--only', 'gpu,media');
    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, /^gpu +[1-9]/m);
    assert.match(stdout, /^media +[1-9]/m);
  });

  it('finds none in the readers', () => {
    const { status, stdout, stderr } = fuzz(
      '0.1',
      '--only',
      'tiff,dicom,png,stack,recording,cascade,landmarks,journal,protocol,header,truth',
    );
    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, /^tiff +\d{3,}/m);
  });
});
