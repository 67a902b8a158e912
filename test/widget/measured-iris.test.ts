/** Millimeters from the iris that the second opinion measured. */
import { expect } from 'chai';
import { setEngineProvider } from '../../widget/base/engine.ts';
import '../../widget/pupil/pupil.ts';
import type { FoveolaPupil } from '../../widget/pupil/pupil.ts';
import '../../widget/strings/de.ts';
import { makeClip, steady } from '../support/clips.ts';
import { stateOf, waitUntil } from './element-state.ts';
import { fakeEngine, type FakeState } from './fake-engine.ts';

describe('the measured iris', () => {
  let state: FakeState;
  /** Calls before the analysis. */
  let first = 0;
  let element: FoveolaPupil;
  let restore: Parameters<typeof setEngineProvider>[0];
  const until = (what: string, done: () => unknown) => waitUntil(what, done, () => stateOf(element));
  const text = () => element.renderRoot.querySelector('.panel')!.textContent!.replace(/\s+/g, ' ');
  const button = (word = 'measured iris') =>
    [...element.renderRoot.querySelectorAll<HTMLButtonElement>('.fields button')].find(({ textContent }) =>
      textContent.includes(word),
    )!;
  const still = { width: 320, height: 240, data: new Uint8Array(320 * 240) };

  beforeEach(() => {
    const fake = fakeEngine();
    state = fake.state;
    restore = setEngineProvider(fake.provider);
    element = document.createElement('foveola-pupil');
    Object.assign(element, { controls: true, settingsOpen: true });
  });
  afterEach(() => {
    element.remove();
    setEngineProvider(restore);
  });

  const open = async (source: FoveolaPupil['source']) => {
    element.source = source;
    document.body.append(element);
    await until('the settings', () => button() ?? button('Gemessene Iris'));
    await until('a result', () => state.timestamps.length > 0);
    await element.updateComplete;
  };
  /** The number of frames. */
  const analysed = async () => {
    first = state.timestamps.length;
    const { complete, frames } = await element.analyse();
    await element.updateComplete;
    expect(complete).to.equal(true);
    return frames;
  };

  it('says what to do while there is none', async () => {
    state.iris = () => 150;
    await open(still);
    expect(button().disabled).to.equal(true);
    expect(button().title).to.include('Second opinion to “Always, with lids and iris”');
    expect(text()).to.include('To use a measured iris, set Method to “Robust” and Second opinion to “Always');
    element.settings = { secondOpinion: 'always' };
    state.iris = () => undefined;
    element.source = { ...still };
    await until('another reason', () =>
      text().includes('No iris was measured yet. The whole iris must be in the image'),
    );
    expect(button().disabled).to.equal(true);
    element.method = 'hough';
    await until('the method', () => text().includes('set Method to “Robust”'));
  });

  it('is a scale by one button, with the range between people, and can be undone', async () => {
    state.iris = () => 150;
    element.settings = { secondOpinion: 'always' };
    await open(still);
    await until('an iris', () => !button().disabled);
    expect(text()).to.include('11.7 mm wide, plus or minus 0.8 mm (7 %)');
    const before = state.timestamps.length;
    button().focus();
    button().click();
    await element.updateComplete;
    expect(element.millimetresPerPixel).to.be.closeTo(11.7 / 150, 1e-12);
    expect(text())
      .to.include('From the measured iris: 150.0 px, one frame. Irises differ in size, and')
      .and.include('4.4 %');
    await until('the image is measured again', () => state.timestamps.length > before && element.state === 'finished');
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    expect(element.shadowRoot!.activeElement).to.equal(button());
    expect(element.undo()).to.equal(true);
    await element.updateComplete;
    expect(element.millimetresPerPixel).to.equal(null);
    expect(text()).to.include('Not calibrated').and.not.include('From the measured iris');
    element.redo();
    expect(element.millimetresPerPixel).to.be.closeTo(11.7 / 150, 1e-12);
  });

  it('is the median of the recording, of the eye with most irises, and exports say so', async () => {
    // The left half has an iris in 6 of 9 frames, the right half in 4.
    state.iris = (call, pupil) => {
      const i = call - first;
      return [
        [101, , 103, 99, , 100, 150, , 98],
        [80, 80, 80, 80],
      ][pupil]![i];
    };
    element.settings = { secondOpinion: 'always' };
    Object.assign(element, { eyes: 2, paused: true });
    await open(await makeClip({ times: steady(9) }));
    expect(await analysed()).to.equal(9);
    button().click();
    expect(element.millimetresPerPixel).to.be.closeTo(11.7 / 100.5, 1e-9);
    await element.updateComplete;
    expect(text()).to.include('From the measured iris (left in the image): 100.5 px, the median of 6 frames.');
    await analysed(); // exports contain the settings of their analysis
    const { calibration } = JSON.parse(await element.exportJson()) as { calibration: object };
    expect(calibration).to.include({ method: 'iris', pixels: 100.5, millimetres: 11.7, uncertaintyPercent: 4.4 });
    // A recording of another source does not count.
    state.iris = () => undefined;
    element.source = { ...still };
    await until('no iris', () => button().disabled);
  });

  it('takes other settings while the video seeks, after an analysis', async () => {
    state.iris = () => 120;
    element.settings = { secondOpinion: 'always' };
    element.paused = true;
    await open(await makeClip({ times: steady(9) }));
    await analysed();
    const video = element.renderRoot.querySelector('video')!;
    const before = state.timestamps.length;
    video.currentTime = 0.1;
    expect(video.seeking).to.equal(true);
    element.settings = { secondOpinion: 'always', minConfidence: 0.72 };
    await until('the frame is measured again', () => state.timestamps.length > before);
    expect(element.renderRoot.querySelector('[part=error]')).to.equal(null);
  });

  it('has German strings', async () => {
    element.lang = 'de';
    state.iris = () => 117;
    await open(still);
    const german = button('Gemessene Iris');
    expect(german.disabled).to.equal(true);
    expect(text()).to.include('Zweite Meinung auf „Immer, mit Lidern und Iris“');
    element.settings = { secondOpinion: 'always' };
    element.source = { ...still };
    await until('an iris', () => !button('Gemessene Iris').disabled);
    button('Gemessene Iris').click();
    await element.updateComplete;
    expect(text()).to.include('Mit der gemessenen Iris: 117,0 px, ein Einzelbild.');
  });
});
