// What 68 points say about a head: poses of the mean face itself, and points that are no face.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generator, library } from './support.mjs';

const { headShape, measureFace } = library;
const degree = Math.PI / 180;

const place = (shape, point) => shape.slice(3 * point, 3 * point + 3);

/** The mean face, eyes open by `opening` (of their widths, one each), the mouth by `mouth` (of its width). */
function faceWith({ opening = [0.3, 0.3], mouth = 0 } = {}) {
  const shape = new Array(204).fill(0);
  for (const [point, ...at] of headShape) shape.splice(3 * point, 3, ...at);
  for (const [eye, first] of [36, 42].entries()) {
    const [from, to] = [place(shape, first), place(shape, first + 3)];
    const width = Math.hypot(...from.map((v, c) => v - to[c]));
    for (const [point, share, side] of [
      [1, 1 / 3, 1],
      [2, 2 / 3, 1],
      [4, 2 / 3, -1],
      [5, 1 / 3, -1],
    ])
      // prettier-ignore
      for (let c = 0; c < 3; c++)
        shape[3 * (first + point) + c] =
          from[c] + share * (to[c] - from[c]) + (c === 1 ? (side * opening[eye] * width) / 2 : 0);
  }
  const [left, right] = [place(shape, 48), place(shape, 54)];
  for (let c = 0; c < 3; c++) shape[3 * 62 + c] = shape[3 * 66 + c] = (left[c] + right[c]) / 2;
  shape[3 * 66 + 1] -= mouth * Math.hypot(...left.map((v, c) => v - right[c]));
  return shape;
}

/** The mean face, turned by yaw, then pitch, then roll (degrees), seen from far away. */
function seen({ yaw = 0, pitch = 0, roll = 0, scale = 1, x = 200, y = 150 }, shape = faceWith()) {
  const [a, b, c] = [yaw * degree, pitch * degree, roll * degree];
  return Float32Array.from({ length: 136 }, (_, i) => {
    const [px, py, pz] = shape.slice(3 * (i >> 1), 3 * (i >> 1) + 3);
    const [qx, qz] = [Math.cos(a) * px + Math.sin(a) * pz, Math.cos(a) * pz - Math.sin(a) * px];
    const down = -(Math.cos(b) * py + Math.sin(b) * qz);
    return i % 2
      ? y + scale * (Math.cos(c) * down + Math.sin(c) * qx)
      : x + scale * (Math.cos(c) * qx - Math.sin(c) * down);
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
    const shape = faceWith({ opening: [0.05, 0.3], mouth: 0.6 });
    for (const yaw of [-30, 0, 30]) {
      const { eyes, mouthOpening } = measureFace(seen({ yaw }, shape));
      for (const [side, wanted] of [0.05, 0.3].entries())
        assert.ok(Math.abs(eyes[side].opening - wanted) < 0.02, `${yaw}: ${eyes[side].opening}`);
      assert.deepEqual(
        eyes.map(({ closed }) => closed),
        [true, false],
        `${yaw}`,
      );
      assert.ok(Math.abs(mouthOpening - 0.6) < 0.02, `${mouthOpening}`);
      assert.ok(measureFace(seen({ yaw })).mouthOpening < 0.02);
    }
  });

  it('warn of faces that are too small, turned too far, or none', () => {
    // The limit: 16 pixels between the outer corners of the eyes.
    const apart = (points) => Math.hypot(points[72] - points[90], points[73] - points[91]);
    const scaleOf = (pixels) => pixels / apart(seen({ scale: 1 }));
    assert.match(measureFace(seen({ scale: scaleOf(15) })).warnings.join(), /too small/);
    assert.deepEqual(measureFace(seen({ scale: scaleOf(17) })).warnings, []);
    assert.match(measureFace(seen({ yaw: 50 })).warnings.join(), /turned/);
    assert.match(measureFace(seen({ pitch: -35 })).warnings.join(), /turned/);
    assert.match(measureFace(seen({}), 0.3).warnings.join(), /may be wrong/);
    assert.deepEqual([measureFace(seen({}), 0.9).warnings, measureFace(seen({}), 0.9).confidence], [[], 0.9]);
    assert.ok(Number.isNaN(measureFace(seen({})).confidence));
    const random = generator(5);
    const noise = Float32Array.from({ length: 136 }, () => 200 * random());
    assert.match(measureFace(noise)?.warnings.join() ?? 'no pose: do not lie', /do not form/);
  });

  it('are absent where there is nothing to measure', () => {
    assert.equal(measureFace(new Float32Array(10)), null);
    assert.equal(measureFace(new Float32Array(136)), null);
    assert.equal(measureFace(seen({}).fill(NaN, 3, 4)), null);
  });
});
