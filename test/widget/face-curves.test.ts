/** <foveola-face> on an engine that only pretends: its state while a model loads, its figures, and its curves. */
import 'axe-core';
import type { AxeResults } from 'axe-core';
import { expect } from 'chai';
import { headShape } from '../../src/faces/head-shape.ts';
import { type EngineProvider, setEngineProvider } from '../../widget/base/engine.ts';
import '../../widget/face/face.ts';
import type { FoveolaFace } from '../../widget/face/face.ts';
import '../../widget/strings/de.ts';
import { makeClip, steady } from '../support/clips.ts';
import { fakeCapabilities } from './fake-engine.ts';
import { chooseItem } from './element-state.ts';

declare const axe: { run(on: Element, options: object): Promise<AxeResults> };

const until = async (what: string, done: () => unknown) => {
  const end = performance.now() + 20_000;
  while (!done()) {
    if (performance.now() > end) throw new Error(`waited too long: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

/** The mean head from the front, turned by `roll` in the image. */
function headAt(roll: number): Float32Array {
  const points = new Float32Array(136);
  const [cos, sin] = [Math.cos(roll), Math.sin(roll)];
  for (const [point, x, y] of headShape) {
    points[2 * point] = 48 + 20 * (cos * x + sin * y);
    points[2 * point + 1] = 36 - 20 * (cos * y - sin * x);
  }
  return points;
}

describe('<foveola-face>, curves and states', () => {
  let element: FoveolaFace;
  let restore: EngineProvider;
  let loaded: (() => void) | null = null;
  const copied: string[] = [];
  const { clipboard } = navigator;
  const find = <E extends HTMLElement = HTMLElement>(selector: string) =>
    element.renderRoot.querySelector<E>(selector)!;
  const texts = (selector: string) =>
    [...element.renderRoot.querySelectorAll(selector)].map(({ textContent }) =>
      textContent.replace(/\s+/g, ' ').trim(),
    );

  beforeEach(async () => {
    let model = false;
    const engine = {
      capabilities: fakeCapabilities,
      preload: () => new Promise<void>((resolve) => (loaded = resolve)),
      createFaceTracker: async () => ({
        setModel: async (name: string | null) => void (model = name !== null),
        process: async (_: unknown, { timestamp = 0, dropped = 0 } = {}) => {
          const landmarks = model ? headAt(timestamp / 10_000) : null;
          const box = { id: 1, x: 20, y: 10, width: 50, height: 50, score: 0.9, detected: true };
          const face = { ...box, landmarks, landmarkConfidence: 0.9, openness: [0.9, 0.8], blink: false };
          return { timestamp, dropped, width: 96, height: 72, faces: [face], backend: 'wasm' };
        },
        reset: async () => undefined,
        setParameters: async () => undefined,
        dispose: async () => undefined,
      }),
    };
    restore = setEngineProvider((() => ({ engine: Promise.resolve(engine), release: () => undefined })) as never);
    copied.length = 0;
    loaded = null;
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: async (text: string) => void copied.push(text) },
    });
    element = document.createElement('foveola-face');
    Object.assign(element, { controls: true, paused: true, source: await makeClip({ times: steady(20) }) });
    element.style.width = '480px';
    document.body.append(element);
    await until('the model is asked for', () => loaded && find('.stage .progress'));
  });
  afterEach(() => {
    element.remove();
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard });
    setEngineProvider(restore);
  });

  it('says on the image that its model is loading, and moves nothing when it has loaded', async () => {
    await until('its frame', () => element.state === 'paused');
    await element.updateComplete;
    const badge = () => find('.badge.state');
    expect(badge().textContent).to.equal('Loading model');
    expect(badge().matches('.spinner')).to.equal(true);
    expect(texts('.readout dd')[3]).to.equal('yaw – °');
    const { violations } = await axe.run(element, { rules: { region: { enabled: false } } });
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).to.deep.equal([]);
    const place = () => find('.chart').getBoundingClientRect().top;
    await until('the charts', () => find('.chart canvas'));
    const before = place();
    loaded!();
    await until('it has loaded', () => !find('.stage .progress'));
    expect([badge().textContent, badge().matches('.spinner'), place()]).to.deep.equal(['Paused', false, before]);
  });

  it('draws pose and opening over time, with a label for each figure', async () => {
    loaded!();
    await until('it has loaded', () => !find('.stage .progress'));
    element.lang = 'de';
    await element.analyse();
    await until('the charts', () => element.renderRoot.querySelectorAll('.chart canvas').length === 2);
    expect(texts('.chart .curves')).to.deep.equal([
      'KopfhaltungGierenNickenRollen',
      'Öffnunglinks im Bildrechts im BildMund',
    ]);
    await until('its figures', () => texts('.readout dd').includes('links im Bild 90 %'));
    expect(texts('.readout dd').slice(0, 3)).to.deep.equal(['1', '90 %', 'nein']);
    await chooseItem(element, 'more', 'Diagramm als Tabelle kopieren');
    await until('it is copied', () => copied.length);
    const [head, ...rows] = copied[0]!.split('\n').map((row) => row.split('\t'));
    const names = ['time s', 'Gieren °', 'Nicken °', 'Rollen °', 'links im Bild %', 'rechts im Bild %', 'Mund %'];
    expect(head!.slice(0, 8)).to.deep.equal([...names, 'confidence']);
    expect(rows).to.have.length(20);
    for (const [time, yaw, , roll, left, right] of rows) {
      expect(Number(yaw)).to.be.closeTo(0, 0.5);
      expect(Math.abs(Number(roll))).to.be.closeTo((Number(time) / 10) * (180 / Math.PI), 0.5);
      expect([left, right]).to.deep.equal(['90.0000', '80.0000']);
    }
    const stops = [...element.renderRoot.querySelectorAll<HTMLElement>('.chart canvas')].map((one) => one.tabIndex);
    expect(stops).to.deep.equal([0, -1]);
  });
});
