import { expect } from 'chai';
import { FoveolaError } from '../../src/index.ts';
import type { PupilResult } from '../../src/results/types.ts';
import { setEngineProvider } from '../../widget/base/engine.ts';
import { FoveolaPupil } from '../../widget/pupil/pupil.ts';
import '../../widget/strings/de.ts';
import { fakeCapabilities, fakeEngine, type FakeState } from './fake-engine.ts';

const clip = '/demo/media/sample.webm';

const event = <T = unknown>(target: EventTarget, name: string) =>
  new Promise<T>((resolve) =>
    target.addEventListener(name, (e) => resolve((e as CustomEvent<T>).detail), { once: true }),
  );
const until = async (what: string, condition: () => boolean, limit = 8000) => {
  const end = performance.now() + limit;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`waited too long for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};
const gray = (width = 64, height = 48) => ({ width, height, data: new Uint8Array(width * height).fill(90) });
/** WCAG's contrast of two opaque colors. */
function contrast(...colors: [string, string]): number {
  const [a, b] = colors.map((color) => {
    const [red, green, blue] = color.match(/\d+/g)!.map((part) => {
      const v = Number(part) / 255;
      return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    });
    return 0.05 + 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  });
  return Math.max(a! / b!, b! / a!);
}
const query = <E extends Element = HTMLElement>(element: FoveolaPupil, selector: string) =>
  element.shadowRoot!.querySelector<E>(selector)!;
const button = (element: FoveolaPupil, name: string) =>
  query<HTMLButtonElement>(element, `button[aria-label="${name}"]`);

describe('<foveola-pupil>', () => {
  let state: FakeState;
  let element: FoveolaPupil;
  let restore: Parameters<typeof setEngineProvider>[0];

  beforeEach(() => {
    const fake = fakeEngine();
    state = fake.state;
    restore = setEngineProvider(fake.provider);
    element = document.createElement('foveola-pupil');
  });
  afterEach(async () => {
    element.remove();
    await until('everything is given back', () => state.held === 0 && state.trackers === 0);
    setEngineProvider(restore);
  });

  it('offers a file and the camera when it has no source, and opens neither by itself', async () => {
    const { getUserMedia } = navigator.mediaDevices;
    let asked = 0;
    navigator.mediaDevices.getUserMedia = async () => (asked++, Promise.reject(new DOMException('', 'NotFoundError')));
    element.setAttribute('camera', '');
    document.body.append(element);
    await element.updateComplete;
    expect(await element.ready).to.deep.equal(fakeCapabilities);
    expect(element.state).to.equal('idle');
    expect(asked).to.equal(0);
    query(element, '.choices button').click();
    const error = await event<FoveolaError>(element, 'foveola-error');
    navigator.mediaDevices.getUserMedia = getUserMedia;
    expect(asked).to.equal(1);
    expect(error.code).to.equal('camera-missing');
    expect(element.getAttribute('error')).to.equal('camera-missing');
    expect(query(element, '.error').textContent).to.include('Connect one');
  });

  it('plays a recording at once and gives a result for each frame', async () => {
    const results: PupilResult[] = [];
    element.addEventListener('foveola-result', (e) => results.push((e as CustomEvent<PupilResult>).detail));
    let bubbled = 0;
    document.body.addEventListener('foveola-result', () => bubbled++, { once: true });
    element.src = clip;
    document.body.append(element);
    await until('ten results', () => results.length >= 10);
    expect(element.state).to.equal('running');
    expect(element.matches('[running][tracking]:not([lost], [error])')).to.equal(true);
    expect(bubbled).to.equal(0);
    const times = results.map((result) => result.timestamp);
    expect([...times].sort((a, b) => a - b)).to.deep.equal(times);
    state.found = false;
    await until('the state follows', () => element.hasAttribute('lost'));
    state.blink = true;
    await until('a blink is reported', () => element.hasAttribute('blink') && !element.hasAttribute('lost'));
    expect(element.pageTimes.frames).to.be.greaterThan(0);
  });

  it('does not play when paused, shows the first frame, and steps', async () => {
    element.paused = true;
    element.src = clip;
    document.body.append(element);
    await event(element, 'foveola-result');
    await until('paused', () => element.state === 'paused');
    const before = state.timestamps.length;
    const first = await element.step();
    const second = await element.step();
    expect(second!.timestamp).to.be.greaterThan(first!.timestamp);
    expect(state.timestamps.length).to.equal(before + 2);
    expect(element.state).to.equal('paused');
  });

  it('records rows with their clock, markers, and exports them', async () => {
    element.src = clip;
    document.body.append(element);
    await event(element, 'foveola-result');
    expect(element.mark('too early')).to.equal(null);
    expect(element.record()).to.equal(true);
    for (let i = 0; i < 3; i++) await event(element, 'foveola-result');
    const marker = element.mark('flash')!;
    expect(marker.label).to.equal('flash');
    for (let i = 0; i < 3; i++) await event(element, 'foveola-result');
    expect(element.record()).to.equal(false);
    const json = JSON.parse(await element.exportJson());
    expect(json.rows.length).to.be.at.least(6);
    expect(json.rows[0]).to.include({ clock: 'media', found: true, pupil: 0, eye: 'unknown' });
    expect(json.markers).to.deep.equal([{ label: 'flash', timestamp: marker.timestamp }]);
    expect(json.source.name).to.equal('sample.webm');
    const bytes = await (await fetch(clip)).arrayBuffer();
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    expect(json.source.sha256).to.equal([...hash].map((b) => b.toString(16).padStart(2, '0')).join(''));
    const csv = await element.exportCsv();
    expect(csv).to.match(/^filename,timestamp_ms,.*\nsample\.webm,.*flash/s);
    const about = JSON.parse(await element.exportCsvJson());
    expect(about).to.include({ format: 'plain', notice: 'For research use, not a medical device.' });
    expect(about.columns.map(({ name }: { name: string }) => name).join()).to.equal(csv.split('\n')[0]);
    expect(about.markers).to.deep.equal(json.markers);
    expect(await element.exportEvents()).to.match(/\nmarker,[\d.]+,[\d.]+,0,,,1,flash,\n/);
    expect(() => element.mark('x', NaN))
      .to.throw(FoveolaError)
      .with.property('code', 'invalid-argument');
  });

  it('exports in the format that is chosen in the settings, by the attribute or by the call', async () => {
    element.src = clip;
    element.settingsOpen = true;
    document.body.append(element);
    await event(element, 'foveola-result');
    element.record();
    for (let i = 0; i < 2; i++) await event(element, 'foveola-result');
    element.record();
    const heading = async (options = {}) => (await element.exportCsv(options)).split('\n')[0]!;
    expect(await heading()).to.match(/^filename,.*,marker$/);
    expect(await heading({ format: 'comments' })).to.match(/^# foveola/);
    expect(await heading({ format: 'excel' })).to.match(/^\uFEFFfilename;timestamp_ms;/);
    expect(await heading({ format: 'pupilext' })).to.match(/^filename,.*,outlineConfidence$/);
    const list = element.shadowRoot!.querySelector<HTMLSelectElement>('select[name=export-format]')!;
    expect(list.value).to.equal('plain');
    list.value = 'pupilext';
    list.dispatchEvent(new Event('change'));
    expect(await heading()).to.match(/^filename,.*,outlineConfidence$/);
    expect(await heading({ format: 'plain' })).to.match(/,marker$/);
    element.setAttribute('export-format', 'foveola');
    const failure = await element.exportCsv().catch((error: FoveolaError) => error);
    expect(failure).to.be.instanceOf(FoveolaError).with.property('code', 'invalid-argument');
  });

  it('keeps numbers and their units in order on a page that is written from right to left', async () => {
    const around = document.createElement('div');
    around.dir = 'rtl';
    around.lang = 'ar';
    element.source = gray();
    around.append(element);
    document.body.append(around);
    await event(element, 'foveola-result');
    const root = element.shadowRoot!;
    await until('written', () => /\d/.test(root.querySelector('[data-value=center]')!.textContent ?? ''));
    for (const dd of root.querySelectorAll('.readout dd')) {
      expect(dd.firstElementChild!.localName).to.equal('bdi');
      const [value, unit] = [dd.querySelector('[data-value]')!, dd.querySelector('small')].map((place) =>
        place?.getBoundingClientRect(),
      );
      if (unit) expect(unit.left, dd.textContent!).to.be.at.least(value!.right - 0.5);
    }
    // The first of two numbers stands first.
    const center = root.querySelector('[data-value=center]')!.firstChild!;
    const range = document.createRange();
    const left = (from: number) => {
      range.setStart(center, from);
      range.setEnd(center, from + 1);
      return range.getBoundingClientRect().left;
    };
    expect(left(0)).to.be.lessThan(left(center.textContent!.length - 1));
    // Words that are English are written from left to right, what the page puts into a slot is not.
    expect(getComputedStyle(root.querySelector('.base')!).direction).to.equal('ltr');
    expect(getComputedStyle(root.querySelector('slot[name=media]')!).direction).to.equal('rtl');
    around.remove();
  });

  it('says of a pupil with a low confidence that it is not clear, in words that can be read', async () => {
    element.lang = 'de';
    element.source = gray();
    document.body.append(element);
    const shows = async (confidence: number, found = true) => {
      Object.assign(state, { confidence, found });
      element.source = gray();
      const figure = found ? String(Math.round(100 * confidence)) : '–';
      await until(figure, () => query(element, '[data-value=confidence]')?.textContent === figure);
      return query(element, '.unsure').textContent !== '';
    };
    expect(await shows(0.9)).to.equal(false);
    expect(await shows(0.89)).to.equal(true);
    const words = query(element, '.unsure');
    expect(words.textContent).to.contain('Die Pupille ist undeutlich');
    for (const scheme of ['light', 'dark']) {
      element.style.colorScheme = scheme;
      const [text, ground] = [getComputedStyle(words).color, getComputedStyle(query(element, '.base')).backgroundColor];
      expect(contrast(text, ground), `${text} on ${ground}`).to.be.at.least(4.5);
    }
    expect(await shows(0.9)).to.equal(false);
    expect(words.textContent).to.equal('');
    expect(await shows(0.3, false)).to.equal(false);
  });

  it('shows what a result warns of, as long as results do', async () => {
    state.warnings = ['It is dark.', 'It is small.'];
    element.source = gray();
    document.body.append(element);
    await until('warned', () => query(element, '.unsure')?.textContent === 'It is dark. It is small.');
    element.lang = 'de'; // rendered again
    await element.updateComplete;
    state.confidence = 0.5;
    element.source = gray();
    await until('both', () => /^Die Pupille ist undeutlich.* It is dark/.test(query(element, '.unsure').textContent!));
    Object.assign(state, { confidence: 0.9, warnings: undefined });
    element.source = gray();
    await until('nothing', () => query(element, '.unsure').textContent === '');
  });

  it('writes numbers with a comma in German, and with a point in exports', async () => {
    element.lang = 'de';
    element.millimetresPerPixel = 0.05;
    element.src = clip;
    document.body.append(element);
    await event(element, 'foveola-result');
    element.record();
    await event(element, 'foveola-result');
    const { textContent } = element.shadowRoot!.querySelector('[data-value=diameter]')!;
    expect(textContent).to.match(/^\d+,\d\d$/);
    expect(element.shadowRoot!.querySelector('[data-value=center]')!.textContent).to.match(/^\d+,\d; \d+,\d$/);
    expect((await element.exportCsv()).split('\n').at(-2)).to.match(/,\d+\.\d+,/);
  });

  it('explains an error in German; the exact words of the library stand below', async () => {
    element.lang = 'de';
    element.src = '/nowhere.webm';
    document.body.append(element);
    await event(element, 'foveola-error');
    await element.updateComplete;
    const panel = element.shadowRoot!.querySelector('.error')!;
    const [title, help, detail] = [...panel.querySelectorAll('p')];
    expect(title!.textContent).to.equal('Die Datei lässt sich nicht lesen');
    expect(help!.textContent).to.match(/^Die Adresse prüfen/);
    expect(detail!.textContent).to.include('nowhere.webm');
    expect(detail!.querySelector('[lang=en]')).to.not.equal(null);
  });

  it('counts what max-fps leaves out', async () => {
    element.maxFps = 2; // far below what even a busy machine shows
    element.src = clip;
    document.body.append(element);
    await event(element, 'foveola-result');
    element.record();
    for (let i = 0; i < 4; i++) await event(element, 'foveola-result');
    const { rows } = JSON.parse(await element.exportJson());
    expect(rows.slice(1).some(({ throttled }: { throttled: number }) => throttled > 0)).to.equal(true);
    expect(rows[1].dropped).to.be.at.least(rows[1].throttled);
    expect(rows[1].frame - rows[0].frame).to.equal(rows[1].dropped + 1);
  });

  for (const [name, make] of Object.entries({
    GrayImage: () => gray(),
    ImageData: () => new ImageData(64, 48),
    ImageBitmap: () => createImageBitmap(new ImageData(64, 48)),
    VideoFrame: () => {
      const canvas = new OffscreenCanvas(64, 48);
      canvas.getContext('2d')!.fillRect(0, 0, 64, 48);
      return new VideoFrame(canvas, { timestamp: 0 });
    },
    canvas: () => Object.assign(document.createElement('canvas'), { width: 64, height: 48 }),
  }))
    it(`processes ${name} once`, async () => {
      const source = await make();
      element.source = source;
      document.body.append(element);
      const result = await event<PupilResult>(element, 'foveola-result');
      expect([result.width, result.height]).to.deep.equal([64, 48]);
      await until('finished', () => element.state === 'finished');
      expect(state.timestamps.length).to.equal(1);
      if (source instanceof VideoFrame) source.close();
    });

  it('takes a dropped file, and plays it where the page wants that', async () => {
    element.analysisMode = 'manual';
    document.body.append(element);
    await element.updateComplete;
    const data = new DataTransfer();
    data.items.add(new File([await (await fetch(clip)).blob()], 'eye.webm', { type: 'video/webm' }));
    const drop = new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true, composed: true });
    query(element, '.stage').dispatchEvent(drop);
    expect(drop.defaultPrevented).to.equal(true);
    await event(element, 'foveola-result');
    await until('it runs', () => element.state === 'running');
  });

  it('lays its overlay over an element elsewhere on the page', async () => {
    const canvas = Object.assign(document.createElement('canvas'), { id: 'elsewhere', width: 64, height: 48 });
    document.body.append(canvas, element);
    element.htmlFor = 'elsewhere';
    await event(element, 'foveola-result');
    await until('the overlay lies there', () => {
      const [own, its] = [query(element, '.overlay'), canvas].map((e) => e.getBoundingClientRect());
      return Math.abs(own!.left - its!.left) < 1 && Math.abs(own!.top - its!.top) < 1 && own!.width === its!.width;
    });
    canvas.remove();
    element.htmlFor = 'nowhere';
    expect((await event<FoveolaError>(element, 'foveola-error')).message).to.include('"nowhere"');
  });

  it('follows an element that is moved on the page', async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 48 });
    document.body.append(canvas, element);
    element.source = canvas;
    await event(element, 'foveola-result');
    canvas.style.marginLeft = '120px';
    await element.step();
    await until('the overlay lies there', () => {
      const [own, its] = [query(element, '.overlay'), canvas].map((e) => e.getBoundingClientRect());
      return Math.abs(own!.left - its!.left) < 1 && own!.left >= 120;
    });
    canvas.remove();
  });

  it('takes a video that stands in its slot, and leaves it to the page', async () => {
    const video = Object.assign(document.createElement('video'), { src: clip, slot: 'media', muted: true });
    element.append(video);
    document.body.append(element);
    await event(element, 'foveola-result');
    expect(state.trackers).to.equal(1);
    const before = state.timestamps.length;
    await video.play();
    await until('frames follow', () => state.timestamps.length > before + 3);
    element.remove();
    await until('given back', () => state.held === 0);
    expect(video.getAttribute('src')).to.equal(clip);
  });

  it('shares nothing but the engine with its neighbor', async () => {
    const other = document.createElement('foveola-pupil');
    element.source = gray(32, 32);
    other.source = gray(64, 64);
    document.body.append(element, other);
    const [first, second] = await Promise.all([
      event<PupilResult>(element, 'foveola-result'),
      event<PupilResult>(other, 'foveola-result'),
    ]);
    expect([first.width, second.width]).to.deep.equal([32, 64]);
    other.remove();
  });

  it('gives a setting its default again when it is removed', async () => {
    element.fit = 'circle';
    element.source = gray();
    document.body.append(element);
    await event(element, 'foveola-result');
    element.removeAttribute('fit');
    element.fit = null;
    await event(element, 'foveola-result');
    expect(state.parameters.fit).to.equal('ellipse');
  });

  it('shows an error and clears it with the next good source', async () => {
    element.source = new File(['only text'], 'eye.mp4', { type: 'video/mp4' });
    document.body.append(element);
    const error = await event<FoveolaError>(element, 'foveola-error');
    expect(error.code).to.equal('decode-failed');
    expect(error.message).to.include('eye.mp4');
    await element.updateComplete;
    expect(query(element, '[role=alert]').textContent).to.include(error.message);
    element.source = gray();
    await event(element, 'foveola-result');
    await element.updateComplete;
    expect(element.error).to.equal(null);
    expect(element.hasAttribute('error')).to.equal(false);
    expect(query(element, '[role=alert]')).to.equal(null);
  });

  it('reports a failed frame, and plays on when asked to', async () => {
    element.src = clip;
    document.body.append(element);
    await event(element, 'foveola-result');
    state.failNext = new FoveolaError('out-of-memory', 'Use a smaller image.');
    expect((await event<FoveolaError>(element, 'foveola-error')).code).to.equal('out-of-memory');
    expect(element.state).to.equal('error');
    await element.start();
    await event(element, 'foveola-result');
    expect(element.state).to.equal('running');
  });

  it('reports a wrong setting and takes the right one', async () => {
    element.fit = 'square' as 'circle';
    element.source = gray();
    document.body.append(element);
    expect((await event<FoveolaError>(element, 'foveola-error')).code).to.equal('invalid-argument');
    element.fit = 'circle';
    await event(element, 'foveola-result');
    expect(state.parameters.fit).to.equal('circle');
  });

  it('tells why there is no engine, and tries again with the next source', async () => {
    state.failEngine = new FoveolaError('wasm-blocked', "Add 'wasm-unsafe-eval' to script-src.");
    element.source = gray();
    document.body.append(element);
    expect((await event<FoveolaError>(element, 'foveola-error')).code).to.equal('wasm-blocked');
    state.failEngine = null;
    element.source = gray(32, 32);
    expect((await event<PupilResult>(element, 'foveola-result')).width).to.equal(32);
  });

  it('survives being moved, and being removed in mid-frame and put back', async () => {
    element.src = clip;
    document.body.append(element);
    await event(element, 'foveola-result');
    const other = document.body.appendChild(document.createElement('div'));
    other.append(element);
    await event(element, 'foveola-result');
    expect(state.trackers).to.equal(1);
    state.delay = 100;
    await new Promise((resolve) => setTimeout(resolve, 50));
    element.remove();
    await until('given back', () => state.held === 0 && state.trackers === 0);
    state.delay = 0;
    document.body.append(element);
    await event(element, 'foveola-result');
    await until('it runs', () => element.state === 'running');
    other.remove();
  });

  it('pauses out of sight and goes on in sight', async () => {
    const box = document.body.appendChild(document.createElement('div'));
    element.src = clip;
    box.append(element);
    await event(element, 'foveola-result');
    box.style.display = 'none';
    await until('paused', () => element.state === 'paused');
    expect(element.paused).to.equal(false);
    box.style.display = '';
    await until('running', () => element.state === 'running');
    box.remove();
  });

  it('is worked by keys, and not while a field has the focus', async () => {
    element.controls = true;
    element.src = clip;
    document.body.append(element);
    await event(element, 'foveola-result');
    const press = (key: string, target: Element = query(element, '.stage')) =>
      target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true }));
    element.focus();
    expect(element.shadowRoot!.activeElement).to.equal(query(element, '.stage'));
    press(' ');
    await until('paused', () => element.paused);
    press(' ');
    await until('running', () => element.state === 'running');
    press('r');
    await until('recording', () => element.recording);
    press('m');
    press('R');
    await until('not recording', () => !element.recording);
    expect(JSON.parse(await element.exportJson()).markers).to.have.length(1);
    press('p');
    await until('points are shown', () => element.points);
    await until('points are asked for', () => state.parameters.outline === true);
    press('?');
    await element.updateComplete;
    expect(query(element, '[role=dialog]')).to.not.equal(null);
    press('Escape');
    await until('closed', () => query(element, '[role=dialog]') === null);
    press(' ', query(element, 'input'));
    press(' ', button(element, 'Pause'));
    expect(element.paused).to.equal(false);
  });

  it('saves the picture with the overlay', async () => {
    element.source = gray();
    document.body.append(element);
    await event(element, 'foveola-result');
    const png = await element.snapshot();
    const bitmap = await createImageBitmap(png);
    expect([bitmap.width, bitmap.height]).to.deep.equal([640, 480]);
    bitmap.close();
  });

  it('speaks the language of its surroundings', async () => {
    element.controls = true;
    element.lang = 'de-AT';
    document.body.append(element);
    await element.updateComplete;
    expect(button(element, 'Datei öffnen')).to.not.equal(null);
    element.lang = 'en';
    await element.updateComplete;
    expect(button(element, 'Open file')).to.not.equal(null);
  });

  it('measures two eyes', async () => {
    element.eyes = 2;
    element.millimetresPerPixel = 0.05;
    element.source = gray();
    document.body.append(element);
    const result = await event<PupilResult>(element, 'foveola-result');
    expect(result.pupils).to.have.length(2);
    expect(state.parameters).to.deep.include({ eyes: 2, millimetresPerPixel: 0.05 });
  });

  it('has a class without registration of its own', () => {
    expect(customElements.get('foveola-pupil')).to.equal(FoveolaPupil);
    expect(FoveolaPupil.version).to.match(/^\d+\.\d+\.\d+$/);
  });
});
