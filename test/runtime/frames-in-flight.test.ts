// The one queue of frames under way: how they enter, overlap and end.
import { expect } from 'chai';
import { FramesInFlight } from '../../src/runtime/frames-in-flight.ts';

interface Gate {
  promise: Promise<void>;
  open(): void;
}
const gate = (): Gate => {
  let open = (): void => undefined;
  const promise = new Promise<void>((resolve) => (open = resolve));
  return { promise, open: () => open() };
};
const later = () => new Promise((resolve) => setTimeout(resolve));

describe('frames in flight', () => {
  it('enter one after the other, and end in their order though the later one is done first', async () => {
    const frames = new FramesInFlight();
    const slow = gate();
    const order: string[] = [];
    const add = (name: string, until?: Promise<void>) =>
      frames.add(async () => {
        order.push(`${name} in`);
        await until;
        order.push(`${name} entered`);
        return () => {
          order.push(`${name} out`);
          return name;
        };
      });
    const both = Promise.all([add('first', slow.promise), add('second')]);
    await later();
    expect(order).to.deep.equal(['first in']);
    expect(frames.busy).to.equal(true);
    slow.open();
    expect(await both).to.deep.equal(['first', 'second']);
    const entered = order.filter((entry) => !entry.endsWith('out'));
    expect(entered).to.deep.equal(['first in', 'first entered', 'second in', 'second entered']);
    expect(order.filter((entry) => entry.endsWith('out'))).to.deep.equal(['first out', 'second out']);
    expect(frames.busy).to.equal(false);
  });

  it('overlap: the next one enters while the end of the first is waited for', async () => {
    const frames = new FramesInFlight();
    const end = gate();
    const order: string[] = [];
    const first = frames.add(async () => async () => {
      await end.promise;
      order.push('first out');
    });
    const second = frames.add(async () => {
      order.push('second in');
      return () => order.push('second out');
    });
    await later();
    expect(order).to.deep.equal(['second in']);
    end.open();
    await Promise.all([first, second]);
    expect(order).to.deep.equal(['second in', 'first out', 'second out']);
  });

  it('hand each frame what ends with the frames before it', async () => {
    const frames = new FramesInFlight();
    const end = gate();
    let reached = false;
    const first = frames.add(async () => () => end.promise);
    const second = frames.add(async (before) => {
      await before;
      reached = true;
      return () => undefined;
    });
    await later();
    expect(reached).to.equal(false);
    end.open();
    await Promise.all([first, second]);
    expect(reached).to.equal(true);
  });

  it('are not held up by one that fails, at its start or at its end', async () => {
    const frames = new FramesInFlight();
    const outcomes = await Promise.allSettled([
      frames.add(() => Promise.reject(new Error('start'))),
      frames.add(async () => () => Promise.reject(new Error('end'))),
      frames.add(async () => () => 3),
    ]);
    expect(outcomes.map((o) => (o.status === 'fulfilled' ? o.value : (o.reason as Error).message))).to.deep.equal([
      ...['start', 'end', 3],
    ]);
    expect(frames.busy).to.equal(false);
  });

  it('tell when there is room for one more, and when all have ended', async () => {
    const frames = new FramesInFlight();
    const ends = [gate(), gate()];
    const done = ends.map(({ promise }) => frames.add(async () => () => promise));
    let room = false;
    let landed = false;
    const ready = frames.ready(2).then(() => (room = true));
    const all = frames.landed().then(() => (landed = true));
    await later();
    expect([room, landed]).to.deep.equal([false, false]);
    ends[0]!.open();
    await ready;
    expect([room, landed]).to.deep.equal([true, false]);
    ends[1]!.open();
    await all;
    await Promise.all(done);
    expect(frames.busy).to.equal(false);
  });
});
