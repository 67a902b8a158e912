/** A target is known by its colors too, where the source has them. */
import { expect } from 'chai';
import { toPlane } from '../../src/frames/to-plane.ts';
import { ObjectTrackerCore } from '../../src/objects/tracker.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import type { Box, ObjectResult } from '../../src/results/types.ts';
import { openRuntime } from './memory.ts';

const [WIDTH, HEIGHT, SIDE] = [160, 120, 24];

/** A blue disk moves over a yellow ground of the same gray, or nothing over gray; RGBA. */
function scene(t: number, colored: boolean): { width: number; height: number; data: Uint8ClampedArray } {
  const data = new Uint8ClampedArray(4 * WIDTH * HEIGHT);
  const { x: left, y: top } = target(t);
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) {
      const inside = Math.hypot(x - left - SIDE / 2, y - top - SIDE / 2) < SIDE / 2;
      // The gray of both is 110.
      const [red, green, blue] = !colored ? [0, 0, 0] : inside ? [0, -20, 105] : [0, 8, -40];
      data.set([110 + red, 110 + green, 110 + blue, 255], 4 * (y * WIDTH + x));
    }
  return { width: WIDTH, height: HEIGHT, data };
}

const target = (t: number): Box => ({ x: 20 + 2.5 * t, y: 30 + 20 * Math.sin(t / 6), width: SIDE, height: SIDE });

function overlap(a: Box, b: Box): number {
  const across = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const down = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  const both = Math.max(0, across) * Math.max(0, down);
  return both / (a.width * a.height + b.width * b.height - both);
}

async function follow(runtime: Runtime, colored: boolean) {
  const core = new ObjectTrackerCore(runtime, {});
  let right = 0;
  const blocks: number[] = [];
  for (let t = 0; t < 40; t++) {
    const plane = await toPlane(runtime, { kind: 'rgba', ...scene(t, colored) }, 'color', { backend: 'wasm' });
    if (t === 0) await core.methods.start(plane, 0, target(0));
    else {
      const { box } = core.process(plane, 40 * t) as ObjectResult;
      if (box && overlap(box, target(t)) > 0.5) right++;
    }
    plane.dispose();
    blocks.push(runtime.arena.blocks);
  }
  const model = await core.methods.exportModel(1);
  await core.methods.importModel(model);
  await core.dispose();
  return { right, model, blocks };
}

describe('colors of a target', () => {
  let runtime: Runtime;
  before(async () => (runtime = await openRuntime()));
  after(() => runtime.dispose());

  it('keep it where its gray values say nothing, are exported, and leave nothing behind', async () => {
    const before = runtime.arena.blocks;
    const colored = await follow(runtime, true);
    const gray = await follow(runtime, false);
    expect(colored.right, `with color ${colored.right}, without ${gray.right} of 39`).to.be.at.least(36);
    expect(gray.right).to.equal(0);
    expect(colored.model.length).to.be.greaterThan(gray.model.length + 30_000);
    expect(colored.blocks[39]).to.equal(colored.blocks[20]);
    expect(runtime.arena.blocks, 'besides the scratch').to.be.at.most(before + 1);
  });

  it('of a gray picture there are none, and one without colors is followed in a colored target', async () => {
    const core = new ObjectTrackerCore(runtime, {});
    const plane = await toPlane(runtime, { kind: 'rgba', ...scene(0, true) }, 'color', { backend: 'wasm' });
    expect(plane.colors!.width).to.equal(WIDTH);
    expect(plane.colors!.height).to.equal(HEIGHT / 2);
    const colors = plane.colors!.copy();
    await core.methods.start(plane, 0, target(0));
    // They stay the caller's: an image that is kept is given to the next call with them.
    expect(plane.colors!.copy()).to.deep.equal(colors);
    plane.dispose();
    const data = new Uint8Array(WIDTH * HEIGHT).fill(110);
    const gray = await toPlane(runtime, { kind: 'gray', width: WIDTH, height: HEIGHT, data }, 'color');
    expect(gray.colors).to.equal(undefined);
    expect((core.process(gray, 40) as ObjectResult).targets).to.have.length(1);
    gray.dispose();
    await core.dispose();
  });
});
