/** The connection between page and engine, over a channel and on one thread: order, cancels, progress, errors, a worker that is lost. */
import { expect } from 'chai';
import { FoveolaError } from '../../src/runtime/error.ts';
import { Port, WorkerPort, type Call } from '../../src/runtime/engine/port.ts';
import { nextTask } from '../../src/runtime/engine/queue.ts';

const heard: unknown[] = [];
const waiting: (() => void)[] = [];
const until = async (done: () => boolean) => {
  for (let i = 0; i < 200 && !done(); i++) await nextTask();
  expect(done()).to.equal(true);
};

/** What the other end answers. */
const handlers = {
  echo: (value: unknown) => value,
  note: (value: unknown) => void heard.push(value),
  async wait(name: string, { signal, progress }: Call) {
    heard.push(name);
    progress?.(0.5, { name });
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      signal.addEventListener('abort', () => resolve());
    });
    if (signal.aborted) throw new FoveolaError('aborted', 'as asked for', { partial: { name } });
    return name;
  },
  /** Does not look at its signal. */
  deaf: () => new Promise<string>((resolve) => waiting.push(() => resolve('late'))),
  fail: (text: string) => {
    throw new Error(text);
  },
  give: (_: null, call: Call) => {
    call.aside = { spare: new ArrayBuffer(7) };
    return { samples: new Uint8Array(memory, 0, 3), own: new Uint8Array(5) };
  },
  uncloneable: () => () => {},
  unreachable: () => {
    throw new FoveolaError('aborted', 'with a function', { partial: () => {} });
  },
  end: (_: null, call: Call) => call.abort(new FoveolaError('disposed', 'the end')),
};
type Handlers = typeof handlers;
const memory = new ArrayBuffer(16);

const rejection = async (work: Promise<unknown> | (() => unknown)): Promise<FoveolaError> => {
  try {
    await (typeof work === 'function' ? work() : work);
  } catch (error) {
    expect(error).to.be.instanceOf(FoveolaError);
    return error as FoveolaError;
  }
  throw new Error('this should have failed');
};

/** Two ends of a channel, as of a worker. */
function channel(): { port: Port<Handlers>; far: Port<Handlers>; close(): void } {
  const { port1, port2 } = new MessageChannel();
  const far = new Port<Handlers>(port2 as never, handlers);
  far.memory = () => memory;
  return { port: new Port<Handlers>(port1 as never, handlers), far, close: () => (port1.close(), port2.close()) };
}

for (const [where, copies, make] of [
  ['over a channel', true, channel],
  ['on one thread', false, () => ({ port: Port.here(handlers), close: () => {} })],
] as const)
  describe(`a port ${where}`, () => {
    let port: Port<Handlers>;
    let close: () => void;
    beforeEach(() => {
      heard.length = waiting.length = 0;
      ({ port, close } = make());
    });
    afterEach(() => close());

    it('answers requests, and delivers everything in the order in which it was sent', async () => {
      port.tell('note', 1);
      const two = port.request('wait', 'two');
      port.tell('note', 3);
      expect(await port.request('echo', { four: 4 })).to.deep.equal({ four: 4 });
      expect(heard).to.deep.equal([1, 'two', 3]);
      waiting[0]!();
      expect(await two).to.equal('two');
    });

    it('hands over values as they are, or copies of them', async () => {
      const value = { data: new Uint8Array(3) };
      const back = await port.request('echo', value);
      expect(back === value).to.equal(!copies);
      const given = await port.request('echo', value, copies ? [value.data.buffer] : []);
      expect((given as typeof value).data.length).to.equal(3);
      expect(value.data.length).to.equal(copies ? 0 : 3);
    });

    it('reports progress before the answer, and only where somebody listens', async () => {
      const reports: unknown[] = [];
      const quiet = port.request('wait', 'quiet');
      const work = port.request('wait', 'loud', [], undefined, (done, detail) => reports.push(done, detail));
      await until(() => waiting.length === 2);
      for (const end of waiting) end();
      expect(await Promise.all([quiet, work])).to.deep.equal(['quiet', 'loud']);
      expect(reports).to.deep.equal([0.5, { name: 'loud' }]);
    });

    it('cancels a call with what was reached, and no other', async () => {
      const [stop, other] = [new AbortController(), new AbortController()];
      const cancelled = port.request('wait', 'a', [], stop.signal);
      const kept = port.request('wait', 'b', [], other.signal);
      await until(() => waiting.length === 2);
      stop.abort();
      const { code, partial } = await rejection(cancelled);
      expect([code, partial]).to.deep.equal(['aborted', { name: 'a' }]);
      waiting[1]!();
      expect(await kept).to.equal('b');
      other.abort(); // too late, and nobody minds
      expect((await rejection(() => port.request('wait', 'c', [], stop.signal))).code).to.equal('aborted');
      await nextTask();
      expect(heard).to.deep.equal(['a', 'b']);
    });

    it('answers a cancel for who does not, and hands on what comes later', async () => {
      const late: unknown[] = [];
      port.onLate = (value) => late.push(value);
      const stop = new AbortController();
      const work = port.request('deaf', undefined as never, [], stop.signal);
      await until(() => waiting.length === 1);
      stop.abort('enough');
      const { code, cause } = await rejection(work);
      expect([code, cause]).to.deep.equal(['aborted', 'enough']);
      waiting[0]!();
      await until(() => late.length === 1);
      expect(late).to.deep.equal(['late']);
    });

    it('says what was wrong at the other end', async () => {
      const { code, message, cause } = await rejection(port.request('fail', 'as asked for'));
      expect([code, message]).to.deep.equal(['internal', 'fail failed: as asked for']);
      expect((cause as Error).stack).to.match(/:\d+:\d+/);
    });

    it('ends all that is under way where the other end says so', async () => {
      const work = port.request('wait', 'a');
      await until(() => waiting.length === 1);
      await port.request('end', null);
      expect((await rejection(work)).code).to.equal('aborted');
    });

    it('rejects what is under way, and everything after its end', async () => {
      const works = [port.request('wait', 'a'), port.request('wait', 'b')];
      port.reject(new FoveolaError('disposed', 'no more'));
      for (const work of works) expect((await rejection(work)).message).to.equal('no more');
      expect(await port.request('echo', 1)).to.equal(1);
      port.end(new FoveolaError('worker-lost', 'gone'));
      expect((await rejection(() => port.request('echo', 1))).message).to.equal('gone');
      port.tell('note', 'unheard');
      await nextTask();
      expect(heard).to.not.include('unheard');
    });
  });

