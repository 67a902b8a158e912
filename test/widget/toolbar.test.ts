// Full run only: further states of an element, some seconds each.
/** The toolbar: one tab stop, menus by keyboard, the primary action, and what happens with an opened recording. */
import { expect } from 'chai';
import { setEngineProvider } from '../../widget/base/engine.ts';
import '../../widget/elements.ts';
import '../../widget/strings/de.ts';
import type { FoveolaPupil } from '../../widget/pupil/pupil.ts';
import { makeClip, steady } from '../support/clips.ts';
import { chooseItem, menuItem, menuItems, stateOf, tabStops, waitUntil } from './element-state.ts';
import { type AllState, fakeForAll } from './fake-elements.ts';

const kinds = ['pupil', 'face', 'track', 'vessels', 'filter'] as const;

describe('the toolbar', () => {
  let state: AllState;
  let element: FoveolaPupil;
  let restore: Parameters<typeof setEngineProvider>[0];
  const until = (what: string, done: () => unknown) => waitUntil(what, done, () => stateOf(element));
  const find = <E extends HTMLElement = HTMLElement>(selector: string) =>
    element.renderRoot.querySelector<E>(selector)!;
  const bar = () => find('.toolbar');
  const focused = () => (element.shadowRoot as ShadowRoot).activeElement as HTMLElement;
  const press = (key: string, more: KeyboardEventInit = {}) =>
    focused().dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true, ...more }),
    );
  const name = (one: Element | null) => one?.getAttribute('aria-label') ?? one?.textContent.trim() ?? '';
  const primary = () => find('.toolbar .primary') && name(find('.toolbar .primary'));
  const make = async (kind: (typeof kinds)[number] = 'pupil', more: object = {}) => {
    element = document.createElement(`foveola-${kind}`) as FoveolaPupil;
    Object.assign(element, { controls: true, ...more });
    document.body.append(element);
    await element.updateComplete;
  };
  const drop = (file: File) => {
    const data = new DataTransfer();
    data.items.add(file);
    find('.stage').dispatchEvent(
      new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true, composed: true }),
    );
  };
  const recording = async (frames = 60) =>
    new File([await makeClip({ times: steady(frames) })], 'eye.webm', { type: 'video/webm' });

  beforeEach(() => {
    const fake = fakeForAll();
    state = fake.state;
    restore = setEngineProvider(fake.provider);
  });
  afterEach(() => {
    element.remove();
    document.documentElement.dir = '';
    setEngineProvider(restore);
  });

  for (const kind of kinds)
    it(`of <foveola-${kind}> is one tab stop, and one row from 390 to 1440 px`, async () => {
      await make(kind, { lang: 'de', source: await recording(20), paused: true });
      await until('there is an image', () => state.frames > 0);
      find('.stage').focus(); // loads what moves the focus
      const toolbars = () => [...element.renderRoot.querySelectorAll('[role=toolbar]')];
      const stopsOf = (one: Element) =>
        [...one.querySelectorAll<HTMLElement>(':is(button, select):not(:disabled), summary')].filter(
          ({ tabIndex }) => tabIndex === 0,
        ).length;
      await until('each is one stop', () => toolbars().every((one) => stopsOf(one) === 1));
      expect(bar().getAttribute('role')).to.equal('toolbar');
      for (const width of [390, 720, 768, 1440]) {
        element.style.width = `${width}px`;
        await new Promise(requestAnimationFrame);
        expect(bar().scrollWidth, `${width} px`).to.be.at.most(bar().clientWidth);
        const { top, bottom } = bar().getBoundingClientRect();
        expect(bottom - top, `${width} px`).to.be.below(64);
      }
    });

  it('is walked through with arrow keys, Home and End, in reading order', async () => {
    await make();
    const stops = [...bar().querySelectorAll<HTMLElement>('button:not(:disabled)')];
    stops[0]!.focus();
    await until('it is one stop', () => stops[1]!.tabIndex === -1);
    press('ArrowRight');
    expect(name(focused())).to.equal('Start camera');
    expect(stops.map(({ tabIndex }) => tabIndex)).to.deep.equal(stops.map((one) => (one === focused() ? 0 : -1)));
    press('End');
    expect(name(focused())).to.equal('More');
    press('ArrowRight');
    expect(name(focused())).to.equal('Open file');
    press('ArrowLeft');
    expect(name(focused())).to.equal('More');
    press('Home');
    expect(name(focused())).to.equal('Open file');
    bar().dir = 'rtl';
    press('ArrowLeft');
    expect(name(focused())).to.equal('Start camera');
    await element.updateComplete;
    expect(focused().tabIndex).to.equal(0);
  });

  it('has menus that are used by keyboard', async () => {
    await make('pupil', { source: { width: 64, height: 48, data: new Uint8Array(64 * 48) } });
    await until('there is a row', () => state.frames > 0 && element.exportedName);
    const more = find('[data-menu=more]');
    more.focus();
    press('ArrowDown');
    await until('the focus is in the menu', () => focused().role === 'menuitemcheckbox');
    const items = await menuItems(element, 'more');
    expect(find('.menu').matches(':popover-open')).to.equal(true);
    expect(focused()).to.equal(items[0]);
    press('ArrowUp');
    expect(name(focused())).to.contain('Keyboard shortcuts');
    press('ArrowDown');
    expect(focused()).to.equal(items[0]);
    press('c');
    expect(name(focused())).to.contain('Copy image');
    press('End');
    expect(focused()).to.equal(items.at(-1));
    press('Escape');
    await element.updateComplete;
    expect([find('.menu'), focused()]).to.deep.equal([null, more]);
    expect(more.getAttribute('aria-expanded')).to.equal('false');
    const points = await menuItem(element, 'more', 'Show border points');
    expect(points.getAttribute('aria-checked')).to.equal('false');
    points.click();
    await element.updateComplete;
    expect([element.points, find('.menu')]).to.deep.equal([true, null]);
    // A press elsewhere closes it.
    await menuItems(element, 'exports');
    find('.stage').focus();
    await element.updateComplete;
    expect(find('.menu')).to.equal(null);
  });

  it('says in the menu why something is not possible', async () => {
    await make('pupil', { source: await recording(20), paused: true });
    await until('it is open', () => element.state === 'paused');
    const csv = await menuItem(element, 'exports', 'Table (CSV)');
    expect(csv.getAttribute('aria-disabled')).to.equal('true');
    expect(csv.title).to.equal('Table (CSV). Record or analyze something first.');
  });

  it('offers what comes next, and a recording only for cameras', async () => {
    await make();
    expect(find('.toolbar .primary')).to.equal(null); // the empty stage has the buttons
    element.source = await recording();
    await until('it is open', () => element.state === 'running');
    await element.updateComplete;
    expect(primary()).to.equal('Analyze recording');
    element.source = document.createElement('canvas').captureStream?.(30) ?? null;
    element.source = { width: 64, height: 48, data: new Uint8Array(64 * 48) };
    await until('the image is open', () => element.state === 'finished');
    await element.updateComplete;
    expect(primary()).to.equal('Save table');
    const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 48 });
    const context = canvas.getContext('2d')!;
    const paint = setInterval(() => context.fillRect(0, 0, 64, 48), 30);
    element.source = canvas.captureStream(30);
    await until('the stream is open', () => element.state === 'running');
    await element.updateComplete;
    expect(primary()).to.equal('Record');
    find('.toolbar .primary').click();
    await until('it records', () => element.recording);
    await element.updateComplete;
    expect(primary()).to.equal('Stop recording');
    clearInterval(paint);
  });

  it('analyzes a dropped recording at once, shows the progress, and sums it up', async () => {
    await make();
    state.delay = 5;
    const heights = new Set<number>();
    drop(await recording());
    await until('it analyzes', () => element.state === 'analysing');
    await element.updateComplete;
    expect(primary()).to.equal('Cancel the analysis');
    expect(find('.status progress')).to.not.equal(null);
    heights.add(find('.status').offsetHeight);
    await until('it is done', () => element.state === 'paused');
    await until('the summary', () => find('.summary'));
    heights.add(find('.status').offsetHeight);
    expect(find('.summary').textContent.replace(/\s+/g, ' ').trim()).to.match(
      /^60 frames · found in [\d.]+ % · \d+ blinks? · \d+ closures? · \d+ doubtful frames?$/,
    );
    expect(heights.size).to.equal(1);
    expect(primary()).to.equal('Save table');
    expect(find('.notes')).to.equal(null);
    element.settings = { minConfidence: 0.3 };
    await until('the settings differ', () => primary() === 'Analyze recording');
  });

  it('keeps what was analyzed before a cancel, and says what to do', async () => {
    await make();
    state.delay = 20;
    drop(await recording());
    await until('some frames are done', () => state.frames > 5);
    find('.toolbar .primary').click();
    await until('the summary', () => find('.summary'));
    expect(find('.notes li').textContent).to.contain('Not all frames were analyzed');
    expect(JSON.parse(await element.exportJson()))
      .to.have.property('rows')
      .with.length.above(3);
    await chooseItem(element, 'more', 'Analyze again');
    await until('it analyzes', () => element.state === 'analysing');
    element.cancelAnalysis();
    await until('its end', () => element.state !== 'analysing');
  });

  it('plays what the page sets, unless it asks for an analysis', async () => {
    await make('pupil', { source: await recording(20) });
    await until('it plays', () => element.state === 'running');
    element.setAttribute('analyse', 'auto');
    element.source = await recording(20);
    await until('it is analyzed', () => find('.summary'));
    expect(element.state).to.equal('paused');
  });

  it('asks for a box before it tracks a dropped recording', async () => {
    await make('track');
    drop(await recording(20));
    await until('it waits for a box', () => find('.shape') && !find('.shape').hidden);
    await element.updateComplete;
    expect([element.state, primary()]).to.deep.equal(['paused', 'Draw a box around a target']);
  });

  it('keeps the open image when another file cannot be opened', async () => {
    await make('pupil', { source: { width: 64, height: 48, data: new Uint8Array(64 * 48) } });
    await until('the image is open', () => element.state === 'finished');
    drop(new File(['no video'], 'notes.webm', { type: 'video/webm' }));
    await until('the error', () => find('.error'));
    expect([element.state, element.sourceName !== '']).to.deep.equal(['finished', true]);
    expect(find('.stage canvas.media, .stage img.media')).to.not.equal(null);
    expect(find('.error button').textContent.trim()).to.equal('Choose a file');
    const canvas = Object.assign(document.createElement('canvas'), { width: 40, height: 30 });
    canvas.getContext('2d')!.fillRect(0, 0, 40, 30);
    const png = await new Promise<Blob>((resolve) => canvas.toBlob((blob) => resolve(blob!)));
    drop(new File([png], 'eye.png', { type: 'image/png' }));
    await until('the next one is open', () => element.sourceName === 'eye.png' && element.state === 'finished');
    await element.updateComplete;
    expect(find('.error')).to.equal(null);
  });

  it('says in a menu why some of its items cannot be chosen', async () => {
    await make('filter', { source: await recording(20), paused: true });
    await until('an image', () => state.frames > 0);
    const table = await menuItem(element, 'exports', 'Table (CSV)');
    expect(table.getAttribute('aria-disabled')).to.equal('true');
    const reasons = [...element.renderRoot.querySelectorAll('.menu .reason')].map(({ textContent }) => textContent);
    expect(reasons).to.have.length(1);
    expect(table.title).to.equal(`Table (CSV). ${reasons[0]}`);
  });

  /** Collects layout shifts. */
  const watchShifts = () => {
    const shifts: number[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    });
    observer.observe({ type: 'layout-shift', buffered: false });
    return { shifts, observer };
  };

  for (const width of [360, 768])
    it(`of <foveola-vessels> does not move from the empty element to its result, ${width} px wide`, async () => {
      await make('vessels');
      element.style.width = `${width}px`;
      await new Promise((resolve) => setTimeout(resolve, 100));
      const { shifts, observer } = watchShifts();
      element.source = { width: 300, height: 200, data: new Uint8Array(300 * 200).fill(90) };
      await until('its result', () => find('.groups dd bdi')?.textContent.startsWith('20'));
      await new Promise((resolve) => setTimeout(resolve, 300));
      observer.disconnect();
      expect(shifts).to.deep.equal([]);
    });

  it('of no element moves anything from an opened recording to its result', async () => {
    const clip = await makeClip({ times: steady(40), width: 64, height: 48 });
    const moved: string[] = [];
    for (const kind of ['pupil', 'face', 'track', 'filter'] as const)
      for (const width of [390, 720]) {
        Object.assign(state, { frames: 0, delay: 20 }); // still at work when the timeline has loaded
        await make(kind, { lang: 'de', box: { x: 20, y: 20, width: 20, height: 20 } });
        element.style.width = `${width}px`;
        drop(new File([clip], 'eye.webm', { type: 'video/webm' }));
        await until('the recording is open', () => element.sourceName && find('.timeline .scrub'));
        await new Promise((resolve) => setTimeout(resolve, 100));
        const { shifts, observer } = watchShifts();
        await until('a result', () => (kind === 'filter' ? state.frames > 9 : find('.summary')));
        await new Promise((resolve) => setTimeout(resolve, 200));
        observer.disconnect();
        if (shifts.length) moved.push(`${kind}, ${width} px: ${shifts.join(' ')}`);
        element.remove();
      }
    expect(moved).to.deep.equal([]);
  });

  for (const kind of kinds)
    it(`leaves at most eight tab stops to the whole <foveola-${kind}>`, async () => {
      const box = { x: 20, y: 20, width: 30, height: 30 };
      const photograph = { width: 64, height: 48, data: new Uint8Array(64 * 48).fill(90) };
      await make(kind, { source: kind === 'vessels' ? photograph : await recording(20), paused: true, box });
      await until('a result', () => state.frames > 0);
      if (kind !== 'vessels') await until('the timeline', () => find('.timeline .scrub'));
      else await until('the list of segments', () => find('.segments'));
      const chart = !['vessels', 'face', 'filter'].includes(kind); // the stand-in for the engine has no landmarks
      if (chart) await until('the chart', () => find('.chart canvas'));
      find(chart ? '.chart canvas' : '.stage').focus(); // loads the chart's controls
      if (chart) await until('they are there', () => find('.chart-bar'));
      await until('the toolbar', () => find('.toolbar [data-stop]'));
      await element.updateComplete;
      await new Promise(requestAnimationFrame);
      expect(tabStops(element)).to.have.length.at.most(8);
    });
});
