// How far a target has turned: rings by themselves, and the tracker that is asked for it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { importTs } from '../../tools/import-ts.mjs';
import { generator } from '../../tools/random.mjs';
import { turningScene } from './objects-scene.mjs';

const degree = Math.PI / 180;
const box = { x: 132, y: 72, width: 57, height: 57 };
/** Between angles, degrees. */
const apart = (a, b) => Math.abs(Math.atan2(Math.sin(a - b), Math.cos(a - b))) / degree;

describe('the angle of a target', () => {
  let Rotation;
  const see = (rotation, angle, { width, height, data } = turningScene(angle), place = box) =>
    rotation.see({ planes: [{ width, height, address: 0, stride: width }], bytes: data }, place);
  before(async () => ({ Rotation } = await importTs('src/objects/rotation.ts')));

  it('follows turns both ways, past half a turn', () => {
    for (const step of [3, -4, 11]) {
      const rotation = new Rotation();
      for (let i = 0; i <= 70; i++)
        assert.ok(apart(see(rotation, i * step * degree), i * step * degree) < 2, `${i} times ${step} degrees`);
    }
  });

  it('is found from nothing after a loss, and is NaN meanwhile', () => {
    const rotation = new Rotation();
    assert.equal(see(rotation, 0), 0);
    assert.ok(Number.isNaN(see(rotation, 0, undefined, null)));
    assert.ok(apart(see(rotation, 130 * degree), 130 * degree) < 2);
  });

  it('stays where the picture says nothing or something else, and begins again with another box', () => {
    const rotation = new Rotation();
    see(rotation, 0);
    const kept = see(rotation, 20 * degree);
    const flat = { width: 320, height: 200, data: new Uint8Array(320 * 200).fill(90) };
    assert.equal(see(rotation, 0, flat), kept);
    const random = generator(3);
    const noise = { ...flat, data: flat.data.map(() => 255 * random()) };
    assert.equal(see(rotation, 0, noise), kept, 'noise');
    rotation.begin();
    assert.equal(see(rotation, 50 * degree), 0);
  });

  it('is read of boxes of any size, at the edge of the picture too', () => {
    for (const side of [1, 3, 8, 400])
      for (const x of [-10, 0, 310])
        assert.ok(Number.isFinite(see(new Rotation(), 0, undefined, { x, y: 150, width: side, height: side })));
  });
});

describe('createObjectTracker with rotation', () => {
  let engine;
  before(async () => {
    const { createEngine } = await importTs('src/index.ts');
    engine = await createEngine({ worker: false, threads: 1 });
  });
  after(() => engine?.dispose());

  it('says how far each target has turned, in the first one too; without it says nothing', async () => {
    const tracker = engine.createObjectTracker({ rotation: true, minConfidence: 0 });
    await tracker.start(turningScene(0), box);
    for (let i = 1; i <= 20; i++) {
      const { angle, targets } = await tracker.process(turningScene(2 * i * degree));
      assert.equal(targets[0].angle, angle);
      assert.ok(apart(angle, 2 * i * degree) < 4, `${angle / degree} for ${2 * i} degrees`);
    }
    await tracker.setParameters({ rotation: false });
    assert.ok(!('angle' in (await tracker.process(turningScene(0)))));
    await tracker.dispose();
  });
});
