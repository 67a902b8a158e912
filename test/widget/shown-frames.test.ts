/** What is drawn over a video lies on the frame that it was measured on, or nothing is drawn. */
import { expect } from 'chai';
import '../../widget/elements.ts';
import { setEngineProvider } from '../../widget/base/engine.ts';
import type { FoveolaElement } from '../../widget/base/foveola-element.ts';
import { ShownFrames } from '../../widget/base/session-host.ts';
import { makeClip, steady } from '../support/clips.ts';
import { stateOf, waitUntil } from './element-state.ts';
import { darkMiddle, fakeForAll, type AllState } from './fake-elements.ts';
import { itInFull } from '../support/full.ts';

type Any = FoveolaElement<{ timestamp: number; dropped: number }>;
const [width, height] = [320, 120];
const frames = 100;

describe('overlay and frame', () => {
  let state: AllState;
  let element: Any;
  let clip: File;
  let restore: Parameters<typeof setEngineProvider>[0];
  const until = (what: string, done: () => unknown) => waitUntil(what, done, () => stateOf(element));

  before(async () => {
    clip = await makeClip({
      times: steady(frames, 25),
      width,
      height,
      draw(context, index) {
        context.fillStyle = '#d0d0d0';
        context.fillRect(0, 0, width, height);
        context.fillStyle = '#000';
        context.beginPath();
        context.arc(30 + 2.6 * index, 60, 12, 0, 2 * Math.PI);
        context.fill();
      },
    });
  });
  beforeEach(() => {
    const fake = fakeForAll();
    state = fake.state;
    restore = setEngineProvider(fake.provider);
  });
  afterEach(() => {
    state.delay = 0;
    element.remove();
    for (const added of document.querySelectorAll('.added')) added.remove();
    setEngineProvider(restore);
  });

  const part = <E extends Element>(selector: string) => element.renderRoot.querySelector<E>(selector);
  /** Middle of what is drawn, in pixels of the source; NaN where nothing is. */
  const drawn = () => {
    const canvas = part<HTMLCanvasElement>('canvas.overlay');
    if (!canvas?.width) return NaN;
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    let [least, most] = [Infinity, -Infinity];
    for (let i = 3; i < data.length; i += 4)
      if (data[i]! > 0) {
        const x = ((i - 3) / 4) % canvas.width;
        [least, most] = [Math.min(least, x), Math.max(most, x)];
      }
    return most < least ? NaN : (((least + most) / 2) * width) / canvas.width;
  };
  const repainted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  /** Pairs of where the disc is seen and where it is drawn, at many moments of a video that plays. */
  async function compared(media: () => CanvasImageSource, seconds = 2) {
    const pairs: [seen: number, drawn: number][] = [];
    for (const end = performance.now() + 1000 * seconds; performance.now() < end;) {
      await repainted();
      pairs.push([darkMiddle(media(), width, height).x, drawn()]);
    }
    return pairs;
  }

  for (const delay of [0, 150])
    (delay ? it : itInFull)(`agree while a video plays, with results after ${delay} ms`, async () => {
      element = document.createElement('foveola-pupil') as unknown as Any;
      element.source = clip;
      element.loop = true;
      document.body.append(element);
      await until('it tracks', () => state.frames > 2 && element.running);
      state.delay = delay;
      await until('it tracks late', () => state.frames > 6);
      const pairs = await compared(() => part<HTMLCanvasElement>('.picture') ?? part<HTMLVideoElement>('video')!);
      const both = pairs.filter(([, outline]) => !Number.isNaN(outline));
      expect(both.length, 'it is drawn at all').to.be.greaterThan(5);
      for (const [seen, outline] of both) expect(outline).to.be.closeTo(seen, 3);
    });

  itInFull(
    'are not together on a video of the page that is ahead of its results, and are when it is paused',
    async () => {
      const video = Object.assign(document.createElement('video'), { muted: true, loop: true, className: 'added' });
      video.src = URL.createObjectURL(clip);
      video.style.width = '320px';
      document.body.append(video);
      await video.play();
      element = document.createElement('foveola-pupil') as unknown as Any;
      element.source = video;
      document.body.append(element);
      await until('it tracks', () => state.frames > 2);
      state.delay = 400;
      await until('it tracks late', () => state.frames > 5);
      await repainted();
      for (const [, outline] of await compared(() => video)) expect(outline).to.be.NaN;
      video.pause();
      await until('it is drawn', () => !Number.isNaN(drawn()));
      await repainted();
      expect(drawn()).to.be.closeTo(darkMiddle(video, width, height).x, 3);
      video.currentTime = 2;
      await new Promise((resolve) => video.addEventListener('seeking', resolve, { once: true }));
      await repainted();
      expect(drawn(), 'of another place').to.be.NaN;
    },
  );

  it('nothing is drawn of the place before a seek', async () => {
    element = document.createElement('foveola-pupil') as unknown as Any;
    Object.assign(element, { source: clip, paused: true });
    document.body.append(element);
    await until('it is drawn', () => !Number.isNaN(drawn()));
    state.delay = 400;
    let arrived = false;
    const going = element.seek(2000).then(() => (arrived = true));
    await until('it is erased', () => arrived || Number.isNaN(drawn()));
    expect(drawn()).to.be.NaN;
    await going;
    await until('it is drawn', () => !Number.isNaN(drawn()));
    expect(drawn()).to.be.closeTo(darkMiddle(part<HTMLVideoElement>('video')!, width, height).x, 3);
  });

  it('are counted by the pictures that were shown', () => {
    const shown = new ShownFrames();
    shown.presented(0, 40);
    const first = shown.at(null);
    shown.presented(40, 40);
    shown.deliver(first);
    expect(shown.behind).to.equal(1);
    shown.deliver(shown.at(null));
    expect(shown.behind).to.equal(0);
    const before = shown.at({ close: () => {} } as never);
    expect(shown.leave(2000, 40)).to.equal(true);
    expect(shown.deliver(before)).to.equal(null);
    shown.standAt(3000);
    expect([shown.leave(3000, 40), shown.presented(3000, 40), shown.presented(3100, 40)]).to.deep.equal([
      false,
      false,
      true,
    ]);
  });
});
