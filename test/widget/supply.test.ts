/** Sources that stop giving pictures, or never begin: each has a state and a message that says why, and goes on by itself. */
import { expect } from 'chai';
import { setEngineProvider } from '../../widget/base/engine.ts';
import '../../widget/pupil/pupil.ts';
import type { FoveolaPupil } from '../../widget/pupil/pupil.ts';
import { makeClip, steady } from '../support/clips.ts';
import { hurry } from '../support/impatient.ts';
import { stateOf, waitUntil } from './element-state.ts';
import { fakeEngine, type FakeState } from './fake-engine.ts';
import { itInFull } from '../support/full.ts';

describe('a source that gives no pictures', () => {
  let state: FakeState;
  let element: FoveolaPupil;
  let restore: Parameters<typeof setEngineProvider>[0];
  let slow: () => void;
  let stop = 0;
  const until = (what: string, done: () => unknown) => waitUntil(what, done, () => stateOf(element));
  const { getUserMedia } = navigator.mediaDevices;
  const { getContext } = HTMLCanvasElement.prototype;

  beforeEach(() => {
    const fake = fakeEngine();
    state = fake.state;
    restore = setEngineProvider(fake.provider);
    slow = hurry();
    element = document.createElement('foveola-pupil');
    element.controls = true;
  });
  afterEach(() => {
    slow();
    clearInterval(stop);
    element.remove();
    for (const added of document.querySelectorAll('.added')) added.remove();
    Object.assign(navigator.mediaDevices, { getUserMedia });
    HTMLCanvasElement.prototype.getContext = getContext;
    setEngineProvider(restore);
  });

  const added = <E extends Element>(made: E): E => {
    made.classList.add('added');
    document.body.append(made);
    return made;
  };
  /** A stream whose picture changes all the time. */
  const stream = () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 48 });
    const context = canvas.getContext('2d')!;
    let level = 0;
    stop = window.setInterval(() => {
      context.fillStyle = `rgb(${(level += 9) % 255}, 90, 90)`;
      context.fillRect(0, 0, 64, 48);
    }, 20);
    return canvas.captureStream();
  };
  const picture = () => ({ width: 64, height: 48, data: new Uint8Array(64 * 48).fill(90) });
  const records = async (source: FoveolaPupil['source']) => {
    element.source = source;
    document.body.append(element);
    await until('it tracks', () => state.timestamps.length > 2 && element.running);
    element.record();
    await until('it records', () => element.recording);
  };
  /** It has said what is wrong, and claims nothing else. */
  const said = (words: RegExp) => {
    expect(element.error?.message).to.match(words);
    expect([element.state, element.running, element.recording]).to.deep.equal(['error', false, false]);
    expect(element.renderRoot.querySelector('[role=alert]')!.textContent).to.match(words);
  };
  const failed = () => until('it has failed', () => element.state === 'error');

  it('a stream that its sender stops', async () => {
    const source = stream();
    await records(source);
    source.getVideoTracks()[0]!.stop();
    await failed();
    await element.updateComplete;
    said(/stream has ended/);
  });

  it('a stream that ends by itself', async () => {
    const source = stream();
    await records(source);
    const [track] = source.getVideoTracks();
    track!.stop();
    track!.dispatchEvent(new Event('ended')); // as for a camera that is unplugged
    await element.updateComplete;
    said(/stream has ended/);
  });

  for (const how of ['muted', 'switched off'])
    it(`a stream that is ${how}, until it is on again`, async () => {
      const source = stream();
      await records(source);
      const [track] = source.getVideoTracks();
      if (how === 'muted') Object.defineProperty(track, 'muted', { value: true, configurable: true });
      else track!.enabled = false;
      await failed();
      await element.updateComplete;
      said(/muted or switched off/);
      const { length } = state.timestamps;
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(state.timestamps.length, 'black pictures are not measured').to.be.at.most(length + 1);
      if (how === 'muted') Reflect.deleteProperty(track!, 'muted');
      else track!.enabled = true;
      await until('it runs again', () => element.state === 'running' && element.error === null);
    });

  it('a canvas on which nothing changes is no fault', async () => {
    await records(stream());
    clearInterval(stop);
    await new Promise((resolve) => setTimeout(resolve, 1000)); // twenty seconds
    expect([element.state, element.recording, element.error]).to.deep.equal(['running', true, null]);
  });

  it('a stream without its first picture, until that comes', async () => {
    const source = new MediaStream();
    const [track] = stream().getVideoTracks();
    clearInterval(stop);
    Object.defineProperty(track, 'muted', { value: true, configurable: true });
    source.addTrack(track!);
    const { play } = HTMLVideoElement.prototype;
    // No browser gives such a stream here: its video stays empty.
    const { srcObject } = Object.getOwnPropertyDescriptors(HTMLMediaElement.prototype);
    let kept: unknown = null;
    Object.defineProperty(HTMLMediaElement.prototype, 'srcObject', {
      configurable: true,
      get: () => kept,
      set: (value) => (kept = value),
    });
    try {
      element.source = source;
      document.body.append(element);
      await failed();
      expect(element.error!.message).to.match(/no picture for 15 s: its camera is muted/);
    } finally {
      Object.defineProperty(HTMLMediaElement.prototype, 'srcObject', srcObject!);
      HTMLVideoElement.prototype.play = play;
    }
    element.source = null;
    const fresh = stream();
    element.source = fresh;
    await until('it tracks', () => state.timestamps.length > 2);
  });

  itInFull('a camera that never answers, until it does', async () => {
    let answer: (given: MediaStream) => void = () => {};
    Object.assign(navigator.mediaDevices, {
      getUserMedia: () => new Promise<MediaStream>((resolve) => (answer = resolve)),
    });
    element.camera = '';
    document.body.append(element);
    await element.updateComplete;
    const asked = element.start();
    expect(element.state).to.equal('loading');
    await asked; // ends
    await element.updateComplete;
    said(/camera has not answered for 15 s.*Allow this page/);
    answer(stream());
    await until('it tracks', () => state.timestamps.length > 2);
    expect(element.error).to.equal(null);
  });

  it('a page that has no 2D context to give', async () => {
    HTMLCanvasElement.prototype.getContext = () => null;
    element.source = picture();
    document.body.append(element);
    await failed();
    await element.updateComplete;
    said(/has no 2D canvas/);
    HTMLCanvasElement.prototype.getContext = getContext;
    element.source = picture();
    await until('it has measured', () => state.timestamps.length > 0 && element.error === null);
  });

  it('a video of the page that gets its picture late', async () => {
    const video = added(Object.assign(document.createElement('video'), { muted: true, id: 'late' }));
    element.htmlFor = 'late';
    document.body.append(element);
    await failed();
    expect(element.error!.message).to.match(/#late has no source yet/);
    video.src = URL.createObjectURL(await makeClip({ times: steady(20) }));
    await until('it has measured', () => state.timestamps.length > 0 && element.error === null);
  });

  it('a target of `for` that is replaced, taken away, or comes later', async () => {
    const canvas = (level: number) => {
      const made = Object.assign(document.createElement('canvas'), { width: 64 + level, height: 48, id: 'target' });
      made.getContext('2d')!.fillRect(0, 0, 9, 9);
      return made;
    };
    const first = added(canvas(0));
    element.htmlFor = 'target';
    const sizes: number[] = [];
    element.addEventListener('foveola-result', (event) =>
      sizes.push((event as CustomEvent<{ width: number }>).detail.width),
    );
    document.body.append(element);
    await until('the first is measured', () => sizes.at(-1) === 64);
    first.remove();
    await failed();
    expect(element.error!.message).to.match(/No element has the id "target"/);
    added(canvas(1));
    await until('the second is measured', () => sizes.at(-1) === 65);
    document.querySelector('#target')!.replaceWith(canvas(2));
    document.querySelector('#target')!.classList.add('added');
    await until('the third is measured', () => sizes.at(-1) === 66);
  });

  it('a document that no window shows, and one that another window shows', async () => {
    element.loop = true;
    await records(await makeClip({ times: steady(60) }));
    const states: string[] = [];
    element.addEventListener('foveola-state', () => states.push(element.state));
    document.implementation.createHTMLDocument('x').body.append(element);
    await failed();
    expect(element.error!.message).to.match(/without a window/);
    expect(element.recording).to.equal(false);
    const frame = added(document.createElement('iframe'));
    states.length = state.timestamps.length = 0;
    frame.contentDocument!.body.append(element);
    await until('it tracks there', () => state.timestamps.length > 2 && element.running);
    expect(states.filter((one) => one === 'loading').length, states.join()).to.be.at.most(2);
    const { adoptedStyleSheets } = element.shadowRoot!;
    expect(adoptedStyleSheets.length).to.be.at.least(5);
    expect(getComputedStyle(element.renderRoot.querySelector('canvas.overlay')!).position).to.equal('absolute');
    document.body.append(element);
    state.timestamps.length = 0;
    await until('it tracks here', () => state.timestamps.length > 2 && element.running);
  });
});
