import { expect } from 'chai';
import { CallQueue } from '../../src/runtime/engine/call-queue.ts';

const settled = () => new Promise((resolve) => setTimeout(resolve));

describe('the queue of a tracker', () => {
  it('runs calls in the order of their numbers, however they arrive, one after the other', async () => {
    const queue = new CallQueue(Promise.resolve());
    const heard: string[] = [];
    const call = (turn: number) =>
      queue.run(turn, async () => {
        heard.push(`begin ${turn}`);
        await settled();
        heard.push(`end ${turn}`);
        return turn;
      });
    expect(await Promise.all([call(2), call(0), call(1)])).to.deep.equal([2, 0, 1]);
    expect(heard).to.deep.equal([0, 1, 2].flatMap((turn) => [`begin ${turn}`, `end ${turn}`]));
  });

  it('goes on past a call that fails, and past one that never comes', async () => {
    const queue = new CallQueue(Promise.resolve());
    const failing = queue.run(0, () => Promise.reject(new Error('no')));
    const third = queue.run(2, () => 'third');
    expect(await failing.catch(({ message }: Error) => message)).to.equal('no');
    let done = false;
    void third.then(() => (done = true));
    await settled();
    expect(done).to.equal(false); // the second may still come
    queue.skip(0); // it has come
    queue.skip(1);
    queue.skip(1);
    expect(await third).to.equal('third');
    expect(await queue.run(3, () => 'fourth')).to.equal('fourth');
  });

  it('keeps a call that has come and waits, whoever says that it does not come', async () => {
    const queue = new CallQueue(Promise.resolve());
    const heard: number[] = [];
    const second = queue.run(1, () => void heard.push(1));
    queue.skip(1);
    await queue.run(0, () => void heard.push(0));
    await Promise.race([second, settled()]);
    expect(heard).to.deep.equal([0, 1]);
  });

  it('waits for no call when it is closed', async () => {
    const queue = new CallQueue(Promise.resolve());
    const heard: number[] = [];
    const waiting = queue.run(5, () => void heard.push(5));
    queue.close();
    await Promise.all([waiting, queue.run(9, () => void heard.push(9))]);
    expect(heard).to.deep.equal([5, 9]);
  });

  it('begins nothing before its tracker is there, and fails with none of its own', async () => {
    let ready!: (error: Error) => void;
    const queue = new CallQueue(new Promise((_, reject) => (ready = reject)));
    let begun = false;
    const call = queue.run(0, () => void (begun = true));
    await settled();
    expect(begun).to.equal(false);
    ready(new Error('not made'));
    await call;
    expect(begun).to.equal(true);
  });
});
