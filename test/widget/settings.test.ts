import { expect } from 'chai';
import { FoveolaError, type PupilResult } from '../../src/index.ts';
import { number } from '../../src/runtime/parameters.ts';
import { setEngineProvider } from '../../widget/base/engine.ts';
import { History } from '../../widget/tools/settings-controller.ts';
import { labelOf, stepOf } from '../../widget/tools/panels/parameter-row.ts';
import { discAbout, drawn, moved, resized } from '../../widget/tools/shape.ts';
import '../../widget/pupil/pupil.ts';
import type { FoveolaPupil } from '../../widget/pupil/pupil.ts';
import { en } from '../../widget/strings/en.ts';
import { chooseItem } from './element-state.ts';
import { fakeEngine, type FakeState } from './fake-engine.ts';
import { makeClip, steady } from '../support/clips.ts';

describe('history', () => {
  const deed = (log: string[], name: string, key?: string) => ({
    undo: () => log.push(`-${name}`),
    redo: () => log.push(`+${name}`),
    ...(key && { key }),
  });

  it('takes back and does again, and forgets what was taken back when something else is done', () => {
    const log: string[] = [];
    const history = new History();
    history.add(deed(log, 'a'));
    history.add(deed(log, 'b'));
    expect([history.undo(), history.undo(), history.undo()]).to.deep.equal([true, true, false]);
    expect(history.redo()).to.equal(true);
    history.add(deed(log, 'c'));
    expect(history.canRedo).to.equal(false);
    expect(history.undo()).to.equal(true);
    expect(log).to.deep.equal(['-b', '-a', '+a', '-c']);
  });

  it('takes a drawn slider for one deed', () => {
    const log: string[] = [];
    const history = new History();
    for (const name of ['1', '2', '3']) history.add(deed(log, name, 'slider'));
    history.undo();
    history.redo();
    expect(history.canRedo || !history.undo()).to.equal(false);
    expect(log).to.deep.equal(['-1', '+3', '-1']);
  });
});

describe('shapes', () => {
  const limits = { width: 100, height: 80, smallest: 10, disc: false };
  const box = { x: 20, y: 20, width: 30, height: 20 };

  it('stay in the picture', () => {
    expect(moved(box, -50, 100, limits)).to.deep.equal({ x: 0, y: 60, width: 30, height: 20 });
    expect(resized(box, 'se', 500, 500, limits)).to.deep.equal({ x: 20, y: 20, width: 80, height: 60 });
    expect(drawn({ x: 95, y: 75 }, { x: 200, y: 200 }, limits)).to.deep.equal({ x: 90, y: 70, width: 10, height: 10 });
  });

  it('do not become smaller than they may, nor turn over', () => {
    expect(resized(box, 'w', 100, 0, limits)).to.deep.equal({ x: 40, y: 20, width: 10, height: 20 });
    expect(resized(box, 'n', 0, 100, limits)).to.deep.equal({ x: 20, y: 30, width: 30, height: 10 });
  });

  it('are discs where discs are wanted', () => {
    const disc = { ...limits, disc: true };
    expect(drawn({ x: 50, y: 40 }, { x: 50, y: 60 }, disc)).to.deep.equal({ x: 30, y: 20, width: 40, height: 40 });
    expect(discAbout({ x: 0, y: 30, width: 20, height: 20 }, 50, disc)).to.include({ width: 20 }); // at the left edge
    const grown = resized({ x: 30, y: 20, width: 40, height: 40 }, 'e', 5, 0, disc);
    expect(grown).to.deep.equal({ x: 25, y: 15, width: 50, height: 50 });
  });
});

describe('sliders', () => {
  it('have steps that a person would choose', () => {
    expect(stepOf(number({ default: 0, min: 0, max: 1, effect: '' }))).to.be.closeTo(0.005, 1e-9);
    expect(stepOf(number({ default: 0, min: 0, max: 20, integer: true, effect: '' }))).to.equal(1);
    expect(stepOf(number({ default: 0, min: 0, max: 2000, integer: true, effect: '' }))).to.equal(10);
  });

  it('are named by the dictionary, else after their parameter', () => {
    expect(labelOf(en, 'voteDistance')).to.equal('Vote distance');
    expect(labelOf(en, 'someNewThing')).to.equal('Some new thing');
  });
});

