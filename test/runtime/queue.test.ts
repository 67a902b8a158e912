/** Who works when: the calls of a tracker in their order, frames first but not for ever, operations side by side as far as their sizes allow. */
import { expect } from 'chai';
import { nextTask, Queue, TrackerQueue, type FrameSlot } from '../../src/runtime/engine/queue.ts';

/** Something under way, and its end. */
function work() {
  let end!: () => void;
  const done = new Promise<void>((resolve) => (end = resolve));
  let begun = false;
  const body = () => {
    begun = true;
    return done;
  };
  return { body, end, begun: () => begun };
}

const tasks = async (count = 5) => {
  for (let i = 0; i < count; i++) await nextTask();
};
const never = new AbortController().signal;
/** A frame of a tracker of its own. */
const frame = <T>(queue: Queue, body: () => Promise<T>) => queue.frame(new TrackerQueue(), () => 1, body);
const LARGE = 1 << 24;

describe('the queue of an engine', () => {
  const { setTimeout: realTimeout } = globalThis;
  let timers: (() => void)[];
  beforeEach(() => {
    timers = [];
    // A clock that stands still until it has to go on.
    globalThis.setTimeout = ((call: () => void) => timers.push(call)) as unknown as typeof setTimeout;
  });
  afterEach(() => void (globalThis.setTimeout = realTimeout));

  it('begins an operation when the last frame is done', async () => {
    const queue = new Queue();
    const [first, second, operation] = [work(), work(), work()];
    const frames = [frame(queue, first.body), frame(queue, second.body)];
    const result = queue.operation(10, never, operation.body);
    await tasks();
    first.end();
    await tasks();
    expect(operation.begun(), 'with a frame under way').to.equal(false);
    second.end();
    await Promise.all(frames);
    await tasks();
    expect(operation.begun(), 'without').to.equal(true);
    operation.end();
    await result;
  });

  it('begins it in spite of frames when its patience is over', async () => {
    const queue = new Queue();
    const [long, operation] = [work(), work()];
    void frame(queue, long.body);
    const result = queue.operation(10, never, operation.body);
    await tasks();
    expect([operation.begun(), timers.length]).to.deep.equal([false, 1]);
    timers[0]!();
    await tasks();
    expect(operation.begun()).to.equal(true);
    operation.end();
    await result;
    long.end();
  });

  it('goes on after a frame that fails', async () => {
    const queue = new Queue();
    const fault = frame(queue, () => Promise.reject(new Error('broken'))).catch((error: Error) => error.message);
    expect(await fault).to.equal('broken');
    const operation = work();
    const result = queue.operation(10, never, operation.body);
    await tasks();
    expect(operation.begun()).to.equal(true);
    operation.end();
    await result;
  });

  it('runs operations side by side up to a sum of sizes, one of any size alone, each in its turn', async () => {
    const queue = new Queue();
    const parts = [LARGE / 2, LARGE / 2, 1, 4 * LARGE].map((pixels) => ({ pixels, ...work() }));
    const results = parts.map(({ pixels, body }) => queue.operation(pixels, never, body));
    const begun = async () => {
      await tasks();
      return parts.map((part) => part.begun());
    };
    expect(await begun()).to.deep.equal([true, true, false, false]);
    parts[1]!.end();
    expect(await begun()).to.deep.equal([true, true, true, false]);
    parts[0]!.end();
    expect(await begun()).to.deep.equal([true, true, true, false]);
    parts[2]!.end();
    expect(await begun()).to.deep.equal([true, true, true, true]);
    parts[3]!.end();
    await Promise.all(results);
  });

  it('takes a cancelled operation out of the line, and slices end at a cancel', async () => {
    const queue = new Queue();
    const [first, second, third] = [work(), work(), work()];
    const stop = new AbortController();
    const code = (call: Promise<unknown>) => call.then(() => 'done', (error: { code: string }) => error.code); // prettier-ignore
    const running = queue.operation(LARGE, never, first.body);
    const cancelled = code(queue.operation(LARGE, stop.signal, second.body));
    const last = queue.operation(LARGE, never, third.body);
    await tasks();
    stop.abort();
    expect(await cancelled).to.equal('aborted');
    expect(await code(queue.operation(1, stop.signal, second.body))).to.equal('aborted');
    first.end();
    await running;
    await tasks();
    expect([second.begun(), third.begun()]).to.deep.equal([false, true]);
    third.end();
    await last;
    expect(await code(queue.pauses(stop.signal, false).pause())).to.equal('aborted');
    expect(await code(queue.pauses(never, false).pause())).to.equal('done');
  });
});

