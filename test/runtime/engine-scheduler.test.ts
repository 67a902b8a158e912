/** Who works when: frames first, but not for ever; operations side by side as far as their sizes allow; cancels. */
import { expect } from 'chai';
import { nextTask, Scheduler } from '../../src/runtime/engine/engine-scheduler.ts';

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
const LARGE = 1 << 24;

describe('the scheduler', () => {
  const { setTimeout: realTimeout } = globalThis;
  let timers: (() => void)[];
  beforeEach(() => {
    timers = [];
    // A clock that stands still until it has to go on.
    globalThis.setTimeout = ((call: () => void) => timers.push(call)) as unknown as typeof setTimeout;
  });
  afterEach(() => void (globalThis.setTimeout = realTimeout));

  it('begins an operation when the last frame is done', async () => {
    const scheduler = new Scheduler();
    const [first, second, operation] = [work(), work(), work()];
    const frames = [scheduler.frame(first.body), scheduler.frame(second.body)];
    const result = scheduler.operation(10, never, operation.body);
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
    const scheduler = new Scheduler();
    const [frame, operation] = [work(), work()];
    void scheduler.frame(frame.body);
    const result = scheduler.operation(10, never, operation.body);
    await tasks();
    expect([operation.begun(), timers.length]).to.deep.equal([false, 1]);
    timers[0]!();
    await tasks();
    expect(operation.begun()).to.equal(true);
    operation.end();
    await result;
    frame.end();
  });

  it('goes on after a frame that fails', async () => {
    const scheduler = new Scheduler();
    const fault = scheduler.frame(() => Promise.reject(new Error('broken'))).catch((error: Error) => error.message);
    expect(await fault).to.equal('broken');
    const operation = work();
    const result = scheduler.operation(10, never, operation.body);
    await tasks();
    expect(operation.begun()).to.equal(true);
    operation.end();
    await result;
  });

  it('runs operations side by side up to a sum of sizes, one of any size alone, each in its turn', async () => {
    const scheduler = new Scheduler();
    const parts = [LARGE / 2, LARGE / 2, 1, 4 * LARGE].map((pixels) => ({ pixels, ...work() }));
    const results = parts.map(({ pixels, body }) => scheduler.operation(pixels, never, body));
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
    const scheduler = new Scheduler();
    const [first, second, third] = [work(), work(), work()];
    const stop = new AbortController();
    const code = (call: Promise<unknown>) => call.then(() => 'done', (error: { code: string }) => error.code); // prettier-ignore
    const running = scheduler.operation(LARGE, never, first.body);
    const cancelled = code(scheduler.operation(LARGE, stop.signal, second.body));
    const last = scheduler.operation(LARGE, never, third.body);
    await tasks();
    stop.abort();
    expect(await cancelled).to.equal('aborted');
    expect(await code(scheduler.operation(1, stop.signal, second.body))).to.equal('aborted');
    first.end();
    await running;
    await tasks();
    expect([second.begun(), third.begun()]).to.deep.equal([false, true]);
    third.end();
    await last;
    expect(await code(scheduler.slicer(stop.signal, false)())).to.equal('aborted');
    expect(await code(scheduler.slicer(never, false)())).to.equal('done');
  });
});
