// Full run only: it runs programs of the project for many seconds.
// lab/faces/render/labels.ts: the points of rendered faces lie where annotators place them, whatever model learns from them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { importTs } from '../../tools/import-ts.mjs';
import { root } from '../../tools/setup.mjs';

/** The point on the other side, of each of the 68; on the bridge of the nose it is the same. */
const ends = [17, 27, 31, 36, 40, 42, 46, 48, 55, 60, 65, 68];
const others = Array.from({ length: 68 }, (_, i) => {
  const sums = [16, 43, 2 * i, 66, 81, 87, 81, 87, 102, 114, 124, 132];
  return sums[ends.findIndex((end) => i < end)] - i;
});
/** From the camera to the middle of the head, cm. */
const DISTANCE = 100;
const PIVOT = [0, 0.5, 6];
const view = (x, y, z) => [(DISTANCE * x) / (DISTANCE - z), (-DISTANCE * y) / (DISTANCE - z)];

describe('labels of rendered faces', () => {
  let library;
  let atlas;
  before(async () => {
    library = await importTs('lab/faces/render/index.ts');
    const packed = readFileSync(path.join(root, 'test/media/face-model.bin.gz'));
    atlas = new library.Atlas(library.readModel(gunzipSync(packed)));
  });

  /** Alike on both sides, and at rest. */
  const resting = (seed, change) => ({
    ...library.drawSettings(seed),
    ...{ yaw: 0, pitch: 0, roll: 0, distance: DISTANCE, expression: {}, blink: [0, 0], gaze: [0, 0], young: 0 },
    ...change,
  });
  /** The person's mesh before the camera, and where it is seen. */
  function put(settings) {
    const mesh = new library.Mesh();
    library.addPerson(mesh, atlas.model, settings);
    mesh.place(0, library.turning(settings.yaw, settings.pitch, settings.roll), PIVOT, [0, 0, 0]);
    const p = mesh.position;
    return { mesh, see: (vertex) => view(p[3 * vertex], p[3 * vertex + 1], p[3 * vertex + 2]) };
  }
  const contourOf = (settings) => library.contour(atlas, settings.roll, put(settings).see);
  function labelsOf(settings) {
    const flat = library.labelsOf(atlas, put(settings).mesh, settings, view);
    return Array.from({ length: 68 }, (_, i) => [flat[2 * i], flat[2 * i + 1]]);
  }
  const apart = ([ax, ay], [bx, by]) => Math.hypot(ax - bx, ay - by);

  it('know what lies on the other side', () => {
    assert.deepEqual(
      [0, 8, 17, 21, 27, 30, 33, 36, 41, 48, 51, 57, 60, 62, 66].map((i) => others[i]),
      [16, 8, 26, 22, 27, 30, 33, 45, 46, 54, 51, 57, 64, 62, 66],
    );
    others.forEach((other, i) => assert.equal(others[other], i));
  });

  it('are alike on both sides of a face from the front, and mirrored on one that is turned the other way', () => {
    for (const [seed, yaw] of [
      [3, 0],
      [4, 17],
      [5, 38],
    ]) {
      const [one, other] = [yaw, -yaw].map((turned) => labelsOf(resting(seed, { yaw: turned, pitch: 6 })));
      const unit = apart(one[36], one[45]);
      one.forEach(([x, y], i) => {
        const off = apart([-x, y], other[others[i]]);
        assert.ok(off < 0.002 * unit, `seed ${seed}, yaw ${yaw}, point ${i}: ${off / unit}`);
      });
    }
  });

  it('lie evenly along the contour from each ear to the chin', () => {
    for (const yaw of [-20, 0, 20]) {
      const line = contourOf(resting(3, { yaw }));
      assert.equal(line.length, 17);
      const steps = line.slice(1).map((point, i) => apart(point, line[i]));
      for (const half of [steps.slice(0, 8), steps.slice(8)]) {
        // Distances are along the line, which is a little longer where it bends.
        const [least, most] = [Math.min(...half), Math.max(...half)];
        assert.ok(most < 1.08 * least, `yaw ${yaw}: ${steps.map((v) => v.toFixed(3))}`);
      }
    }
  });

  it('follow the contour that is seen: the cheek on the far side, the jaw on the near one', () => {
    for (const yaw of [-40, -20, 20, 40]) {
      const settings = resting(3, { yaw });
      const { see } = put(settings);
      const line = contourOf(settings);
      const skin = Array.from({ length: atlas.model.skinEnd }, (_, vertex) => see(vertex));
      const jaw = atlas.model.jawCandidates.map(([first]) => see(first));
      // The nose points to the right of the picture where yaw is positive: the far side is there.
      const side = Math.sign(yaw);
      for (const i of [1, 2, 3, 4]) {
        const [far, near] = side > 0 ? [16 - i, i] : [i, 16 - i];
        const [x, y] = line[far];
        const outline = Math.max(...skin.filter(([, at]) => Math.abs(at - y) < 0.25).map(([at]) => side * at));
        assert.ok(Math.abs(outline - side * x) < 0.25, `yaw ${yaw}, point ${far}: ${outline - side * x} cm within`);
        assert.ok(side * (x - jaw[far][0]) > 0.6, `yaw ${yaw}, point ${far}: on the jaw, which is hidden`);
        if (i < 4) assert.ok(apart(line[near], jaw[near]) < 1.5, `yaw ${yaw}, point ${near}: not on the jaw`);
      }
    }
  });

  it('are those of the contour where nothing is placed, and wider at the cheeks from the front', () => {
    const turned = resting(3, { yaw: 33 });
    const [line, points] = [contourOf(turned), labelsOf(turned)];
    for (const i of [0, 1, 2, 3, 4, 12, 13, 14, 15, 16]) assert.deepEqual(points[i], line[i], `${i}`);
    const front = resting(3);
    const widthOf = (list) => list[16][0] - list[0][0];
    const wider = widthOf(labelsOf(front)) / widthOf(contourOf(front));
    assert.ok(Math.abs(wider - 1.028) < 1e-6, `${wider}`);
  });

  it('lie on the upper part of brows as they are painted', () => {
    const renderer = new library.Renderer(atlas.model);
    const [SIZE, SIDE] = [400, 250];
    for (const [seed, yaw] of [
      [5, 0],
      [6, 25],
    ]) {
      const settings = resting(seed, { yaw });
      settings.worn = { ...settings.worn, hair: null, hat: null, mask: null, hand: null, things: [], glasses: null };
      settings.light = { ...settings.light, lamps: [] };
      settings.camera = { ...settings.camera, noise: 0, quality: 100, blur: 0, motion: 0 };
      const brow = { color: [0, 0, 0], half: 0.55, raise: -0.6, arch: 0, from: 0, to: 1.1, soft: 0.3, joined: 0 };
      const paint = (opacity) => {
        settings.look = { ...settings.look, skin: library.skinOf(1), brow: { ...brow, opacity } };
        return renderer.render(settings, { width: SIZE, height: SIZE, side: SIDE, x: SIZE / 2, y: SIZE / 2 });
      };
      const [painted, bare] = [paint(1), paint(0)];
      const gray = [bare, painted].map(({ data }) => library.grayOf(data));
      const isDark = (x, y) => gray[0][y * SIZE + x] - gray[1][y * SIZE + x] > 8;
      let [above, below] = [0, 0];
      for (let i = 17; i < 27; i++) {
        const [x, y] = [Math.round(painted.points[2 * i]), Math.round(painted.points[2 * i + 1])];
        let nearest = Infinity;
        for (let dy = -16; dy <= 16; dy++)
          for (let dx = -16; dx <= 16; dx++) {
            if (!isDark(x + dx, y + dy)) continue;
            nearest = Math.min(nearest, Math.hypot(dx, dy));
            if (dx === 0 && i !== 17 && i !== 26) dy < 0 ? above++ : below++;
          }
        // The outer ends taper off before their point.
        const limit = i === 17 || i === 26 ? 10 : 4;
        assert.ok(nearest <= limit, `seed ${seed}, point ${i}: ${nearest} pixels from the brow`);
      }
      assert.ok(above > 0 && below > 2 * above, `seed ${seed}: ${above} above, ${below} below`);
    }
  });
});
