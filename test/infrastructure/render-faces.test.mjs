// Full run only: it runs programs of the project for many seconds.
// lab/faces/render: faces whose points are known, and the shards that the trainer reads.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { extractModel } from '../../lab/faces/render/extract.mjs';
import { importTs } from '../../tools/import-ts.mjs';
import { root } from '../../tools/setup.mjs';
import { sharedFolder } from '../../tools/serve.mjs';

const ict = path.join(sharedFolder, 'data/ict');
const whole = path.join(ict, 'ict-face.bin');
const unpacked = mkdtempSync(path.join(tmpdir(), 'face-model-'));
after(() => rmSync(unpacked, { recursive: true }));
/** The whole model where it is, else that of test/media, all of whose faces look alike. */
function modelFile() {
  if (existsSync(whole)) return whole;
  const at = path.join(unpacked, 'face-model.bin');
  writeFileSync(at, gunzipSync(readFileSync(path.join(root, 'test/media/face-model.bin.gz'))));
  return at;
}
const file = modelFile();
const { packShard, readShard } = await importTs('lab/faces/render/dataset.ts');

describe('shards of rendered faces', () => {
  const shard = {
    side: 3,
    records: [{ seed: 7, worn: ['glasses'] }, { seed: 8 }],
    pictures: Uint8Array.from({ length: 18 }, (_, i) => 13 * i),
    points: Float32Array.from({ length: 272 }, (_, i) => i / 3),
  };

  it('are laid out as the trainer reads them', () => {
    const bytes = packShard(shard);
    const view = new DataView(bytes.buffer);
    assert.equal(new TextDecoder().decode(bytes.subarray(0, 4)), 'FVF1');
    const [count, side, length] = [4, 8, 12].map((at) => view.getUint32(at, true));
    assert.deepEqual([count, side, length % 4], [2, 3, 0]);
    assert.deepEqual(JSON.parse(new TextDecoder().decode(bytes.subarray(16, 16 + length))), shard.records);
    assert.equal(bytes[16 + length + 17], 13 * 17);
    assert.equal(view.getFloat32(16 + length + 18 + 4 * 271, true), Math.fround(271 / 3));
    assert.deepEqual(readShard(bytes), shard);
  });

  it('are refused when torn', () => {
    const bytes = packShard(shard);
    for (const end of [0, 15, 40, bytes.length - 1])
      assert.throws(() => readShard(bytes.slice(0, end)), /no whole shard/);
    assert.throws(() => readShard(bytes.fill(0, 0, 1)), /no whole shard/);
  });
});

describe('rendered faces', () => {
  let library;
  let model;
  before(async () => {
    library = await importTs('lab/faces/render/index.ts');
    model = library.readModel(readFileSync(file));
  });

  it('are the same for the same seed, whatever was rendered before', () => {
    const [one, other] = [new library.Renderer(model), new library.Renderer(model)];
    other.render(11);
    const [a, b] = [one.render(12), other.render(12)];
    assert.deepEqual(a, b);
    assert.notDeepEqual(one.render(13).data, a.data);
  });

  it('have their points in the picture, in a box of the side that was asked for', () => {
    const renderer = new library.Renderer(model);
    for (let seed = 40; seed < 52; seed++) {
      const framing = library.drawFraming(seed);
      const { points, box, width, height } = renderer.render(seed, framing);
      assert.equal(points.length, 136);
      points.forEach((v) => assert.ok(v >= 0 && v <= width - 1, `seed ${seed}: ${v}`));
      const close = (value, wanted) => assert.ok(Math.abs(value - wanted) < 0.01, `${value} ${wanted}`);
      close((box.width + box.height) / 2, framing.side);
      close(box.x + box.width / 2, framing.x);
      close(box.y + box.height / 2, framing.y);
      assert.equal(width, height);
    }
  });

  it('show the pose, the tone and what is worn that were asked for', () => {
    const renderer = new library.Renderer(model);
    const settings = library.drawSettings(5);
    settings.roll = settings.pitch = 0;
    settings.worn = { ...settings.worn, hair: null, hat: null, mask: null, hand: null, things: [], glasses: null };
    settings.light.lamps = [];
    /** Where the nose's tip lies between the corners of the eyes, 0 to 1. */
    const nose = (yaw) => {
      const { points } = renderer.render({ ...settings, yaw });
      return (points[60] - points[72]) / (points[90] - points[72]);
    };
    assert.ok(nose(-30) < nose(0) - 0.2 && nose(30) > nose(0) + 0.2);
    const cheek = (tone) => {
      settings.look.skin = library.skinOf(tone);
      settings.camera = { ...settings.camera, colored: true, noise: 0, quality: 100, black: 0, contrast: 0 };
      const { data, points, width } = renderer.render({ ...settings, yaw: 0 });
      const [x, y] = [(points[4] + points[62]) / 2, (points[5] + points[63]) / 2].map(Math.round);
      return data.slice(4 * (y * width + x), 4 * (y * width + x) + 3);
    };
    const [light, dark] = [cheek(0), cheek(5)];
    // exposure follows the face in part, so the darker skin stays the darker one
    assert.ok(light[1] > dark[1] + 8, `${light} ${dark}`);
    const { record } = renderer.render({
      ...settings,
      worn: { ...settings.worn, hat: { kind: 'cap', color: [0, 0, 0], height: 9, tilt: 0, thick: 1 } },
    });
    assert.deepEqual(record.worn.slice(0, 2), ['hat', 'bald']);
  });

  it('name the expression that the model does not have', () => {
    const settings = { ...library.drawSettings(1), expression: { mouthSing: 1 } };
    assert.throws(() => new library.Renderer(model).render(settings), /no expression 'mouthSing'; it has browDown_L/);
  });

  it('refuse what is no model', () => {
    assert.throws(() => library.readModel(new Uint8Array(100)), /no face model of version 1/);
  });
});

