// Full run only: further states of an element, some seconds each.
// Own page: it is one of the longest, and starts first.
/** When an analysis ends, the picture, its overlay, its readout and the chart are of the same frame, in every element. */
import { expect } from 'chai';
import '../../widget/elements.ts';
import { setEngineProvider } from '../../widget/base/engine.ts';
import type { FoveolaElement } from '../../widget/base/foveola-element.ts';
import { makeClip, steady } from '../support/clips.ts';
import { darkMiddle, fakeForAll, type AllState } from './fake-elements.ts';

type Any = FoveolaElement<{ timestamp: number; dropped: number }> & { box?: object; operation?: string };

const [width, height] = [320, 120];
const frames = 50;
/** Where the disc of a frame is. */
const at = (index: number) => 30 + 5 * index;

async function until(what: string, done: () => unknown): Promise<void> {
  const end = performance.now() + 30_000;
  while (!done()) {
    if (performance.now() > end) throw new Error(`waited too long: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('the end of an analysis', () => {
  let state: AllState;
  let restore: Parameters<typeof setEngineProvider>[0];
  let element: Any;
  let clip: File;

  before(async () => {
    clip = await makeClip({
      times: steady(frames, 30),
      width,
      height,
      draw(context, index) {
        context.fillStyle = '#d0d0d0';
        context.fillRect(0, 0, width, height);
        context.fillStyle = '#000';
        context.beginPath();
        context.arc(at(index), 60, 12, 0, 2 * Math.PI);
        context.fill();
      },
    });
  });
  beforeEach(() => {
    const fake = fakeForAll();
    state = fake.state;
    state.delay = 25;
    restore = setEngineProvider(fake.provider);
  });
  afterEach(() => {
    state.delay = 0;
    element.remove();
    setEngineProvider(restore);
  });

  const open = async (name: string, give = (made: Any) => void (made.source = clip)) => {
    element = document.createElement(`foveola-${name}`) as unknown as Any;
    if (name === 'track') element.box = { x: 20, y: 50, width: 20, height: 20 };
    element.paused = true;
    give(element);
    document.body.append(element);
    await until('it is open', () => element.state === 'paused' && state.frames > 0);
    if (name === 'track') await until('it has its target', () => state.boxes.length);
  };
  const part = <E extends Element>(selector: string) => element.renderRoot.querySelector<E>(selector);
  /** The picture that lies uppermost in the stage: where its disc is. */
  const seen = () =>
    darkMiddle(part<HTMLCanvasElement>('.picture') ?? part<HTMLVideoElement>('video')!, width, height).x;
  /** Middle of what is drawn over it, in pixels of the source. */
  const drawn = () => {
    const canvas = part<HTMLCanvasElement>('canvas.overlay')!;
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    let [least, most] = [Infinity, -Infinity];
    for (let i = 3; i < data.length; i += 4)
      if (data[i]! > 0) {
        const x = ((i - 3) / 4) % canvas.width;
        [least, most] = [Math.min(least, x), Math.max(most, x)];
      }
    return (((least + most) / 2) * width) / canvas.width;
  };
  const settled = async () => {
    await element.updateComplete;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  };
  const lastRow = async () => {
    const { rows } = JSON.parse(await element.exportJson()) as { rows: { frame: number; mediaTime: number }[] };
    return { rows: rows.length, ...rows.at(-1)! };
  };

  for (const name of ['pupil', 'face'])
    it(`foveola-${name} shows the last frame with its own outline`, async () => {
      await open(name);
      expect((await element.analyse()).frames).to.equal(frames);
      await settled();
      expect(seen()).to.be.closeTo(at(frames - 1), 3);
      expect(drawn()).to.be.closeTo(at(frames - 1), 3);
      if (name !== 'pupil') return;
      const center = () => part('[data-value=center]')!.textContent!.match(/\d+/)?.[0];
      await until('the readout follows', () => Math.abs(Number(center()) - at(frames - 1)) < 4);
    });

  for (const name of ['pupil', 'face', 'track', 'filter'])
    it(`foveola-${name} shows the frame of the last row when it is cancelled`, async () => {
      await open(name);
      const results: { timestamp: number }[] = [];
      element.addEventListener('foveola-result', (e) => results.push((e as CustomEvent).detail));
      const working = element.analyse();
      await until('it is under way', () => results.length > 18);
      element.cancelAnalysis();
      const { frames: done, lastMediaTime } = await working;
      await settled();
      const last = await lastRow();
      expect([done, lastMediaTime]).to.deep.equal([last.frame + 1, last.mediaTime]);
      expect(last.frame).to.be.within(10, frames - 2);
      expect(results.at(-1)!.timestamp).to.equal(last.mediaTime);
      expect(seen()).to.be.closeTo(at(last.frame), 3);
      if (name === 'pupil' || name === 'face') expect(drawn()).to.be.closeTo(at(last.frame), 3);
      // What is saved is what is seen.
      const saved = await createImageBitmap(await element.snapshot());
      const scale = saved.width / width;
      const dark = darkMiddle(saved, saved.width, saved.height).x / scale;
      if (name === 'pupil') expect(dark).to.be.closeTo(at(last.frame), 3);
    });

  it('goes on from the frame that is shown', async () => {
    await open('pupil');
    await element.analyse();
    const video = part<HTMLVideoElement>('video')!;
    await until('the video is there', () => !video.seeking);
    expect(darkMiddle(video, width, height).x).to.be.closeTo(at(frames - 1), 3);
    expect(part('.picture')).to.not.equal(null);
    await element.start();
    await until('the video is shown again', () => part('.picture') === null);
  });

  it('keeps the whole chart when points are switched on afterwards', async () => {
    await open('pupil');
    await element.analyse();
    await settled();
    // The line alone has a color; axes and words are gray.
    const line = () => {
      const canvas = part<HTMLCanvasElement>('.chart canvas')!;
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      const columns = new Set<number>();
      for (let i = 0; i < data.length; i += 4)
        if (data[i + 3]! > 150 && Math.abs(data[i]! - data[i + 2]!) > 40) columns.add((i / 4) % canvas.width);
      return columns.size;
    };
    await until('the chart is drawn', () => line() > 20);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const [length, count] = [line(), state.frames];
    (element as unknown as { points: boolean }).points = true;
    await until('the frame was processed again', () => state.frames > count);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(line()).to.be.greaterThan(0.8 * length);
  });

  it('draws nothing over a video of the page that stands at another frame', async () => {
    const video = Object.assign(document.createElement('video'), { muted: true, src: URL.createObjectURL(clip) });
    video.style.width = '320px';
    document.body.append(video);
    try {
      await open('pupil', (made) => void (made.source = video));
      const results: unknown[] = [];
      element.addEventListener('foveola-result', (e) => results.push(e));
      const working = element.analyse();
      const overlay = part<HTMLCanvasElement>('canvas.overlay')!;
      const empty = () =>
        overlay
          .getContext('2d')!
          .getImageData(0, 0, overlay.width, overlay.height)
          .data.every((v) => v === 0);
      await until('it is under way', () => results.length > 10);
      expect(empty()).to.equal(true);
      await working;
      await settled();
      expect(empty()).to.equal(true);
      expect(part('[data-value=center]')!.textContent).to.equal('–');
    } finally {
      video.remove();
    }
  });

  it('says nothing of the next source, nor moves it', async () => {
    await open('pupil');
    const working = element.analyse();
    await until('it is under way', () => state.frames > 10);
    const next = await makeClip({ times: steady(60) });
    element.source = next;
    await working;
    await until('the next one is open', () => element.state === 'paused');
    await settled();
    expect(part('[part=note]')).to.equal(null);
    expect(part<HTMLVideoElement>('video')!.currentTime).to.equal(0);
    expect(element.hasAttribute('analysing')).to.equal(false);
  });
});
