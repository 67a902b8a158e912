// Full run only: further states of an element, some seconds each.
/** A video of the page's own, and the time of markers. */
import { expect } from 'chai';
import { setEngineProvider } from '../../widget/base/engine.ts';
import '../../widget/pupil/pupil.ts';
import type { FoveolaPupil } from '../../widget/pupil/pupil.ts';
import { makeClip, steady } from '../support/clips.ts';
import { fakeEngine, type FakeState } from './fake-engine.ts';

async function until(what: string, done: () => unknown): Promise<void> {
  const end = performance.now() + 20_000;
  while (!done()) {
    if (performance.now() > end) throw new Error(`waited too long: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('a video elsewhere on the page', () => {
  let state: FakeState;
  let restore: Parameters<typeof setEngineProvider>[0];
  let element: FoveolaPupil;
  let video: HTMLVideoElement;

  beforeEach(async () => {
    const fake = fakeEngine();
    state = fake.state;
    restore = setEngineProvider(fake.provider);
    element = document.createElement('foveola-pupil');
    element.controls = true;
    video = Object.assign(document.createElement('video'), { muted: true, id: 'elsewhere', loop: true });
    video.src = URL.createObjectURL(await makeClip({ times: steady(100) }));
    document.body.append(video, element);
  });
  afterEach(async () => {
    element.remove();
    video.remove();
    await until('everything is given back', () => state.held === 0 && state.trackers === 0);
    setEngineProvider(restore);
  });
  const button = (name: string) => element.renderRoot.querySelector<HTMLButtonElement>(`button[aria-label="${name}"]`)!;

  it('that is paused is not said to run, and says who plays it', async () => {
    element.htmlFor = 'elsewhere';
    await until('its frame was processed', () => state.timestamps.length > 0);
    await until('it is open', () => element.state !== 'loading');
    expect(element.state).to.equal('paused');
    expect(element.hasAttribute('running')).to.equal(false);
    await until('it has its controls', () => button('Play'));
    expect(button('Play').disabled).to.equal(true);
    expect(button('Play').title).to.include('The page paused its video');
    await video.play();
    await until('it runs', () => element.state === 'running' && element.hasAttribute('running'));
    await element.updateComplete;
    expect(button('Pause').disabled).to.equal(false);
    video.pause();
    await until('it is paused', () => element.state === 'paused' && !element.hasAttribute('running'));
  });
});

describe('markers', () => {
  it('of going out of sight and coming back follow each other, and the frames around them', async () => {
    const fake = fakeEngine();
    const restore = setEngineProvider(fake.provider);
    const element = document.createElement('foveola-pupil');
    try {
      element.source = await makeClip({ times: steady(150) });
      element.loop = true;
      document.body.append(element);
      await until('it plays', () => fake.state.timestamps.length > 3);
      element.record();
      const hidden = Object.getOwnPropertyDescriptor(Document.prototype, 'visibilityState')!;
      const see = async (shown: boolean) => {
        Object.defineProperty(document, 'visibilityState', {
          configurable: true,
          get: () => (shown ? 'visible' : 'hidden'),
        });
        document.dispatchEvent(new Event('visibilitychange'));
        await new Promise((resolve) => setTimeout(resolve, 150));
      };
      for (let i = 0; i < 3; i++) {
        // The page's thread is busy: no frame has come for a while.
        for (const end = performance.now() + 120; performance.now() < end;);
        await see(false);
        await see(true);
      }
      Object.defineProperty(document, 'visibilityState', hidden);
      element.record();
      const { markers } = JSON.parse(await element.exportJson()) as { markers: { label: string; timestamp: number }[] };
      expect(markers.map(({ label }) => label)).to.deep.equal(
        [0, 1, 2].flatMap(() => ['[out of sight]', '[in sight]']),
      );
      const times = markers.map(({ timestamp }) => timestamp);
      expect(times).to.deep.equal([...times].sort((a, b) => a - b));
    } finally {
      element.remove();
      delete (document as { visibilityState?: unknown }).visibilityState;
      await until('given back', () => fake.state.held === 0);
      setEngineProvider(restore);
    }
  });
});