describe('a port whose messages are copied', () => {
  let port: Port<Handlers>;
  let close: () => void;
  beforeEach(() => ({ port, close } = channel()));
  afterEach(() => close());

  it('refuses what cannot be copied as an argument', async () => {
    const getter = { get it(): never { throw new Error('my own'); } }; // prettier-ignore
    for (const value of [() => {}, getter]) {
      const { code, message } = await rejection(() => port.request('echo', value));
      expect(code).to.equal('invalid-argument');
      expect(message).to.match(/^A parameter cannot be read: /);
    }
    expect(await port.request('echo', 2)).to.equal(2);
  });

  it('answers with an error where the answer, or what an error brings, cannot be copied', async () => {
    const { code, message } = await rejection(port.request('uncloneable', undefined as never));
    expect(code).to.equal('internal');
    expect(message).to.match(/^uncloneable: its answer cannot be sent/);
    const partly = await rejection(port.request('unreachable', undefined as never));
    expect([partly.code, partly.message, partly.partial]).to.deep.equal(['aborted', 'with a function', undefined]);
  });

  it('hands over the memory of answers, but never the memory of the engine', async () => {
    const asides: unknown[] = [];
    port.onAside = (aside) => asides.push(aside);
    const { samples, own } = await port.request('give', null);
    expect([samples.length, samples.buffer.byteLength, own.length]).to.deep.equal([3, 3, 5]);
    expect(memory.byteLength).to.equal(16);
    expect(asides).to.deep.equal([{ spare: new ArrayBuffer(7) }]);
  });
});

describe('a port to a worker', () => {
  /** A worker that can be lost; its far end is on this thread. */
  function open() {
    const { port1, port2 } = new MessageChannel();
    let ended = 0;
    const worker = Object.assign(port1, { terminate: () => void (ended++, port1.close()) }) as unknown as Worker;
    const far = new Port<{ lost(why: string): void }>(port2 as never, handlers);
    const port = new WorkerPort<Handlers>(worker, null, {});
    return { port, far, worker, ended: () => ended };
  }

  for (const [why, lose, text] of [
    ['fails', (_: unknown, worker: Worker) => worker.dispatchEvent(new ErrorEvent('error', { message: 'broken' })), 'broken'], // prettier-ignore
    ['says so', (far: { tell(kind: 'lost', why: string): void }) => far.tell('lost', 'a helper is gone'), 'a helper is gone'], // prettier-ignore
    ['cannot be read', (_: unknown, worker: Worker) => worker.dispatchEvent(new MessageEvent('messageerror')), 'could not be read'], // prettier-ignore
  ] as const)
    it(`rejects every call when the worker ${why}, after it has announced that`, async () => {
      const { port, far, worker, ended } = open();
      const order: string[] = [];
      const work = port.request('wait', 'a').catch((error: FoveolaError) => (order.push('call'), error));
      const died = new Promise<FoveolaError>((resolve) => port.onLost((error) => (order.push('died'), resolve(error))));
      lose(far, worker);
      const errors = await Promise.all([died, work]);
      expect(order).to.deep.equal(['died', 'call']);
      for (const error of errors as FoveolaError[]) {
        expect(error.code).to.equal('worker-lost');
        expect(error.message).to.include(text);
      }
      expect((await rejection(() => port.request('echo', 1))).code).to.equal('worker-lost');
      expect(ended()).to.equal(1);
    });

  it('notices silence, and takes any message as a sign', async () => {
    const { setTimeout: realTimeout, performance: clock } = globalThis;
    const looks: (() => void)[] = [];
    globalThis.setTimeout = ((call: () => void) => looks.push(call)) as unknown as typeof setTimeout;
    let now = 0;
    Object.defineProperty(globalThis, 'performance', { value: { now: () => now }, configurable: true });
    const look = async () => {
      now += 1000;
      looks.shift()!();
      await nextTask();
    };
    try {
      const { port, worker } = open();
      const work = port.request('wait', 'a');
      work.catch(() => {});
      for (let i = 0; i < 30; i++) await look(); // it answers each time
      Object.assign(worker, { postMessage: () => {} }); // now it hears nothing
      let lost = false;
      port.onLost(() => (lost = true));
      for (let i = 0; i < 5; i++) await look();
      expect(lost).to.equal(false);
      for (let i = 0; i < 3; i++) if (looks.length) await look();
      expect(lost).to.equal(true);
      expect((await rejection(work)).message).to.include('it has not answered for 5 s');
    } finally {
      globalThis.setTimeout = realTimeout;
      Object.defineProperty(globalThis, 'performance', { value: clock, configurable: true });
    }
  });

  it('has no death when it is ended', async () => {
    const { port, ended } = open();
    let died = false;
    port.onLost(() => (died = true));
    port.end(new FoveolaError('disposed', 'the end'));
    await nextTask();
    expect([died, ended()]).to.deep.equal([false, 1]);
  });
});
