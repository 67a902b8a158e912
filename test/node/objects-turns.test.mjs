// What keeps the object tracker's frames in order, and which side it takes.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { importTs } from '../../tools/import-ts.mjs';

const { Turns } = await importTs('src/objects/turns.ts');
const { SideChoice } = await importTs('src/objects/side-choice.ts');

describe('turns', () => {
  it('run in their order, calls at once when nothing is under way', async () => {
    const turns = new Turns();
    const done = [];
    assert.equal(
      turns.alone(() => 7),
      7,
    );
    let open;
    const first = turns.next(() => new Promise((resolve) => (open = resolve)).then(() => done.push('first')));
    const call = turns.alone(() => done.push('call'));
    assert.equal(turns.steady, false);
    const second = turns.next(async () => done.push('second'));
    let ready = false;
    void turns.ready(2).then(() => (ready = true));
    await Promise.resolve();
    assert.equal(ready, false);
    open();
    await Promise.all([first, call, second]);
    assert.deepEqual(done, ['first', 'call', 'second']);
    assert.equal(turns.steady, true);
    await turns.ready(1);
  });

  it('a failure holds up nobody', async () => {
    const turns = new Turns();
    const first = turns.next(async () => {
      throw new Error('lost');
    });
    const next = turns.next(async () => 3);
    const call = turns.alone(() => 4);
    await assert.rejects(first, /lost/);
    assert.equal(await next, 3);
    assert.equal(await call, 4);
  });
});

describe('the side', () => {
  const choose = (gpu, wasm) => {
    const choice = new SideChoice();
    const taken = [];
    for (let i = 0; i < 60; i++) {
      taken.push(choice.side);
      choice.took(choice.side, (choice.side === 'gpu' ? gpu : wasm) + (i < 3 ? 500 : 0));
    }
    assert.ok(taken.includes('gpu') && taken.includes('wasm'), 'both are tried');
    return choice.side;
  };
  it('is the faster one, whatever the first frames took', () => {
    assert.equal(choose(3, 9), 'gpu');
    assert.equal(choose(9, 3), 'wasm');
  });
});
