import { expect } from 'chai';
import { everyFrameOf, framesFrom } from '../../src/frames/every-frame.ts';
import { frames } from '../../src/frames/frames.ts';
import { readImage } from '../../src/frames/read-image.ts';
import { ReaderWorker, startReader } from '../../src/frames/reader-worker.ts';
import { tiffFile } from '../support/tiff-writer.ts';
import { failure } from './made-frames.ts';
import { itInFull } from '../support/full.ts';

const sample = '/demo/media/sample.webm';
const truth = (await (await fetch('/demo/media/sample.truth.json')).json()) as { frames: unknown[] };

/** A worker that says that it is ready, and then does what is asked. */
function workerOf(onMessage: string): Worker {
  const text = `const post = (data) => postMessage(data);
    addEventListener('message', async () => { ${onMessage} });
    post({ ready: true, decodes: true });`;
  const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  const worker = new Worker(url, { type: 'module' });
  URL.revokeObjectURL(url);
  return worker;
}

/** Names of the workers that are started while `body` runs, and how many of them are ended. */
async function workersOf(body: () => Promise<unknown>): Promise<{ names: (string | undefined)[]; ended: number }> {
  const Real = globalThis.Worker;
  const seen = { names: [] as (string | undefined)[], ended: 0 };
  globalThis.Worker = class extends Real {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      seen.names.push(options?.name);
    }
    override terminate(): void {
      seen.ended++;
      super.terminate();
    }
  };
  try {
    await body();
  } finally {
    globalThis.Worker = Real;
  }
  return seen;
}

const count = async (list: AsyncIterable<{ close(): void }>) => {
  let n = 0;
  for await (const frame of list) {
    frame.close();
    n++;
  }
  return n;
};

describe('a reader in a worker', () => {
  const ask = { job: {} };

  itInFull('that hangs is ended by the watchdog; the next one answers', async () => {
    const hanging = await ReaderWorker.start(workerOf('for (;;);'));
    const error = await failure(() => hanging.ask(ask));
    hanging.end();
    expect([error.code, error.message]).to.deep.equal([
      'decode-failed',
      'Reading the file made no progress for 5 s and was stopped. It may be damaged. Copy the file again from its source.',
    ]);
    const next = await ReaderWorker.start(workerOf('post({ value: 7 })'));
    expect(await next.ask(ask)).to.deep.equal({ value: 7 });
    next.end();
  });

  itInFull('that lives and does nothing is ended as well, one that waits for others is not', async () => {
    const beat = (waiting: boolean) => `setInterval(() => post({ beat: 3, waiting: ${waiting} }), 200);`;
    const idle = await ReaderWorker.start(workerOf(beat(false)));
    const waiting = await ReaderWorker.start(workerOf(`${beat(true)} setTimeout(() => post({ done: true }), 7000);`));
    const [error, answer] = await Promise.all([failure(() => idle.ask(ask)), waiting.ask(ask)]);
    idle.end();
    waiting.end();
    expect(error.code).to.equal('decode-failed');
    expect(answer).to.deep.equal({ done: true });
  });

  it('is cancelled at once, also where it hangs', async () => {
    const controller = new AbortController();
    const worker = await ReaderWorker.start(workerOf('for (;;);'));
    setTimeout(() => controller.abort(), 50);
    expect((await failure(() => worker.ask(ask, { signal: controller.signal }))).code).to.equal('aborted');
    worker.end();
  });

  it('says what it fails with, also when it falls over', async () => {
    const wrong = `post({ error: { name: 'FoveolaError', code: 'source-unsupported', message: 'No.', partial: 3 } })`;
    const reader = await ReaderWorker.start(workerOf(wrong));
    const { code, message, partial } = await failure(() => reader.ask(ask));
    reader.end();
    expect([code, message, partial]).to.deep.equal(['source-unsupported', 'No.', 3]);
    const falling = await ReaderWorker.start(workerOf('setTimeout(() => { throw new Error("fell over"); })'));
    const error = await failure(() => falling.ask(ask));
    falling.end();
    expect([error.code, /fell over/.test(error.message)]).to.deep.equal(['decode-failed', true]);
    expect((await failure(() => ReaderWorker.start(new Worker('/no-such-script.js')))).code).to.equal('worker-blocked');
  });

  it('reads recordings and image files, and is ended', async () => {
    const gray = await tiffFile([{ width: 3, height: 2, data: [1, 2, 3, 4, 5, 6] }]);
    const reading = await workersOf(async () => {
      expect(await count(rowsOf(frames(sample, { everyFrame: true })))).to.equal(truth.frames.length);
      for (let n = 0; n < 2; n++) expect((await readImage(new Blob([gray]))).image.data).to.deep.equal(gray6);
    });
    expect(reading.names).to.deep.equal(['foveola-every-frame', 'foveola-image-files']); // the second file finds it
    expect(reading.ended).to.equal(1);
    const leaving = await workersOf(async () => {
      for await (const _row of frames(sample, { everyFrame: true })) break;
    });
    expect(leaving).to.deep.equal({ names: ['foveola-every-frame'], ended: 1 });
  });

  it('without WebCodecs leaves the decoding to the page', async () => {
    const start = () =>
      ReaderWorker.start(new Worker('/src/frames/every-frame.ts', { type: 'module', name: 'foveola-every-frame' }));
    for (const [source, wanted] of [
      [new URL(sample, location.href).href, truth.frames.length],
      [new Blob(['no recording']), 'decode-failed'],
    ] as const) {
      const worker = await start();
      Object.defineProperty(worker, 'decodes', { value: false });
      const got = await count(framesFrom(worker, source)).catch((error: { code: string }) => error.code);
      worker.end();
      expect(got).to.equal(wanted);
    }
  });

  it('that cannot be started is done without', async () => {
    const parts = { carried: () => true, trusted: () => '/no-such-script.js' };
    const nowhere = { carried: () => false, trusted: (url: string) => url };
    for (const given of [nowhere, undefined, parts])
      expect(await count(rowsOf(everyFrameOf(sample, undefined, given)))).to.equal(truth.frames.length);
  });
});