describe('the calls of a tracker', () => {
  /** A frame that enters, waits for `landing` and the frames before, and lands; each step is written down. */
  const overlapping =
    (heard: string[], name: string, landing: Promise<unknown> = Promise.resolve(), entering?: Promise<unknown>) =>
    async ({ before, entered }: FrameSlot) => {
      heard.push(`${name} in`);
      await entering;
      entered();
      await before;
      await landing;
      heard.push(`${name} out`);
      return name;
    };
  const two = () => 2;

  it('run one after the other where frames do not overlap, a failure or not', async () => {
    const line = new TrackerQueue();
    const heard: string[] = [];
    const body = (name: string) => async () => {
      heard.push(`${name} in`);
      await nextTask();
      heard.push(`${name} out`);
      if (name === 'b') throw new Error('no');
      return name;
    };
    const all = await Promise.allSettled([
      line.frame(two, body('a')),
      line.call(body('b')),
      line.frame(two, body('c')),
    ]);
    expect(all.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled']);
    expect(heard).to.deep.equal(['a', 'b', 'c'].flatMap((name) => [`${name} in`, `${name} out`]));
  });

  it('overlap: the next frame enters when the one before has entered, and lands after it', async () => {
    const line = new TrackerQueue();
    const heard: string[] = [];
    const [entering, landing] = [work(), work()];
    const frames = [
      line.frame(two, overlapping(heard, 'a', landing.body(), entering.body())),
      line.frame(two, overlapping(heard, 'b')),
    ];
    await tasks();
    expect(heard).to.deep.equal(['a in']);
    entering.end();
    await tasks();
    expect(heard).to.deep.equal(['a in', 'b in']);
    landing.end();
    expect(await Promise.all(frames)).to.deep.equal(['a', 'b']);
    expect(heard).to.deep.equal(['a in', 'b in', 'a out', 'b out']);
  });

  it('are under way up to the depth, which may change', async () => {
    const line = new TrackerQueue();
    const heard: string[] = [];
    const landing = work();
    let depth = 2;
    const frames = ['a', 'b', 'c'].map((name) => line.frame(() => depth, overlapping(heard, name, landing.body())));
    await tasks();
    expect(heard).to.deep.equal(['a in', 'b in']);
    landing.end();
    await Promise.all(frames);
    expect(heard.slice(2)).to.have.members(['a out', 'b out', 'c in', 'c out']);
    depth = 1;
    const alone = ['d', 'e'].map((name) => line.frame(() => depth, overlapping(heard, name)));
    await Promise.all(alone);
    expect(heard.slice(6)).to.deep.equal(['d in', 'd out', 'e in', 'e out']);
  });

  it('that are no frames wait until every frame before has landed, and hold up those after', async () => {
    const line = new TrackerQueue();
    const heard: string[] = [];
    const landing = work();
    const all = [
      line.frame(two, overlapping(heard, 'a', landing.body())),
      line.call(() => void heard.push('alone')),
      line.frame(two, overlapping(heard, 'b')),
    ];
    await tasks();
    expect(heard).to.deep.equal(['a in']);
    landing.end();
    await Promise.all(all);
    expect(heard).to.deep.equal(['a in', 'a out', 'alone', 'b in', 'b out']);
  });

  it('go on past a frame that fails, at its start or at its end', async () => {
    const line = new TrackerQueue();
    const outcomes = await Promise.allSettled([
      line.frame(two, () => Promise.reject(new Error('start'))),
      line.frame(two, async ({ entered }) => {
        entered();
        await nextTask();
        throw new Error('end');
      }),
      line.frame(two, async ({ before }) => (await before, 3)),
      line.call(() => 4),
    ]);
    expect(outcomes.map((o) => (o.status === 'fulfilled' ? o.value : (o.reason as Error).message))).to.deep.equal([
      ...['start', 'end', 3, 4],
    ]);
  });

  it('begin when the tracker is there, also where it could not be made', async () => {
    let fail!: (error: Error) => void;
    const line = new TrackerQueue(new Promise((_, reject) => (fail = reject)));
    let begun = 0;
    const calls = [line.frame(two, () => void begun++), line.call(() => void begun++)];
    await tasks();
    expect(begun).to.equal(0);
    fail(new Error('not made'));
    await Promise.all(calls);
    expect(begun).to.equal(2);
  });
});
