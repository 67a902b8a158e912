/** Measurements never outlive their source, in any of the five elements. */
import { expect } from 'chai';
import { FoveolaError } from '../../src/index.ts';
import '../../widget/elements.ts';
import { setEngineProvider } from '../../widget/base/engine.ts';
import type { FoveolaElement } from '../../widget/base/foveola-element.ts';
import { makeClip, steady } from '../support/clips.ts';
import { fakeForAll, type AllState } from './fake-elements.ts';
import { itInFull } from '../support/full.ts';

/** Without --full each change is tried with one of the elements, by turns. */
const isTurn = (name: string, change: string) => names[Object.keys(changes).indexOf(change) % names.length] === name;

type Any = FoveolaElement<{ timestamp: number; dropped: number }> & { box?: object };

const [width, height] = [96, 72];

/** A bright picture with a dark disc. */
const disc = () => {
  const data = new Uint8Array(width * height).fill(200);
  for (let y = 30; y < 42; y++) data.fill(20, y * width + 40, y * width + 56);
  return { width, height, data };
};

async function until(what: string, done: () => unknown): Promise<void> {
  const end = performance.now() + 30_000;
  while (!done()) {
    if (performance.now() > end) throw new Error(`waited too long: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
const painted = (canvas: HTMLCanvasElement | null) =>
  !!canvas?.width &&
  canvas
    .getContext('2d')!
    .getImageData(0, 0, canvas.width, canvas.height)
    .data.some((v, i) => i % 4 === 3 && v > 0);

/** Everything that a reader, a style sheet or a screen reader could take for a measurement. */
function shown(element: Any): string[] {
  const root = element.renderRoot as ShadowRoot;
  const found: string[] = [];
  if (painted(root.querySelector('canvas.overlay'))) found.push('overlay');
  for (const name of ['tracking', 'lost', 'blink', 'preview'])
    if (element.hasAttribute(name)) found.push(`attribute ${name}`);
  for (const place of root.querySelectorAll('[data-value]:not([data-value=dropped])'))
    if (/\d/.test(place.textContent ?? '')) found.push(`${place.getAttribute('data-value')} ${place.textContent}`);
  for (const place of root.querySelectorAll('.numbers dd, .figures.result, .targets .target button, .segments li'))
    if (/\d/.test(place.textContent ?? '')) found.push(place.textContent!.trim());
  const announced = root.querySelector('[aria-live]')?.textContent ?? '';
  if (/\d|found|follow/i.test(announced)) found.push(`announced: ${announced}`);
  const result = (element as { result?: unknown }).result;
  if (result) found.push('the property result');
  return found;
}

const names = ['pupil', 'face', 'track', 'vessels', 'filter'] as const;

/** What takes the place of the source, or fails to. Each leaves the element without a measurement of the new source. */
const changes: Record<string, (element: Any, state: AllState) => void> = {
  'a source that is still loading': (element, state) => {
    state.delay = 60_000;
    element.source = disc();
  },
  'a source whose first frame fails': (element, state) => {
    state.failNext = new FoveolaError('out-of-memory', 'Use a smaller image.');
    element.source = disc();
  },
  'a file that cannot be opened': (element) => element.open(new File(['text'], 'notes.mp4', { type: 'video/mp4' })),
  'an address that is not there': (element) => {
    element.source = null;
    element.src = '/not-there.png';
  },
  'an id that is not there': (element) => {
    element.source = null;
    element.htmlFor = 'nowhere';
  },
  'no source': (element) => (element.source = null),
  'a camera that is not allowed': (element) => void element.openCamera(),
  'a dropped file that is still loading': (element, state) => {
    state.delay = 60_000;
    element.open(new File([new Uint8Array(9)], 'x.webm', { type: 'video/webm' }));
  },
};

describe('measurements and their source', () => {
  let state: AllState;
  let restore: Parameters<typeof setEngineProvider>[0];
  let element: Any;
  const { getUserMedia } = navigator.mediaDevices;

  beforeEach(() => {
    const fake = fakeForAll();
    state = fake.state;
    restore = setEngineProvider(fake.provider);
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError'));
  });
  afterEach(() => {
    state.delay = 0;
    element.remove();
    setEngineProvider(restore);
    navigator.mediaDevices.getUserMedia = getUserMedia;
  });

  const open = async (name: string, source: Any['source']) => {
    element = document.createElement(`foveola-${name}`) as unknown as Any;
    element.controls = true;
    element.loop = true; // a busy machine may show few frames of a short clip
    if (name === 'track') element.box = { x: 40, y: 30, width: 16, height: 12 };
    element.source = source;
    document.body.append(element);
    await until('something is measured', () => shown(element).includes('overlay'));
    const wanted = name === 'filter' ? 2 : 3;
    await until('it is shown', () => shown(element).length >= wanted);
  };

  for (const name of names)
    for (const [change, make] of Object.entries(changes))
      (isTurn(name, change) ? it : itInFull)(
        `foveola-${name} shows nothing of the former source: ${change}`,
        async () => {
          await open(name, disc());
          const before = state.frames;
          make(element, state);
          await element.updateComplete;
          await new Promise((resolve) => requestAnimationFrame(resolve));
          expect(shown(element)).to.deep.equal([]);
          // Nor later, when what was under way comes in.
          await new Promise((resolve) => setTimeout(resolve, 300));
          if (state.frames === before) expect(shown(element)).to.deep.equal([]);
        },
      );

  for (const name of names)
    (name === 'pupil' ? it : itInFull)(`foveola-${name} exports and saves nothing of the former source`, async () => {
      await open(name, disc());
      element.source = null;
      element.src = '/not-there.png';
      await until('it has failed', () => element.state === 'error');
      let code = '';
      await element.snapshot().catch((error: FoveolaError) => (code = error.code));
      expect(code).to.equal('source-not-ready');
      if (name === 'vessels') {
        code = '';
        await element.exportCsv().catch((error: FoveolaError) => (code = error.code));
        expect(code).to.equal('source-not-ready');
      }
    });

  itInFull('shows nothing of the former clip while the page gives its own video another one', async () => {
    const video = Object.assign(document.createElement('video'), { muted: true, id: 'own' });
    video.src = URL.createObjectURL(await makeClip({ times: steady(20) }));
    document.body.append(video);
    try {
      await open('pupil', video);
      const next = await makeClip({ times: steady(20), width: 64, height: 64 });
      state.delay = 60_000;
      video.src = URL.createObjectURL(next);
      await until('the new clip is loading', () => !shown(element).length);
      state.delay = 0;
      const result = new Promise<{ width: number }>((resolve) =>
        element.addEventListener('foveola-result', (e) => resolve((e as CustomEvent).detail), { once: true }),
      );
      video.src = URL.createObjectURL(await makeClip({ times: steady(20), width: 64, height: 64 }));
      expect((await result).width).to.equal(64);
    } finally {
      video.remove();
    }
  });

  it('keeps the chart of one source apart from that of the next', async () => {
    await open('pupil', await makeClip({ times: steady(100) }));
    await until('some frames are in the chart', () => state.frames > 10);
    const chart = () => element.renderRoot.querySelector<HTMLCanvasElement>('.chart canvas')!;
    const line = () => {
      const { width: w, height: h } = chart();
      const { data } = chart().getContext('2d')!.getImageData(0, 0, w, h);
      // The line alone has a color; axes and words are gray.
      return data.some((v, i) => i % 4 === 0 && data[i + 3]! > 200 && Math.abs(v - data[i + 2]!) > 60);
    };
    await until('there is a line', line);
    state.delay = 60_000;
    element.source = await makeClip({ times: steady(100) });
    await until('the line is gone', () => !line());
    expect(element.state).to.be.oneOf(['loading', 'paused', 'running']);
  });

  it('says nothing of another frame where one fails', async () => {
    await open('pupil', await makeClip({ times: steady(200) }));
    state.failNext = new FoveolaError('out-of-memory', 'Use a smaller image.');
    await until('it has failed', () => element.state === 'error');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(shown(element)).to.deep.equal([]);
  });

  it('leaves no way to take back what was done to the former source', async () => {
    await open('track', disc());
    const press = (selector: string, key: string) =>
      element.renderRoot.querySelector(selector)!.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    const box = () => element.renderRoot.querySelector<HTMLElement>('[aria-label="Draw a box around a target"]');
    await until('a box can be drawn', box);
    box()!.click();
    await element.updateComplete;
    press('.shape', 'Enter');
    await until('it was drawn', () => state.boxes.length === 2);
    await until('it can be taken back', () => element.undo());
    expect(element.redo()).to.equal(true);
    element.source = disc();
    await until('it is open', () => element.state === 'finished');
    expect(element.undo()).to.equal(false);
  });
});
