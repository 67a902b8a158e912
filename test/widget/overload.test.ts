/**
 * More frames than the engine can take: the newest wins, at most one waits, and what is left out is counted. Nothing here
 * runs by the clock: frames come when the test tells them, and results when it gives them.
 */
import { expect } from 'chai';
import { type Counts, Newest } from '../../src/frames/presented.ts';
import { FoveolaError, type FrameTiming } from '../../src/index.ts';
import { randomOf } from '../../tools/fuzz/mutation.ts';
import { type ElementTracker, Turns } from '../../widget/base/engine.ts';
import { PageTime } from '../../widget/base/host.ts';
import { Session } from '../../widget/base/session.ts';
import { makeClip, steady } from '../support/clips.ts';
import { handVideo } from '../support/clock-cases.ts';

const settled = () => new Promise((resolve) => setTimeout(resolve));
/** Frames of a source of 120 a second in 2 s. */
const block = 240;
const media = (frame: number) => (1000 * frame) / 120;
const sum = (list: readonly Counts[], name: keyof Counts) => list.reduce((total, one) => total + one[name], 0);

describe('the newest frame', () => {
  it('waits; frames that were taken and those that were left out are all that came, in any order of events', () => {
    for (let seed = 1; seed <= 50; seed++) {
      const random = randomOf(seed);
      const newest = new Newest<Counts & { number: number }, { close(): void }>();
      const taken: (Counts & { number: number })[] = [];
      let [came, throttled, open] = [0, 0, 0];
      const offer = () => {
        open++;
        newest.offer({ number: came++, dropped: 0, throttled: 0 }, { close: () => void open-- });
      };
      const take = () => {
        const waiting = newest.take();
        waiting?.frame.close();
        if (waiting) taken.push(waiting.counts);
      };
      for (let event = 0; event < 300; event++) {
        const chance = random();
        if (chance < 0.4) offer();
        else if (chance < 0.7) take();
        else if (chance < 0.8 && taken.length) {
          const place = Math.floor(random() * taken.length);
          const [lost] = taken.splice(place, 1);
          newest.lose(lost!, taken[place]);
        } else if (chance < 0.9) {
          came += 2;
          newest.miss(2, 1);
          throttled++;
        } else newest.drop();
        expect(open).to.be.within(0, 1);
      }
      offer();
      take();
      expect(taken.length + sum(taken, 'dropped')).to.equal(came);
      expect(sum(taken, 'throttled')).to.equal(throttled);
      // Each count stands with the frame that follows what was left out.
      let last = -1;
      for (const { number, dropped } of taken) {
        expect(number - last).to.equal(1 + dropped);
        last = number;
      }
    }
  });
});

/** An element's session over a video that tells what the test says, with a tracker that answers when the test says. */
async function opened(clip: Blob, turns: Turns) {
  const { video, tell, close } = await handVideo(false, clip);
  const answers: ((error?: FoveolaError) => void)[] = [];
  const asked: number[] = [];
  const given: { source: object; timing: FrameTiming }[] = [];
  const failures: string[] = [];
  const tracker: ElementTracker<{ dropped: number }> = {
    process: (source, { timestamp = NaN, dropped = 0 } = {}) => {
      asked.push(timestamp);
      return new Promise((resolve, reject) =>
        answers.push((error) => (error ? reject(error) : resolve({ dropped, source } as never))),
      );
    },
    reset: async () => {},
    setParameters: async () => {},
    dispose: async () => {},
  };
  const about = { kind: 'video', name: '', external: true, live: false, width: 64, height: 64, dispose() {} } as const;
  const session = new Session({ ...about, element: video }, tracker, {
    ...{ maxFps: 0, pageTime: new PageTime(), turns },
    onResult: (result, timing) => void given.push({ source: (result as never as { source: object }).source, timing }),
    onFrameFailure: ({ code }) => void failures.push(code),
    onInterruption: () => {},
    onPlayback: () => {},
  });
  await session.open(true);
  return {
    ...{ session, tell, asked, given, failures },
    get underWay() {
      return answers.length;
    },
    answer: async (error?: FoveolaError) => {
      answers.shift()?.(error);
      await settled();
    },
    close: () => (session.close(), close()),
  };
}
type Opened = Awaited<ReturnType<typeof opened>>;

