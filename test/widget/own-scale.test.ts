/** Scales that the user sets: their origin in exports, and what happens to them with images of another size. */
import { expect } from 'chai';
import { setEngineProvider } from '../../widget/base/engine.ts';
import '../../widget/pupil/pupil.ts';
import '../../widget/vessels/vessels.ts';
import type { FoveolaPupil } from '../../widget/pupil/pupil.ts';
import type { FoveolaVessels } from '../../widget/vessels/vessels.ts';
import { stateOf, waitUntil } from './element-state.ts';
import { type AllState, fakeForAll } from './fake-elements.ts';

/** A light image with a dark disc. */
function picture(width: number, height: number) {
  const data = Uint8Array.from({ length: width * height }, (_, i) =>
    Math.hypot((i % width) - width / 2, Math.floor(i / width) - height / 2) < height / 6 ? 20 : 200,
  );
  return { width, height, data };
}

describe('a scale that the user sets', () => {
  let state: AllState;
  let restore: Parameters<typeof setEngineProvider>[0];
  let element: FoveolaPupil | FoveolaVessels;
  const find = <E extends HTMLElement = HTMLElement>(selector: string) =>
    element.renderRoot.querySelector<E>(selector)!;
  const until = (what: string, done: () => unknown) => waitUntil(what, done, () => stateOf(element));
  const note = () => find('.note')?.textContent ?? '';

  beforeEach(() => {
    const fake = fakeForAll();
    state = fake.state;
    restore = setEngineProvider(fake.provider);
  });
  afterEach(() => {
    element.remove();
    setEngineProvider(restore);
  });

  const open = async (width: number, height: number) => {
    const before = state.frames;
    element.source = picture(width, height);
    if (!element.isConnected) document.body.append(element);
    await until('it is open', () => state.frames > before && element.state === 'finished');
    await element.updateComplete;
  };

  it('is exported with its origin and uncertainty, and leaves with images of another size', async () => {
    const pupil = (element = document.createElement('foveola-pupil'));
    Object.assign(pupil, { controls: true, settingsOpen: true });
    await open(320, 240);
    await until('the settings', () => find('.fields button'));
    const shape = () => find('.shape.disc:not([hidden])');
    const press = (key: string) => shape().dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    [...element.renderRoot.querySelectorAll<HTMLElement>('.fields button')]
      .find((one) => one.textContent.includes('Iris'))!
      .click();
    await until('the circle', shape);
    press('Enter');
    await element.updateComplete;
    const scale = pupil.millimetresPerPixel!;
    const pixels = Number((11.7 / scale).toFixed(1));
    const iris = { millimetresPerPixel: scale, method: 'iris', pixels, millimetres: 11.7, uncertaintyPercent: 3.6 };
    type Exported = { calibration?: object };
    const exported = async () => {
      const texts = [await pupil.exportJson(), await pupil.exportCsvJson()];
      const comments = /^# calibration: (.*)$/m.exec(await pupil.exportCsv({ format: 'comments' }));
      return [...texts, `{"calibration": ${comments?.[1] ?? null}}`].map(
        (text) => (JSON.parse(text) as Exported).calibration ?? null,
      );
    };
    expect(await exported()).to.deep.equal([iris, iris, iris]);

    await open(320, 240); // the eye after the disc
    expect(pupil.millimetresPerPixel).to.equal(scale);
    await open(160, 120);
    expect(pupil.millimetresPerPixel).to.equal(null);
    expect(note()).to.equal('The scale was removed. It was set for images of 320 × 240 pixels. Undo restores it.');
    expect(await exported()).to.deep.equal([null, null, null]);
    expect(pupil.undo()).to.equal(true);
    expect(pupil.millimetresPerPixel).to.equal(scale);

    pupil.millimetresPerPixel = 0.05; // the page knows why
    await open(320, 240);
    const given = { millimetresPerPixel: 0.05, method: 'given' };
    expect([pupil.millimetresPerPixel, note()]).to.deep.equal([0.05, '']);
    expect(await exported()).to.deep.equal([given, given, given]);
  });

  it('of a photograph leaves with the next photograph of another size', async () => {
    const vessels = (element = document.createElement('foveola-vessels'));
    vessels.controls = true;
    await open(64, 48);
    const type = (value: string) => {
      const field = find<HTMLInputElement>('[name=scale]');
      field.value = value;
      field.dispatchEvent(new Event('change'));
    };
    type('5.5');
    await open(64, 48);
    expect([vessels.micrometresPerPixel, note()]).to.deep.equal([5.5, '']);
    await open(48, 48);
    expect(vessels.micrometresPerPixel).to.equal(null);
    expect(note()).to.include('64 × 48 pixels');
    await element.updateComplete;
    expect(find<HTMLInputElement>('[name=scale]').value).to.equal('');
  });
});
