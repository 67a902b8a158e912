// Eyes: irises that were drawn, gaze that was rendered, and lids that close and open again.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { library } from './support.mjs';

const { EyeState, FaceEyes, gazeOf, irisOf, isBlink, irisOfEye, axesOf, eyeTable, headShape, eyeWidth, poseOf } =
  library;

/** An eye 40 pixels wide at (60, 40) in a picture of skin: white, with an iris at (u, v) of its width, cut by the lids. */
function drawnEye({ u = 0, v = 0, opening = 0.36, iris = 40, white = 200, skin = 150, width = 40, turn = 0 } = {}) {
  const [cx, cy] = [60, 40];
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  const data = new Uint8Array(120 * 80);
  for (let y = 0; y < 80; y++)
    for (let x = 0; x < 120; x++) {
      let sum = 0;
      for (let k = 0; k < 16; k++) {
        const [dx, dy] = [x + (k % 4) / 4 - 0.375 - cx, y + Math.floor(k / 4) / 4 - 0.375 - cy];
        const [p, q] = [(c * dx + s * dy) / width, (c * dy - s * dx) / width];
        // The lids as two parabolas through the corners.
        const inside = Math.abs(q) < (opening / 2) * (1 - 4 * p * p);
        sum += !inside ? skin : Math.hypot(p - u, q - v) < 0.21 ? iris : white;
      }
      data[120 * y + x] = Math.round(sum / 16);
    }
  const lid = (p, side) => [p, (side * opening * (1 - 4 * p * p)) / 2];
  const outline = [[-0.5, 0], lid(-1 / 6, -1), lid(1 / 6, -1), [0.5, 0], lid(1 / 6, 1), lid(-1 / 6, 1)];
  const points = outline.map(([p, q]) => [cx + width * (c * p - s * q), cy + width * (s * p + c * q)]);
  const at = [cx + width * (c * u - s * v), cy + width * (s * u + c * v)];
  return { view: { width: 120, height: 80, stride: 120, data }, points, width, at };
}

/** The mean face with eyes drawn in, turned by yaw and pitch, seen from far away: landmarks alone. */
const degree = Math.PI / 180;
function faceSeen({ yaw = 0, pitch = 0, lid = 8, size = 1 } = {}) {
  const places = new Map(headShape.map(([point, ...at]) => [point, at]));
  for (const [from, to] of [
    [36, 39],
    [42, 45],
  ]) {
    const [a, b] = [places.get(from), places.get(to)];
    for (const [k, share, side] of [
      [1, 1 / 3, lid],
      [2, 2 / 3, lid],
      [4, 2 / 3, -lid],
      [5, 1 / 3, -lid],
    ])
      places.set(from + k, a.map((v, c) => v + share * (b[c] - v) + (c === 1 ? side : 0))); // prettier-ignore
  }
  const [right, up] = axesOf({ yaw: yaw * degree, pitch: pitch * degree, roll: 0 });
  const dot = (row, place) => row.reduce((sum, v, i) => sum + v * place[i], 0);
  return Float32Array.from({ length: 136 }, (_, i) => {
    const place = places.get(i >> 1) ?? [0, -80, 40];
    return i % 2 ? 200 - size * dot(up, place) : 200 + size * dot(right, place);
  });
}

describe('the iris of an eye', () => {
  it('is found where it was drawn, in an eye of any turn, bright or dark', () => {
    for (const u of [-0.25, -0.1, 0, 0.17, 0.25])
      for (const v of [-0.05, 0, 0.04])
        for (const turn of [0, 0.4, -2.5])
          for (const [iris, white, skin] of [
            [40, 200, 150],
            [20, 90, 45],
            [110, 150, 180],
          ]) {
            const { view, points, width, at } = drawnEye({ u, v, turn, iris, white, skin });
            const found = irisOf(view, { points: points.flat(), width, skin: [60, 70] });
            const off = Math.hypot(found.x - at[0], found.y - at[1]) / width;
            assert.ok(off < 0.05, `${u} ${v} ${turn} ${iris}: ${off}`);
            assert.ok(found.clearness > 0.5, `${found.clearness}`);
          }
  });

  it('is the same as the reference finds', () => {
    const { view, points, width } = drawnEye({ u: 0.11, v: -0.03, turn: 0.3 });
    const { x, y, clearness, bare } = irisOf(view, { points: points.flat(), width, skin: [60, 70] });
    for (const [i, wanted] of irisOfEye(view, points, width, [60, 70]).entries())
      assert.ok(Math.abs([x, y, clearness, bare][i] - wanted) < 1e-9);
  });

  it('is none where there is nothing to be seen', () => {
    const flat = { ...drawnEye().view, data: new Uint8Array(120 * 80).fill(99) };
    const { points, width } = drawnEye();
    assert.equal(irisOf(flat, { points: points.flat(), width, skin: [60, 70] }), null);
    assert.equal(irisOf(flat, { points: new Float32Array(12), width, skin: [60, 70] }), null);
    assert.equal(irisOf(drawnEye().view, { points: points.flat(), width: 0, skin: [60, 70] }), null);
    const shut = drawnEye({ opening: 0.02 });
    assert.ok(
      !(irisOf(shut.view, { points: shut.points.flat(), width, skin: [60, 70] })?.clearness > eyeTable.clearness),
    );
  });
});