describe('npm run lab -- render-faces', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'faces-'));
  after(() => rmSync(folder, { recursive: true }));
  const command = (...args) =>
    spawnSync(process.execPath, ['lab/render-faces.mjs', ...args], { cwd: root, encoding: 'utf8' });

  it('writes whole shards, goes on where it ended, and makes a sheet', async () => {
    const set = path.join(folder, 'set');
    const args = [set, '--count', '3', '--seed', '9', '--jobs', '1', '--model', file];
    const { status, stdout, stderr } = command(...args, '--sheet', path.join(folder, 'sheet.png'));
    assert.equal(status, 0, stderr);
    assert.match(stdout, /3 of 3 faces/);
    assert.deepEqual(readdirSync(set).sort(), ['faces-00000.bin', 'faces.json']);
    const described = JSON.parse(readFileSync(path.join(set, 'faces.json'), 'utf8'));
    assert.deepEqual(described, { version: 1, seed: 9, count: 3, side: 200, shard: 100 });
    const { records, pictures, points } = readShard(readFileSync(path.join(set, 'faces-00000.bin')));
    const { Renderer, readModel, grayOf } = await importTs('lab/faces/render/index.ts');
    const again = new Renderer(readModel(readFileSync(file))).render(records[2].seed);
    assert.deepEqual(pictures.slice(80000), grayOf(again.data));
    assert.deepEqual(points.slice(272), again.points);
    assert.deepEqual(records[2], again.record);
    assert.equal(readFileSync(path.join(folder, 'sheet.png')).toString('latin1', 1, 4), 'PNG');
    const { mtimeMs } = statSync(path.join(set, 'faces-00000.bin'));
    assert.match(command(...args).stdout, /1 of 1 shards are there already/);
    assert.equal(statSync(path.join(set, 'faces-00000.bin')).mtimeMs, mtimeMs);
    const other = command(set, '--count', '4', '--seed', '9', '--model', file);
    assert.equal(other.status, 1);
    assert.match(other.stderr, /holds 3 faces of seed 9/);
  });

  it('says what is missing', () => {
    assert.match(command().stderr, /One folder is needed/);
    assert.match(command(path.join(folder, 'no'), '--count', '0').stderr, /--count and --jobs are whole numbers/);
    assert.match(command(path.join(folder, 'no'), '--model', 'none.bin').stderr, /There is no face model none\.bin/);
    assert.ok(!existsSync(path.join(folder, 'no')));
  });
});

describe('the extraction from the files of the kit', () => {
  it(
    'gives what the compact model holds',
    { skip: existsSync(whole) ? false : 'needs ../shared/data/ict' },
    async () => {
      const { readModel } = await importTs('lab/faces/render/index.ts');
      const compact = readModel(readFileSync(whole));
      const own = readModel(extractModel(path.join(ict, 'kit')));
      for (const key of [
        'count',
        'neutral',
        'triangles',
        'material',
        'landmarks',
        'wings',
        'jawCandidates',
        'labelFix',
        'eyes',
      ])
        assert.deepEqual(own[key], compact[key], key);
      assert.deepEqual([own.identities, own.expressions], [2, ['eyeBlink_L', 'jawOpen']]);
      const of = (model, k) => model.deltas.subarray(k * model.neutral.length, (k + 1) * model.neutral.length);
      const expression = (name) => compact.identities + compact.expressions.indexOf(name);
      [0, 1, expression('eyeBlink_L'), expression('jawOpen')].forEach((from, to) => {
        const [a, b] = [of(own, to), of(compact, from)];
        // a step of the last digit, where a difference lies half-way
        assert.ok(a.every((v, i) => Math.abs(v - b[i]) <= 1));
        assert.ok(Math.abs(own.scale[to] / compact.scale[from] - 1) < 1e-6);
      });
    },
  );

  it('says which folder it wants', () => {
    assert.throws(() => extractModel(tmpdir()), /has no vertex_indices\.json; give the folder FaceXModel/);
  });
});
