// What 68 points say about a head: poses of the mean face itself, and points that are no face.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generator, library } from './support.mjs';

const { headShape, measureFace } = library;
const degree = Math.PI / 180;

/** The mean face, turned by yaw, then pitch, then roll (degrees), seen from far away. */
function seen({ yaw = 0, pitch = 0, roll = 0, scale = 1, x = 200, y = 150 }, shape = headShape) {
  const [a, b, c] = [yaw * degree, pitch * degree, roll * degree];
  return Float32Array.from({ length: 136 }, (_, i) => {
    const [px, py, pz] = shape.slice(3 * (i >> 1), 3 * (i >> 1) + 3);
    const [qx, qz] = [Math.cos(a) * px + Math.sin(a) * pz, Math.cos(a) * pz - Math.sin(a) * px];
    const down = -(Math.cos(b) * py + Math.sin(b) * qz);
    return i % 2 ? y + scale * (Math.cos(c) * down + Math.sin(c) * qx) : x + scale * (Math.cos(c) * qx - Math.sin(c) * down);
  });
}

describe('the measures of a face', () => {
  it('are those of the pose in which the mean face is seen, at any size and place', () => {
    for (const yaw of [-40, 0, 25])
      for (const pitch of [-25, 0, 20])
        for (const roll of [-30, 0, 170])
          for (const scale of [0.3, 4]) {
            const found = measureFace(seen({ yaw, pitch, roll, scale, x: -300, y: 40 }));
            for (const [name, wanted] of Object.entries({ yaw, pitch, roll }))
              assert.ok(Math.abs(found[name] / degree - wanted) < 0.1, `${name} ${wanted}: ${found[name] / degree}`);
            assert.ok(found.residual < 1e-3, `${found.residual}`);
            assert.deepEqual(found.warnings, []);
          }
  });

  it('tell open eyes and mouths from closed ones, each side by itself, also from aside', () => {
    const shape = [...headShape];
    for (const [upper, lower] of [
      [37, 41],
      [38, 40],
    ])
      shape[3 * upper + 1] = shape[3 * lower + 1] + 2; // the eye at the left of the picture
    shape[3 * 66 + 1] -= 60;
    for (const yaw of [-30, 0, 30]) {
      const { eyes, mouthOpening } = measureFace(seen({ yaw }, shape));
      assert.deepEqual(
        eyes.map(({ closed }) => closed),
        [true, false],
        `${yaw}`,
      );
      assert.ok(mouthOpening > 0.5, `${mouthOpening}`);
      assert.ok(measureFace(seen({ yaw })).mouthOpening < 0.1);
    }
  });

  it('warn of faces that are too small, turned too far, or none', () => {
    assert.match(measureFace(seen({ scale: 0.1 })).warnings.join(), /too small/);
    assert.match(measureFace(seen({ yaw: 50 })).warnings.join(), /turned/);
    assert.match(measureFace(seen({ pitch: -35 })).warnings.join(), /turned/);
    const random = generator(5);
    const noise = Float32Array.from({ length: 136 }, () => 200 * random());
    assert.match(measureFace(noise)?.warnings.join() ?? 'no pose: do not lie', /do not lie/);
  });

  it('are absent where there is nothing to measure', () => {
    assert.equal(measureFace(new Float32Array(10)), null);
    assert.equal(measureFace(new Float32Array(136)), null);
    assert.equal(measureFace(seen({}).fill(NaN, 3, 4)), null);
  });
});
