// Image files, stacks and animations through three routes (test/support/image-rows.mjs): the file as an element gives it to the
// engine, its pixels or every frame of it in a page, and Node. They agree, or refuse alike and name the format.
/* global crypto */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { imageRows } from '../support/image-rows.mjs';
import { differences, openThreeRoutes } from '../support/three-routes.mjs';

// These run in the page or in Node, and can use nothing around them.
async function live({ library, file }, see) {
  const { image, notes, frames } = await library.readImage(file);
  if (frames === 1) return see(file, 0);
  image.notes = notes;
  for await (const { frame, mediaTime } of library.frames(file)) await see(frame, mediaTime);
}

async function every({ library, file }, see) {
  const { image, notes, frames } = await library.readImage(file);
  if (frames === 1) return see(Object.assign(image, { notes }), 0);
  for await (const { frame, mediaTime, file: about } of library.frames(file, { everyFrame: true }))
    await see(Object.assign(frame, { notes: about.notes }), mediaTime);
}

async function node({ library, file }, see) {
  const { image, notes, frames } = await library.readImage(file);
  if (frames === 1) return see(Object.assign(image, { notes }), 0);
  for await (const { frame, mediaTime, file: about } of library.frames(file))
    await see(Object.assign(frame, { notes: about.notes }), mediaTime);
}

const rows = await imageRows();

describe('image files through three routes', () => {
  let routes, folder;
  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'foveola-rows-'));
    routes = await openThreeRoutes({ live, every, node });
  });
  after(async () => {
    await routes?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const [i, row] of rows.entries())
    it(row.name, async () => {
      const file = path.join(folder, `${i}.bin`);
      writeFileSync(file, await row.file());
      const made = await routes.of(file);
      if (row.refusal) {
        for (const [name, { frames, refusal }] of Object.entries(made)) {
          assert.equal(frames, 0, name);
          assert.equal(refusal?.code, row.refusal.code, name);
          assert.match(refusal.message, row.refusal.message, name);
          assert.equal(refusal.message, made.live.refusal.message, name);
        }
        return;
      }
      assert.deepEqual(differences(made), []);
      const { refusal, frames, times, size, levels, notes } = made.every;
      assert.equal(refusal, null);
      assert.deepEqual(made.node.notes, notes);
      if (row.notes) assert.match(notes.join(' '), row.notes);
      const { of = {} } = row;
      if (of.frames) assert.equal(frames, of.frames);
      if (of.times) assert.deepEqual(times, of.times);
      if (of.size) assert.equal(size, of.size);
      const wanted = of.levels ?? (row.pixels && [row.pixels.reduce((sum, v) => sum + v, 0) / row.pixels.length]);
      wanted?.forEach((level, n) => assert.ok(Math.abs(level - levels[n]) < 0.01, `${n}: ${levels[n]}, not ${level}`));
      if (row.pixels) assert.equal(made.every.digests[0], await digest(row.pixels));
    });

  it('works without an error of the page', () => assert.deepEqual(routes.errors, []));
});

/** As the harness takes it of a gray plane. */
const digest = async (pixels) => new Uint32Array(await crypto.subtle.digest('SHA-256', Uint8Array.from(pixels)))[0];