describe('the openness of eyes', () => {
  const eyes = (left, right = left) => ({ eyes: [{ opening: left }, { opening: right }] });

  it('is 1 as they are open and less in a blink, of narrow and of wide eyes', () => {
    for (const open of [0.18, 0.3, 0.45]) {
      const state = new EyeState();
      const shown = [];
      for (let i = 0; i < 60; i++) {
        const blink = i >= 40 && i < 45;
        shown.push(state.openness(eyes(blink ? 0.3 * open : open * (1 + 0.04 * Math.sin(i))), 33 * i));
      }
      assert.deepEqual([shown[9], shown[10] !== null], [null, true]); // six heights, two frames apart
      for (const i of [30, 39, 50]) assert.ok(Math.abs(shown[i][0] - 1) < 0.1 && !isBlink(shown[i]), `${shown[i]}`);
      assert.ok(isBlink(shown[42]) && shown[42][1] < 0.4, `${shown[42]}`);
    }
  });

  it('is shown of each eye by itself; one shut eye is no blink', () => {
    const state = new EyeState();
    for (let i = 0; i < 40; i++) state.openness(eyes(0.3, 0.2), 60 * i);
    const [left, right] = state.openness(eyes(0.3, 0.2), 2400);
    assert.ok(Math.abs(left - 1) < 1e-9 && Math.abs(right - 1) < 1e-9);
    for (const other of [0.4, 0.1]) assert.equal(isBlink([1, other]), false);
    assert.equal(isBlink([0.2, 0.3]), true);
  });

  it('is not known of eyes that were never seen open', () => {
    const state = new EyeState();
    for (let i = 0; i < 60; i++) assert.equal(state.openness(eyes(0.05), 60 * i), null);
  });

  it('goes on where a clock begins again, and forgets what was long ago', () => {
    const state = new EyeState();
    for (let i = 0; i < 30; i++) state.openness(eyes(0.3), 60 * i);
    for (let i = 0; i < 200; i++) state.openness(eyes(0.4), 60 * i);
    assert.ok(Math.abs(state.openness(eyes(0.4), 12_060)[0] - 1) < 1e-9);
  });
});

describe('the gaze', () => {
  const middles = (landmarks) =>
    [36, 42].map((first) => ({
      x: (landmarks[2 * first] + landmarks[2 * first + 6]) / 2,
      y: (landmarks[2 * first + 1] + landmarks[2 * first + 7]) / 2,
    }));

  it('goes to the side and up with the irises, and is that of a head which turns with them', () => {
    const landmarks = faceSeen();
    const pose = poseOf(landmarks);
    const look = (dx, dy) =>
      gazeOf(landmarks, middles(landmarks).map(({ x, y }) => ({ x: x + dx * eyeWidth(pose), y: y + dy * eyeWidth(pose), clearness: 0.9, bare: 1 })), pose); // prettier-ignore
    const straight = look(0, 0);
    assert.ok(Math.abs(straight.yaw) < 2 * degree, `${straight.yaw / degree}`);
    const right = look(0.12, 0);
    assert.ok(right.yaw > 3 * degree && right.yaw < 40 * degree, `${right.yaw / degree}`);
    assert.ok(Math.abs(look(-0.12, 0).yaw + right.yaw) < 2 * degree);
    assert.ok(look(0, -0.08).pitch > straight.pitch + degree);
    const turned = faceSeen({ yaw: 20 });
    const own = gazeOf(turned, middles(turned).map((place) => ({ ...place, clearness: 0.9, bare: 1 })), poseOf(turned)); // prettier-ignore
    assert.ok(own.yaw > 2 * degree, `${own.yaw / degree}`);
  });

  it('is absent without a clear iris', () => {
    const landmarks = faceSeen();
    const dim = middles(landmarks).map((place) => ({ ...place, clearness: 0.05, bare: 1 }));
    assert.equal(gazeOf(landmarks, [null, null], poseOf(landmarks)), null);
    assert.equal(gazeOf(landmarks, dim, poseOf(landmarks)), null);
    const dark = middles(landmarks).map((place) => ({ ...place, clearness: 0.9, bare: 0.2 })); // glasses
    assert.equal(gazeOf(landmarks, dark, poseOf(landmarks)), null);
    assert.ok(gazeOf(landmarks, [null, { ...dim[1], clearness: 0.9, bare: 1 }], poseOf(landmarks)));
  });
});

describe('the eyes of a face that is followed', () => {
  const flat = { width: 400, height: 400, stride: 400, data: new Uint8Array(160_000).fill(120) };
  const after = (eyes, shapes, confidence = 0.9) =>
    shapes.map((given, i) => eyes.look(flat, faceSeen(given), confidence, 40 * i)).at(-1);
  const open = Array.from({ length: 30 }, () => ({}));

  it('blink when they are shut for a moment; no iris is guessed in a flat picture', () => {
    const { openness, blink, gaze } = after(new FaceEyes(), open);
    assert.ok(Math.abs(openness[0] - 1) < 0.01 && Math.abs(openness[1] - 1) < 0.01);
    assert.deepEqual([blink, gaze], [false, undefined]);
    const shut = after(new FaceEyes(), [...open, { lid: 1 }]);
    assert.ok(shut.openness[0] < 0.2);
    assert.equal(shut.blink, true);
  });

  it('are shown nothing of where they are small, turned away, not trusted, or seen for the first time', () => {
    assert.deepEqual(after(new FaceEyes(), open.map(() => ({ size: 0.12 }))), {}); // prettier-ignore
    assert.deepEqual(after(new FaceEyes(), [...open, { yaw: 50 }]), {});
    assert.deepEqual(after(new FaceEyes(), open, 0.3), {});
    assert.deepEqual(after(new FaceEyes(), open.slice(0, 3)), {});
    assert.deepEqual(new FaceEyes().look(flat, new Float32Array(10), 0.9, 0), {});
  });
});
