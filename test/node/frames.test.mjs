// Frames of recordings in Node: planes as the decoder has them, both decoders alike, and what is wrong with a file.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { importTs } from '../../tools/import-ts.mjs';
import { root } from '../../tools/setup.mjs';
import { disc, folder } from '../command/support.mjs';
import { itInFull } from '../support/full.mjs';

const media = path.join(root, 'demo/media/sample.webm');
const ffmpeg = spawnSync('ffmpeg', ['-version']).status === 0;

describe('frames of recordings', () => {
  let node;
  let made;
  before(async () => {
    node = await importTs('src/node/index.ts');
    made = folder();
  });
  after(() => made.remove());

  const read = async (file, options) => {
    const list = [];
    for await (const { frame, ...times } of node.frames(file, options)) {
      const data = new Uint8Array(frame.allocationSize());
      await frame.copyTo(data);
      list.push({ ...times, format: frame.format, full: frame.colorSpace.fullRange, data });
    }
    return list;
  };

  it('come each once, in order, with their own times', async () => {
    const { frames } = JSON.parse(readFileSync(path.join(root, 'demo/media/sample.truth.json'), 'utf8'));
    const list = await read(media);
    assert.equal(list.length, frames.length);
    list.forEach(({ timestamp, mediaTime, clock, dropped }, i) => {
      assert.deepEqual({ timestamp, clock, dropped }, { timestamp: mediaTime, clock: 'media', dropped: 0 });
      assert.ok(i === 0 || timestamp > list[i - 1].timestamp);
    });
  });

  it('are a copy of what was encoded', async () => {
    const file = made.at('disc.webm');
    const out = await node.encodeRecording(file, { width: 160, height: 120 });
    for (const timestamp of [0, 40, 200]) await out.add(disc(160, 120, 80, 60, 25), timestamp);
    await out.close();
    const list = await read(file);
    assert.deepEqual(
      list.map(({ mediaTime, format, full }) => ({ mediaTime, format, full })),
      [0, 40, 200].map((mediaTime) => ({ mediaTime, format: 'I420', full: false })),
    );
    const truth = disc(160, 120, 80, 60, 25);
    for (const { data } of list) {
      assert.equal(data.length, truth.length);
      assert.ok(Math.abs(data[60 * 160 + 80] - 40) <= 3, 'inside the disc');
      assert.ok(Math.abs(data[0] - 130) <= 3, 'outside');
    }
  });

  itInFull(
    'are the same by node-av and by ffmpeg',
    { skip: ffmpeg ? false : 'there is no ffmpeg on this machine' },
    async () => {
      const [own, other] = [await read(media, { decoder: 'node-av' }), await read(media, { decoder: 'ffmpeg' })];
      assert.equal(own.length, other.length);
      own.forEach((frame, i) => {
        const { data, ...rest } = other[i];
        assert.ok(Buffer.from(frame.data).equals(Buffer.from(data)), `frame ${i}`);
        assert.deepEqual({ ...frame, data: null }, { ...rest, data: null });
      });
    },
  );

  it('say what is wrong', async () => {
    const cut = made.at('cut.webm');
    writeFileSync(cut, readFileSync(media).subarray(0, 60_000));
    const empty = made.at('empty.webm');
    writeFileSync(empty, '');
    const text = made.at('text.webm');
    writeFileSync(text, 'no recording\n'.repeat(100));
    const error = await read(cut).catch((one) => one);
    assert.equal(error.code, 'decode-failed');
    assert.ok(error.partial.frames > 0 && error.partial.mediaTime >= 0);
    assert.match(error.message, /of its \d+ bytes.*up to \d+ frames/);
    await assert.rejects(read(empty), { code: 'decode-failed', message: /empty/ });
    await assert.rejects(read(text), { code: 'decode-failed', message: /not a readable recording/ });
    await assert.rejects(read(made.at('none.webm')), { code: 'invalid-argument', message: /ENOENT/ });
    await assert.rejects(read(path.join(root, 'test/media/cat.jpg')), {
      code: 'source-unsupported',
      message: /readImage/,
    });
    await assert.rejects(read('https://example.org/a.webm'), { code: 'invalid-argument' });
    const stop = new AbortController();
    await assert.rejects(
      async () => {
        for await (const { timestamp } of node.frames(media, { signal: stop.signal })) if (timestamp > 50) stop.abort();
      },
      { code: 'aborted' },
    );
    assert.ok((await read(media)).length > 50, 'the next one is read');
  });
});