describe('a worker that did not start', () => {
  const parts = { trusted: (url: string) => url };
  const silent = URL.createObjectURL(new Blob([''], { type: 'text/javascript' }));
  const good = URL.createObjectURL(
    new Blob(['postMessage({ ready: true, decodes: true })'], { type: 'text/javascript' }),
  );

  /** Times of 15 s pass at once. */
  async function hurried<T>(body: () => Promise<T>): Promise<T> {
    const { setTimeout } = globalThis;
    const { timeout } = AbortSignal;
    const quick = (time: number) => (time === 15_000 ? 50 : time);
    globalThis.setTimeout = ((work: () => void, time: number) => setTimeout(work, quick(time))) as typeof setTimeout;
    AbortSignal.timeout = (time) => timeout.call(AbortSignal, quick(time));
    try {
      return await body();
    } finally {
      globalThis.setTimeout = setTimeout;
      AbortSignal.timeout = timeout;
    }
  }

  it('in time is tried again for the next file', async () => {
    expect(await hurried(() => startReader(silent, 'late', parts))).to.equal(null);
    const next = await startReader(good, 'late', parts);
    expect(next).to.be.instanceOf(ReaderWorker);
    next!.end();
  });

  it('as its script from elsewhere did not come in time is tried again as well', async () => {
    const { fetch } = globalThis;
    globalThis.fetch = (_, { signal }: RequestInit = {}) =>
      new Promise((_resolve, reject) =>
        signal!.addEventListener('abort', () => reject(signal!.reason as DOMException), { once: true }),
      );
    try {
      expect(await hurried(() => startReader('https://elsewhere.invalid/reader.js', 'far', parts))).to.equal(null);
    } finally {
      globalThis.fetch = fetch;
    }
    const next = await startReader(good, 'far', parts);
    expect(next).to.be.instanceOf(ReaderWorker);
    next!.end();
  });

  it('as it is refused or broken is not tried again', async () => {
    const refusing = {
      trusted: () => {
        throw new TypeError('Trusted Types');
      },
    };
    expect(await startReader(good, 'refused', refusing)).to.equal(null);
    expect(await startReader(`${location.origin}/no-such-script.js`, 'broken', parts)).to.equal(null);
    for (const name of ['refused', 'broken']) expect(await startReader(good, name, parts), name).to.equal(null);
  });
});

const gray6 = Uint8Array.of(1, 2, 3, 4, 5, 6);

async function* rowsOf<T>(rows: AsyncIterable<{ frame: T }>): AsyncGenerator<T, void> {
  for await (const { frame } of rows) yield frame;
}
