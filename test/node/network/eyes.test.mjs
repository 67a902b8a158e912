// The eye network: its answers are PyTorch's. The second opinion leaves sure pupils alone, finds others, and measures lids and iris.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { importTs } from '../../../tools/import-ts.mjs';
import { root } from '../../../tools/setup.mjs';

const lib = await importTs('test/node/network/library.ts');
const module = await WebAssembly.compile(readFileSync(path.join(root, 'dist/kernels.wasm')));
const places = { models: { eyes: {} } };
const insideModel = async (name) => new Uint8Array(readFileSync(path.join(root, 'models', `${name}.bin`)));
const network = lib.readNetwork(await insideModel('eyes'));

/** Results of frames, each by itself. */
async function tracked(frames, parameters) {
  const runtime = await lib.Runtime.create({ module, places, insideModel });
  const core = new lib.PupilTrackerCore(runtime, parameters);
  await lib.loadSecondOpinion(runtime);
  const results = frames.map(({ width, height, data }) => {
    core.reset();
    const source = runtime.plane(width, height, 'u8', data);
    const result = core.track(source, 0);
    source.dispose();
    return result.pupils[0];
  });
  core.dispose();
  assert.ok(runtime.arena.blocks <= 1, 'blocks left on the arena');
  runtime.dispose();
  return results;
}

/** Frames of the wide set with what was drawn. */
const wide = (seed, indexes, options) =>
  indexes.map((i) => {
    let scene = null;
    const frame = lib.wideFrame(i, seed, { widths: [256], ...options, drawn: (drawn) => (scene = drawn) });
    return { ...frame, scene };
  });

describe('the eye network', () => {
  it('answers as PyTorch', async () => {
    const file = path.join(root, 'test/golden/network/eyes.json');
    const { width, height, picture, answers } = JSON.parse(readFileSync(file, 'utf8'));
    const runtime = await lib.Runtime.create({ module });
    const source = runtime.plane(width, height, 'f32', Float32Array.from(picture));
    const [plane] = await lib.run(runtime, lib.runNetwork, [source, network]);
    assert.deepEqual([plane.width, plane.height], [(3 * width) / 2, height / 2]);
    plane.copy().forEach((v, i) => assert.ok(Math.abs(v - answers[i]) < 0.02, `${v}, not ${answers[i]} at ${i}`));
    plane.dispose();
    source.dispose();
    runtime.dispose();
  });

  it('does not change sure pupils, and finds others', async () => {
    const frames = wide(31, [0, 1, 2, 4, 5, 6, 8, 9, 10]).filter((frame) => frame.meta.polarity === 'dark'); // prettier-ignore
    const before = await tracked(frames, {});
    const after = await tracked(frames, { secondOpinion: 'unsure' });
    const near = (pupil, { ellipse, circle }) => pupil.found && Math.hypot(pupil.x - ellipse.x, pupil.y - ellipse.y) < Math.max(1.5, 0.12 * circle.r); // prettier-ignore
    before.forEach((pupil, i) => pupil.confidence >= 0.9 && assert.deepEqual(after[i], pupil));
    const counts = [before, after].map((list) => list.filter((pupil, i) => near(pupil, frames[i].truth)).length);
    assert.ok(counts[1] > counts[0], `${counts}`);
  });

  it('measures the share that lids cover, and the iris', async () => {
    const frames = wide(33, [0, 2, 4, 8, 10, 12, 16, 18], { close: lib.closeLids }).filter((frame) => frame.meta.polarity === 'dark'); // prettier-ignore
    const found = await tracked(frames, { secondOpinion: 'always' });
    let measured = 0;
    found.forEach((pupil, i) => {
      if (!pupil.found || frames[i].truth.partial) return;
      measured++;
      const { pupil: ellipse, lids, limbus } = frames[i].scene;
      const off = Math.abs(pupil.coveredByLids - lib.lidShare(ellipse, lids));
      assert.ok(off < 0.12, `${i}: covered ${pupil.coveredByLids}, off by ${off}`);
      if (pupil.irisDiameter === undefined) return;
      const ratio = pupil.irisDiameter / limbus.major;
      assert.ok(Math.abs(ratio - 1) < 0.15, `${i}: iris ${ratio} of its true diameter`);
    });
    assert.ok(measured >= 3, `${measured} pupils`);
  });

  it('is not asked by other methods', async () => {
    const [frame] = wide(31, [0]);
    const [pupil] = await tracked([frame], { method: 'threshold', secondOpinion: 'always' });
    assert.equal(pupil.coveredByLids, undefined);
  });
});
