// Faces in photographs: as many as there are, small ones too; a limit that leaves some out says so.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { library, renderedFaces } from './support.mjs';
import { crowdOf } from '../../support/face-scenes.mjs';

const { photographFaces } = library;

describe('faces of a photograph', () => {
  let engine;
  before(async () => (engine = await library.createEngine()));
  after(() => engine.dispose());

  /** Result of the first frames of a tracker without landmarks. */
  async function tracked(image, options, frames = 1) {
    const tracker = await engine.createFaceTracker({ model: null, ...options });
    let last;
    for (let i = 0; i < frames; i++) last = await tracker.process(image, { timestamp: 40 * i });
    return { tracker, last };
  }

  it('are all found, whatever the size of the photograph', async () => {
    for (const [scale, gap] of [
      [0.7, 8],
      [0.35, 8],
      [0.4, 440], // most of the picture is wall: at 640 pixels its faces would be 9 wide
    ]) {
      const crowd = crowdOf(renderedFaces(), { columns: 5, rows: 4, scale, gap });
      const boxes = await engine.detectFaces(crowd);
      assert.equal(boxes.length, 20, `${crowd.width}x${crowd.height}`);
      const { tracker, last } = await tracked(crowd, photographFaces);
      await tracker.dispose();
      assert.equal(last.faces.length, 20);
      assert.equal(last.warnings, undefined);
    }
  });

  it('a limit of a video that leaves faces out is a warning, as long as it does', async () => {
    const crowd = crowdOf(renderedFaces(), { columns: 4, rows: 3, scale: 0.7, gap: 8 });
    const { tracker, last } = await tracked(crowd, { detectEvery: 2 }, 4);
    assert.equal(last.faces.length, 8);
    assert.equal(last.warnings.length, 1);
    assert.match(last.warnings[0], /maxFaces is 8: 4 more faces were found/);
    await tracker.setParameters({ maxFaces: 0 });
    let result;
    for (let i = 4; i < 10; i++) result = await tracker.process(crowd, { timestamp: 40 * i });
    assert.equal(result.faces.length, 12);
    assert.equal(result.warnings, undefined);
    await tracker.dispose();
  });
});
