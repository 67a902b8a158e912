// The rim of the field of view is not a vessel, wherever the picture cuts the field; outlined lesions are a warning.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { importTs } from '../../../tools/import-ts.mjs';
import { itInFull } from '../../support/full.mjs';

const { createEngine } = await importTs('src/index.ts');
const { drawnPhotograph } = await importTs('test/vessels/drawn.ts');

describe('vessels at the edge of the picture', () => {
  let engine;
  before(async () => (engine = await createEngine()));
  after(() => engine.dispose());

  /** A field of this radius, `gap` pixels from these sides of the picture and far from the others, with one vessel. */
  function photograph({ radius, gap, sides }) {
    const [left, top, right, bottom] = [...'ltrb'].map((side) => (sides.includes(side) ? gap : 40));
    const size = 2 * radius + 1;
    const field = { x: left + radius, y: top + radius, radius };
    const half = radius / 2;
    const points = [
      [field.x - half, field.y - half / 4],
      [field.x + half, field.y + half / 4],
    ];
    const lines = [{ points, width: radius / 32, depth: 0.3 }];
    const scene = { width: left + size + right, height: top + size + bottom, lines, fundus: true, field };
    return { picture: drawnPhotograph({ ...scene, noise: 1 }), field };
  }

  for (const radius of [130, 196])
    itInFull(`a field of ${2 * radius} px that touches any side has no vessel there`, async () => {
      for (const sides of ['t', 'r', 'b', 'l', 'tb', 'ltrb'])
        for (const gap of radius === 130 ? [0, 1, 2, 3] : [0]) {
          const { picture, field } = photograph({ radius, gap, sides });
          const { mask, fieldOfView } = await engine.vessels(picture, { scales: 'thick' });
          let [near, inner] = [0, 0];
          mask.data.forEach((value, i) => {
            if (!value) return;
            const r = Math.hypot((i % mask.width) - field.x, Math.floor(i / mask.width) - field.y) / radius;
            if (r > 0.8) near++;
            else inner++;
          });
          assert.equal(near, 0, `sides ${sides}, gap ${gap}`);
          assert.ok(inner > radius, 'the vessel itself is found');
          assert.ok(fieldOfView.data.some((value) => value > 0));
        }
    });

  it('a white lesion that the mask outlines is a warning, and the confidence falls', async () => {
    const { picture, field } = photograph({ radius: 196, gap: 20, sides: 'ltrb' });
    const plain = await engine.vessels(picture, { scales: 'all' });
    const data = picture.data.slice();
    for (let i = 0; i < picture.width * picture.height; i++) {
      const x = (i % picture.width) - field.x;
      const y = Math.floor(i / picture.width) - field.y - 90;
      const share = 1 / (1 + Math.exp(1.5 * (Math.hypot(x, y) - 12)));
      [245, 230, 170].forEach((white, c) => (data[4 * i + c] += share * (white - data[4 * i + c])));
    }
    const { warnings, confidence } = await engine.vessels({ ...picture, data }, { scales: 'all' });
    assert.doesNotMatch(plain.warnings.join(' '), /outlines/);
    assert.match(warnings.join(' '), /The mask outlines a bright area/);
    assert.ok(confidence < 1);
  });
});