// What they have in common with playback is tested in test/pages/three-routes.full.test.mjs.
describe('recordings of other kinds', { skip: ffmpeg ? false : 'there is no ffmpeg on this machine' }, () => {
  const names = ['mirror-rot90.mp4', 'tall-pixels.mp4', 'yuv422-rot90.mp4', 'edit-two.mp4', 'grows.webm', 'gray.mp4'];
  names.push(
    'mono10-dark-start.mkv',
    'color-12-bits.mkv',
    'png-16-bits.mov',
    'raw-yuyv.avi',
    'bframes.h264',
    'h264.m2t',
  );
  let node;
  before(async () => (node = await importTs('src/node/index.ts')));

  for (const name of names)
    itInFull(`are the same by node-av and by ffmpeg: ${name}`, async () => {
      const read = async (decoder) => {
        const list = [];
        const file = path.join(root, 'test/media/routes', name);
        for await (const { frame, mediaTime, notes } of node.frames(file, { decoder })) {
          const data = new Uint8Array(frame.allocationSize());
          await frame.copyTo(data);
          const { format, displayWidth, displayHeight, colorSpace } = frame;
          list.push({ mediaTime, notes, format, displayWidth, displayHeight, colorSpace, data: [...data] });
        }
        return list;
      };
      const [own, other] = [await read('node-av'), await read('ffmpeg')];
      assert.ok(own.length > 1);
      assert.deepEqual(own, other);
    });
});

describe('a decoded frame', () => {
  let DecodedFrame;
  before(async () => ({ DecodedFrame } = await importTs('src/node/decoded-frame.ts')));

  const picture = (rest) => ({
    ...{ format: 'I420', width: 3, height: 2, bits: 8, fullRange: false, timestamp: 7, release: () => {} },
    ...rest,
  });
  const samples = async (given, options) => {
    const frame = new DecodedFrame(given);
    const target = new Uint8Array(options?.bytes ?? frame.allocationSize());
    await frame.copyTo(target, options);
    return [...target];
  };

  it('is copied without the padding of its rows', async () => {
    const planes = [
      { data: Uint8Array.of(1, 2, 3, 0, 4, 5, 6, 0), stride: 4 },
      { data: Uint8Array.of(7, 8, 0, 0), stride: 4 },
      { data: Uint8Array.of(9, 10, 0, 0), stride: 4 },
    ];
    assert.deepEqual(await samples(picture({ planes })), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const layout = [
      { offset: 0, stride: 4 },
      { offset: 8, stride: 2 },
      { offset: 10, stride: 2 },
    ];
    assert.deepEqual(await samples(picture({ planes }), { layout, bytes: 12 }), [1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 10]);
  });

  it('is gray where it has one plane, and has the upper 8 bits of more', async () => {
    const planes = [{ data: Uint8Array.of(0xff, 3, 0, 2, 4, 0, 0, 0, 0, 1, 255, 3), stride: 6 }];
    const given = picture({ planes, bits: 10, fullRange: true });
    assert.deepEqual(await samples(given), [255, 128, 1, 0, 64, 255, 128, 128, 128, 128]);
  });

  it('gives its samples back when the last clone is closed', async () => {
    let released = 0;
    const frame = new DecodedFrame(
      picture({ planes: [{ data: new Uint8Array(6), stride: 3 }], release: () => released++ }),
    );
    const clone = frame.clone();
    frame.close();
    frame.close();
    assert.equal(released, 0);
    assert.equal(frame.displayWidth, 0);
    await assert.rejects(frame.copyTo(new Uint8Array(10)), { code: 'source-not-ready' });
    assert.throws(() => frame.clone(), { code: 'source-not-ready' });
    await clone.copyTo(new Uint8Array(10));
    clone.close();
    assert.equal(released, 1);
  });
});
