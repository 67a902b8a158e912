/** <foveola-track>: to which source a box belongs, and what drawing one does to what plays. */
import { expect } from 'chai';
import { setEngineProvider } from '../../widget/base/engine.ts';
import '../../widget/track/track.ts';
import { Trails } from '../../widget/track/results.ts';
import type { FoveolaTrack } from '../../widget/track/track.ts';
import { makeClip, steady } from '../support/clips.ts';
import { chooseItem } from './element-state.ts';
import { fakeForAll, type AllState } from './fake-elements.ts';
import { itInFull } from '../support/full.ts';

const [width, height] = [96, 72];
const picture = () => ({ width, height, data: new Uint8Array(width * height).fill(200) });
const first = { x: 10, y: 10, width: 30, height: 30 };
const second = { x: 50, y: 20, width: 30, height: 30 };

async function until(what: string, done: () => unknown): Promise<void> {
  const end = performance.now() + 20_000;
  while (!done()) {
    if (performance.now() > end) throw new Error(`waited too long: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('<foveola-track>', () => {
  let state: AllState;
  let restore: Parameters<typeof setEngineProvider>[0];
  let element: FoveolaTrack;

  beforeEach(() => {
    const fake = fakeForAll();
    state = fake.state;
    restore = setEngineProvider(fake.provider);
    element = document.createElement('foveola-track');
    element.controls = true;
  });
  afterEach(() => {
    element.remove();
    setEngineProvider(restore);
  });

  /** Opens a still and waits until a box, if there is one for it, has been taken. */
  const show = async (source: FoveolaTrack['source']) => {
    const before = state.frames;
    element.source = source;
    if (!element.isConnected) document.body.append(element);
    await until('its picture was processed', () => state.frames > before && element.state === 'finished');
    await new Promise((resolve) => setTimeout(resolve, 60));
  };

  itInFull('draws in a video the trail as it grows, and afterwards its own', async () => {
    element.box = first;
    element.paused = true;
    element.source = await makeClip({ times: steady(12) });
    document.body.append(element);
    await until('it is open', () => element.state === 'paused');
    await element.analyse();
    const { of } = Trails.prototype;
    const drawn: number[] = [];
    Trails.prototype.of = function (this: Trails, id: number) {
      const trail = of.call(this, id);
      drawn.push(trail.length);
      return trail;
    };
    try {
      await element.exportVideo();
      const grown = [...new Set(drawn.slice(drawn.indexOf(1)))]; // the whole one may be drawn before the first frame
      expect(grown).to.deep.equal(Array.from({ length: 12 }, (_, i) => i + 1));
      drawn.length = 0;
      await element.snapshot();
      expect(drawn.at(-1)).to.be.at.least(12);
    } finally {
      Trails.prototype.of = of;
    }
  });

  describe('an analyzed recording', () => {
    const rows = async () => {
      const [head, ...lines] = (await element.exportCsv()).trim().split('\n');
      const names = head!.split(',');
      const cells = (line: string) => Object.fromEntries(line.split(',').map((cell, i) => [names[i]!, cell]));
      return lines.map(cells).map(({ frame, x, by }) => [Number(frame), Number(x), by]);
    };
    const corrected = async () => {
      const csv = (await element.exportCsv()).trim().split('\n').slice(1);
      const { rows: json } = JSON.parse(await element.exportJson()) as { rows: { corrected: string | null }[] };
      // Before the column of the markers.
      return { csv: csv.map((line) => line.split(',').at(-2)), json: json.map((row) => row.corrected ?? '') };
    };
    beforeEach(async () => {
      element.source = await makeClip({ times: steady(12) });
      element.paused = true;
      document.body.append(element);
      await until('it is open', () => element.state === 'paused' && state.frames > 0);
      await element.addTarget(first);
      await element.analyse();
      await element.seek(145);
    });

    itInFull(
      'is tracked on from a corrected box in both directions, up to the box drawn before; undo restores it',
      async () => {
        const before = await element.exportCsv();
        expect((await rows()).map(([, x]) => x)).to.deep.equal(Array.from({ length: 12 }, () => first.x));
        await element.correctTarget(1, second);
        const changed = await rows();
        expect(changed.map(([, x]) => x)).to.deep.equal([first.x, ...Array.from({ length: 11 }, () => second.x)]);
        expect(changed.filter(([, , by]) => by === 'none').map(([frame]) => frame)).to.deep.equal([0, 7]);
        const marks = ['', ...Array.from({ length: 11 }, (_, i) => (i === 6 ? 'box' : 'track'))];
        expect(await corrected()).to.deep.equal({ csv: marks, json: marks });
        expect(await element.exportCsvJson()).to.contain('"box",\n        "track"');
        await element.seek(80); // the overlay follows
        const announced = () => element.renderRoot.querySelector('[role=status].visually-hidden')!.textContent;
        expect(announced()).to.equal('11 frames changed');
        expect(await element.undo()).to.not.equal(false);
        expect(await element.exportCsv()).to.equal(before);
        await element.redo();
        expect(await rows()).to.deep.equal(changed);
        await element.analyse(); // repeats the boxes in their frames
        expect((await corrected()).csv).to.deep.equal([
          '',
          ...Array.from({ length: 11 }, (_, i) => (i === 6 ? 'box' : '')),
        ]);
      },
    );

    it('has its position and speed over time, and says on the image what to do while it has no target', async () => {
      const all = (selector: string) =>
        [...element.renderRoot.querySelectorAll(selector)].map(({ textContent }) => textContent.trim());
      await until('the charts', () => element.renderRoot.querySelectorAll('.chart canvas').length === 2);
      expect(all('.chart .curves')).to.deep.equal(['Positionxy', 'Speed']);
      expect(all('.prompt')).to.deep.equal([]);
      element.source = await makeClip({ times: steady(12) });
      await until('the button', () => all('.prompt button')[0] === 'Draw a box');
      element.renderRoot.querySelector<HTMLElement>('.prompt button')!.click();
      await until('the hint', () => all('.prompt p')[0] === 'Draw a box around the object to track.');
    });
  });

  describe('a box', () => {
    it('belongs to the source that it was set with, and to no other', async () => {
      const own = picture();
      element.box = first;
      await show(own);
      expect(state.boxes).to.deep.equal([first]);
      const results: { targets: unknown[] }[] = [];
      element.addEventListener('foveola-result', (e) => results.push((e as CustomEvent).detail));
      await show(picture());
      expect(state.boxes).to.deep.equal([first]);
      expect(results.every(({ targets }) => targets.length === 0)).to.equal(true);
      await show(own); // its own again
      expect(state.boxes).to.deep.equal([first, first]);
    });

    it('is that of the next source where it is set together with it, in either order', async () => {
      await show(picture());
      element.box = first;
      await show(picture());
      expect(state.boxes).to.deep.equal([first]);
      element.source = picture();
      element.box = second;
      await until('it was taken', () => state.boxes.length > 1);
      expect(state.boxes).to.deep.equal([first, second]);
    });

    it('is taken at once where its source is open, and the same one only once', async () => {
      await show(picture());
      element.box = first;
      await until('it was taken', () => state.boxes.length === 1);
      element.box = { ...first }; // as frameworks do at each rendering
      await element.updateComplete;
      element.box = second;
      await until('the other one was taken', () => state.boxes.length > 1);
      expect(state.boxes).to.deep.equal([first, second]);
    });

    it('that was set without a source is that of the first one, a file that is dropped', async () => {
      element.setAttribute('box', '10 10 30 30');
      document.body.append(element);
      await element.updateComplete;
      const clip = await makeClip({ times: steady(60) });
      element.open(clip);
      await until('it was taken', () => state.boxes.length === 1);
      element.open(await makeClip({ times: steady(60) }));
      const before = state.frames;
      await until('the next one is open', () => state.frames > before);
      await new Promise((resolve) => setTimeout(resolve, 60));
      expect(state.boxes).to.deep.equal([first]);
    });

    it('of a source that fails is not looked for in the next one', async () => {
      element.box = first;
      element.source = new File(['text'], 'notes.txt');
      document.body.append(element);
      await until('it has failed', () => element.state === 'error');
      await show(picture());
      expect(state.boxes).to.deep.equal([]);
    });
  });

  it('waits on the first frame of a recording for a box, and goes on with it', async () => {
    element.src = URL.createObjectURL(await makeClip({ times: steady(60) }));
    document.body.append(element);
    const prompt = () => element.renderRoot.querySelector<HTMLElement>('.prompt button');
    await until('it waits', () => state.frames > 0 && prompt());
    await new Promise((resolve) => setTimeout(resolve, 200));
    const video = element.renderRoot.querySelector('video')!;
    expect([element.state, video.currentTime, prompt()!.textContent.trim()]).to.deep.equal(['paused', 0, 'Draw a box']);
    await element.addTarget(first);
    await until('it plays', () => element.state === 'running');
    URL.revokeObjectURL(element.src);
  });

  it('analyzes a recording as soon as its box is drawn, or with that of its attribute', async () => {
    element.analysisMode = 'auto';
    element.source = await makeClip({ times: steady(12) });
    document.body.append(element);
    const shape = () => element.renderRoot.querySelector<HTMLElement>('.shape');
    await until('it waits for a box', () => state.frames > 0 && shape()?.hidden === false);
    await element.updateComplete;
    shape()!.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    const summary = () => element.renderRoot.querySelector('.summary')?.textContent.trim();
    await until('the summary', () => summary()?.startsWith('12 frames'));
    element.source = await makeClip({ times: steady(10) });
    element.box = first;
    await until('the next summary', () => summary()?.startsWith('10 frames'));
  });

  describe('drawing', () => {
    const video = () => element.renderRoot.querySelector('video')!;
    const button = () => element.renderRoot.querySelector<HTMLElement>('[aria-label="Draw a box around a target"]')!;
    const shape = () => element.renderRoot.querySelector<HTMLElement>('.shape')!;
    const press = (key: string) => shape().dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    const play = async () => {
      element.loop = true;
      element.source = await makeClip({ times: steady(100) });
      document.body.append(element);
      await until('it waits for a box', () => element.paused && state.frames > 0);
      await element.start();
      await until('it plays', () => element.state === 'running' && state.frames > 3);
    };
    const draw = async () => {
      button().click();
      await element.updateComplete;
      await until('it stands', () => video().paused);
      expect(element.state).to.equal('paused');
    };

    it('stops what plays; it goes on when the box is taken', async () => {
      await play();
      await draw();
      press('Enter');
      await until('it plays again', () => !video().paused && element.state === 'running');
      expect(state.boxes).to.have.length(1);
    });

    it('is done by keys alone: a file, a box, undo, a recording and its export', async () => {
      document.body.append(element);
      await element.updateComplete;
      const { renderRoot } = element;
      const focused = () => (renderRoot as ShadowRoot).activeElement;
      /** As with Enter: a button can have the focus, and does what a click does. */
      const enter = (selector: string) => {
        const target = renderRoot.querySelector<HTMLButtonElement>(selector)!;
        target.focus();
        expect(focused(), selector).to.equal(target);
        target.click();
      };
      const key = (key: string, more: KeyboardEventInit = {}) =>
        focused()!.dispatchEvent(
          new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true, ...more }),
        );
      const input = renderRoot.querySelector<HTMLInputElement>('input.source-file')!;
      let asked = 0;
      input.addEventListener('click', (event) => {
        asked++;
        event.preventDefault(); // no dialog of the browser
      });
      enter('[part~=choose-file]');
      enter('[aria-label="Open file"]');
      expect(asked).to.equal(2);
      const transfer = new DataTransfer();
      transfer.items.add(new File([await makeClip({ times: steady(100) })], 'clip.webm', { type: 'video/webm' }));
      input.files = transfer.files;
      element.loop = true;
      element.analysisMode = 'manual';
      input.dispatchEvent(new Event('change'));
      await until(
        'it stands and waits for a box',
        () => state.frames > 0 && renderRoot.querySelector('.prompt button'),
      );
      expect(video().paused).to.equal(true);
      enter('.prompt button');
      await until('the box', () => focused() === shape());
      const { width: w, height: h } = { width: video().videoWidth, height: video().videoHeight };
      const began = { x: Math.round(0.375 * w), y: Math.round(0.375 * h) };
      key('ArrowRight');
      key('ArrowDown', { shiftKey: true });
      key('Enter');
      await until('it is taken', () => state.boxes.length > 0);
      const [box] = state.boxes;
      expect(box).to.deep.equal({
        x: began.x + 2,
        y: began.y,
        width: Math.round(w / 4),
        height: Math.round(h / 4) + 2,
      });
      expect(focused()).to.equal(renderRoot.querySelector('.stage'));

      const listed = () => renderRoot.querySelectorAll('.targets .target').length;
      await until('it is listed', () => listed() === 1);
      key('z', { ctrlKey: true });
      await until('it is taken back', () => listed() === 0);
      key('y', { ctrlKey: true });
      await until('it is there again', () => listed() === 1);

      await until('it plays', () => element.state === 'running');
      key('r');
      await until('it records', () => element.recording);
      key('m');
      await until('rows', () => element.exportedName);
      key('r');
      await until('it has recorded', () => !element.recording);
      const { click } = HTMLAnchorElement.prototype;
      const saved: HTMLAnchorElement[] = [];
      HTMLAnchorElement.prototype.click = function () {
        saved.push(this);
      };
      try {
        await chooseItem(element, 'exports', 'Table (CSV)');
        await until('it is saved', () => saved.length);
      } finally {
        HTMLAnchorElement.prototype.click = click;
      }
      expect(saved[0]!.download).to.match(/^clip-.*\.csv$/);
      expect(await (await fetch(saved[0]!.href)).text()).to.contain('M1');

      key('?');
      await until('the list of keys', () => renderRoot.querySelector('.help'));
      expect(renderRoot.querySelector('.help')!.textContent).to.contain('Draw a box, or move it with the arrow keys');
      key('Escape');
    });

    it('is of the frame that stands, which the tracker has seen last', async () => {
      const seen: number[] = [];
      element.addEventListener('foveola-result', (e) => seen.push((e as CustomEvent).detail.timestamp));
      state.delay = 120; // frames are left out
      await play();
      await draw();
      await new Promise((resolve) => setTimeout(resolve, 500));
      const last = seen.at(-1)!;
      expect((last - video().currentTime * 1000) % 2000).to.be.closeTo(0, 45);
    });

    it('goes on as well when it is given up, and stays where nothing played', async () => {
      await play();
      await draw();
      press('Escape');
      await until('it plays again', () => element.state === 'running');
      element.paused = true;
      await until('it stands', () => video().paused);
      await draw();
      press('Enter');
      await until('the box was taken', () => state.boxes.length === 1);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(video().paused).to.equal(true);
    });

    it('ends when it is played meanwhile, and with its source', async () => {
      await play();
      await draw();
      element.paused = false;
      await until('it plays', () => element.state === 'running');
      await element.updateComplete;
      expect(button().getAttribute('aria-pressed')).to.equal('false');
      await draw();
      await show(picture());
      expect(button().getAttribute('aria-pressed')).to.equal('false');
      expect(state.boxes).to.deep.equal([]);
    });

    it('stops a video of the page too, and lets it go on', async () => {
      const own = Object.assign(document.createElement('video'), { muted: true, loop: true });
      own.src = URL.createObjectURL(await makeClip({ times: steady(100) }));
      document.body.append(own);
      try {
        await own.play();
        element.source = own;
        document.body.append(element);
        await until('it is followed', () => element.state === 'running' && state.frames > 3);
        button().click();
        await until('it stands', () => own.paused);
        press('Enter');
        await until('it goes on', () => !own.paused && element.state === 'running');
        expect(state.boxes).to.have.length(1);
      } finally {
        own.remove();
      }
    });
  });

  it('draws as much of where a target was as `trails` says', async () => {
    const lineTo = CanvasRenderingContext2D.prototype.lineTo;
    let lines = 0;
    CanvasRenderingContext2D.prototype.lineTo = function (x, y) {
      lines++;
      lineTo.call(this, x, y);
    };
    try {
      element.box = first;
      element.setAttribute('trails', '4');
      await show(picture());
      /** Lines in the drawing of one more frame, which a snapshot makes at once. */
      const drawn = async () => {
        await element.step();
        lines = 0;
        const saved = element.snapshot();
        const count = lines;
        await saved;
        return count;
      };
      for (let i = 0; i < 6; i++) await element.step();
      expect(await drawn()).to.equal(3);
      element.trails = 0;
      await element.updateComplete;
      expect(await drawn()).to.equal(0);
      element.removeAttribute('trails');
      await element.updateComplete;
      expect(element.trails).to.equal(90);
      for (let i = 0; i < 6; i++) await element.step();
      expect(await drawn()).to.equal(6);
    } finally {
      CanvasRenderingContext2D.prototype.lineTo = lineTo;
    }
  });
});