describe('an element whose frames come faster than their results', () => {
  let clip: Blob;
  let elements: Opened[];
  before(async () => (clip = await makeClip({ times: steady(50) })));
  afterEach(() => elements.forEach(({ close }) => close()));
  const open = async (count = 1) => {
    const turns = new Turns();
    elements = await Promise.all(Array.from({ length: count }, () => opened(clip, turns)));
    return elements[0]!;
  };
  const numbers = ({ given }: Opened) => given.map(({ timing }) => timing.frame);
  /** Nothing is lost from sight: each result says what is missing before it. */
  const addsUp = ({ given }: Opened, arrived: number) => {
    const timings = given.map(({ timing }) => timing);
    expect(timings.length + sum(timings, 'dropped')).to.equal(arrived);
    let last = -1;
    for (const { frame, dropped } of timings) {
      expect(frame - last).to.equal(1 + dropped);
      last = frame;
    }
  };

  it('analyzes the newest of the frames of 2 s in which the engine was busy, and counts the others', async () => {
    const element = await open();
    for (let frame = 0; frame < 2 + block; frame++) element.tell({ media: media(frame) });
    expect(element.underWay).to.equal(2); // and nothing piles up
    for (let i = 0; i < 5; i++) await element.answer();
    expect(numbers(element)).to.deep.equal([0, 1, 1 + block]);
    expect(element.given[2]!.timing.dropped).to.equal(block - 1);
    addsUp(element, 2 + block);
    // The result is of its own frame, in time and in pixels: those that it had when it was shown.
    expect(element.asked[2]).to.equal(element.given[2]!.timing.timestamp);
    expect(element.given[2]!.timing.mediaTime).to.be.closeTo(media(1 + block), 1e-6);
    expect(element.given[2]!.source).to.be.instanceOf(VideoFrame);
  });

  it('analyzes the newest of the frames of 2 s in which the page was busy, and counts the others', async () => {
    const element = await open();
    element.tell({ media: 0 });
    await element.answer();
    element.tell({ media: media(block), unseen: block - 1 });
    await element.answer();
    element.tell({ media: media(block + 1) });
    await element.answer();
    expect(numbers(element)).to.deep.equal([0, block, block + 1]);
    expect(element.given.map(({ timing }) => timing.dropped)).to.deep.equal([0, block - 1, 0]);
    addsUp(element, block + 2);
  });

  it('has its turn also where the browser has no VideoFrame', async () => {
    const element = await open();
    const { VideoFrame } = globalThis;
    Reflect.deleteProperty(globalThis, 'VideoFrame');
    try {
      for (let frame = 0; frame < 6; frame++) element.tell({ media: media(frame) });
      for (let i = 0; i < 3; i++) await element.answer();
    } finally {
      globalThis.VideoFrame = VideoFrame;
    }
    expect(numbers(element)).to.deep.equal([0, 1, 5]);
    expect(element.given[2]!.source).to.be.instanceOf(HTMLCanvasElement);
    addsUp(element, 6);
  });

  it('counts a frame that failed with the one that follows it, which may be under way already', async () => {
    const element = await open();
    for (let frame = 0; frame < 6; frame++) element.tell({ media: media(frame) });
    await element.answer();
    await element.answer(new FoveolaError('decode-failed', 'for the test'));
    await element.answer();
    element.tell({ media: media(6) });
    await element.answer();
    expect(element.failures).to.deep.equal(['decode-failed']);
    expect(numbers(element)).to.deep.equal([0, 5, 6]);
    expect(element.given.map(({ timing }) => timing.dropped)).to.deep.equal([0, 4, 0]);
    addsUp(element, 7);
  });

  it('takes what is asked for before what waits, and what waits is counted', async () => {
    const element = await open();
    for (let frame = 0; frame < 4; frame++) element.tell({ media: media(frame) });
    element.session.again();
    for (let i = 0; i < 4; i++) await element.answer();
    expect(numbers(element)).to.deep.equal([0, 1, 4]);
    addsUp(element, 5);
  });

  it('is one of ten in turn: while others wait one frame is under way, and each has its turn', async () => {
    await open(10);
    const frames = 60;
    const mostWait: number[] = [];
    const since = elements.map(() => 0);
    for (let frame = 0; frame < frames; frame++) {
      for (const { tell } of elements) tell({ media: media(frame) });
      expect(elements.reduce((total, { underWay }) => total + underWay, 0)).to.be.within(1, frame < 2 ? 2 : 1);
      const [next] = elements
        .flatMap(({ underWay }, i) => (underWay ? [i] : []))
        .sort((a, b) => since[b]! - since[a]!) as [number];
      await elements[next]!.answer();
      elements.forEach((_, i) => (since[i] = i === next ? 0 : since[i]! + 1));
      mostWait.push(Math.max(...since));
    }
    expect(Math.max(...mostWait)).to.be.at.most(elements.length + 1);
    while (elements.some(({ underWay }) => underWay)) for (const { answer } of elements) await answer();
    for (const element of elements) {
      expect(numbers(element).length).to.be.within(frames / 10 - 1, frames / 10 + 2);
      expect(numbers(element).at(-1)).to.equal(frames - 1);
      addsUp(element, frames);
    }
  });
});