describe('settings of <foveola-pupil>', () => {
  let state: FakeState;
  let element: FoveolaPupil;
  let restore: Parameters<typeof setEngineProvider>[0];
  let results: PupilResult[];

  const find = <E extends Element = HTMLElement>(selector: string) => element.renderRoot.querySelector<E>(selector)!;
  const until = async (what: string, condition: () => boolean) => {
    for (let i = 0; i < 400 && !condition(); i++) await new Promise((resolve) => setTimeout(resolve, 20));
    if (!condition()) throw new Error(`waited too long for: ${what}`);
  };
  const press = (target: EventTarget, key: string, more: KeyboardEventInit = {}) =>
    target.dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true, ...more }),
    );

  beforeEach(async () => {
    const fake = fakeEngine();
    state = fake.state;
    restore = setEngineProvider(fake.provider);
    element = document.createElement('foveola-pupil');
    results = [];
    element.addEventListener('foveola-result', (event) => results.push((event as CustomEvent<PupilResult>).detail));
    element.controls = true;
    element.settingsOpen = true;
    element.source = { width: 320, height: 240, data: new Uint8Array(320 * 240) };
    document.body.append(element);
    await until('a result', () => results.length > 0);
    await until('the settings, which load by themselves', () => find('.parameter') !== null);
    await element.updateComplete;
  });
  afterEach(() => {
    element.remove();
    setEngineProvider(restore);
  });

  it('have a control for each parameter of the table', () => {
    const labels = [...element.renderRoot.querySelectorAll('.parameter .label')].map((e) => e.textContent!.trim());
    expect(labels).to.include.members(['Method', 'Shape', 'Rays', 'Vote distance px']);
    expect(find<HTMLInputElement>('input[type=range][aria-label="Rays"]').value).to.equal('20');
    expect(find<HTMLSelectElement>('#p-fit').value).to.equal('ellipse');
  });

  it('open with four that matter, lengths in pixels, and have the others in groups that a search narrows', async () => {
    const labels = (within: string) =>
      [...element.renderRoot.querySelectorAll(`${within} .parameter .label`)].map((one) => one.textContent!.trim());
    expect(labels('.parameters.first')).to.deep.equal(['Eyes', 'Minimum diameter px', 'Maximum diameter px']);
    expect(find('.parameters.first fieldset legend').textContent).to.equal('Region of interest');
    const field = (name: string) => find<HTMLInputElement>(`input[type=number][aria-label="${name} diameter"]`);
    expect([field('Minimum').value, field('Maximum').value]).to.deep.equal(['19.2', '192']); // of 400 and of 240
    field('Maximum').value = '120';
    field('Maximum').dispatchEvent(new Event('change'));
    expect(element.settings.maxDiameter).to.equal(0.5);
    const groups = () => [...element.renderRoot.querySelectorAll('.panel .kind')].map((one) => one.textContent);
    expect(groups()).to.include.members(['Detection', 'Reflections and smoothing', 'Speed']);
    const search = find<HTMLInputElement>('.panel input[type=search]');
    const type = async (text: string) => {
      search.value = text;
      search.dispatchEvent(new Event('input'));
      await element.updateComplete;
    };
    await type('RANSAC');
    expect(labels('.panel details')).to.deep.equal(['RANSAC samples', 'Vote distance px']);
    expect(groups()).to.deep.equal(['Rays (Robust and Starburst)']);
    await type('nonsense');
    expect(find('.panel details').textContent).to.include('No setting matches “nonsense”');
    press(search, 'Escape');
    await element.updateComplete;
    expect([search.value, element.settingsOpen, groups().length]).to.deep.equal(['', true, 5]);
  });

  it('draw the limits of size on the picture, in millimeters after a calibration, and edges can be dragged', async () => {
    const layer = find('.limits');
    const shown = () => [...layer.querySelectorAll('.length')].map((one) => one.textContent);
    await until('the circles', () => !layer.hidden && shown().length === 2);
    expect(shown()).to.deep.equal(['min. 19 px', 'max. 192 px']);
    const circle = layer.querySelector<HTMLElement>('.limit.minDiameter')!;
    const picture = find('[part=media]').getBoundingClientRect();
    const scale = Math.min(picture.width / 320, picture.height / 240);
    const stage = { left: picture.left + (picture.width - 320 * scale) / 2, top: picture.top };
    const box = () => circle.getBoundingClientRect();
    expect(box().width).to.be.closeTo(19.2 * scale, 1);
    const { pupils } = element['parts'].picture.result!;
    const middle = () => [box().left + box().width / 2 - stage.left, box().top + box().height / 2 - stage.top];
    expect(middle()[0]).to.be.closeTo((pupils[0]!.x + 0.5) * scale, 1); // around the pupil
    expect(middle()[1]).to.be.closeTo((pupils[0]!.y + 0.5) * scale, 1);
    layer.setPointerCapture = () => {};
    const pointer = (target: Element, type: string, x: number) =>
      target.dispatchEvent(
        new PointerEvent(type, {
          ...{ clientX: stage.left + x, clientY: stage.top + middle()[1]!, pointerId: 1 },
          ...{ bubbles: true, composed: true, button: 0 },
        }),
      );
    pointer(circle.querySelector('.handle')!, 'pointerdown', middle()[0]! + box().width / 2);
    pointer(layer, 'pointermove', middle()[0]! + 20 * scale);
    pointer(layer, 'pointerup', middle()[0]! + 20 * scale);
    expect(element.settings.minDiameter).to.be.closeTo(0.1, 0.003); // 40 of 400 pixels
    element.undo();
    expect(element.settings).to.deep.equal({});
    element.millimetresPerPixel = 0.05;
    await until('millimeters', () => shown()[0] === 'min. 0.96 mm');
    expect(find<HTMLInputElement>('input[type=number][aria-label="Maximum diameter"]').value).to.equal('9.6');
    element.eyes = 2;
    await until('two of each', () => shown().length === 4);
    element.settingsOpen = false;
    await until('they go with the settings', () => !!layer.hidden);
  });

  it('have set-ups for usual cameras, which replace each other and can be undone', async () => {
    const list = find<HTMLSelectElement>('.panel .preset select');
    const choose = async (name: string) => {
      list.value = name;
      list.dispatchEvent(new Event('change'));
      await element.updateComplete;
    };
    const groups = [...list.querySelectorAll('optgroup')].map(({ label, children }) => [label, children.length]);
    expect(groups).to.deep.equal([
      ['Camera', 4],
      ['Filters for reflections', 9],
    ]);
    await choose('desk');
    expect([element.eyes, element.settings]).to.deep.equal([2, { minDiameter: 0.0064, maxDiameter: 0.12 }]);
    await choose('mouse');
    expect([element.eyes, element.settings]).to.deep.equal([null, { minDiameter: 0.03, maxDiameter: 0.83 }]);
    await choose('headset');
    expect([element.eyes, element.settings]).to.deep.equal([null, {}]);
    element.undo();
    element.undo();
    expect(element.eyes).to.equal(2);
    expect(list.value).to.equal('');
  });

  it('reach the tracker, which sees a still picture again with them', async () => {
    const before = results.length;
    const slider = find<HTMLInputElement>('input[type=range][aria-label="Rays"]');
    slider.value = '30';
    slider.dispatchEvent(new Event('input'));
    await until('another result', () => results.length > before);
    expect(state.parameters.rays).to.equal(30);
    expect(element.settings).to.deep.equal({ rays: 30 });
    find<HTMLButtonElement>('.parameter .default').click();
    await until('the default', () => state.parameters.rays === 20);
    expect(element.settings).to.deep.equal({});
    expect(state.trackers).to.equal(1);
  });

  it('do not take what is out of range', async () => {
    const field = find<HTMLInputElement>('input[type=number][aria-label="Rays"]');
    field.value = '7000';
    field.dispatchEvent(new Event('change'));
    field.dispatchEvent(new Event('blur'));
    expect(element.settings).to.deep.equal({});
    expect(field.value).to.equal('20');
  });

  it('are taken back and done again by keys, but not from within a text field', async () => {
    const select = find<HTMLSelectElement>('#p-fit');
    select.value = 'circle';
    select.dispatchEvent(new Event('change'));
    expect(element.fit).to.equal('circle');
    press(find('input[type=number]'), 'z', { ctrlKey: true });
    expect(element.fit).to.equal('circle');
    press(find('.stage'), 'z', { ctrlKey: true });
    expect(element.fit).to.equal(null);
    press(find('.stage'), 'Z', { metaKey: true, shiftKey: true });
    expect(element.fit).to.equal('circle');
    expect(element.undo()).to.equal(true);
    expect(element.undo()).to.equal(false);
  });

  it('angles are shown in degrees', async () => {
    element.settings = { method: 'hough', angleStep: Math.PI / 20 };
    element.settingsOpen = true;
    await element.updateComplete;
    const field = element.shadowRoot!.querySelector<HTMLInputElement>(
      '[role=group][aria-label="Angle step"] input[type=number]',
    )!;
    expect([field.value, field.min, field.max]).to.deep.equal(['9', '1', '45']);
    field.value = '12';
    field.dispatchEvent(new Event('change'));
    expect(element.settings.angleStep).to.be.closeTo(Math.PI / 15, 1e-12);
  });

  it('are saved and loaded as JSON', async () => {
    element.fit = 'circle';
    element.settings = { rays: 24 };
    const json = element.exportSettings();
    element.fit = null;
    element.settings = { minGradient: 12 };
    element.loadSettings(json);
    expect(element.fit).to.equal('circle');
    expect(element.settings).to.deep.equal({ rays: 24 });
    element.undo();
    expect(element.settings).to.deep.equal({ minGradient: 12 });
  });

  for (const [what, json, words] of [
    ['not valid JSON', '{', 'not valid JSON'],
    ['something else', '{"a":1}', 'no foveola settings'],
    ['another element', '{"software":"foveola","element":"foveola-face","parameters":{}}', '<foveola-face>'],
    ['out of range', '{"software":"foveola","element":"foveola-pupil","parameters":{"rays":1}}', 'rays must be from'],
    ['unknown', '{"software":"foveola","element":"foveola-pupil","parameters":{"speed":1}}', "'speed'"],
    [
      'of the language',
      '{"software":"foveola","element":"foveola-pupil","parameters":{"constructor":1}}',
      "'constructor'",
    ],
    ['of every object', '{"software":"foveola","element":"foveola-pupil","parameters":{"__proto__":1}}', "'__proto__'"],
    ['no region', '{"software":"foveola","element":"foveola-pupil","parameters":{"roi":{"x":1}}}', 'roi must be'],
    ['far too large', ' '.repeat(2 ** 20 + 1), 'too large'],
    [
      'lists in lists',
      `{"software":"foveola","element":"foveola-pupil","parameters":{"rays":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`,
      'rays must be',
    ],
  ] as const)
    it(`refuse a file that is ${what}, and stay as they were`, async () => {
      element.settings = { rays: 24 };
      expect(() => element.loadSettings(json))
        .to.throw(FoveolaError, words)
        .with.property('code', 'invalid-argument');
      expect(element.settings).to.deep.equal({ rays: 24 });
      const data = new DataTransfer();
      data.items.add(new File([json], 'settings.json'));
      await element.updateComplete;
      const input = find<HTMLInputElement>('input.settings-file');
      input.files = data.files;
      input.dispatchEvent(new Event('change'));
      await until('the problem is shown', () => !!find('.problem'));
      expect(find('.problem').textContent).to.include(words);
      expect(element.error).to.equal(null);
    });

  it('have a region that is moved, resized and removed by keys, all of it undoable', async () => {
    await chooseItem(element, 'more', 'Region of interest');
    await until('there is one', () => element.roi !== null);
    expect(element.roi).to.deep.equal({ x: 64, y: 48, width: 192, height: 144 });
    await until('the tracker has it', () => state.parameters.roi === element.roi);
    await until('it is shown', () => !!find('.shape') && !find('.shape').hidden);
    const shape = find('.shape');
    await until('it has the focus', () => element.shadowRoot!.activeElement === shape);
    expect(shape.getAttribute('aria-label')).to.include('192 by 144 pixels at 64, 48');
    press(shape, 'ArrowRight');
    expect(element.roi).to.include({ x: 65, y: 48 });
    press(shape, 'ArrowDown', { shiftKey: true });
    expect(element.roi).to.include({ height: 145 });
    press(shape, 'Delete');
    expect(element.roi).to.equal(null);
    element.undo();
    element.undo();
    expect(element.roi).to.include({ x: 65, height: 144 });
  });

  it('have a region that is dragged; Escape gives back what was there', async () => {
    element.roi = { x: 40, y: 40, width: 100, height: 100 };
    await until('it is shown', () => !!find('.shape') && !find('.shape').hidden);
    const shape = find('.shape');
    const layer = find('.tool');
    layer.setPointerCapture = () => {};
    const box = shape.getBoundingClientRect();
    const scale = box.width / 100;
    const pointer = (target: Element, type: string, x: number, y: number) =>
      target.dispatchEvent(
        new PointerEvent(type, { clientX: x, clientY: y, pointerId: 1, bubbles: true, composed: true, button: 0 }),
      );
    pointer(shape, 'pointerdown', box.left + 5, box.top + 5);
    pointer(layer, 'pointermove', box.left + 5 + 20 * scale, box.top + 5);
    expect(element.roi!.x, 'not before the end').to.equal(40);
    pointer(layer, 'pointerup', box.left + 5 + 20 * scale, box.top + 5);
    expect(element.roi).to.include({ x: 60, y: 40, width: 100 });
    const corner = shape.querySelector('.handle.se')!;
    pointer(corner, 'pointerdown', 300, 300);
    pointer(layer, 'pointermove', 300 - 30 * scale, 300 - 30 * scale);
    press(shape, 'Escape');
    pointer(layer, 'pointerup', 300, 300);
    expect(element.roi).to.deep.equal({ x: 60, y: 40, width: 100, height: 100 });
    element.undo(); // the first gesture; the second left no trace
    expect(element.roi).to.deep.equal({ x: 40, y: 40, width: 100, height: 100 });
  });

  it('have millimetres from a disc that is marked by keys, and none without a calibration', async () => {
    expect(find('.readout dt bdi').textContent).to.equal('px');
    const mark = [...element.renderRoot.querySelectorAll<HTMLElement>('.fields button')].find((b) =>
      /Mark/.test(b.textContent!),
    )!;
    mark.click();
    await until('the disc is shown', () => !!find('.shape.disc') && !find('.shape.disc').hidden);
    const disc = find('.shape.disc');
    await until('it has the focus', () => element.shadowRoot!.activeElement === disc);
    expect(disc.getAttribute('aria-label')).to.include('Disc of 80.0 pixels');
    for (let i = 0; i < 20; i++) press(disc, 'ArrowRight', { shiftKey: true }); // half a pixel of radius each
    await element.updateComplete;
    const field = find<HTMLInputElement>('input.millimetres');
    field.value = '0';
    field.dispatchEvent(new Event('change'));
    press(disc, 'Enter');
    await element.updateComplete;
    expect(find('.fields .problem').textContent).to.include('above 0 mm');
    expect(element.millimetresPerPixel).to.equal(null);
    field.value = '5';
    field.dispatchEvent(new Event('change'));
    press(disc, 'Enter');
    expect(element.millimetresPerPixel).to.be.closeTo(5 / 100, 1e-12);
    await until('the tracker has it', () => state.parameters.millimetresPerPixel === element.millimetresPerPixel);
    await element.updateComplete;
    expect(find('.readout dt bdi').textContent).to.equal('mm');
    element.undo();
    await until('the tracker has none', () => !state.parameters.millimetresPerPixel);
    expect(element.millimetresPerPixel).to.equal(null);
  });

  const calibrate = (word: string) =>
    [...element.renderRoot.querySelectorAll<HTMLElement>('.fields button')]
      .find((one) => one.textContent!.includes(word))!
      .click();

  it('have millimeters from a ruler between two points, by pointer and keys', async () => {
    calibrate('Ruler');
    const ruler = () => find('.ruler');
    await until('the ruler has the focus', () => element.shadowRoot!.activeElement === ruler());
    expect(ruler().getAttribute('aria-label')).to.include('Ruler of 106.7 pixels');
    const layer = ruler().parentElement!;
    layer.setPointerCapture = () => {};
    const picture = find('[part=media]').getBoundingClientRect();
    const scale = Math.min(picture.width / 320, picture.height / 240);
    const left = picture.left + (picture.width - 320 * scale) / 2;
    const pointer = (target: Element, type: string, x: number, y: number) =>
      target.dispatchEvent(
        new PointerEvent(type, {
          ...{ clientX: left + x * scale, clientY: picture.top + y * scale, pointerId: 1 },
          ...{ bubbles: true, composed: true, button: 0 },
        }),
      );
    pointer(layer, 'pointerdown', 100, 50);
    pointer(layer, 'pointermove', 200, 50);
    pointer(layer, 'pointerup', 200, 50);
    expect(ruler().getAttribute('aria-label')).to.include('Ruler of 100.0 pixels');
    const box = ruler().getBoundingClientRect();
    expect(box.width).to.be.closeTo(100 * scale, 1.5);
    for (let i = 0; i < 20; i++) press(ruler(), 'ArrowRight', { shiftKey: true });
    press(ruler(), 'ArrowLeft'); // moves both ends
    await element.updateComplete;
    const field = find<HTMLInputElement>('input.millimetres');
    field.value = '22';
    field.dispatchEvent(new Event('change'));
    press(ruler(), 'Enter');
    expect(element.millimetresPerPixel).to.be.closeTo(22 / 110, 1e-9);
    await element.updateComplete;
    expect(layer.hidden).to.equal(true);
    expect(find('.panel').textContent).to.include('An error of one pixel changes all millimeters by 0.9 %');
    element.undo();
    expect(element.millimetresPerPixel).to.equal(null);
    calibrate('Ruler');
    await element.updateComplete;
    press(ruler(), 'Escape');
    await element.updateComplete;
    expect([layer.hidden, element.millimetresPerPixel]).to.deep.equal([true, null]);
  });

  it('have millimeters from the iris, and say how uncertain they are', async () => {
    calibrate('Iris');
    const disc = () => find('.shape.disc:not([hidden])');
    await until('the circle has the focus', () => disc() && element.shadowRoot!.activeElement === disc());
    expect(disc().getAttribute('aria-label')).to.include('Iris of 239.0 pixels'); // three pupils, but in the picture
    expect(!!find('.limits').hidden).to.equal(true);
    expect(find('.panel').textContent).to.include('standard deviation of 0.42 mm');
    for (let i = 0; i < 6; i++) press(disc(), 'ArrowLeft', { shiftKey: true });
    await element.updateComplete;
    expect(find<HTMLInputElement>('input.millimetres').value).to.equal('11.7');
    press(disc(), 'Enter');
    expect(element.millimetresPerPixel).to.be.closeTo(11.7 / 233, 1e-9);
    await element.updateComplete;
    const note = () => find('.panel').textContent!;
    expect(note()).to.include('From the iris.').and.include('by 3.6 %');
    element.millimetresPerPixel = 0.05;
    await element.updateComplete;
    expect(note()).to.not.include('From the iris.');
    // A measured width has no such deviation.
    calibrate('Iris');
    await element.updateComplete;
    const field = find<HTMLInputElement>('input.millimetres');
    field.value = '12';
    field.dispatchEvent(new Event('change'));
    press(disc(), 'Enter');
    await element.updateComplete;
    expect(note()).to.include('An error of one pixel').and.not.include('3.6 %');
  });

  it('leave no trace of a disc that Escape ends', async () => {
    [...element.renderRoot.querySelectorAll<HTMLElement>('.fields button')]
      .find((b) => /Mark/.test(b.textContent!))!
      .click();
    await until('the disc is shown', () => !!find('.shape.disc') && !find('.shape.disc').hidden);
    press(find('.shape.disc'), 'Escape');
    await element.updateComplete;
    expect(find('.shape.disc').hidden).to.equal(true);
    expect(element.settingsOpen, 'only the disc ends').to.equal(true);
    expect([element.millimetresPerPixel, element.undo()]).to.deep.equal([null, false]);
  });

  it('show a chart for each of two eyes', async () => {
    element.source = await makeClip({ times: steady(3) }); // a still has no chart
    await until('the code that draws charts', () => !!find('.chart canvas'));
    expect(element.renderRoot.querySelectorAll('.chart canvas')).to.have.length(1);
    element.eyes = 2;
    await element.updateComplete;
    const charts = [...element.renderRoot.querySelectorAll('.chart')];
    expect(charts.map((e) => e.getAttribute('aria-label'))).to.deep.equal([
      'Pupil diameter over time, left in the image',
      'Pupil diameter over time, right in the image',
    ]);
    expect(element.renderRoot.querySelectorAll('.chart canvas')).to.have.length(2);
    element.eyes = null;
    await element.updateComplete;
    expect(element.renderRoot.querySelectorAll('.chart canvas')).to.have.length(1);
  });

  it('take a region from an attribute', async () => {
    element.setAttribute('roi', '10 20 100 80');
    expect(element.roi).to.deep.equal({ x: 10, y: 20, width: 100, height: 80 });
    await until('the tracker has it', () => (state.parameters.roi as { x: number } | null)?.x === 10);
  });
});
